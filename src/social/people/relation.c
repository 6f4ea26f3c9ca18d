/* relation.c - see relation.h. One thread at a time per visit. */
#include "social/people/relation.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

struct relation_read {
    struct relations out;
    size_t followers_reply, requests_reply;
};

static enum err take_relations(struct visit *v, void *self)
{
    struct relation_read *r = self;
    for (size_t i = 0; v->viewer.id && i < r->out.count; i++) {
        r->out.items[i].followed_by = store_item(visit_reply(v, r->followers_reply), i)->type != STORE_NIL;
        r->out.items[i].requested_by = store_item(visit_reply(v, r->requests_reply), i)->type != STORE_NIL;
    }
    return ERR_OK;
}

/* Which of them are in a set of the visitor's. */
static size_t relation_add(struct visit *v, const struct relation_read *r, enum key key)
{
    const char **arguments = arena_alloc(v->arena, (2 + r->out.count) * sizeof(*arguments));
    arguments[0] = "ZMSCORE";
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
    }
    visit_want_following(v);
    visit_want_apart(v);
    if (v->claimed && count) {
        r->followers_reply = relation_add(v, r, KEY_FOLLOWERS);
        r->requests_reply = relation_add(v, r, KEY_REQUESTS);
        visit_then(v, take_relations, r);
    }
    return &r->out;
}
