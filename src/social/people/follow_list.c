/* follow_list.c - reading relations: lists with paging, followers in common, the newest users. Any thread. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/follow.h"
#include "social/people/people.h"
#include "social/people/visit.h"
#include "store/keys.h"
#include "store/store.h"

/* --- lists --- */

struct follow_read {
    struct follow_query query;
    struct store_batch *first;
    size_t reply;
    struct follow_page page;
    struct people people;
    struct store_batch *second;
    size_t followed_by_reply;
    bool asks_followed_by;
};

bool follow_page_bounds(struct arena *a, const struct follow_query *q, const char **from, const char **to)
{
    const char *high = q->max_us ? arena_printf(a, "(%llu", (unsigned long long)q->max_us) : "+inf";
    const char *low = q->min_us ? arena_printf(a, "(%llu", (unsigned long long)q->min_us) : "-inf";
    bool forward = q->min_us != 0;
    *from = forward ? low : high;
    *to = forward ? high : low;
    return forward;
}

struct follow_read *follow_list_add(struct visit *v, const char *name, bool followers, const struct follow_query *q)
{
    struct follow_read *r = arena_zero(v->arena, sizeof(*r));
    r->query = *q;
    r->first = v->batch;
    struct user_page page = {.what = followers ? "followers" : "following", .limit = q->limit + 1};
    page.reverse = !follow_page_bounds(v->arena, q, &page.from, &page.to);
    r->reply = user_find_add(v->batch, v->arena, name, &page);
    return r;
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

enum err follow_list_next(struct visit *v, struct follow_read *r)
{
    const struct store_reply *rows;
    enum err e = user_find_take(v->social, r->first, r->reply, &r->page.user, &r->page.counts, &rows);
    if (e != ERR_OK) {
        return e;
    }
    follow_page_rows(v->arena, &r->query, rows, &r->page);
    uint64_t *ids = arena_alloc(v->arena, (r->page.count + 1) * sizeof(*ids));
    for (size_t i = 0; i < r->page.count; i++) {
        ids[i] = r->page.rows[i].user.id;
    }
    r->second = v->batch;
    people_add(v, &r->people, ids, r->page.count);
    r->asks_followed_by = v->viewer.id && r->page.count;
    if (r->asks_followed_by) {
        const char **arguments = arena_alloc(v->arena, (2 + r->page.count) * sizeof(*arguments));
        arguments[0] = "ZMSCORE";
        arguments[1] = key_id(v->arena, KEY_FOLLOWERS, v->viewer.id);
        for (size_t i = 0; i < r->page.count; i++) {
            arguments[2 + i] = id_text(v->arena, ids[i]);
        }
        r->followed_by_reply = store_command_v(v->batch, id_bucket(v->viewer.id), 2 + r->page.count, arguments);
    }
    return ERR_OK;
}

void follow_list_take(struct visit *v, struct follow_read *r, struct follow_page *out)
{
    people_take(v, &r->people);
    size_t n = 0;
    for (size_t i = 0; i < r->page.count; i++) {
        struct follow_row row = r->page.rows[i];
        row.user = r->people.users[i];
        row.followed_by =
            r->asks_followed_by && store_item(store_reply(r->second, r->followed_by_reply), i)->type != STORE_NIL;
        if (row.user.id) {
            r->page.rows[n++] = row;
        }
    }
    r->page.count = n;
    *out = r->page;
}

/* --- followers in common --- */

struct follow_common {
    struct store_batch *first, *second;
    size_t mine_reply, theirs_reply, followed_by_reply;
    bool asked;
    uint64_t *mine;
    size_t mine_count;
    bool is_cut;
};

struct follow_common *follow_common_add(struct visit *v)
{
    struct follow_common *c = arena_zero(v->arena, sizeof(*c));
    c->first = v->batch;
    if (v->claimed) { /* one more than are looked at, to know whether there are more */
        c->mine_reply =
            store_command(v->batch, id_bucket(v->claimed), "ZRANGE", key_id(v->arena, KEY_FOLLOWERS, v->claimed), "0",
                          arena_printf(v->arena, "%d", FOLLOW_COMMON_AMONG), "REV", NULL);
    }
    return c;
}

void follow_common_next(struct visit *v, struct follow_common *c, uint64_t other)
{
    if (!v->viewer.id || other == v->viewer.id) {
        return;
    }
    const struct store_reply *mine = store_reply(c->first, c->mine_reply);
    c->asked = true;
    c->second = v->batch;
    c->is_cut = mine->count > FOLLOW_COMMON_AMONG;
    c->mine_count = c->is_cut ? FOLLOW_COMMON_AMONG : mine->count;
    c->mine = arena_alloc(v->arena, (c->mine_count + 1) * sizeof(*c->mine));
    const char **arguments = arena_alloc(v->arena, (2 + c->mine_count) * sizeof(*arguments));
    arguments[0] = "ZMSCORE";
    arguments[1] = key_id(v->arena, KEY_FOLLOWERS, other);
    for (size_t i = 0; i < c->mine_count; i++) {
        arguments[2 + i] = store_text(&mine->items[i]);
        c->mine[i] = id_parse(arguments[2 + i]);
    }
    char digits[ID_SIZE];
    c->followed_by_reply = store_command(v->batch, id_bucket(v->viewer.id), "ZSCORE",
                                         key_id(v->arena, KEY_FOLLOWERS, v->viewer.id), id_write(other, digits), NULL);
    if (c->mine_count) {
        c->theirs_reply = store_command_v(v->batch, id_bucket(other), 2 + c->mine_count, arguments);
    }
}

void follow_common_take(struct visit *v, struct follow_common *c, struct follow_relation *out)
{
    memset(out, 0, sizeof(*out));
    if (!c->asked) {
        return;
    }
    out->followed_by = store_reply(c->second, c->followed_by_reply)->type != STORE_NIL;
    out->is_least = c->is_cut;
    for (size_t i = 0; i < c->mine_count; i++) {
        if (store_item(store_reply(c->second, c->theirs_reply), i)->type == STORE_NIL) {
            continue;
        }
        out->common++;
        struct user *u = &out->some[out->some_count];
        if (out->some_count < 5 && user_cache_get(v->social, v->arena, c->mine[i], u) && !u->is_deleted) {
            out->some_count++;
        }
    }
}

/* --- the newest users --- */

struct latest_read {
    struct store_batch *first;
    size_t reply;
    struct people people;
};

struct latest_read *follow_latest_add(struct visit *v, unsigned most)
{
    struct latest_read *l = arena_zero(v->arena, sizeof(*l));
    l->first = v->batch;
    l->reply = store_command(v->batch, KEY_GLOBAL_BUCKET, "LRANGE", key_plain(v->arena, KEY_LATEST, KEY_GLOBAL_BUCKET),
                             "0", arena_printf(v->arena, "%u", most - 1), NULL);
    return l;
}

void follow_latest_next(struct visit *v, struct latest_read *l)
{
    const struct store_reply *r = store_reply(l->first, l->reply);
    uint64_t *ids = arena_alloc(v->arena, (r->count + 1) * sizeof(*ids));
    for (size_t i = 0; i < r->count; i++) {
        ids[i] = id_parse(store_text(&r->items[i]));
    }
    people_add(v, &l->people, ids, r->count);
}

size_t follow_latest_take(struct visit *v, struct latest_read *l, struct user **out)
{
    people_take(v, &l->people);
    size_t n = 0;
    for (size_t i = 0; i < l->people.count; i++) {
        if (l->people.users[i].id) {
            l->people.users[n++] = l->people.users[i];
        }
    }
    *out = l->people.users;
    return n;
}
