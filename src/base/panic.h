/* panic.h - how the program ends when going on would be wrong.
 *
 * Out of memory and broken invariants are not values: they abort with file and line, as in Redis
 * (serverPanic). Everything that comes from outside (engine down, bad input, full queue) is an
 * `enum err` instead and is never checked with these macros.
 */
#ifndef BASE_PANIC_H
#define BASE_PANIC_H

#include <stddef.h>

/* Writes "file:line: text" to standard error and aborts. */
_Noreturn void panic_at(const char *file, int line, const char *text);

/* Aborts unless cond holds. For invariants of this program only, never for input. */
#define require(cond) ((cond) ? (void)0 : panic_at(__FILE__, __LINE__, "broken invariant: " #cond))
#define panic(text) panic_at(__FILE__, __LINE__, (text))

/* malloc, calloc, realloc and strdup that abort instead of returning NULL. The caller frees with free(). */
void *mem_alloc(size_t size);
void *mem_zero(size_t count, size_t size);
void *mem_grow(void *old, size_t size);
char *mem_dup(const char *text);

#endif
