/* merge.h - the truth: the posts of many authors, merged by id. Every home timeline is a cache of it.
 *
 * One call per author, all in one batch. To few authors it is a script: ids within bounds, and the first few posts with
 * them, which go to the cache, so that a page needs no further round trip for them. To many it is a plain command for
 * the ids alone, which costs the engine a tenth; posts that the cache lacks then take a round trip of their own.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_MERGE_H
#define SOCIAL_TIMELINES_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/timelines/timeline.h"

struct store_batch;
struct visit;

struct merge {
    const uint64_t *authors; /* and `self` besides, unless it is 0 */
    size_t count;
    uint64_t self;
    uint64_t from_ms; /* only ids from this time on; 0: all */
    struct timeline_query query;
    unsigned per_author;
    uint64_t known; /* posts up to this id are known to the caller, mostly: they are not sent along. 0: none */
    size_t most;    /* ids wanted */
    size_t first_reply;
    bool plain; /* no script */
};

/* Adds the reads to v->reads.batch. */
void merge_add(struct visit *v, struct merge *m);

/* The ids, newest first. Returns only a contiguous run next to the reading end: an author who had more than per_author
 * cuts off everything behind his last. *whole is false when something was cut off, or there are more than `most`. */
struct timeline_ids merge_take(struct visit *v, const struct store_batch *b, const struct merge *m, bool *whole);

#endif
