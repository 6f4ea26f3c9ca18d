/* cache.h - what this process remembers of users, posts and relations, by id, within a fixed amount of memory.
 *
 * Values are plain bytes, copied in and out, so nobody holds a pointer into the cache and nothing needs a reference
 * count. Posts never change; what is deleted or edited is announced in the change log of the engine, which every page
 * reads in its first round trip before it looks here (visit.h): so the cache is never behind what was acknowledged.
 *
 * Each change has a number. A forgotten id is remembered with the number of the change, and a value is taken in only from a
 * thread that knew that change when it began to read (cache_know): so a request that had read the old record before
 * the change cannot bring it back.
 *
 * Threads: any; the table is cut into shards with a lock each.
 */
#ifndef SOCIAL_CORE_CACHE_H
#define SOCIAL_CORE_CACHE_H

#include <stddef.h>
#include <stdint.h>

struct arena;
struct cache;

enum cache_kind { CACHE_POST, CACHE_USER, CACHE_FOLLOWING, CACHE_REPLIES, CACHE_MEMBERS, CACHE_KINDS };

/* A cache of at most `bytes` of memory, shared by all kinds. The caller ends it with cache_free. */
struct cache *cache_new(size_t bytes);
void cache_free(struct cache *c);

/* A copy of the value in the arena and its size; NULL if it is not there. */
void *cache_get(struct cache *c, enum cache_kind kind, uint64_t id, struct arena *a, size_t *size);

/* Remembers a copy, in place of an older one; evicts what was not used for longest. Does nothing when the thread may have
 * read it before a change of it (cache_know). */
void cache_put(struct cache *c, enum cache_kind kind, uint64_t id, const void *value, size_t size);

/* What this thread reads from now on is at least as new as this change. 0: it knows nothing. */
void cache_know(uint64_t change);

/* Forgets the id, because of this change. */
void cache_forget(struct cache *c, enum cache_kind kind, uint64_t id, uint64_t change);

/* Forgets everything up to this change (the change log has a gap). */
void cache_clear(struct cache *c, uint64_t change);

struct cache_numbers {
    uint64_t hits, misses, entries, bytes;
};
void cache_count(struct cache *c, struct cache_numbers *out);

#endif
