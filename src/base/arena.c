/* arena.c - chained blocks, the newest first. One thread at a time per arena. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/panic.h"

#define FIRST_BLOCK (32 * 1024 - 64)
#define ALIGNMENT alignof(max_align_t)

struct block {
    struct block *older;
    size_t size;
    size_t used;
    alignas(max_align_t) char data[];
};

struct arena {
    struct block *newest;
};

static struct block *block_new(struct block *older, size_t size)
{
    struct block *b = mem_alloc(sizeof(*b) + size);
    b->older = older;
    b->size = size;
    b->used = 0;
    return b;
}

struct arena *arena_new(void)
{
    struct arena *a = mem_alloc(sizeof(*a));
    a->newest = block_new(NULL, FIRST_BLOCK);
    return a;
}

void arena_reset(struct arena *a)
{
    while (a->newest->older) {
        struct block *older = a->newest->older;
        free(a->newest);
        a->newest = older;
    }
    a->newest->used = 0;
}

void arena_free(struct arena *a)
{
    if (!a) {
        return;
    }
    arena_reset(a);
    free(a->newest);
    free(a);
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t rounded = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    require(rounded >= size);
    struct block *b = a->newest;
    if (b->size - b->used < rounded) {
        size_t next = b->size * 2;
        b = a->newest = block_new(b, rounded > next ? rounded : next);
    }
    void *p = b->data + b->used;
    b->used += rounded;
    return p;
}

void *arena_zero(struct arena *a, size_t size)
{
    return memset(arena_alloc(a, size), 0, size);
}

char *arena_dup_n(struct arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_dup(struct arena *a, const char *text)
{
    return arena_dup_n(a, text, strlen(text));
}

void *arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size)
{
    struct block *b = a->newest;
    size_t old_rounded = (old_size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    size_t new_rounded = (new_size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    if (old && (char *)old + old_rounded == b->data + b->used && b->size - b->used >= new_rounded - old_rounded) {
        b->used += new_rounded - old_rounded;
        return old;
    }
    void *p = arena_alloc(a, new_size);
    if (old) {
        memcpy(p, old, old_size);
    }
    return p;
}

/* Written where the next allocation would be, and once more if that turns out to be elsewhere. */
char *arena_printf(struct arena *a, const char *format, ...)
{
    const struct block *b = a->newest;
    char *next = a->newest->data + b->used;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t length = format_write(next, b->size - b->used, format, args);
    char *text = arena_alloc(a, length + 1);
    if (text != next) {
        format_write(text, length + 1, format, again);
    }
    va_end(again);
    va_end(args);
    return text;
}
