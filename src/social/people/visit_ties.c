/* visit_ties.c - see visit_ties.h. One thread at a time per visit. */
#include "social/people/visit_ties.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/tie.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* The cached form: behind it, of each his uid and the value with its end. */
struct packed_ties {
    uint64_t version, count;
};

static int tie_by_uid(const void *x, const void *y)
{
    uint64_t a = ((const struct tie *)x)->uid, b = ((const struct tie *)y)->uid;
    return a < b ? -1 : a > b;
}

static void use_ties(struct visit *v, const struct packed_ties *p)
{
    struct tie *all = arena_alloc(v->arena, ((size_t)p->count + 1) * sizeof(*all));
    const char *at = (const char *)(p + 1);
    for (size_t i = 0; i < p->count; i++) {
        uint64_t uid;
        memcpy(&uid, at, sizeof(uid));
        at += sizeof(uid);
        all[i] = tie_parse(uid, at);
        at += strlen(at) + 1;
    }
    qsort(all, (size_t)p->count, sizeof(*all), tie_by_uid);
    v->ties.all = all;
    v->ties.count = (size_t)p->count;
    v->ties.is_known = true;
}

static enum err take_ties(struct visit *v, void *unused)
{
    (void)unused;
    const struct store_reply *r = visit_reply(v, v->ties.reply);
    if (r->type != STORE_ARRAY) {
        return ERR_PROTOCOL;
    }
    const struct packed_ties head = {v->ties.version, r->count / 2};
    struct buffer packed = buffer_make(v->arena);
    buffer_add(&packed, &head, sizeof(head));
    for (size_t i = 0; i < head.count; i++) {
        uint64_t uid = id_parse(store_text(&r->items[2 * i]));
        const char *value = store_text(&r->items[2 * i + 1]);
        buffer_add(&packed, &uid, sizeof(uid));
        buffer_add(&packed, value, strlen(value) + 1);
    }
    use_ties(v, (const void *)packed.data);
    cache_put(v->social->cache, CACHE_TIES, v->claimed, packed.data, packed.length,
              store_batch_marked(v->reads.answers));
    return ERR_OK;
}

/* The version is known: all is remembered as it is, or asked for with the next round. */
static void settle_ties(struct visit *v)
{
    struct visit_ties *t = &v->ties;
    size_t size;
    const struct packed_ties *p =
        t->version ? cache_get(v->social->cache, CACHE_TIES, v->claimed, v->arena, &size) : NULL;
    if (p && p->version == t->version) {
        use_ties(v, p);
    }
    t->is_known = t->is_known || !t->version;
    if (!t->is_known) {
        t->reply = store_command(v->reads.batch, id_bucket(v->claimed), "HGETALL",
                                 key_id(v->arena, KEY_TIES, v->claimed), NULL);
        visit_then(v, take_ties, NULL);
    }
}

void visit_want_ties(struct visit *v)
{
    if (!v->ties.is_wanted && v->is_known) {
        settle_ties(v);
    }
    v->ties.is_wanted = true;
}

void visit_tie_put(struct visit *v, uint64_t uid, const char *value)
{
    struct tie *one = arena_alloc(v->arena, sizeof(*one));
    *one = tie_parse(uid, value);
    v->ties.all = one;
    v->ties.count = 1;
    v->ties.is_known = true;
}

bool visit_ties_are_known(const struct visit *v)
{
    return v->ties.is_known;
}

void visit_ties_settle(struct visit *v, uint64_t version)
{
    v->ties.version = version;
    if (v->ties.is_wanted) {
        settle_ties(v);
    }
}

const struct tie *visit_tie(const struct visit *v, uint64_t uid)
{
    const struct tie key = {.uid = uid};
    return v->ties.is_known && v->ties.count ? bsearch(&key, v->ties.all, v->ties.count, sizeof(key), tie_by_uid)
                                             : NULL;
}
