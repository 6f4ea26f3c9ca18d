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

/* --- the page of a post ---------------------------------------------------------------------------------------------
 * */

struct talk_seeing {
    uint64_t post;
    size_t reply;
    bool is_news;
};

static enum err take_talk_news(struct visit *v, void *self)
{
    struct talk_seeing *t = self;
    t->is_news = visit_reply(v, t->reply)->type == STORE_STRING;
    return ERR_OK;
}

static enum err take_talk_of_post(struct visit *v, void *self)
{
    struct talk_seeing *t = self;
    const struct store_reply *talk = visit_reply(v, t->reply);
    if (v->viewer.id && v->home.talks > 0 && talk->type == STORE_STRING) {
        t->reply = store_command(v->reads.batch, id_bucket(v->viewer.id), "ZSCORE",
                                 key_id(v->arena, KEY_TALKNEWS, v->viewer.id), store_text(talk), NULL);
        visit_then(v, take_talk_news, t);
    }
    return ERR_OK;
}

const struct talk_seeing *talk_seen_ask(struct visit *v, uint64_t post)
{
    struct talk_seeing *t = arena_zero(v->arena, sizeof(*t));
    t->post = post;
    if (v->claimed) {
        t->reply = store_command(v->reads.batch, id_bucket(v->claimed), "ZSCORE",
                                 key_id(v->arena, KEY_TALKPOSTS, v->claimed), id_text(v->arena, post), NULL);
        visit_then(v, take_talk_of_post, t);
    }
    return t;
}

void talk_seen(struct visit *v, const struct talk_seeing *t)
{
    if (t->is_news) {
        struct store_batch *b = store_batch_new(v->social->store, v->arena);
        script_talk_mark_add(b, &(struct script_talk_mark){.uid = v->viewer.id, .post = t->post});
        store_send(b); /* should it get lost, the talk counts as not read a little longer */
        v->home.talks--;
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
