/* panic.c - see panic.h: ending the process or one piece of work, and memory that is there. Any thread. */
#include "base/panic.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local sigjmp_buf *way_out; /* of the contained piece of work; NULL: there is none */
static _Thread_local struct panic_report broken;
static _Thread_local unsigned held;

_Noreturn void panic_at(const char *file, int line, const char *text)
{
    fprintf(stderr, "retwis: fatal: %s:%d: %s\n", file, line, text);
    abort();
}

_Noreturn void panic_broken(const char *file, int line, const char *text)
{
    if (!way_out || held) {
        panic_at(file, line, text);
    }
    broken = (struct panic_report){file, line, text};
    siglongjmp(*way_out, 1);
}

bool panic_contain(void (*work)(void *context), void *context, struct panic_report *report)
{
    sigjmp_buf here;
    require_shared(!way_out);
    if (sigsetjmp(here, 0) != 0) {
        way_out = NULL;
        *report = broken;
        return false;
    }
    way_out = &here;
    work(context);
    way_out = NULL;
    return true;
}

void panic_shared_enter(void)
{
    held++;
}

void panic_shared_leave(void)
{
    require_shared(held > 0);
    held--;
}

bool panic_shared_held(void)
{
    return held > 0;
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
