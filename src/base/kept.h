/* kept.h - what was made once and may be wanted again: blocks of memory by their keys, within a fixed amount of memory.
 *
 * Keys and values are bytes. A key says all that its value depends on, or whoever asks knows whether the value is still
 * true: here nothing is ever out of date. What was not wanted for longest is pushed out; whoever uses a value at that
 * moment keeps it until he gives it back.
 *
 * What this is not: what is remembered of the engine's data by id, with the tokens that this needs (social/core/cache.h).
 *
 * Threads: any; the table is cut into shards with a lock each. A value is not changed any more once it is in.
 */
#ifndef BASE_KEPT_H
#define BASE_KEPT_H

#include <stddef.h>
#include <stdint.h>

struct kept;

/* At most `bytes`, all counted; 0: nothing is kept, NULL, which all functions take. The caller ends it with kept_free,
 * when no value is in use. */
struct kept *kept_new(size_t bytes);
void kept_free(struct kept *k);

/* The value of a key, which is in use until kept_release; NULL: it is not there. */
void *kept_find(struct kept *k, const void *key, size_t key_size);

/* A new value of this size, uninitialised and aligned for any type, in use until kept_release. */
void *kept_room(const void *key, size_t key_size, size_t size);

/* Puts a value of kept_room in, in place of an older one of its key. It stays in use. */
void kept_add(struct kept *k, void *value);

void kept_release(void *value);

struct kept_numbers {
    uint64_t hits, misses, entries, bytes;
};
void kept_count(struct kept *k, struct kept_numbers *out);

#endif
