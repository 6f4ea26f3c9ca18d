/* follow_list.c - reading relations: lists with paging, followers in common; see follow.h. Any thread. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/follow.h"
#include "social/people/people.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* --- lists --- */

struct follow_read {
    struct follow_page page;
    struct follow_query query;
    size_t reply, followed_by_reply;
    struct people people;
    bool asks_followed_by;
    const struct people *who; /* by id: whose list it is; NULL: by name */
};

bool follow_page_bounds(struct arena *a, const struct follow_query *q, const char **from, const char **to)
{
    const char *high = q->max_us ? arena_printf(a, "(%llu", (unsigned long long)q->max_us) : "+inf";
    uint64_t above = q->min_us ? q->min_us : q->since_us;
    const char *low = above ? arena_printf(a, "(%llu", (unsigned long long)above) : "-inf";
    bool forward = q->min_us != 0;
    *from = forward ? low : high;
    *to = forward ? high : low;
    return forward;
}

uint64_t *follow_page_ids(struct arena *a, const struct follow_page *p)
{
    uint64_t *ids = arena_alloc(a, (p->count + 1) * sizeof(*ids));
    for (size_t i = 0; i < p->count; i++) {
        ids[i] = p->rows[i].user.id;
    }
    return ids;
}

/* Newest first, cut to the limit. */
void follow_page_rows(struct arena *a, const struct follow_query *q, const struct store_reply *entries,
                      struct follow_page *out)
{
    size_t total = entries->count / 2;
    bool over = total > q->limit, forward = q->min_us != 0;
    size_t n = over ? q->limit : total;
    out->rows = arena_zero(a, (n + 1) * sizeof(*out->rows));
    out->count = n;
    for (size_t i = 0; i < n; i++) {
        struct follow_row *row = &out->rows[forward ? n - 1 - i : i];
        row->user.id = id_parse(store_text(&entries->items[2 * i]));
        row->since_us = (uint64_t)strtod(store_text(&entries->items[2 * i + 1]), NULL);
    }
    bool has_older = forward ? n > 0 : over, has_newer = forward ? over : q->max_us != 0 && n > 0;
    out->older_us = has_older ? out->rows[n - 1].since_us : 0;
    out->newer_us = has_newer ? out->rows[0].since_us : 0;
}

static enum err take_follow_people(struct visit *v, void *self)
{
    struct follow_read *r = self;
    size_t n = 0;
    for (size_t i = 0; i < r->page.count; i++) {
        struct follow_row row = r->page.rows[i];
        row.user = r->people.users[i];
        row.followed_by = r->asks_followed_by && store_item(visit_reply(v, r->followed_by_reply), i)->type != STORE_NIL;
        if (row.user.id) {
            r->page.rows[n++] = row;
        }
    }
    r->page.count = n;
    return ERR_OK;
}

/* Which of them follow the visitor. */
static void ask_followed_by(struct visit *v, struct follow_read *r, const uint64_t *ids)
{
    const char **arguments = arena_alloc(v->arena, (2 + r->page.count) * sizeof(*arguments));
    arguments[0] = "ZMSCORE";
    arguments[1] = key_id(v->arena, KEY_FOLLOWERS, v->viewer.id);
    for (size_t i = 0; i < r->page.count; i++) {
        arguments[2 + i] = id_text(v->arena, ids[i]);
    }
    r->asks_followed_by = true;
    r->followed_by_reply = store_command_v(v->reads.batch, id_bucket(v->viewer.id), 2 + r->page.count, arguments);
}

