/* arena.h - memory that lives exactly as long as one request (or one command, one job).
 *
 * Allocation moves a pointer. Nothing is freed by itself; the whole arena is freed at once, so handlers never call
 * free. An arena belongs to one thread at a time. After an idea common to lwan (coro_malloc), nginx pools and kcgi.
 *
 * The folder base/ knows nothing of Retwis. Begin here, then buffer.h (text that grows), err.h (what can go wrong),
 * id.h (what a number in the data means), log.h and panic.h, clock.h, mutex.h and sleeper.h (threads), text.h and
 * entity_scan.h (what people type).
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

/* A new arena; the caller ends it with arena_free. */
struct arena *arena_new(void);
void arena_free(struct arena *a);

/* Forgets everything allocated but keeps the first block for the next use. */
void arena_reset(struct arena *a);

/* Uninitialised / zeroed memory, aligned for any type. Never NULL. */
void *arena_alloc(struct arena *a, size_t size);
void *arena_zero(struct arena *a, size_t size);

/* Copies; the result is NUL-terminated. */
char *arena_dup(struct arena *a, const char *text);
char *arena_dup_n(struct arena *a, const char *text, size_t length);

/* A larger copy of a block made by this arena; extends in place when it was the last one. */
void *arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size);

/* printf into the arena. */
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
