/* json.c - see json.h. */
#include "view/json.h"

#include "base/arena.h"
#include "base/panic.h"

static void *take(void *ctx, size_t size)
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

yyjson_alc view_allocator(struct arena *a)
{
    return (yyjson_alc){.malloc = take, .realloc = grow, .free = leave, .ctx = a};
}

yyjson_mut_doc *view_doc(struct arena *a)
{
    yyjson_alc allocator = view_allocator(a);
    yyjson_mut_doc *doc = yyjson_mut_doc_new(&allocator);
    require(doc);
    return doc;
}