static enum err take_follow_list(struct visit *v, void *self)
{
    struct follow_read *r = self;
    const struct store_reply *rows = visit_reply(v, r->reply);
    if (r->who) {
        r->page.user = r->who->users[0];
        if (!r->page.user.id) {
            return ERR_NOT_FOUND;
        }
    } else {
        enum err e = user_find_take(v->social, v->reads.answers, r->reply, &r->page.user, &r->page.counts, &rows);
        if (e != ERR_OK || user_is_hidden(&r->page.user, v->viewer.id)) {
            return e == ERR_OK ? ERR_NOT_FOUND : e;
        }
    }
    if (user_hides_people(&r->page.user, v->viewer.id)) {
        return ERR_OK;
    }
    follow_page_rows(v->arena, &r->query, rows, &r->page);
    uint64_t *ids = follow_page_ids(v->arena, &r->page);
    people_ask(v, ids, r->page.count, &r->people);
    if (v->viewer.id && r->page.count) {
        ask_followed_by(v, r, ids);
    }
    visit_then(v, take_follow_people, r);
    return ERR_OK;
}

const struct follow_page *follow_list_ask(struct visit *v, const char *name, bool followers,
                                          const struct follow_query *q)
{
    struct follow_read *r = arena_zero(v->arena, sizeof(*r));
    r->query = *q;
    visit_want_following(v);
    struct user_page page = {.what = followers ? USER_FIND_WHAT_FOLLOWERS : USER_FIND_WHAT_FOLLOWING,
                             .limit = q->limit + 1};
    page.reverse = !follow_page_bounds(v->arena, q, &page.from, &page.to);
    r->reply = user_find_add(v->reads.batch, name, &page);
    visit_then(v, take_follow_list, r);
    return &r->page;
}

const struct follow_page *follow_list_of_ask(struct visit *v, uint64_t uid, bool followers,
                                             const struct follow_query *q)
{
    struct follow_read *r = arena_zero(v->arena, sizeof(*r));
    struct people *who = arena_zero(v->arena, sizeof(*who));
    const char *from, *to;
    r->query = *q;
    r->who = who;
    visit_want_following(v);
    people_ask(v, &uid, 1, who); /* before the step, which looks at him */
    bool upwards = follow_page_bounds(v->arena, q, &from, &to);
    r->reply =
        store_command(v->reads.batch, id_bucket(uid), "ZRANGE",
                      key_id(v->arena, followers ? KEY_FOLLOWERS : KEY_FOLLOWING, uid), from, to, "BYSCORE", "LIMIT",
                      "0", arena_printf(v->arena, "%u", q->limit + 1), "WITHSCORES", upwards ? NULL : "REV", NULL);
    visit_then(v, take_follow_list, r);
    return &r->page;
}

/* --- whom two people have in common ---
 *
 * The second round asks of some whom the visitor knows (his followers, those whom he follows) which of them are in a set of the
 * other's. */

struct common_set {
    uint64_t *ids;
    size_t count, reply;
};

struct common_read {
    struct follow_relation relation;
    const struct user *other;
    size_t mine_reply, followed_by_reply; /* of three: following, recommended, noted */
    struct common_set sets[FOLLOW_SHARED_KINDS];
};

static void take_common_set(struct visit *v, const struct common_set *set, struct follow_common *out)
{
    for (size_t i = 0; i < set->count; i++) {
        if (store_item(visit_reply(v, set->reply), i)->type == STORE_NIL) {
            continue;
        }
        out->count++;
        struct user *u = &out->some[out->some_count];
        if (out->some_count < FOLLOW_COMMON_SHOWN && user_cache_get(v->social, v->arena, set->ids[i], u) &&
            !u->is_deleted && !user_is_hidden(u, v->viewer.id) && !user_hides_people(u, v->viewer.id)) {
            out->some_count++;
        }
    }
}

static enum err take_common(struct visit *v, void *self)
{
    struct common_read *c = self;
    c->relation.followed_by = visit_reply(v, c->followed_by_reply)->type != STORE_NIL;
    c->relation.endorsed = visit_reply(v, c->followed_by_reply + 1)->type != STORE_NIL;
    c->relation.remark = store_text(visit_reply(v, c->followed_by_reply + 2));
    for (unsigned i = 0; i < FOLLOW_SHARED_KINDS; i++) {
        take_common_set(v, &c->sets[i], &c->relation.common[i]);
    }
    return ERR_OK;
}

