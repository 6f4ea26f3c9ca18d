/* quiet.c - see quiet.h. Any thread. */
#include "social/posts/quiet.h"

#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/shown.h"
#include "social/posts/marks.h"
#include "social/posts/post_read.h"
#include "social/posts/thread.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

enum err post_mute(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                   struct problems *p)
{
    enum action what = on ? ACTION_POST_MUTE : ACTION_POST_UNMUTE;
    struct post found;
    enum err e = action_check(what, by);
    e = e == ERR_OK ? post_find(s, a, by->uid, post, &found) : e;
    if (e != ERR_OK) {
        return e;
    }
    const struct script_quiet in = {.limit = action_limit(s, what, by, 1),
                                    .uid = by->uid,
                                    .root = thread_root(&found),
                                    .on = on,
                                    .now = (int64_t)clock_site_ms() * 1000,
                                    .most = QUIET_MOST};
    struct store_batch *b = shown_batch(s, a, by->shown);
    if (on) {
        script_quiet_add(b, &in);
    } else {
        script_unquiet_add(b, &in);
    }
    shown_ask(by->shown, found.id);
    e = shown_run(by->shown, b);
    struct script_quiet_reply r;
    script_quiet_take(store_reply(b, 0), &r);
    if (e == ERR_OK && r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    }
    return e == ERR_OK && r.answer != ANSWER_OK ? ERR_NOT_FOUND : e;
}

static void end_quiet(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_QUIET, uid), NULL);
}

const struct remains quiet_remains = {.name = "quiet", .end_add = end_quiet};
