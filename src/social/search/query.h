/* query.h - what somebody looks for, as he typed it: words, "phrases", #tags, from:name.
 *
 * A post is found if it has all of them. A word is one by base/words.h; what is written without a gap but is several words (don't, a run
 * of signs) has to stand together like a phrase. What is no word at all (punctuation) is passed over.
 *
 * Threads: any; pure but for the arena.
 */
#ifndef SOCIAL_SEARCH_QUERY_H
#define SOCIAL_SEARCH_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/words.h"

struct arena;
struct post;
struct social;

#define QUERY_TERMS 8 /* what follows is passed over */
#define QUERY_WORDS 8 /* of one term, likewise */
#define QUERY_LISTS 8 /* lists of the index that are read: more would find no fewer posts, only spare looking at some */

struct term {
    struct words words;
    const char *tag; /* folded as tags are; NULL: none is meant */
};

struct query {
    struct term terms[QUERY_TERMS];
    size_t count;
    const char *from;               /* name of the author, as it was typed; NULL: whoever */
    const char *lists[QUERY_LISTS]; /* words of the index (index.h): each post that fits is on all of them */
    size_t list_count;
};

/* Never fails. With no terms and no `from` there is nothing to look for. */
void query_parse(struct arena *a, const char *text, struct query *out);

bool query_is_empty(const struct query *q);

/* Whether the post has all terms. (Whose it is, is for the caller to see.) */
bool query_fits(struct social *s, struct arena *a, const struct query *q, const struct post *p);

#endif
