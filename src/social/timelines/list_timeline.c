/* list_timeline.c - the posts of a list's members, merged by the visit that reads them; see list.h.
 *
 * A process remembers who was on a list, as a guess: with the list itself it then asks how new each member's newest post is
 * (newest:<uid>, all in one command). If the guess was right, whoever never posted is not asked further, and for the first page only
 * those few whose posts can stand on it.
 *
 * Any thread. */
#include "social/timelines/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit.h"
#include "social/timelines/merge.h"
#include "store/keys.h"
#include "store/store.h"

#define SLACK 20      /* ids asked for beyond the page, for those that turn out to be hidden */
#define SPARE 5       /* members asked beyond one for each post, for those whose newest is gone */
#define MOST_MERGES 8 /* for one page, each for twice as many ids, when nearly all of them are hidden */

struct list_timeline {
    struct list_head head;
    struct timeline_query query;
    size_t members_reply;
    struct timeline_ids members; /* as a set of ids */
    struct timeline_ids guess;   /* the same as it was last time */
    struct store_values *newest; /* of each of the guess; NULL: there was none */
    uint64_t floor;              /* members who were not asked have nothing above this */
    struct merge merge;
    struct store_batch *merge_batch;
    struct timeline_ids ids; /* a run without holes, next to the cursor */
    bool whole;              /* there are no more */
    struct post_load *loads;
    size_t load_count;
};

static void guess_members(struct visit *v, struct list_timeline *t)
{
    size_t size;
    t->guess.ids = cache_get(v->social->cache, CACHE_MEMBERS, t->head.id, v->arena, &size);
    if (t->guess.ids) {
        t->guess.count = size / sizeof(*t->guess.ids);
        t->newest = store_values_add(v->batch, KEY_NEWEST, t->guess.ids, t->guess.count);
    }
}

struct list_timeline *list_timeline_add(struct visit *v, uint64_t id, const struct timeline_query *q)
{
    struct list_timeline *t = arena_zero(v->arena, sizeof(*t));
    t->query = *q;
    t->head = list_head_add(v, id);
    t->members_reply =
        store_command(v->batch, id_bucket(id), "ZRANGE", key_id(v->arena, KEY_MEMBERS, id), "0", "-1", NULL);
    guess_members(v, t);
    return t;
}

static bool is_first_page(const struct list_timeline *t)
{
    return !t->query.max_id && !t->query.min_id;
}

static bool guess_was_right(const struct list_timeline *t)
{
    return t->newest && t->guess.count == t->members.count &&
           memcmp(t->guess.ids, t->members.ids, t->members.count * sizeof(*t->members.ids)) == 0;
}

/* A member, and an id that none of his posts is above. */
struct candidate {
    uint64_t uid, bound;
};

static int newest_first(const void *x, const void *y)
{
    uint64_t a = ((const struct candidate *)x)->bound, b = ((const struct candidate *)y)->bound;
    return a > b ? -1 : a < b;
}

/* Those whose posts can be on the page, as far as it is known: of the first page, as many as it has posts. */
static struct timeline_ids choose(struct visit *v, struct list_timeline *t)
{
    size_t want = t->query.limit + 1 + SPARE;
    struct candidate *all = arena_alloc(v->arena, (t->members.count + 1) * sizeof(*all));
    struct timeline_ids out = {.ids = arena_alloc(v->arena, (t->members.count + 1) * sizeof(uint64_t))};
    size_t n = 0;
    for (size_t i = 0; i < t->members.count; i++) {
        const struct store_reply *r = store_value(t->newest, i);
        all[n] = (struct candidate){t->members.ids[i], r->type == STORE_STRING ? id_parse(r->text) : UINT64_MAX};
        n += all[n].bound > t->query.min_id; /* 0: he has none */
    }
    if (n > want && is_first_page(t)) {
        qsort(all, n, sizeof(*all), newest_first);
        if (all[want].bound != UINT64_MAX) {
            t->floor = all[want].bound;
            n = want;
        }
    }
    for (; out.count < n; out.count++) {
        out.ids[out.count] = all[out.count].uid;
    }
    return out;
}

/* Asks these members for so many ids, in v->batch. */
static void merge_start(struct visit *v, struct list_timeline *t, const struct timeline_ids *who, unsigned want)
{
    t->merge =
        (struct merge){.authors = who->ids, .count = who->count, .query = t->query, .per_author = want, .most = want};
    t->merge_batch = v->batch;
    merge_add(v, &t->merge);
}

/* The ids above which nobody can have others who was not asked. */
static void merge_end(struct visit *v, struct list_timeline *t)
{
    t->ids = merge_take(v, t->merge_batch, &t->merge, &t->whole);
    size_t n = 0;
    while (n < t->ids.count && t->ids.ids[n] > t->floor) {
        n++;
    }
    t->ids.count = n;
    t->whole = t->whole && t->floor == 0;
}

enum err list_timeline_next(struct visit *v, struct list_timeline *t, struct list *out)
{
    enum err e = list_head_take(v, &t->head, out);
    if (e != ERR_OK) {
        return e;
    }
    t->members = timeline_ids_of(v->arena, store_reply(t->head.batch, t->members_reply));
    struct timeline_ids who = t->members;
    unsigned want = t->query.limit + 1 + SLACK;
    if (guess_was_right(t)) {
        who = choose(v, t);
    } else {
        cache_put(v->social->cache, CACHE_MEMBERS, t->head.id, t->members.ids,
                  t->members.count * sizeof(*t->members.ids), store_batch_marked(t->head.batch));
    }
    merge_start(v, t, &who, want);
    return ERR_OK;
}

/* Loads the first `want` of the ids in hand: mostly no round trip, as the cache has them after a merge by script. */
static enum err load(struct visit *v, struct list_timeline *t, size_t want)
{
    struct timeline_ids ids = timeline_cut(&t->ids, &t->query, want);
    enum err e = timeline_load(v, &ids, &t->loads);
    t->load_count = e == ERR_OK ? ids.count : t->load_count;
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
    merge_start(v, t, &t->members, want);
    t->floor = 0;
    enum err e = visit_run(v);
    if (e == ERR_OK) {
        merge_end(v, t);
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
    merge_end(v, t);
    enum err e = load(v, t, t->query.limit + 1);
    e = e == ERR_OK ? fill_up(v, t) : e;
    if (e == ERR_OK) {
        timeline_fill(v->arena, &t->query, t->loads, t->load_count, out);
        out->has_older |= !t->query.min_id && !t->whole && out->count > 0;
        timeline_since(&t->query, out);
    }
    return e;
}
