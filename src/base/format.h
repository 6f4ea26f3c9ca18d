/* format.h - printf's plain directives without printf's price.
 *
 * A page makes hundreds of short strings ("/@%s", "{%u}:%s"), and vfprintf was the function in which it spent most
 * time. Directives without flags, width or precision are written here; a format that holds any other goes to vsnprintf
 * as a whole.
 *
 * Threads: any.
 */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* As vsnprintf: writes what fits into size bytes, NUL included, and returns the length of the whole. */
size_t format_write(char *out, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

#define FORMAT_DIGITS 20 /* of any uint64_t */

/* Writes the digits of n without a NUL; returns how many. */
size_t format_number(char *out, uint64_t n);

#endif
