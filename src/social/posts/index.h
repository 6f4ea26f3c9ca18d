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

#define INDEX_AT_ONCE 4000 /* the more at once, the cheaper is each: what costs is a word, not a post that has it */

struct post_index {
    /* Adds what makes a new post findable at once: two small commands, and one for each of its tags. Harmless when repeated. Returns the place of a reply for
     * post_new_take, which is to be called when nobody waits any more: now and then it has some work. */
    size_t (*post_new_add)(struct social *s, struct store_batch *b, struct arena *a, const struct post *post);
    void (*post_new_take)(struct social *s, struct arena *a, const struct store_batch *b, size_t reply);

    /* The same for posts (INDEX_AT_ONCE at most) whose words are to be in the index itself right away. Harmless when repeated. */
    void (*posts_add)(struct social *s, struct store_batch *b, struct arena *a, const struct post *posts, size_t count);

    /* Adds what takes a post out again. What is not taken out is not found either: it only takes room until the index is rebuilt. */
    void (*post_end_add)(struct social *s, struct store_batch *b, struct arena *a, const struct post *post);

    /* Likewise the words that earlier versions of a post had and it has no more. */
    void (*words_end_add)(struct social *s, struct store_batch *b, struct arena *a, const struct post *now,
                          const struct post *earlier, size_t count);
};

#endif
