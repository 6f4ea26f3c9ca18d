/* people.c - see people.h. Any thread. */
#include "social/people/people.h"

#include "base/arena.h"
#include "social/people/visit.h"
#include "store/store.h"

void people_add(struct visit *v, struct people *p, const uint64_t *ids, size_t count)
{
    p->users = arena_zero(v->arena, (count + 1) * sizeof(*p->users));
    p->replies = arena_alloc(v->arena, (count + 1) * sizeof(*p->replies));
    p->count = count;
    p->batch = v->batch;
    for (size_t i = 0; i < count; i++) {
        bool cached = user_cache_get(v->social, v->arena, ids[i], &p->users[i]);
        p->users[i].id = ids[i];
        p->replies[i] = cached ? SIZE_MAX : user_add(v->batch, v->arena, ids[i]);
    }
}

void people_take(struct visit *v, struct people *p)
{
    for (size_t i = 0; i < p->count; i++) {
        if (p->replies[i] != SIZE_MAX) {
            user_take(v->social, p->batch, p->replies[i], p->users[i].id, &p->users[i]);
        }
        if (p->users[i].is_deleted) {
            p->users[i].id = 0;
        }
    }
}
