/* relation.c - see relation.h. One thread at a time per visit. */
#include "social/people/relation.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "social/people/visit_ties.h"
#include "store/keys.h"
#include "store/store.h"

struct relation_read {
    struct relations out;
    size_t followers_reply, requests_reply, endorsed_reply, remarks_reply;
    size_t own_reply; /* of four: take_own */
};

static enum err take_relations(struct visit *v, void *self)
{
    struct relation_read *r = self;
    for (size_t i = 0; v->viewer.id && i < r->out.count; i++) {
        r->out.items[i].followed_by = store_item(visit_reply(v, r->followers_reply), i)->type != STORE_NIL;
        r->out.items[i].requested_by = store_item(visit_reply(v, r->requests_reply), i)->type != STORE_NIL;
        r->out.items[i].endorsed = store_item(visit_reply(v, r->endorsed_reply), i)->type != STORE_NIL;
        r->out.items[i].remark = store_text(store_item(visit_reply(v, r->remarks_reply), i));
    }
    return ERR_OK;
}

/* What the visitor's set or hash says of them. */
static size_t relation_add(struct visit *v, const struct relation_read *r, const char *command, enum key key)
{
    const char **arguments = arena_alloc(v->arena, (2 + r->out.count) * sizeof(*arguments));
    arguments[0] = command;
    arguments[1] = key_id(v->arena, key, v->claimed);
    for (size_t i = 0; i < r->out.count; i++) {
        arguments[2 + i] = id_text(v->arena, r->out.items[i].uid);
    }
    return store_command_v(v->reads.batch, id_bucket(v->claimed), 2 + r->out.count, arguments);
}

/* How the visitor himself stands to the only one who is asked about. */
static enum err take_own(struct visit *v, void *self)
{
    struct relation_read *r = self;
    const struct store_reply *own[4];
    for (size_t i = 0; i < 4; i++) {
        own[i] = store_item(visit_reply(v, r->own_reply + i), 0);
    }
    const uint64_t *uid = &r->out.items[0].uid;
    v->following = v->asked = uid;
    v->following_count = own[0]->type != STORE_NIL;
    v->asked_count = own[1]->type != STORE_NIL;
    v->following_known = true;
    visit_apart_put(v, *uid, store_text(own[2]));
    visit_tie_put(v, *uid, store_text(own[3]));
    return ERR_OK;
}

/* Behind a change what is remembered of the visitor's sets may be old. To read them anew for one of them would take
 * another round. */
static void ask_own(struct visit *v, struct relation_read *r)
{
    r->own_reply = relation_add(v, r, "ZMSCORE", KEY_FOLLOWING);
    relation_add(v, r, "ZMSCORE", KEY_ASKED);
    relation_add(v, r, "HMGET", KEY_APART);
    relation_add(v, r, "HMGET", KEY_TIES);
    visit_then(v, take_own, r);
}

const struct relations *relation_ask(struct visit *v, const uint64_t *ids, size_t count)
{
    struct relation_read *r = arena_zero(v->arena, sizeof(*r));
    r->out = (struct relations){arena_zero(v->arena, (count + 1) * sizeof(*r->out.items)), count};
    for (size_t i = 0; i < count; i++) {
        r->out.items[i].uid = ids[i];
        r->out.items[i].remark = "";
    }
    if (v->is_behind && count == 1) {
        ask_own(v, r);
    } else {
        visit_want_following(v);
        visit_want_apart(v);
        visit_want_ties(v);
    }
    if (v->claimed && count) {
        r->followers_reply = relation_add(v, r, "ZMSCORE", KEY_FOLLOWERS);
        r->requests_reply = relation_add(v, r, "ZMSCORE", KEY_REQUESTS);
        r->endorsed_reply = relation_add(v, r, "ZMSCORE", KEY_ENDORSED);
        r->remarks_reply = relation_add(v, r, "HMGET", KEY_REMARKS);
        visit_then(v, take_relations, r);
    }
    return &r->out;
}
