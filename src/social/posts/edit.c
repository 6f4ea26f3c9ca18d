/* edit.c - see edit.h. Any thread. */
#include "social/posts/edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/posts/delivery.h"
#include "social/posts/post_read.h"
#include "social/posts/publish.h"
#include "social/posts/tags.h"
#include "store/keys.h"
#include "store/store.h"

#define VERSION_PARTS 3 /* of a version in the list: ms, warning, text */

/* --- the change ---------------------------------------------------------------------------------------------------- */

/* Whether he may, as far as this process knows; the script knows. */
static enum err find_editable(struct social *s, struct arena *a, uint64_t uid, uint64_t id, struct post *out)
{
    struct post_load l = {.id = id};
    struct visit *v = visit_begin_as(s, a, uid);
    post_ask(v, &l, 1, SEE_POST);
    enum err e = visit_read(v);
    *out = l.post;
    if (e == ERR_OK && (!l.post.id || l.post.boost)) { /* a boost has no words */
        e = ERR_NOT_FOUND;
    }
    return e == ERR_OK && l.post.author.id != uid ? ERR_FORBIDDEN : e;
}

/* Tags of both texts: the job asks of each whether the post has it then. */
static const char *tags_of_both(struct arena *a, const char *before, const char *after)
{
    const char *old = tags_of(a, before, strlen(before)), *new = tags_of(a, after, strlen(after));
    return *old && *new ? arena_printf(a, "%s,%s", old, new) : *old ? old : new;
}

/* One try. */
static enum err store_edit(struct social *s, struct arena *a, const struct script_post_edit *in,
                           struct script_post_edit_reply *out)
{
    struct store_batch *b = store_batch_new(s->store, a);
    script_post_edit_add(b, in);
    enum err e = store_run(b);
    script_post_edit_take(store_reply(b, 0), out);
    return e;
}

static enum err edit_outcome(const struct script_post_edit_reply *r, struct problems *p)
{
    switch (r->answer) {
    case ANSWER_OK:
        return ERR_OK;
    case ANSWER_LIMITED:
        limit_note(r->wait, p);
        return ERR_TOO_MANY;
    case ANSWER_FORBIDDEN:
        return ERR_FORBIDDEN;
    default:
        return r->answer == ANSWER_STALE ? ERR_BUSY : ERR_NOT_FOUND;
    }
}

enum err post_edit(struct social *s, struct arena *a, const struct actor *by, uint64_t id,
                   const struct post_draft *draft, struct problems *p)
{
    struct post old;
    struct draft_words words;
    const char *mentions;
    enum err e = action_check(ACTION_POST_EDIT, by);
    e = e == ERR_OK ? find_editable(s, a, by->uid, id, &old) : e;
    e = e == ERR_OK ? draft_read(s, a, draft, &words, p) : e;
    e = e == ERR_OK ? publish_mentions(s, a, by->uid, &words, &mentions) : e;
    if (e != ERR_OK) {
        return e;
    }
    struct delivery_edit_work *work = job_new(a, s->parts->delivery->edit_work, by->uid);
    work->post = id;
    work->tags = tags_of_both(a, old.text, words.text);
    struct script_post_edit in = {.limit = action_limit(s, ACTION_POST_EDIT, by, 1),
                                  .uid = by->uid,
                                  .id = id,
                                  .now = (int64_t)clock_site_ms(),
                                  .created = (int64_t)id_ms(id),
                                  .tags = work->tags,
                                  .text = words.text,
                                  .spoiler = words.spoiler,
                                  .language = words.language,
                                  .mentions = mentions,
                                  .kept = EDIT_VERSIONS_MOST};
    struct script_post_edit_reply r;
    do {
        in.job = job_call(&work->job);
        e = store_edit(s, a, &in, &r);
    } while (e == ERR_OK && job_is_stale(&work->job, r.answer));
    e = e == ERR_OK ? edit_outcome(&r, p) : e;
    if (e == ERR_OK && r.changed) {
        job_run(s, a, &work->job); /* tells all servers; what fails is brought after by the job */
    }
    return e;
}

/* --- the earlier versions ------------------------------------------------------------------------------------------ */

struct history_read {
    struct post_history out;
    struct post_load load;
    size_t reply;
};

static enum err take_history_post(struct visit *v, void *self)
{
    struct history_read *r = self;
    (void)v;
    r->out.post = r->load.post;
    return r->load.post.id ? ERR_OK : ERR_NOT_FOUND;
}

/* The list holds three parts of each version, the oldest first. */
static enum err take_history(struct visit *v, void *self)
{
    struct history_read *r = self;
    const struct store_reply *rows = visit_reply(v, r->reply);
    r->out.versions = arena_alloc(v->arena, (rows->count / VERSION_PARTS + 1) * sizeof(*r->out.versions));
    for (size_t i = 0; i + VERSION_PARTS <= rows->count; i += VERSION_PARTS) {
        r->out.versions[r->out.count++] = (struct post_version){strtoull(store_text(&rows->items[i]), NULL, 10),
                                                                arena_dup(v->arena, store_text(&rows->items[i + 1])),
                                                                arena_dup(v->arena, store_text(&rows->items[i + 2]))};
    }
    post_ask(v, &r->load, 1, SEE_POST);
    visit_then(v, take_history_post, r);
    return ERR_OK;
}

const struct post_history *post_history_ask(struct visit *v, uint64_t id)
{
    struct history_read *r = arena_zero(v->arena, sizeof(*r));
    r->load.id = id;
    r->reply =
        store_command(v->reads.batch, id_bucket(id), "LRANGE", key_id(v->arena, KEY_HISTORY, id), "0", "-1", NULL);
    visit_then(v, take_history, r);
    return &r->out;
}
