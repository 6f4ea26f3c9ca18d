/* population.h - how many people the site has, how many of them were here lately, and how many posts: for pages and documents that
 * anybody may ask for at any time.
 *
 * People are counted by their indexes, posts by a number that each bucket keeps (scripts/posted.lua). Who was here is added to a
 * HyperLogLog of five days when his session or token begins and, about once an hour, while it is in use: 12 KB for any number of
 * people, of whom one in a hundred may be missing. Who is deleted stays in there until it runs out.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_POPULATION_H
#define SOCIAL_PEOPLE_POPULATION_H

#include <stdint.h>

#include "base/err.h"

struct arena;
struct social;
struct store_batch;

struct population {
    int64_t users, posts;    /* posts: without direct ones */
    int64_t month, halfyear; /* who was here in the last 30 to 35, 180 to 185 days */
};

/* Counting asks every bucket: once a minute is enough, and callers in between get the last numbers instead of waiting for
 * an engine that may be slow. Zeros while nobody has counted. */
struct population population_read(struct social *s, struct arena *a);

/* How many people each bucket has (ID_BUCKETS numbers), as of the same moment. */
void population_buckets(struct social *s, struct arena *a, uint32_t *out);

/* The same as population_read, counted now. */
enum err population_count(struct social *s, struct arena *a, struct population *out);

/* Adds that this user is here. */
void population_seen_add(struct store_batch *b, struct arena *a, uint64_t uid);

#endif
