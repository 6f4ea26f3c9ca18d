/* list_timeline.c - the posts of a list's members, merged by the visit that reads them; see list.h.
 *
 * A process remembers who was on a list, as a guess: together with the list itself it asks how new each member's newest
 * post is (newest:<uid>, all in one command). If the guess was right, members who never posted are not asked further;
 * for the first page only the few whose posts can stand on it are asked.
 *
 * Any thread. */
#include "social/timelines/list.h"
#include "social/timelines/list_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"
#include "social/posts/post_read.h"
#include "social/timelines/merge.h"
#include "social/timelines/once.h"
#include "store/keys.h"
#include "store/store.h"

#define SPARE 5       /* members asked beyond one for each post, for those whose newest is gone */
#define MOST_MERGES 8 /* for one page, each for twice as many ids, when nearly all of them are hidden */

struct list_posts {
    struct list_timeline out;
    uint64_t id;
    struct timeline_query query;
    size_t head_reply, members_reply;
    struct timeline_ids members; /* as a set of ids */
    struct timeline_ids guess;   /* the same as it was last time */
    struct store_values *newest; /* of each of the guess; NULL: there was none */
    uint64_t floor;              /* members who were not asked have nothing above this */
    struct merge merge;
    struct timeline_ids ids; /* a run without holes, next to the cursor */
    bool whole;              /* there are no more */
    unsigned want;           /* ids that the next merge asks for */
    size_t want_loaded;      /* and how many of them are loaded then */
    unsigned looks;          /* how often the page was found short */
    struct post_load *loads;
    size_t load_count;
};

static enum err take_list_head(struct visit *v, void *self);
static enum err take_list_merge(struct visit *v, void *self);
static enum err take_list_posts(struct visit *v, void *self);

static void guess_members(struct visit *v, struct list_posts *t)
{
    size_t size;
    t->guess.ids = cache_get(v->social->cache, CACHE_MEMBERS, t->id, v->arena, &size);
    if (t->guess.ids) {
        t->guess.count = size / sizeof(*t->guess.ids);
        t->newest = store_values_add(v->reads.batch, KEY_NEWEST, t->guess.ids, t->guess.count);
    }
}

const struct list_timeline *list_timeline_ask(struct visit *v, uint64_t id, const struct timeline_query *q)
{
    struct list_posts *t = arena_zero(v->arena, sizeof(*t));
    t->id = id;
    t->query = *q;
    t->want = q->limit + 1 + TIMELINE_SLACK;
    t->want_loaded = q->limit + 1;
    marks_want(v);
    visit_want_apart(v); /* now: the posts come with the second round, and a third would be for this alone */
    t->head_reply = list_head_add(v, id);
    t->members_reply =
        store_command(v->reads.batch, id_bucket(id), "ZRANGE", key_id(v->arena, KEY_MEMBERS, id), "0", "-1", NULL);
    guess_members(v, t);
    visit_then(v, take_list_head, t);
    return &t->out;
}

static bool is_first_page(const struct list_posts *t)
{
    return !t->query.max_id && !t->query.min_id;
}

static bool guess_was_right(const struct list_posts *t)
{
    return t->newest && t->guess.count == t->members.count &&
           memcmp(t->guess.ids, t->members.ids, t->members.count * sizeof(*t->members.ids)) == 0;
}

/* A member, and an id that none of his posts is above. */
struct candidate {
    uint64_t uid, bound;
};

static int by_newest_post(const void *x, const void *y)
{
    uint64_t a = ((const struct candidate *)x)->bound, b = ((const struct candidate *)y)->bound;
    return a > b ? -1 : a < b;
}

/* Those whose posts can be on the page, as far as it is known: of the first page, as many as it has posts. */
static struct timeline_ids choose_members(struct visit *v, struct list_posts *t)
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
        qsort(all, n, sizeof(*all), by_newest_post);
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

/* --- steps ---------------------------------------------------------------------------------------------------------
 * */

