/* json.c - see json.h. */
#include "base/json.h"

#include "base/arena.h"

static void *json_take(void *ctx, size_t size)
{
    return arena_alloc(ctx, size);
}

static void *grow(void *ctx, void *old, size_t old_size, size_t size)
{
    return arena_grow(ctx, old, old_size, size);
}

static void leave(void *ctx, void *p)
{
    (void)ctx;
    (void)p;
}

yyjson_alc json_allocator(struct arena *a)
{
    return (yyjson_alc){.malloc = json_take, .realloc = grow, .free = leave, .ctx = a};
}
