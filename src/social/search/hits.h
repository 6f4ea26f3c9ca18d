/* hits.h - which posts may be what somebody looks for: lists of ids out of the index, and what they have in common. Pure functions over
 * ids; nothing is asked here.
 *
 * A list may be known only down to some id (`floor`): below that it has more. So what all lists have in common is certain above the
 * highest floor. When some list is known whole, everything on it is a candidate: what another list does not say is seen
 * when the post is loaded.
 *
 * Threads: any.
 */
#ifndef SOCIAL_SEARCH_HITS_H
#define SOCIAL_SEARCH_HITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* Newest first, each once. */
struct hit_list {
    uint64_t *ids;
    size_t count;
    uint64_t floor; /* the oldest id that is known; 0: all are known */
};

/* The ids that word_read.lua answers: 8 bytes each, oldest first; `has_older`: there are more below them. */
struct hit_list hits_of_bytes(struct arena *a, const char *bytes, size_t length, bool has_older);

/* Those of two lists together: known as far as both are. */
struct hit_list hits_joined(struct arena *a, const struct hit_list *x, const struct hit_list *y);

/* What may be on all of these lists (one at least): the candidates, and in `floor` below which there may be more. *is_certain: each of
 * them is on all. */
struct hit_list hits_common(struct arena *a, const struct hit_list *lists, size_t count, bool *is_certain);

#endif
