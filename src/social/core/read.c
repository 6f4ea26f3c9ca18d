/* read.c - see read.h. One thread at a time. */
#include "social/core/read.h"

#include "base/arena.h"
#include "base/source.h"
#include "social/core/social.h"
#include "store/store.h"

void reads_begin(struct reads *r, struct social *s, struct arena *a, struct visit *v)
{
    *r = (struct reads){.social = s, .arena = a, .visit = v, .batch = social_batch(s, a)};
    store_batch_keep(r->batch);
    source_add(&s->turns, atomic_load(&s->turns));
    r->end = &r->first;
}

void reads_then(struct reads *r, read_step *step, void *self)
{
    struct read_wait *w = arena_alloc(r->arena, sizeof(*w));
    *w = (struct read_wait){.step = step, .self = self};
    *r->end = w;
    r->end = &w->next;
}

static enum err make_round(struct reads *r)
{
    struct read_wait *waiting = r->first;
    struct store_batch *batch = r->batch;
    r->first = NULL;
    r->end = &r->first;
    enum err e = store_run(batch);
    r->first_round = r->answers ? r->first_round : e;
    r->batch = social_batch(r->social, r->arena);
    store_batch_keep(r->batch);
    r->answers = batch;
    for (; e == ERR_OK && waiting; waiting = waiting->next) {
        e = waiting->step(r->visit, waiting->self);
    }
    return e;
}

enum err reads_run(struct reads *r)
{
    enum err e = ERR_OK;
    while (e == ERR_OK && r->first) {
        e = make_round(r);
    }
    return e;
}
