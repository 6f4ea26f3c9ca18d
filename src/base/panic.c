/* panic.c - aborting allocation and invariant failures. Any thread. */
#include "base/panic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void panic_at(const char *file, int line, const char *text)
{
    fprintf(stderr, "retwis: fatal: %s:%d: %s\n", file, line, text);
    abort();
}

void *mem_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p) {
        panic("out of memory");
    }
    return p;
}

void *mem_zero(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p) {
        panic("out of memory");
    }
    return p;
}

void *mem_grow(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p) {
        panic("out of memory");
    }
    return p;
}

char *mem_dup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}
