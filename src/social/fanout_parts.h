/* fanout_parts.h - what the first deliveries (fanout.c) and the job that goes on with them (fanout_job.c) have in common:
 * commands for a batch. */
#ifndef SOCIAL_FANOUT_PARTS_H
#define SOCIAL_FANOUT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct job;
struct social;
struct store_batch;

/* Whether a list of tags, which are comma separated, has this one. */
bool fanout_tags_have(const char *list, const char *tag);

/* Into (or, remove, out of) the lists of tags, which are comma separated. */
void fanout_tags_add(struct store_batch *b, struct arena *a, const char *tags, const char *post, bool remove);

/* Public timeline, tags and the list of replies. Repeatable: it may be the second time. */
void fanout_indexes_add(struct store_batch *b, struct arena *a, const char *post, const char *tags, uint64_t reply_to,
                        bool repeatable);

/* Deliveries of a post to homes. Careful: each is a repetition or late, see fanout.h. */
void fanout_deliveries_add(struct social *s, struct store_batch *b, struct arena *a, const uint64_t *readers,
                           size_t count, uint64_t post, bool careful);

/* The job is done. */
void fanout_end(struct social *s, struct arena *a, const struct job *j);

#endif
