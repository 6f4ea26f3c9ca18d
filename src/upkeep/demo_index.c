/* demo_index.c - the words of posts, for search: see demo_write.h. They are written when all of some chunks are stored, in
 * the order of their ids, because lists of words that grow at their ends cost a tenth of those that grow in their middle. */
#include <stdlib.h>

#include "base/arena.h"
#include "social/core/social.h"
#include "social/posts/index.h"
#include "social/posts/post.h"
#include "store/store.h"
#include "upkeep/demo_write.h"

void demo_found(struct demo_work *w, unsigned share, const struct post *post)
{
    struct demo_words_of *of = &w->found[share];
    of->arena = of->arena ? of->arena : arena_new();
    if (of->count == of->room) {
        size_t room = of->room ? 2 * of->room : 256;
        of->posts = arena_grow(of->arena, of->posts, of->room * sizeof(*of->posts), room * sizeof(*of->posts));
        of->room = room;
    }
    struct post *kept = &of->posts[of->count++];
    *kept = (struct post){.id = post->id, .author = {.id = post->author.id}, .visibility = post->visibility};
    kept->text = arena_dup(of->arena, post->text);
    kept->spoiler = arena_dup(of->arena, post->spoiler);
}

static int by_id(const void *x, const void *y)
{
    const struct post *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

/* Two batches in turn: the next is prepared while the engine works on one. */
static enum err write_found(struct demo_work *w, struct arena *const *arenas, const struct post *posts, size_t count)
{
    struct store_batch *sent = NULL;
    enum err e = ERR_OK;
    for (size_t i = 0, n, turn = 0; e == ERR_OK && i < count; i += n, turn++) {
        n = count - i < INDEX_AT_ONCE ? count - i : INDEX_AT_ONCE;
        arena_reset(arenas[turn % 2]);
        struct store_batch *b = store_batch_new(w->social->store, arenas[turn % 2]);
        w->social->parts->index->posts_add(w->social, b, arenas[turn % 2], posts + i, n);
        e = sent ? store_run(sent) : ERR_OK;
        sent = b;
        store_start(b);
    }
    enum err last = sent ? store_run(sent) : ERR_OK;
    return e == ERR_OK ? last : e;
}

enum err demo_write_found(struct demo_work *w, bool is_last)
{
    size_t count = 0, n = 0;
    for (unsigned i = 0; i < DEMO_SHARES; i++) {
        count += w->found[i].count;
    }
    if (!is_last && count < INDEX_AT_ONCE) {
        return ERR_OK;
    }
    struct arena *a = arena_new(), *arenas[] = {arena_new(), arena_new()};
    struct post *all = arena_alloc(a, (count + 1) * sizeof(*all));
    for (unsigned i = 0; i < DEMO_SHARES; i++) {
        for (size_t k = 0; k < w->found[i].count; k++) {
            all[n++] = w->found[i].posts[k];
        }
    }
    qsort(all, count, sizeof(*all), by_id);
    enum err e = write_found(w, arenas, all, count);
    for (unsigned i = 0; i < DEMO_SHARES; i++) {
        if (w->found[i].arena) {
            arena_free(w->found[i].arena);
        }
        w->found[i] = (struct demo_words_of){.count = 0};
    }
    arena_free(arenas[0]);
    arena_free(arenas[1]);
    arena_free(a);
    return e;
}
