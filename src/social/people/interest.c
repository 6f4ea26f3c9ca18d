/* interest.c - see interest.h. Any thread. */
#include "social/people/interest.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/visit_interests.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

enum err interest_change(struct social *s, struct arena *a, const struct actor *by, const char *tag, bool on,
                         struct problems *p)
{
    enum action what = on ? ACTION_TAG_FOLLOW : ACTION_TAG_UNFOLLOW;
    enum err e = action_check(what, by);
    size_t length = strlen(tag);
    if (e == ERR_OK && !entity_scan_is_tag(tag, length)) {
        e = ERR_NOT_FOUND;
    }
    if (e != ERR_OK) {
        return e;
    }
    const struct script_tag_follow in = {.limit = action_limit(s, what, by, 1),
                                         .uid = by->uid,
                                         .tag = entity_scan_fold(tag, length, arena_alloc(a, length + 1)),
                                         .on = on,
                                         .now = (int64_t)clock_site_ms() * 1000,
                                         .most = INTEREST_MOST};
    struct store_batch *b = social_batch(s, a);
    if (on) {
        script_tag_follow_add(b, &in);
    } else {
        script_tag_unfollow_add(b, &in);
    }
    e = store_run(b);
    struct script_tag_follow_reply r;
    script_tag_follow_take(store_reply(b, 0), &r);
    if (e != ERR_OK) {
        return e;
    }
    switch (r.answer) {
    case ANSWER_OK:
        visit_interests_remember(s, b, by->uid, (uint64_t)r.version, r.tags);
        return ERR_OK;
    case ANSWER_LIMITED:
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    case ANSWER_FULL:
        return ERR_CONFLICT;
    default:
        return ERR_NOT_FOUND;
    }
}

static void end_interests(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_INTERESTS, uid), NULL);
}

const struct remains interest_remains = {.name = "interests", .end_add = end_interests};
