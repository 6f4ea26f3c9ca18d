/* newest.c - see newest.h. Any thread. */
#include "social/timelines/newest.h"

#include "base/arena.h"
#include "base/clock.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "social/posts/post_read.h"
#include "store/keys.h"
#include "store/reply.h"
#include "store/store.h"

#define NEWEST_ID 0   /* there is one such list */
#define NEWEST_READ 8 /* a few more than are shown, as some may be gone */

/* What is remembered. */
struct packed_newest {
    uint64_t read_us; /* monotonic */
    uint64_t count;
    uint64_t ids[NEWEST_READ];
};

struct newest_read {
    struct timeline_page page;
    struct post_load loads[NEWEST_READ];
    size_t count, reply;
    bool shows;
};

static enum err take_remembered_posts(struct visit *v, void *self)
{
    struct newest_read *r = self;
    timeline_fill(v->arena, &(struct timeline_query){.limit = NEWEST_MOST}, r->loads, r->count, &r->page);
    return ERR_OK;
}

static void load_newest(struct visit *v, struct newest_read *r, const struct packed_newest *p)
{
    r->count = (size_t)p->count;
    for (size_t i = 0; i < r->count; i++) {
        r->loads[i].id = p->ids[i];
    }
    post_ask(v, r->loads, r->count, SEE_PUBLIC);
    visit_then(v, take_remembered_posts, r);
}

static enum err take_remembered_ids(struct visit *v, void *self)
{
    struct newest_read *r = self;
    struct packed_newest p = {.read_us = clock_monotonic_us()};
    const struct timeline_ids ids = timeline_ids_of(v->arena, visit_reply(v, r->reply));
    while (p.count < ids.count && p.count < NEWEST_READ) {
        p.ids[p.count] = ids.ids[p.count];
        p.count++;
    }
    if (p.count) { /* the first posts of a site are shown at once */
        cache_put(v->social->cache, CACHE_NEWEST, NEWEST_ID, &p, sizeof(p), store_batch_marked(v->reads.answers));
    }
    if (r->shows) {
        load_newest(v, r, &p);
    }
    return ERR_OK;
}

static const struct packed_newest *newest_remembered(struct visit *v)
{
    size_t size;
    const struct packed_newest *p = cache_get(v->social->cache, CACHE_NEWEST, NEWEST_ID, v->arena, &size);
    return p && clock_monotonic_us() < p->read_us + NEWEST_SECONDS * 1000000ull ? p : NULL;
}

static struct newest_read *newest_begin(struct visit *v, const struct packed_newest *p, bool shows)
{
    struct newest_read *r = arena_zero(v->arena, sizeof(*r));
    r->shows = shows;
    if (p) {
        load_newest(v, r, p);
    } else {
        r->reply = store_command(v->reads.batch, KEY_GLOBAL_BUCKET, "LRANGE",
                                 key_plain(v->arena, KEY_TIMELINE, KEY_GLOBAL_BUCKET), "0",
                                 store_last(v->arena, NEWEST_READ), NULL);
        visit_then(v, take_remembered_ids, r);
    }
    return r;
}

const struct timeline_page *newest_posts_ask(struct visit *v)
{
    return &newest_begin(v, newest_remembered(v), true)->page;
}

void newest_ids_ask(struct visit *v)
{
    if (!newest_remembered(v)) {
        newest_begin(v, NULL, false);
    }
}
