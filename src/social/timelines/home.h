/* home.h - the home timeline: own posts and those of the people followed, newest first, complete.
 *
 * home:<uid> is a cache: a CONTIGUOUS window of the newest ids (a window with holes could not know what it lacks). In
 * push mode authors deliver into it; in pull mode a visit asks the authors for what is newer than its mark. The mark is
 * the time of the newest id that was there when the authors were asked, by the engine's clock at most, less
 * SOCIAL_DISORDER_MS: a post that is stored later has an id above that, because post_create.lua takes none that is
 * SOCIAL_LATE_MS older than the clock (should that clock go back, social_epoch.c sees to it). Whoever has written
 * nothing since (newest:<uid>, read for all in one command), or whose newest post stands in the window (all that he
 * wrote before came with it or earlier), is not asked further. In hybrid mode a visit asks celebrities (celebrity.h) on
 * top of what was delivered. What lies below the window comes from the truth under the same cursor (merge.h), so there
 * is no cliff. A missing or outdated window is rebuilt by the visit that finds it: the list is begun anew first, so
 * that it catches what is delivered meanwhile, and stored only if nobody changed it (stamp).
 *
 * Whatever arrives late, a reader sees only posts of people he follows now, and no deleted ones: both are checked when
 * the page is made.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_HOME_H
#define SOCIAL_TIMELINES_HOME_H

#include "social/timelines/timeline.h"

struct visit;

struct home {
    struct timeline_page page;
    struct timeline_ids cached; /* what the window had, as far as the page was made of it */
};

/* The visitor's home; whoever is not signed in gets an empty page. */
const struct home *home_ask(struct visit *v, const struct timeline_query *q);

/* Whether a post of the page stood in the cache; else its author was asked for it. */
bool home_from_cache(const struct home *h, uint64_t id);

#endif
