/* home.h - the home timeline: own posts, those of the people followed, and public ones with a tag that is followed
 * (home_tags.h), newest first, complete.
 *
 * home:<uid> is a cache: a CONTIGUOUS window of the newest ids (a window with holes could not know what it lacks). In
 * push mode authors deliver into it; in pull mode a visit asks the authors for what is newer than its mark. The mark is
 * the time of the newest id that was there when the authors were asked (at most the engine's clock), less
 * SOCIAL_DISORDER_MS: a post that is stored later has an id above that, because post_create.lua takes none that is more
 * than SOCIAL_LATE_MS older than the clock (social_epoch.c handles a clock that goes back). Two sorts of authors are
 * not asked further: those who have written nothing since (newest:<uid>, read for all in one command), and those whose
 * newest post stands in the window (all their earlier posts came with it or before). In hybrid mode a visit asks
 * celebrities (celebrity.h) in addition to what was delivered. Posts below the window come from the truth under the
 * same cursor (merge.h), so there is no cliff. The visit that finds a missing or outdated window rebuilds it: it first
 * begins the list anew, so that the list catches deliveries meanwhile, and stores it only if nobody changed it (stamp).
 *
 * Even when things arrive late, a reader sees only posts of people whom he follows now, and no deleted ones: both are
 * checked when the page is made.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_HOME_H
#define SOCIAL_TIMELINES_HOME_H

#include "social/timelines/timeline.h"

struct visit;

struct home {
    struct timeline_page page;
    struct timeline_ids cached; /* the ids of the window that the page was made of */
    struct timeline_ids tagged; /* and those of tags that the visitor follows */
};

/* The visitor's home; a visitor who is not signed in gets an empty page. */
const struct home *home_ask(struct visit *v, const struct timeline_query *q);

/* Where a post of the page came from: the cache, a tag, or its author, who was asked for it. */
enum home_source { HOME_CACHED, HOME_TAGGED, HOME_MERGED };
enum home_source home_source(const struct home *h, uint64_t id);

#endif
