/* edit_job.c - what follows from the new words of a post: see fanout.h (edit_job).
 *
 * First, in the request of the author, the lists that follow from words: tags, notices of those who are mentioned, the
 * index of search. The post may be edited again, or deleted, while that is written; so it is read again behind the
 * writes, in the same batch, and all is written once more when it is another: whoever writes last has found what he
 * wrote. What leads to the post now is added before anything is taken away, so nobody misses it in between.
 *
 * Then, by the workers, those who boosted the post before it was edited are told, chunk by chunk. The cursor is the time of the last
 * one's boost.
 *
 * Threads: the author's and the workers'.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/people/shown.h"
#include "social/posts/delivery.h"
#include "social/posts/edit.h"
#include "social/posts/index.h"
#include "social/posts/notify.h"
#include "social/posts/post.h"
#include "social/posts/post_event.h"
#include "social/posts/tags.h"
#include "social/timelines/fanout.h"
#include "social/timelines/fanout_parts.h"
#include "social/timelines/tag_trends.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define SETTLE_TRIES 8
#define TOLD_AT_ONCE 500

/* --- lists ----------------------------------------------------------------------------------------------------------- */

/* The tags of a list that the post does not have. */
static const char *tags_without(struct arena *a, const char *tags, const char *had)
{
    struct buffer out = buffer_make(a);
    for (const char *tag; (tag = tags_next(a, &tags));) {
        if (!tags_have(had, tag)) {
            buffer_printf(&out, "%s%s", out.length ? "," : "", tag);
        }
    }
    return buffer_string(&out);
}

/* What the post was before its edits, as KEY_HISTORY has it, for the index of search. */
static void earlier_words_end_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *now,
                                  const struct store_reply *history)
{
    size_t count = history->count / EDIT_VERSION_PARTS;
    struct post *earlier = arena_alloc(a, (count + 1) * sizeof(*earlier));
    for (size_t i = 0; i < count; i++) {
        earlier[i] = *now;
        earlier[i].spoiler = store_text(&history->items[i * EDIT_VERSION_PARTS + 1]);
        earlier[i].text = store_text(&history->items[i * EDIT_VERSION_PARTS + 2]);
    }
    s->parts->index->words_end_add(s, b, a, now, earlier, count);
}

static void edited_lists_add(struct social *s, struct store_batch *b, struct arena *a,
                             const struct delivery_edit_work *w, const struct post *post,
                             const struct store_reply *history)
{
    struct user author;
    const char *id = id_text(a, w->post);
    const char *tags = post->visibility == VISIBILITY_PUBLIC ? tags_of(a, post->text, strlen(post->text)) : "";
    fanout_tags_add(b, a, tags, id, false);
    if (user_cache_get(s, a, post->author.id, &author) && user_is_recommended(&author)) {
        trends_add(b, a, post->author.id, w->post, tags);
    }
    const char *former = tags_without(a, w->tags, tags);
    fanout_tags_add(b, a, former, id, true);
    trends_end_add(b, a, post->author.id, w->post, former);
    s->parts->notify->people_edit_add(b, a, post, w->people);
    s->parts->index->posts_add(s, b, a, post, 1);
    earlier_words_end_add(s, b, a, post, history);
}

/* The post was deleted, and whoever cleaned up may have passed before this job wrote. */
static void edited_lists_end_add(struct social *s, struct store_batch *b, struct arena *a,
                                 const struct delivery_edit_work *w, const struct post *written)
{
    fanout_tags_add(b, a, w->tags, id_text(a, w->post), true);
    trends_end_add(b, a, w->job.uid, w->post, w->tags);
    s->parts->notify->post_end_add(b, a, w->job.uid, w->post, w->people);
    if (written->id) {
        s->parts->index->post_end_add(s, b, a, written);
    }
}

/* Takes what record_ask asked; id 0: the post is gone. */
static struct post take_words(struct arena *a, const struct store_reply *reply, uint64_t id)
{
    struct record_post record;
    struct post out = {.id = 0};
    if (record_post_take(reply, POST_SHOWN, &record)) {
        post_from_record(a, id, &record, &out);
    }
    return out;
}

/* Asks for the post, and behind that for what it was before. */
static size_t words_ask(struct store_batch *b, struct arena *a, uint64_t id)
{
    size_t asked = record_ask(b, RECORD_POST, id, POST_SHOWN);
    store_command(b, id_bucket(id), "LRANGE", key_id(a, KEY_HISTORY, id), "0", "-1", NULL);
    return asked;
}

/* The words that this process has just written, or those that are there. */
static enum err first_words(struct social *s, struct arena *a, const struct delivery_edit_work *w, struct post *now,
                            const struct store_reply **versions)
{
    if (w->now) {
        *now = *w->now;
        *versions = w->versions;
        return ERR_OK;
    }
    struct store_batch *read = store_batch_new(s->store, a);
    words_ask(read, a, w->post);
    enum err e = store_run(read);
    *now = take_words(a, store_reply(read, 0), w->post);
    *versions = store_reply(read, 1);
    return e;
}

