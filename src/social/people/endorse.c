/* endorse.c - see endorse.h. Any thread. */
#include "social/people/endorse.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/people.h"
#include "social/people/purge.h"
#include "social/people/shown.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

enum err endorse_set(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item, bool on,
                     struct problems *p)
{
    enum action what = on ? ACTION_ENDORSE : ACTION_UNENDORSE;
    enum err e = action_check(what, by);
    struct script_limit limit;
    e = e == ERR_OK ? follow_find(s, a, by, what, item, 1, &limit, p) : e;
    if (e != ERR_OK || item->result != FOLLOW_UNCHANGED) {
        return e;
    }
    struct store_batch *b = shown_batch(s, a, by->shown);
    const struct script_endorse in = {limit, by->uid, item->uid, (int64_t)clock_site_ms() * 1000, ENDORSE_MOST};
    if (on) {
        script_endorse_add(b, &in);
    } else {
        script_unendorse_add(b, &(struct script_unendorse){limit, by->uid, item->uid});
    }
    shown_ask(by->shown, item->uid);
    e = shown_run(by->shown, b);
    struct script_endorse_reply r;
    script_endorse_take(store_reply(b, 0), &r); /* the other's says less */
    item->result = r.answer == ANSWER_GONE ? FOLLOW_REFUSED : FOLLOW_CHANGED;
    e = e == ERR_OK ? follow_limited(r.answer, r.wait, p) : e;
    return e == ERR_OK && r.answer == ANSWER_FULL ? ERR_CONFLICT : e;
}

/* --- the list ------------------------------------------------------------------------------------------------------ */

struct endorsed_read {
    struct follow_page page;
    struct follow_query query;
    size_t reply;
    struct people who, people;
};

static enum err take_endorsed_people(struct visit *v, void *self)
{
    struct endorsed_read *r = self;
    size_t n = 0;
    if (visit_apart(v, r->page.user.id) & APART_BLOCKED_BY) {
        r->page.count = 0;
    }
    for (size_t i = 0; i < r->page.count; i++) {
        if (r->people.users[i].id) {
            r->page.rows[n] = r->page.rows[i];
            r->page.rows[n++].user = r->people.users[i];
        }
    }
    r->page.count = n;
    return ERR_OK;
}

static enum err take_endorsed(struct visit *v, void *self)
{
    struct endorsed_read *r = self;
    r->page.user = r->who.users[0];
    if (!r->page.user.id) {
        return ERR_NOT_FOUND;
    }
    follow_page_rows(v->arena, &r->query, visit_reply(v, r->reply), &r->page);
    people_ask(v, follow_page_ids(v->arena, &r->page), r->page.count, &r->people);
    visit_then(v, take_endorsed_people, r);
    return ERR_OK;
}

const struct follow_page *endorsed_ask(struct visit *v, uint64_t uid, const struct follow_query *q)
{
    struct endorsed_read *r = arena_zero(v->arena, sizeof(*r));
    const char *from, *to;
    r->query = *q;
    uid = uid ? uid : v->claimed;
    visit_want_apart(v);
    people_ask(v, &uid, 1, &r->who); /* before the step, which looks at him */
    bool upwards = follow_page_bounds(v->arena, q, &from, &to);
    r->reply = store_command(v->reads.batch, id_bucket(uid), "ZRANGE", key_id(v->arena, KEY_ENDORSED, uid), from, to,
                             "BYSCORE", "LIMIT", "0", arena_printf(v->arena, "%u", q->limit + 1), "WITHSCORES",
                             upwards ? NULL : "REV", NULL);
    visit_then(v, take_endorsed, r);
    return &r->page;
}

/* --- what a deleted user leaves ------------------------------------------------------------------------------------ */

static void kept_end(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_ENDORSED, uid), key_id(a, KEY_TIES, uid),
                  key_id(a, KEY_REMARKS, uid), key_id(a, KEY_UNSUGGESTED, uid), key_id(a, KEY_WATCHERS, uid), NULL);
}

const struct remains endorse_remains = {.name = "endorsed", .end_add = kept_end};
