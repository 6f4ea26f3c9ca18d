/* list_rule.c - which posts stand in a list's timeline: see list.h. For the timeline, and for those who listen. Threads: those
 * of the visit. */
#include "base/arena.h"
#include "base/id.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/posts/post.h"
#include "social/timelines/list.h"
#include "social/timelines/list_read.h"
#include "store/keys.h"
#include "store/store.h"

struct rule_read {
    struct list_rule out;
    uint64_t id;
    size_t head_reply, members_reply;
};

bool list_shows(const struct visit *v, const struct list *list, const struct timeline_ids *members,
                const struct post *p)
{
    uint64_t to = p->reply_author;
    if (!p->reply_to || to == p->author.id || to == v->viewer.id) {
        return true;
    }
    switch (list->replies) {
    case LIST_REPLIES_LIST:
        return timeline_has(members, to);
    case LIST_REPLIES_FOLLOWED:
        return v->following_known && visit_follows(v, to);
    default:
        return false;
    }
}

static enum err take_rule(struct visit *v, void *self)
{
    struct rule_read *r = self;
    enum err e = list_head_take(v, r->head_reply, r->id, &r->out.list);
    if (e == ERR_OK) {
        r->out.members = timeline_ids_of(v->arena, visit_reply(v, r->members_reply));
    }
    return e;
}

const struct list_rule *list_rule_ask(struct visit *v, uint64_t id)
{
    struct rule_read *r = arena_zero(v->arena, sizeof(*r));
    r->id = id;
    visit_want_following(v);
    r->head_reply = list_head_add(v, id);
    r->members_reply =
        store_command(v->reads.batch, id_bucket(id), "ZRANGE", key_id(v->arena, KEY_MEMBERS, id), "0", "-1", NULL);
    visit_then(v, take_rule, r);
    return &r->out;
}

bool list_rule_has(const struct list_rule *r, uint64_t author)
{
    return timeline_has(&r->members, author);
}