static void ask_list_merge(struct visit *v, struct list_posts *t, const struct timeline_ids *who)
{
    t->merge = (struct merge){
        .authors = who->ids, .count = who->count, .query = t->query, .per_author = t->want, .most = t->want};
    merge_add(v, &t->merge);
    visit_then(v, take_list_merge, t);
}

/* Loads the first of the ids in hand: mostly no round trip, as the cache has them after a merge by script. */
static void ask_list_posts(struct visit *v, struct list_posts *t, size_t want)
{
    const struct once none = {.count = 0};
    struct timeline_ids ids = timeline_cut(&t->ids, &t->query, want);
    ids = timeline_cut(&t->ids, &t->query, want + once_guess(v, &ids, &none));
    t->loads = timeline_loads(v->arena, &ids);
    t->load_count = ids.count;
    post_ask(v, t->loads, t->load_count, SEE_LIST);
    visit_then(v, take_list_posts, t);
}

/* The first round is back: whose list it is, and who is on it. */
static enum err take_list_head(struct visit *v, void *self)
{
    struct list_posts *t = self;
    enum err e = list_head_take(v, t->head_reply, t->id, &t->out.list);
    if (e != ERR_OK) {
        return e;
    }
    if (t->out.list.replies == LIST_REPLIES_FOLLOWED) {
        visit_want_following(v);
    }
    t->members = timeline_ids_of(v->arena, visit_reply(v, t->members_reply));
    struct timeline_ids who = t->members;
    if (guess_was_right(t)) {
        who = choose_members(v, t);
    } else {
        cache_put(v->social->cache, CACHE_MEMBERS, t->id, t->members.ids, t->members.count * sizeof(*t->members.ids),
                  store_batch_marked(v->reads.answers));
    }
    ask_list_merge(v, t, &who);
    return ERR_OK;
}

/* Members have answered. Their ids are good down to the point below which members who were not asked may have posts. */
static enum err take_list_merge(struct visit *v, void *self)
{
    struct list_posts *t = self;
    t->ids = merge_take(v, v->reads.answers, &t->merge, &t->whole);
    size_t n = 0;
    while (n < t->ids.count && t->ids.ids[n] > t->floor) {
        n++;
    }
    t->ids.count = n;
    t->whole = t->whole && t->floor == 0;
    ask_list_posts(v, t, t->want_loaded);
    return ERR_OK;
}

/* Members who turned out to be deleted are not asked again, and taken off the list. */
static void drop_deleted(struct visit *v, struct list_posts *t)
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
    list_forget(v, t->id, gone, gone_count);
}

/* Asks all members, and for twice as many ids. */
static void ask_list_merge_again(struct visit *v, struct list_posts *t)
{
    drop_deleted(v, t);
    t->want *= 2;
    t->want_loaded = t->want;
    t->floor = 0;
    ask_list_merge(v, t, &t->members);
}

static void hide_answers(const struct visit *v, struct list_posts *t)
{
    for (size_t i = 0; i < t->load_count; i++) {
        struct post *p = &t->loads[i].post;
        if (p->id && !list_shows(v, &t->out.list, &t->members, p)) {
            p->id = 0;
        }
    }
}

/* Posts have come: the page is full, or all that exists is on it, or there is more to ask for. Nearly always it is
 * full. */
static enum err take_list_posts(struct visit *v, void *self)
{
    struct list_posts *t = self;
    hide_answers(v, t);
    once_hide(&t->query, &(struct once){.count = 0}, t->loads, t->load_count);
    bool is_full = timeline_visible(t->loads, t->load_count) > t->query.limit, used_up = t->load_count == t->ids.count;
    if (!is_full && !(used_up && t->whole) && t->looks++ < MOST_MERGES) {
        if (used_up) {
            ask_list_merge_again(v, t);
        } else {
            ask_list_posts(v, t, t->want);
        }
        return ERR_OK;
    }
    struct timeline_page *out = &t->out.page;
    timeline_fill(v->arena, &t->query, t->loads, t->load_count, out);
    out->has_older |= !t->query.min_id && !t->whole && out->count > 0;
    timeline_since(&t->query, out);
    return ERR_OK;
}
