/* post_trends.c - see post_trends.h. Any thread. */
#include "social/timelines/post_trends.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"
#include "social/posts/popular.h"
#include "social/posts/post_read.h"
#include "social/posts/thread.h"
#include "store/calls.h"
#include "store/store.h"

#define POST_TRENDS_ID 1 /* beside those of tags */

struct candidate {
    uint64_t id;
    int64_t people;
    size_t place; /* among those that were asked for */
};

/* What is remembered: those that are shown, in their order. */
struct packed_post_trends {
    uint64_t read_us; /* monotonic */
    uint64_t count;
    uint64_t ids[POST_TRENDS_LOOK];
};

struct post_trends_read {
    struct post_trends out;
    struct candidate candidates[POPULAR_HOURS * POST_TRENDS_LOOK];
    size_t reply; /* of the first hour; then of the first candidate */
    struct post_load loads[POST_TRENDS_LOOK];
    size_t order[POST_TRENDS_LOOK], count; /* places of the loads */
};

static int by_people(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    if (a->people != b->people) {
        return a->people > b->people ? -1 : 1;
    }
    return a->id > b->id ? -1 : a->id < b->id;
}

/* Posts have come, and were judged. */
static enum err show_post_trends(struct visit *v, void *self)
{
    struct post_trends_read *r = self;
    r->out.posts = arena_alloc(v->arena, (r->count + 1) * sizeof(*r->out.posts));
    for (size_t i = 0; i < r->count; i++) {
        const struct post *p = &r->loads[r->order[i]].post;
        if (p->id && user_is_recommended(&p->author)) {
            struct post *shown = &r->out.posts[r->out.count++];
            *shown = *p;
            shown->marks.is_quiet = marks_are_quiet(v, thread_root(p)); /* may have come with the last round alone */
        }
    }
    return ERR_OK;
}

/* They have come with the first round: who may see them may be known only with the next one (post_read.h). */
static enum err wait_for_sight(struct visit *v, void *self)
{
    visit_then(v, show_post_trends, self);
    return ERR_OK;
}

static void ask_trending_posts(struct visit *v, struct post_trends_read *r)
{
    for (size_t i = 0; i < r->count; i++) {
        r->loads[i].id = r->candidates[i].id;
        r->order[i] = i;
    }
    post_ask(v, r->loads, r->count, SEE_PUBLIC);
}

/* The numbers have come with the posts: the order of these, without those of too few people. */
static enum err order_post_trends(struct visit *v, void *self)
{
    struct post_trends_read *r = self;
    struct packed_post_trends kept = {.read_us = clock_monotonic_us()};
    for (size_t i = 0; i < r->count; i++) {
        struct script_reactors_reply reply;
        script_reactors_take(visit_reply(v, r->reply + i), &reply);
        r->candidates[i] = (struct candidate){r->loads[i].id, reply.people, i};
    }
    qsort(r->candidates, r->count, sizeof(*r->candidates), by_people);
    while (kept.count < r->count && r->candidates[kept.count].people >= POPULAR_LEAST) {
        r->order[kept.count] = r->candidates[kept.count].place;
        kept.ids[kept.count] = r->candidates[kept.count].id;
        kept.count++;
    }
    r->count = (size_t)kept.count;
    if (kept.count) { /* the first ones of a site are shown at once */
        cache_put(v->social->cache, CACHE_TRENDS, POST_TRENDS_ID, &kept, sizeof(kept),
                  store_batch_marked(v->reads.answers));
    }
    return show_post_trends(v, r);
}

/* The candidates of each hour have come. */
static enum err take_candidates(struct visit *v, void *self)
{
    struct post_trends_read *r = self;
    for (size_t h = 0; h < POPULAR_HOURS; h++) {
        const struct store_reply *rows = visit_reply(v, r->reply + h);
        for (size_t i = 0; i + 1 < rows->count && i < 2 * POST_TRENDS_LOOK; i += 2) {
            uint64_t id = id_parse(store_text(&rows->items[i]));
            if (id_ms(id) + CLOCK_DAY_MS > clock_site_ms()) {
                r->candidates[r->count++] = (struct candidate){.id = id, .people = store_integer(&rows->items[i + 1])};
            }
        }
    }
    qsort(r->candidates, r->count, sizeof(*r->candidates), by_people);
    r->count = r->count < POST_TRENDS_LOOK ? r->count : POST_TRENDS_LOOK;
    r->reply = store_batch_count(v->reads.batch);
    for (size_t i = 0; i < r->count; i++) {
        script_reactors_add(v->reads.batch, &(struct script_reactors){.post = r->candidates[i].id});
    }
    ask_trending_posts(v, r);
    visit_then(v, order_post_trends, r);
    return ERR_OK;
}

const struct post_trends *post_trends_ask(struct visit *v, bool may_be_old)
{
    size_t size;
    struct post_trends_read *r = arena_zero(v->arena, sizeof(*r));
    const struct packed_post_trends *p =
        may_be_old ? cache_get(v->social->cache, CACHE_TRENDS, POST_TRENDS_ID, v->arena, &size) : NULL;
    if (p && clock_monotonic_us() < p->read_us + POST_TRENDS_SECONDS * UINT64_C(1000000)) {
        for (r->count = 0; r->count < p->count; r->count++) {
            r->candidates[r->count].id = p->ids[r->count];
        }
        marks_want(v);
        ask_trending_posts(v, r);
        visit_then(v, wait_for_sight, r);
        return &r->out;
    }
    marks_want(v);
    r->reply = popular_ask(v->reads.batch, v->arena, POST_TRENDS_LOOK);
    visit_then(v, take_candidates, r);
    return &r->out;
}
