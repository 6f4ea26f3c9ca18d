/* visit_exclusive.c - see visit_exclusive.h. One thread at a time per visit. */
#include "social/people/visit_exclusive.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "store/calls.h"
#include "store/store.h"

/* The cached form of the set: sorted. */
struct packed_exclusive {
    uint64_t version, count;
    uint64_t ids[];
};

static enum err take_exclusive(struct visit *v, void *unused)
{
    (void)unused;
    struct visit_exclusive *x = &v->exclusive;
    struct script_list_exclusive_reply r;
    script_list_exclusive_take(visit_reply(v, x->reply), &r);
    size_t size = sizeof(struct packed_exclusive) + r.uids->count * sizeof(uint64_t);
    struct packed_exclusive *p = arena_alloc(v->arena, size);
    p->version = x->version;
    p->count = r.uids->count;
    store_list_ids(r.uids, p->ids);
    qsort(p->ids, r.uids->count, sizeof(uint64_t), id_oldest_first);
    x->ids = p->ids;
    x->count = r.uids->count;
    x->is_known = true;
    cache_put(v->social->cache, CACHE_EXCLUSIVE, v->claimed, p, size, store_batch_marked(v->reads.answers));
    return ERR_OK;
}

/* The version is known: the set is remembered as it is, or asked for with the next round. */
static void settle_exclusive(struct visit *v)
{
    struct visit_exclusive *x = &v->exclusive;
    size_t size;
    const struct packed_exclusive *p =
        x->version ? cache_get(v->social->cache, CACHE_EXCLUSIVE, v->claimed, v->arena, &size) : NULL;
    if (p && p->version == x->version) {
        x->ids = p->ids;
        x->count = (size_t)p->count;
    }
    x->is_known = !x->version || x->ids;
    if (!x->is_known) {
        x->reply = script_list_exclusive_add(v->reads.batch, &(struct script_list_exclusive){.uid = v->claimed});
        visit_then(v, take_exclusive, NULL);
    }
}

void visit_want_exclusive(struct visit *v)
{
    struct visit_exclusive *x = &v->exclusive;
    if (!x->is_wanted && v->is_known) {
        settle_exclusive(v);
    }
    x->is_wanted = true;
}

bool visit_exclusive_is_known(const struct visit *v)
{
    return v->exclusive.is_known;
}

void visit_exclusive_settle(struct visit *v, uint64_t version)
{
    v->exclusive.version = version;
    if (v->exclusive.is_wanted) {
        settle_exclusive(v);
    }
}

bool visit_is_exclusive(const struct visit *v, uint64_t uid)
{
    return id_is_among(uid, v->exclusive.ids, v->exclusive.count);
}