/* Asks which of these people, at most FOLLOW_COMMON_AMONG, are in the other's set. */
static void ask_common_set(struct visit *v, struct common_read *c, enum follow_shared kind, enum key key)
{
    struct common_set *set = &c->sets[kind];
    c->relation.common[kind].is_least = set->count > FOLLOW_COMMON_AMONG;
    set->count = set->count > FOLLOW_COMMON_AMONG ? FOLLOW_COMMON_AMONG : set->count;
    if (!set->count) {
        return;
    }
    const char **arguments = arena_alloc(v->arena, (2 + set->count) * sizeof(*arguments));
    arguments[0] = "ZMSCORE";
    arguments[1] = key_id(v->arena, key, c->other->id);
    for (size_t i = 0; i < set->count; i++) {
        arguments[2 + i] = id_text(v->arena, set->ids[i]);
    }
    set->reply = store_command_v(v->reads.batch, id_bucket(c->other->id), 2 + set->count, arguments);
}

/* Whom the visitor follows, those who came last first. */
static struct common_set own_following(struct visit *v)
{
    struct common_set set = {.count = v->following_known ? v->following_count : 0};
    set.ids = arena_alloc(v->arena, (set.count + 1) * sizeof(*set.ids));
    for (size_t i = 0; i < set.count; i++) {
        set.ids[i] = v->following[set.count - 1 - i];
    }
    return set;
}

/* What the visitor's own keys say of the other. */
static void ask_kept(struct visit *v, struct common_read *c)
{
    static const struct {
        const char *command;
        enum key key;
    } kept[] = {{"ZSCORE", KEY_FOLLOWERS}, {"ZSCORE", KEY_ENDORSED}, {"HGET", KEY_REMARKS}};
    const char *other = id_text(v->arena, c->other->id);
    c->followed_by_reply = store_batch_count(v->reads.batch);
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        store_command(v->reads.batch, id_bucket(v->viewer.id), kept[i].command,
                      key_id(v->arena, kept[i].key, v->viewer.id), other, NULL);
    }
}

static enum err take_own_followers(struct visit *v, void *self)
{
    struct common_read *c = self;
    if (!v->viewer.id || c->other->id == v->viewer.id) {
        return ERR_OK;
    }
    const struct store_reply *mine = visit_reply(v, c->mine_reply);
    struct common_set followers = {.count = mine->count};
    followers.ids = arena_alloc(v->arena, (mine->count + 1) * sizeof(*followers.ids));
    store_list_ids(mine, followers.ids);
    c->sets[FOLLOW_SHARED_FOLLOWERS] = followers;
    c->sets[FOLLOW_SHARED_KNOWN] = c->sets[FOLLOW_SHARED_FOLLOWING] = own_following(v);
    ask_kept(v, c);
    if (user_hides_people(c->other, v->viewer.id)) {
        memset(c->sets, 0, sizeof(c->sets));
    } else {
        ask_common_set(v, c, FOLLOW_SHARED_FOLLOWERS, KEY_FOLLOWERS);
        ask_common_set(v, c, FOLLOW_SHARED_KNOWN, KEY_FOLLOWERS);
        ask_common_set(v, c, FOLLOW_SHARED_FOLLOWING, KEY_FOLLOWING);
    }
    visit_then(v, take_common, c);
    return ERR_OK;
}

const struct follow_relation *follow_common_ask(struct visit *v, const struct user *other)
{
    struct common_read *c = arena_zero(v->arena, sizeof(*c));
    c->other = other;
    c->relation.remark = "";
    if (v->claimed) { /* one more than are looked at, to know whether there are more */
        visit_want_following(v);
        c->mine_reply =
            store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE", key_id(v->arena, KEY_FOLLOWERS, v->claimed),
                          "0", arena_printf(v->arena, "%d", FOLLOW_COMMON_AMONG), "REV", NULL);
        visit_then(v, take_own_followers, c);
    }
    return &c->relation;
}
