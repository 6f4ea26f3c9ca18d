/* talk.c - see talk.h: what a user does with his talks, and what is left of them. Any thread. */
#include "social/notices/talk.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/shown.h"
#include "social/people/visit_read.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

enum err talk_mark(struct social *s, struct arena *a, const struct actor *by, uint64_t number, bool unread)
{
    enum err e = action_check(ACTION_TALK_MARK, by);
    if (e != ERR_OK || !number) {
        return e != ERR_OK ? e : ERR_NOT_FOUND;
    }
    struct store_batch *b = shown_batch(s, a, by->shown);
    script_talk_mark_add(b, &(struct script_talk_mark){.uid = by->uid, .talk = number, .on = unread});
    shown_ask(by->shown, number);
    e = shown_run(by->shown, b);
    return e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

enum err talk_dismiss(struct social *s, struct arena *a, const struct actor *by, uint64_t number)
{
    enum err e = action_check(ACTION_TALK_DISMISS, by);
    if (e != ERR_OK) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    script_talk_dismiss_add(b, &(struct script_talk_dismiss){.uid = by->uid, .talk = number});
    e = store_run(b);
    return e == ERR_OK && script_answer(store_reply(b, 0)) != ANSWER_OK ? ERR_NOT_FOUND : e;
}

void talk_seen(struct visit *v, const struct post *p)
{
    if (p->visibility == VISIBILITY_DIRECT && talk_unread(v) > 0) {
        struct store_batch *b = store_batch_new(v->social->store, v->arena);
        script_talk_mark_add(b, &(struct script_talk_mark){.uid = v->viewer.id, .post = p->id});
        store_send(b); /* should it get lost, the talk counts as not read a little longer */
    }
}

int64_t talk_unread(const struct visit *v)
{
    return v->viewer.id ? v->home.talks : 0;
}

static void talks_end(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_TALKS, uid), key_id(a, KEY_TALKPOSTS, uid),
                  key_id(a, KEY_TALKPEOPLE, uid), key_id(a, KEY_TALKNEWS, uid), NULL);
}

const struct remains talk_remains = {.name = "talks", .end_add = talks_end};
