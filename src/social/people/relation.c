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

const struct relations *relation_ask(struct visit *v, const uint64_t *ids, size_t count)
{
    struct relation_read *r = arena_zero(v->arena, sizeof(*r));
    r->out = (struct relations){arena_zero(v->arena, (count + 1) * sizeof(*r->out.items)), count};
    for (size_t i = 0; i < count; i++) {
        r->out.items[i].uid = ids[i];
        r->out.items[i].remark = "";
    }
    visit_want_following(v);
    visit_want_apart(v);
    visit_want_ties(v);
    if (v->claimed && count) {
        r->followers_reply = relation_add(v, r, "ZMSCORE", KEY_FOLLOWERS);
        r->requests_reply = relation_add(v, r, "ZMSCORE", KEY_REQUESTS);
        r->endorsed_reply = relation_add(v, r, "ZMSCORE", KEY_ENDORSED);
        r->remarks_reply = relation_add(v, r, "HMGET", KEY_REMARKS);
        visit_then(v, take_relations, r);
    }
    return &r->out;
}
