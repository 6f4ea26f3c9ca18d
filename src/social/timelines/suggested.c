/* suggested.c - see suggested.h. Any thread. */
#include "social/timelines/suggested.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

static enum err take_unsuggested(struct visit *v, void *self)
{
    struct suggested *s = self;
    const struct store_reply *reply = visit_reply(v, s->reply);
    if (v->viewer.id) {
        uint64_t *ids = arena_alloc(v->arena, (reply->count + 1) * sizeof(*ids));
        store_list_ids(reply, ids);
        s->gone = ids;
        s->gone_count = reply->count;
    }
    return ERR_OK;
}

const struct suggested *suggested_ask(struct visit *v)
{
    struct suggested *s = arena_zero(v->arena, sizeof(*s));
    visit_want_following(v);
    visit_want_apart(v);
    s->newest = timeline_public_ask(v, &(struct timeline_query){.limit = SUGGESTED_LOOK});
    if (v->claimed) {
        s->reply = store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE",
                                 key_id(v->arena, KEY_UNSUGGESTED, v->claimed), "0", "-1", NULL);
        visit_then(v, take_unsuggested, s);
    }
    return s;
}

static bool is_suggested_already(const struct user *const *people, size_t count, uint64_t id)
{
    for (size_t i = 0; i < count; i++) {
        if (people[i]->id == id) {
            return true;
        }
    }
    return false;
}

static bool is_dismissed(const struct suggested *s, uint64_t id)
{
    for (size_t i = 0; i < s->gone_count; i++) {
        if (s->gone[i] == id) {
            return true;
        }
    }
    return false;
}

bool suggested_may_show(const struct visit *v, const struct user *u)
{
    return u->id && user_is_recommended(u) && !visit_apart(v, u->id);
}

size_t suggested_people(const struct visit *v, const struct suggested *s, const struct user **out, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < s->newest->count && count < most; i++) {
        const struct user *u = &s->newest->posts[i].author;
        bool is_new = u->id != v->viewer.id && !visit_follows(v, u->id) && !visit_asked(v, u->id);
        if (is_new && suggested_may_show(v, u) && !is_dismissed(s, u->id) && !is_suggested_already(out, count, u->id)) {
            out[count++] = u;
        }
    }
    return count;
}

const struct timeline_page *active_ask(struct visit *v)
{
    visit_want_apart(v);
    return timeline_public_ask(v, &(struct timeline_query){.limit = ACTIVE_LOOK});
}

size_t active_people(const struct visit *v, const struct timeline_page *newest, const struct user **out, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < newest->count && count < most; i++) {
        const struct user *u = &newest->posts[i].author;
        if (suggested_may_show(v, u) && !is_suggested_already(out, count, u->id)) {
            out[count++] = u;
        }
    }
    return count;
}

enum err suggested_dismiss(struct social *s, struct arena *a, const struct actor *by, uint64_t uid, struct problems *p)
{
    enum err e = action_check(ACTION_UNSUGGEST, by);
    if (e != ERR_OK) {
        return e;
    }
    const struct script_unsuggest in = {.limit = action_limit(s, ACTION_UNSUGGEST, by, 1),
                                        .uid = by->uid,
                                        .other = uid,
                                        .now = (int64_t)clock_site_ms() * 1000,
                                        .most = UNSUGGESTED_MOST};
    struct store_batch *b = social_batch(s, a);
    script_unsuggest_add(b, &in);
    e = store_run(b);
    struct script_unsuggest_reply r;
    script_unsuggest_take(store_reply(b, 0), &r);
    if (e == ERR_OK && r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    }
    return e == ERR_OK && r.answer != ANSWER_OK ? ERR_NOT_FOUND : e;
}
