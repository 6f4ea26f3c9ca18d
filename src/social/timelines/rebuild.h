/* rebuild.h - dropping homes, so that the next visit builds them from the truth.
 *
 * Nothing is lost by it: a home is a cache (home.h). An administrator does it when he does not trust a home, and
 * `retwis check --repair` does it to a home with wrong contents.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_REBUILD_H
#define SOCIAL_TIMELINES_REBUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct remains;
struct social;
struct store_batch;

/* Adds the drop of one home. A visit that is building it at this moment starts again. */
void rebuild_add(struct store_batch *b, uint64_t uid);

/* Handed over at start: a deleted user leaves a home. */
extern const struct remains rebuild_remains;

enum err rebuild_home(struct social *s, struct arena *a, uint64_t uid);

/* Drops the homes of all users in chunks; calls `step` (may be NULL) with the number done, after each chunk of a
 * bucket. */
enum err rebuild_all(struct social *s, void (*step)(void *context, unsigned bucket, uint64_t done), void *context,
                     uint64_t *done);

#endif
