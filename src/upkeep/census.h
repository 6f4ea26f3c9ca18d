/* census.h - how many posts and sessions the whole site has, for the metrics.
 *
 * No counter keeps these numbers: one that every post changes could drift from the truth, and sessions end by
 * themselves. So the keys are counted, a thousand in each step: this takes the engine less than a millisecond a second,
 * however large the site is; only the age of the numbers grows with it (METRIC_SITE_COUNT_MS). What this is not: the
 * check of the data, which reads every key.
 *
 * Threads: a census belongs to one thread.
 */
#ifndef UPKEEP_CENSUS_H
#define UPKEEP_CENSUS_H

struct census;
struct social;

struct census *census_new(void);
void census_free(struct census *c); /* NULL is allowed */

/* One step: one round trip. When it was the last of a walk, the numbers go to the metrics, and the next step begins
 * anew. Without the engine the walk begins anew as well. */
void census_step(struct census *c, struct social *s);

#endif
