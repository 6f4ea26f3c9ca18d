/* list_timeline.c - the posts of a list's members, merged by the visit that reads them; see list.h. Any thread. */
#include "social/list.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/merge.h"
#include "social/social.h"
#include "social/visit.h"
#include "store/keys.h"
#include "store/store.h"

#define SLACK 20      /* ids asked for beyond the page, for those that turn out to be hidden */
#define MOST_MERGES 8 /* for one page, each for twice as many ids, when nearly all of them are hidden */

struct list_timeline {
    struct list_head head;
    struct timeline_query query;
    size_t members_reply;
    struct timeline_ids members; /* as a set of ids */
    struct merge merge;
    struct store_batch *merge_batch;
    struct timeline_ids ids; /* a run without holes, next to the cursor */
    bool whole;              /* there are no more */
    struct post_load *loads;
    size_t load_count;
};

struct list_timeline *list_timeline_add(struct visit *v, uint64_t id, const struct timeline_query *q)
{
    struct list_timeline *t = arena_zero(v->arena, sizeof(*t));
    t->query = *q;
    t->head = list_head_add(v, id);
    t->members_reply =
        store_command(v->batch, id_bucket(id), "ZRANGE", key_id(v->arena, KEY_MEMBERS, id), "0", "-1", NULL);
    return t;
}

/* Asks all members for this many ids, in v->batch. */
static void merge_start(struct visit *v, struct list_timeline *t, unsigned want)
{
    t->merge = (struct merge){
        .authors = t->members.ids, .count = t->members.count, .query = t->query, .per_author = want, .most = want};
    t->merge_batch = v->batch;
    merge_add(v, &t->merge);
}

enum err list_timeline_next(struct visit *v, struct list_timeline *t, struct list *out)
{
    enum err e = list_head_take(v, &t->head, out);
    if (e == ERR_OK) {
        t->members = timeline_ids_of(v->arena, store_reply(t->head.batch, t->members_reply));
        merge_start(v, t, t->query.limit + 1 + SLACK);
    }
    return e;
}

/* Loads the first `want` of the ids in hand. No round trip if the cache has them all, as it has after a merge by script. */
static enum err load(struct visit *v, struct list_timeline *t, size_t want)
{
    struct timeline_ids ids = timeline_cut(&t->ids, &t->query, want);
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    t->loads = arena_zero(v->arena, (ids.count + 1) * sizeof(*t->loads));
    t->load_count = ids.count;
    for (size_t i = 0; i < ids.count; i++) {
        t->loads[i].id = ids.ids[i];
    }
    post_load_add(v->social, b, v->arena, t->loads, ids.count);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        post_load_take(v->social, b, v->arena, t->loads, ids.count);
    }
    return e;
}

static bool is_full(const struct list_timeline *t)
{
    size_t visible = 0;
    for (size_t i = 0; i < t->load_count; i++) {
        visible += t->loads[i].post.id != 0;
    }
    return visible > t->query.limit;
}

/* Members who turned out to be deleted are not asked again, and taken off the list. */
static void drop_deleted(struct visit *v, struct list_timeline *t)
{
    uint64_t *gone = arena_alloc(v->arena, (t->members.count + 1) * sizeof(*gone));
    size_t n = 0, gone_count = 0;
    for (size_t i = 0; i < t->members.count; i++) {
        uint64_t uid = t->members.ids[i];
        struct user u;
        if (user_cache_get(v->social, v->arena, uid, &u) && u.is_deleted) {
            gone[gone_count++] = uid;
        } else {
            t->members.ids[n++] = uid;
        }
    }
    t->members.count = n;
    list_forget(v, t->head.id, gone, gone_count);
}

static enum err merge_again(struct visit *v, struct list_timeline *t, unsigned want)
{
    drop_deleted(v, t);
    merge_start(v, t, want);
    enum err e = visit_run(v);
    if (e == ERR_OK) {
        t->ids = merge_take(v, t->merge_batch, &t->merge, &t->whole);
    }
    return e;
}

/* Takes more until the page is full or nothing more exists. Nearly always what is in hand is enough. */
static enum err fill_up(struct visit *v, struct list_timeline *t)
{
    unsigned want = t->query.limit + 1 + SLACK;
    enum err e = ERR_OK;
    for (int i = 0; e == ERR_OK && i < MOST_MERGES && !is_full(t); i++) {
        if (t->load_count == t->ids.count) {
            if (t->whole) {
                break;
            }
            e = merge_again(v, t, want *= 2);
        }
        e = e == ERR_OK ? load(v, t, want) : e;
    }
    return e;
}

enum err list_timeline_take(struct visit *v, struct list_timeline *t, struct timeline_page *out)
{
    memset(out, 0, sizeof(*out));
    t->ids = merge_take(v, t->merge_batch, &t->merge, &t->whole);
    enum err e = load(v, t, t->query.limit + 1);
    e = e == ERR_OK ? fill_up(v, t) : e;
    if (e == ERR_OK) {
        timeline_fill(v->arena, &t->query, t->loads, t->load_count, out);
        out->has_older |= !t->query.min_id && !t->whole && out->count > 0;
        timeline_since(&t->query, out);
    }
    return e;
}
