/* watched_keys.h - which keys the engine was told about by this process: watch.h.
 *
 * A key that somebody wants to hear of is WANTED until the hand has taken it, then ASKED until the engine has answered,
 * then HEARD until a change of it comes. Then it is wanted again if somebody asked for it lately and since the change before
 * that one, else forgotten: what changes more often than it is read is not told of each time.
 *
 * Internal to src/store: a part of watch.c. Threads: any; it has a lock.
 */
#ifndef STORE_WATCHED_KEYS_H
#define STORE_WATCHED_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct watched_keys;

/* A hash of a key, for tables of them. */
uint64_t watched_key_hash(const char *key, size_t length);

struct watched_keys *watched_keys_new(void);
void watched_keys_free(struct watched_keys *k);

/* Whether the key was heard of before the token. If it is not known at all, it is wanted from now on, unless there are
 * too many. */
bool watched_keys_find(struct watched_keys *k, const char *key, size_t length, uint64_t token);

/* Waits until some are wanted, `ms` at most, and takes up to `most` of them: copies in the arena. */
size_t watched_keys_take(struct watched_keys *k, struct arena *a, const char **out, size_t most, uint64_t ms);

/* The engine knows of this one now; `since` is a count that all later tokens reach. */
void watched_keys_asked(struct watched_keys *k, const char *key, uint64_t since);

/* A change of it was heard. */
void watched_keys_changed(struct watched_keys *k, const char *key, size_t length);

/* The engine knows of none any more. */
void watched_keys_forget(struct watched_keys *k);

/* Wakes whoever waits in watched_keys_take. */
void watched_keys_wake(struct watched_keys *k);

#endif
