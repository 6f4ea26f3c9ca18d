/* panic.h - what ends when going on would be wrong: the process, or one request.
 *
 * Out of memory and broken invariants are not values. Everything that comes from outside (engine down, bad input, full
 * queue) is an `enum err` instead and is never checked with these macros.
 *
 * A request works in its own arena, on its own stack, with its own batches. If an invariant of such work is broken, no
 * other request is affected: the work ends (panic_contain), its client gets a 500, and all others go on. What ends the
 * process:
 *
 *   - panic, and no memory;
 *   - require_shared, whoever runs it: the invariants of what threads share (pool, counts of connections, caches,
 *     queues);
 *   - require and require_shared where nobody contains them: start and stop, background threads, command-line tools;
 *   - require in a contained piece of work while it holds something shared: a lock (mutex.h), a connection to the
 *     engine (pool.h), a snapshot of settings, a place among the running password hashes. That thing may be half
 *     changed, and nobody would ever give it back.
 *
 * Each thread counts the shared things that it holds. A contained piece of work that is ended leaks what it had by
 * mem_alloc, and nothing else.
 *
 * Threads: any; containments and counts are each thread's own.
 */
#ifndef BASE_PANIC_H
#define BASE_PANIC_H

#include <stdbool.h>
#include <stddef.h>

/* Writes "file:line: text" to standard error and aborts. */
_Noreturn void panic_at(const char *file, int line, const char *text);

/* Ends the contained piece of work that this thread runs, if that is safe; else does what panic_at does. */
_Noreturn void panic_broken(const char *file, int line, const char *text);

/* For invariants of this program only, never for input. `require` is for things that one piece of work has to itself,
 * `require_shared` for things that others use too. */
#define require(cond) ((cond) ? (void)0 : panic_broken(__FILE__, __LINE__, "broken invariant: " #cond))
#define require_shared(cond) ((cond) ? (void)0 : panic_at(__FILE__, __LINE__, "broken invariant: " #cond))
#define panic(text) panic_at(__FILE__, __LINE__, (text))

/* Where an invariant was broken, and which. Static strings. */
struct panic_report {
    const char *file;
    int line;
    const char *text;
};

/* Runs work(context). False, with the report, if an invariant of the work was broken: then the work ended in the
 * middle, and only what it reached by `context` can be looked at. Must not be called inside another contained piece of
 * work. Shared things that the thread held before count too. */
bool panic_contain(void (*work)(void *context), void *context, struct panic_report *report);

/* Between enter and leave this thread holds something shared, so its work must not be ended. */
void panic_shared_enter(void);
void panic_shared_leave(void);
/* Whether it has. */
bool panic_shared_held(void);

/* malloc, calloc, realloc and strdup that abort instead of returning NULL. The caller frees with free(). */
void *mem_alloc(size_t size);
void *mem_zero(size_t count, size_t size);
void *mem_grow(void *old, size_t size);
char *mem_dup(const char *text);

#endif