/* Writes what follows from the words until they are still those, and asks behind that for what the author is shown.
 * *post is the post then. */
static enum err settle_lists(struct social *s, struct arena *a, const struct delivery_edit_work *w, struct post *post)
{
    struct post written = {.id = 0}, now;
    const struct store_reply *history;
    enum err e = first_words(s, a, w, &now, &history);
    for (unsigned i = 0; e == ERR_OK && i < SETTLE_TRIES; i++) {
        struct store_batch *b = shown_batch(s, a, w->shown);
        if (now.id) {
            edited_lists_add(s, b, a, w, &now, history);
            post_event_edited(s, b, a, &now);
        } else {
            edited_lists_end_add(s, b, a, w, &written);
            event_add(s, b, a, EVENT_POST, w->post);
        }
        size_t again = words_ask(b, a, w->post);
        shown_ask(w->shown, w->post);
        e = shown_run(w->shown, b);
        written = now;
        now = take_words(a, store_reply(b, again), w->post);
        history = store_reply(b, again + 1);
        if (e == ERR_OK && now.id == written.id && now.edited_ms == written.edited_ms) {
            *post = now;
            return ERR_OK;
        }
    }
    return e == ERR_OK ? ERR_BUSY : e;
}

/* --- those who boosted it ---------------------------------------------------------------------------------------------- */

static enum err tell_boosters(struct social *s, struct arena *a, struct delivery_edit_work *w, const struct post *post,
                              bool *done)
{
    struct job *j = &w->job;
    struct store_batch *read = store_batch_new(s->store, a), *b = store_batch_new(s->store, a);
    unsigned long long edited_us = (unsigned long long)post->edited_ms * 1000;
    store_command(read, id_bucket(w->post), "ZRANGE", key_id(a, KEY_BOOSTS, w->post), arena_printf(a, "(%s", j->cursor),
                  arena_printf(a, "%llu", edited_us), "BYSCORE", "LIMIT", "0", arena_printf(a, "%d", TOLD_AT_ONCE),
                  "WITHSCORES", NULL);
    enum err e = store_run(read);
    const struct store_reply *rows = store_reply(read, 0);
    for (size_t i = 0; e == ERR_OK && i + 1 < rows->count; i += 2) {
        s->parts->notify->edited_add(b, a, id_parse(store_text(&rows->items[i])), post);
    }
    bool has_more = e == ERR_OK && rows->count >= 2 * TOLD_AT_ONCE;
    if (!has_more) {
        job_done_add(b, j);
    }
    e = e == ERR_OK ? store_run(b) : e;
    *done = e == ERR_OK && !has_more;
    if (e == ERR_OK && has_more) {
        e = job_save(s, a, j, store_text(&rows->items[rows->count - 1]));
        *done = e == ERR_NOT_FOUND;
    }
    return *done ? ERR_OK : e;
}

/* --- the job ----------------------------------------------------------------------------------------------------------- */

static enum err end_edit(struct social *s, struct arena *a, const struct job *j, bool *done)
{
    struct store_batch *b = store_batch_new(s->store, a);
    job_done_add(b, j);
    enum err e = store_run(b);
    *done = e == ERR_OK;
    return e;
}

/* The first step is what the author waits for, the rest the workers'. A job that was taken over settles the lists once
 * more. */
static enum err edit_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    struct delivery_edit_work *w = (struct delivery_edit_work *)j;
    struct post post;
    if (strcmp(j->cursor, "0") == 0 && !w->is_settled) {
        enum err settled = settle_lists(s, a, w, &post);
        w->is_settled = settled == ERR_OK;
        w->now = NULL;
        w->versions = NULL;
        w->shown = NULL;
        return settled;
    }
    struct store_batch *read = store_batch_new(s->store, a);
    record_ask(read, RECORD_POST, w->post, POST_SHOWN);
    enum err e = store_run(read);
    post = take_words(a, store_reply(read, 0), w->post);
    if (e != ERR_OK) {
        return e;
    }
    return post.id ? tell_boosters(s, a, w, &post, done) : end_edit(s, a, j, done);
}

static const struct job_field edit_fields[] = {{JOB_POST, JOB_ID, offsetof(struct delivery_edit_work, post)},
                                               {JOB_TARGETS, JOB_TEXT, offsetof(struct delivery_edit_work, tags)},
                                               {JOB_PEOPLE, JOB_TEXT, offsetof(struct delivery_edit_work, people)},
                                               {.field = 0}};
const struct job_class edit_job = {.name = "edit",
                                   .step = edit_step,
                                   .size = sizeof(struct delivery_edit_work),
                                   .fields = edit_fields,
                                   .about = JOB_ABOUT_POST};
