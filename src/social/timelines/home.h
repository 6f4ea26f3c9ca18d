/* home.h - the home timeline: own posts and those of the people followed, newest first, complete.
 *
 * home:<uid> is a cache: a CONTIGUOUS window of the newest ids (a window with holes could not know what it lacks). In push
 * mode authors deliver into it; in pull mode a visit asks the authors for what is newer than its mark. The mark is the time of
 * the newest id that was there when the authors were asked, by the engine's clock at most, less TIMELINE_DISORDER_MS: a post that is
 * stored later has an id above that, because post_create.lua takes none that is TIMELINE_LATE_MS older than the clock
 * (should that clock go back, social_epoch.c sees to it). Whoever has written nothing since (newest:<uid>, read for all in one
 * command), or whose newest post stands in the window (all that he wrote before came with it or earlier), is
 * not asked further. In hybrid mode a visit asks celebrities (celebrity.h) on top of
 * what was delivered. What lies below the window comes from the truth under the same cursor
 * (merge.h), so there is no cliff. A missing or outdated window is rebuilt by the visit that finds it: the list is begun
 * anew first, so that it catches what is delivered meanwhile, and stored only if nobody changed it (stamp).
 *
 * Whatever arrives late, a reader sees only posts of people he follows now, and no deleted ones: both are checked when
 * the page is made.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_HOME_H
#define SOCIAL_TIMELINES_HOME_H

#include "social/timelines/timeline.h"

struct remains;
struct social;

/* How long a home that nobody reads is kept, in ms; 0: for ever. */
int64_t home_ttl(const struct social *s);
const char *home_ttl_text(const struct social *s, struct arena *a);

/* What is handed over at start: a deleted user leaves a home. */
extern const struct remains home_remains;

struct home_read;

/* As in timeline.h: add before the first visit_run, next before the second, take after it. A visitor who is not
 * signed in gets an empty page. */
struct home_read *home_add(struct visit *v, const struct timeline_query *q);
enum err home_next(struct visit *v, struct home_read *h);
enum err home_take(struct visit *v, struct home_read *h, struct timeline_page *out);

/* Whether a post of the page stood in the cache; else its author was asked for it. */
bool home_from_cache(const struct home_read *h, uint64_t id);

#endif
