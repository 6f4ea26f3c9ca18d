/* cache.h - what this process remembers of users, posts and relations, by id, within a fixed amount of memory.
 *
 * Values are plain bytes, copied in and out, so nobody holds a pointer into the cache and nothing needs a reference
 * count. A value is true until somebody changes it; each change is announced (event.h), and then the value is
 * forgotten.
 *
 * A value that was read before a change must not come in after the change was heard of, because nothing would take it
 * out again. So each process counts changes, in the order in which it hears of them. A reader takes the count as a
 * token before he sends his batch (social_batch: the batch carries it), and hands it in with the value. Take a change
 * that is made at the engine at E and heard of here at H > E, and a reader who takes his token at T, is answered at R >
 * T, and puts the value at P > R:
 *
 *   R > E the value is the new one. If T < H it is still refused, or forgotten at H: that costs one more read. R < E, P
 *   < H the old value comes in and is forgotten at H. R < E, H < P the old value. T < R < E < H: the token is older
 *   than the change, so it is refused: by the mark that the change
 *                        left in place of the value; by the same mark in the newer value that somebody put there
 *                        meanwhile; or, when that was pushed out for want of room, by the shard's floor, the latest of
 *                        the changes pushed out.
 *
 * What was made of values is told by source.h when one of them is forgotten.
 *
 * Threads: any; the table is cut into shards with a lock each.
 */
#ifndef SOCIAL_CORE_CACHE_H
#define SOCIAL_CORE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct cache;

enum cache_kind {
    CACHE_POST,
    CACHE_USER,
    CACHE_FOLLOWING,
    CACHE_APART,
    CACHE_FILTERS,
    CACHE_COUNTS,
    CACHE_MEMBERS,
    CACHE_UNREAD,
    CACHE_MARKS,
    CACHE_NEWEST,
    CACHE_EXCLUSIVE,
    CACHE_INTERESTS,
    CACHE_TIES,
    CACHE_TRENDS,
    CACHE_NUMBERS,
    CACHE_NAMES,
    CACHE_WINDOW,
    CACHE_KINDS
};

/* A cache of at most `bytes` of memory, shared by all kinds. The caller ends it with cache_free. */
struct cache *cache_new(size_t bytes);
void cache_free(struct cache *c);

/* Until this moment of the monotonic clock (us) all changes of others are heard of as they happen. At the beginning
 * nothing is trusted. */
void cache_trust(struct cache *c, uint64_t until_us);
bool cache_is_trusted(const struct cache *c);

/* A copy of the value in the arena and its size; NULL if it is not there, or nothing is trusted. */
void *cache_get(struct cache *c, enum cache_kind kind, uint64_t id, struct arena *a, size_t *size);

/* How many changes were heard of by now. To be taken before the reads are sent whose replies will be put. */
uint64_t cache_token(struct cache *c);

/* Remembers a copy, in place of an older one; evicts what was not used for longest. Does nothing if the value may have
 * been read before it was changed (always with the token 0), or while nothing is trusted. */
void cache_put(struct cache *c, enum cache_kind kind, uint64_t id, const void *value, size_t size, uint64_t token);

/* Forgets the id: it was changed. */
void cache_forget(struct cache *c, enum cache_kind kind, uint64_t id);

/* Forgets everything, because it is not known what was changed. */
void cache_clear(struct cache *c);

struct cache_numbers {
    uint64_t hits, misses, entries, bytes;
};
void cache_count(struct cache *c, struct cache_numbers *out);

#endif
