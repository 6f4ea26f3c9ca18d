/* fanout_parts.h - what the first deliveries (fanout.c) and the job that goes on with them (fanout_job.c) have in
 * common: commands for a batch. */
#ifndef SOCIAL_TIMELINES_FANOUT_PARTS_H
#define SOCIAL_TIMELINES_FANOUT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct delivery_work;
struct post;
struct social;
struct store_batch;

/* Into (or, remove, out of) the lists of tags, which are comma separated. */
void fanout_tags_add(struct store_batch *b, struct arena *a, const char *tags, const char *post, bool remove);

/* Public timeline, tags, the list of replies, search. Repeatable: it may be the second time. Trends: its
 * author is put before people, so it counts for those of its tags. Returns the place of the
 * reply that the index of search takes (posts/index.h). */
size_t fanout_indexes_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *post,
                          bool repeatable, bool trends);

/* Deliveries of a post to homes. Careful: each is a repetition or late, see fanout.h. */
void fanout_deliveries_add(struct social *s, struct store_batch *b, struct arena *a, const uint64_t *readers,
                           size_t count, uint64_t post, bool careful);

/* Whether deliveries that begin now are to be careful from the beginning. */
bool fanout_is_late(const struct social *s, uint64_t post);

/* Asks the engine for the time, behind deliveries in their batch. Taking the answer says whether it was too late for
 * careless deliveries: then they must be repeated, carefully. */
size_t fanout_time_add(struct store_batch *b);
bool fanout_came_late(struct social *s, const struct store_batch *b, size_t time, uint64_t post);

/* Which mode the site is served in, asked after the post was stored (social_epoch_add): moves the epoch on when the
 * post was written in another mode (see social_epoch.c). On an error the job must stay. */
enum err fanout_mode_take(struct social *s, const struct store_batch *b, size_t mode, const struct delivery_work *work);

/* Ends the job: everything has been delivered, or there is nothing to deliver any more. */
void fanout_end(struct social *s, struct arena *a, const struct delivery_work *work);

#endif
