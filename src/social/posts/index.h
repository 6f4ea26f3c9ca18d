/* index.h - how posts come to be found by their words: what search (social/search) hands over (struct social_parts), because posts and
 * timelines know nothing of it.
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_INDEX_H
#define SOCIAL_POSTS_INDEX_H

#include <stddef.h>

struct arena;
struct post;
struct social;
struct store_batch;

struct post_index {
    /* Adds what makes these posts findable. Harmless when repeated. */
    void (*posts_add)(struct social *s, struct store_batch *b, struct arena *a, const struct post *posts, size_t count);

    /* Adds what takes a post out again. What is not taken out is not found either: it only takes room until the index is rebuilt. */
    void (*post_end_add)(struct social *s, struct store_batch *b, struct arena *a, const struct post *post);
};

#endif
