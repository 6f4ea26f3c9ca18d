/* tool.h - what the parts of the generator share: it runs while Retwis is built, frees nothing and stops at the first
 * error. */
#ifndef EMBED_TOOL_H
#define EMBED_TOOL_H

#include <stdbool.h>
#include <stddef.h>

/* Says what is wrong and ends the build. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/* A mistake that does not keep the program from working: ends the build only if it is to be strict (lint). */
extern bool strict;
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

void *allocate(size_t size); /* zeroed */

/* The first `length` bytes as a string of its own. */
char *copy(const char *text, size_t length);

/* printf into memory of its own. */
__attribute__((format(printf, 1, 2))) char *print(const char *format, ...);

/* The whole file, with a NUL behind it. */
char *read_file(const char *name, size_t *size);

/* Text that grows. */
struct text {
    char *data; /* NUL-terminated; NULL while it is empty */
    size_t length, room;
};
void text_add(struct text *t, const char *bytes, size_t length);
__attribute__((format(printf, 2, 3))) void text_print(struct text *t, const char *format, ...);

#endif
