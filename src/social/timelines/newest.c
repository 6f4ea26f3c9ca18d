/* newest.c - see newest.h. Any thread. */
#include "social/timelines/newest.h"

#include "base/arena.h"
#include "base/clock.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "social/posts/post_read.h"
#include "store/store.h"

#define NEWEST_ID 0 /* there is one such list */

static const struct timeline_query newest_query = {.limit = NEWEST_MOST};

/* What is remembered. */
struct packed_newest {
    uint64_t read_us; /* monotonic */
    uint64_t count;
    uint64_t ids[NEWEST_MOST];
};

struct newest_read {
    struct timeline_page page;
    const struct timeline_page *asked; /* the public timeline, when nothing was remembered */
    struct post_load loads[NEWEST_MOST];
    size_t count;
};

static enum err take_remembered(struct visit *v, void *self)
{
    struct newest_read *r = self;
    timeline_fill(v->arena, &newest_query, r->loads, r->count, &r->page);
    return ERR_OK;
}

static enum err take_posts(struct visit *v, void *self)
{
    struct newest_read *r = self;
    struct packed_newest p = {.read_us = clock_monotonic_us()};
    for (size_t i = 0; i < r->asked->count && p.count < NEWEST_MOST; i++) {
        p.ids[p.count++] = r->asked->posts[i].id;
    }
    if (p.count) {
        cache_put(v->social->cache, CACHE_NEWEST, NEWEST_ID, &p, sizeof(p), store_batch_marked(v->reads.answers));
    }
    return ERR_OK;
}

/* The ids have come; their posts come with the next round. */
static enum err take_ids(struct visit *v, void *self)
{
    visit_then(v, take_posts, self);
    return ERR_OK;
}

const struct timeline_page *newest_posts_ask(struct visit *v)
{
    struct newest_read *r = arena_zero(v->arena, sizeof(*r));
    size_t size;
    const struct packed_newest *p = cache_get(v->social->cache, CACHE_NEWEST, NEWEST_ID, v->arena, &size);
    if (p && clock_monotonic_us() < p->read_us + NEWEST_SECONDS * 1000000ull) {
        r->count = (size_t)p->count;
        for (size_t i = 0; i < r->count; i++) {
            r->loads[i].id = p->ids[i];
        }
        post_ask(v, r->loads, r->count, SEE_PUBLIC);
        visit_then(v, take_remembered, r);
    } else {
        r->asked = timeline_public_ask(v, &newest_query);
        visit_then(v, take_ids, r);
        return r->asked;
    }
    return &r->page;
}
