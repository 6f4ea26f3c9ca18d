/* edit.c - see edit.h. Any thread. */
#include "social/posts/edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/action.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/posts/delivery.h"
#include "social/posts/notify.h"
#include "social/posts/post_read.h"
#include "social/posts/publish.h"
#include "social/posts/tags.h"
#include "store/keys.h"
#include "store/store.h"

#define CHANGED_TRIES 8

/* --- the change ---------------------------------------------------------------------------------------------------- */

/* Whether he may, as far as this process knows; the script knows. */
static enum err find_editable(struct social *s, struct arena *a, uint64_t uid, uint64_t id, struct post *out)
{
    if (post_recall_whole(s, a, id, out) && !out->boost && out->author.id == uid && !out->author.is_deleted) {
        return ERR_OK;
    }
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

/* Whom the post told before or tells with these mentions, for the job. */
static const char *people_told(struct social *s, struct arena *a, const struct post *old, const char *mentions)
{
    const struct record_post words = {.mentions = mentions};
    struct post *edited = arena_alloc(a, sizeof(*edited));
    post_from_record(a, old->id, &words, edited);
    edited->reply_author = old->reply_author;
    return arena_printf(a, "%s,%s", s->parts->notify->people(a, old), s->parts->notify->people(a, edited));
}

/* Stores the edit of a post that is as the caller knows it, or says what it is now (ANSWER_CHANGED). *work is the job
 * then. */
static enum err store_edit(struct social *s, struct arena *a, const struct post *old, struct script_post_edit *in,
                           const struct post_draft *draft, struct delivery_edit_work **work,
                           struct script_post_edit_reply *out)
{
    struct delivery_edit_work *w = job_new(a, s->parts->delivery->edit_work, in->uid);
    enum err e;
    w->post = in->id;
    in->tags = w->tags = tags_of_both(a, old->text, in->text);
    in->people = w->people = people_told(s, a, old, in->mentions);
    in->edited = (int64_t)old->edited_ms;
    in->place = !draft->latitude && !draft->longitude ? old->place : in->place;
    in->sensitive = draft->sensitive == DRAFT_SENSITIVE_UNSAID ? old->is_sensitive : in->sensitive;
    do {
        struct store_batch *b = store_batch_new(s->store, a);
        in->job = job_call(&w->job);
        script_post_edit_add(b, in);
        e = store_run(b);
        script_post_edit_take(store_reply(b, 0), out);
    } while (e == ERR_OK && job_is_stale(&w->job, out->answer));
    *work = w;
    return e;
}

/* The same, whatever other edits come between: the last one counts. */
static enum err store_edit_anyhow(struct social *s, struct arena *a, struct post *old, struct script_post_edit *in,
                                  const struct post_draft *draft, struct delivery_edit_work **work,
                                  struct script_post_edit_reply *out)
{
    enum err e = store_edit(s, a, old, in, draft, work, out);
    for (unsigned i = 0; e == ERR_OK && out->answer == ANSWER_CHANGED && i < CHANGED_TRIES; i++) {
        post_from_record(a, in->id, &out->post, old);
        e = store_edit(s, a, old, in, draft, work, out);
    }
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
        return r->answer == ANSWER_STALE || r->answer == ANSWER_CHANGED ? ERR_BUSY : ERR_NOT_FOUND;
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
    struct script_post_edit in = {.limit = action_limit(s, ACTION_POST_EDIT, by, 1),
                                  .uid = by->uid,
                                  .id = id,
                                  .now = (int64_t)clock_site_ms(),
                                  .created = (int64_t)id_ms(id),
                                  .text = words.text,
                                  .spoiler = words.spoiler,
                                  .language = words.language,
                                  .place = words.place,
                                  .sensitive = words.is_sensitive,
                                  .mentions = mentions,
                                  .kept = EDIT_VERSIONS_MOST};
    struct script_post_edit_reply r;
    struct delivery_edit_work *work;
    e = store_edit_anyhow(s, a, &old, &in, draft, &work, &r);
    e = e == ERR_OK ? edit_outcome(&r, p) : e;
    if (e == ERR_OK && r.changed) {
        struct post *now = arena_alloc(a, sizeof(*now));
        post_from_record(a, id, &r.post, now);
        work->now = now;
        work->versions = r.versions;
        work->shown = by->shown;
        cache_forget(s->cache, CACHE_POST, id); /* what is shown is asked before the event of the change is heard */
        job_begin(s, a, &work->job);            /* tells all servers; what fails is brought after by the job */
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
    r->out.versions = arena_alloc(v->arena, (rows->count / EDIT_VERSION_PARTS + 1) * sizeof(*r->out.versions));
    for (size_t i = 0; i + EDIT_VERSION_PARTS <= rows->count; i += EDIT_VERSION_PARTS) {
        char *rest;
        struct post_version *version = &r->out.versions[r->out.count++];
        version->since_ms = strtoull(store_text(&rows->items[i]), &rest, 10);
        version->is_sensitive = *rest == 's';
        version->spoiler = arena_dup(v->arena, store_text(&rows->items[i + 1]));
        version->text = arena_dup(v->arena, store_text(&rows->items[i + 2]));
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
