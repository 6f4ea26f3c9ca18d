/* fanout_job.c - the deliveries that did not happen in the author's request, and taking a post back: jobs, see
 * fanout.h.
 *
 * The engine must never wait for us: while it works on one batch of deliveries the next one is built, and each batch
 * also saves the cursor of the one before and brings the followers of the one after the next. So a chunk costs one
 * round trip. Rejected: several workers on one job. Each would need a cursor, and one worker keeps the engine busy.
 *
 * Threads: the workers'; a command-line tool's own.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "config/config.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/posts/boost.h"
#include "social/posts/delivery.h"
#include "social/posts/index.h"
#include "social/posts/notify.h"
#include "social/posts/popular.h"
#include "social/posts/post.h"
#include "social/posts/post_event.h"
#include "social/posts/react.h"
#include "social/posts/tags.h"
#include "social/posts/thread.h"
#include "social/timelines/fanout.h"
#include "social/timelines/fanout_parts.h"
#include "social/timelines/tag_trends.h"
#include "store/keys.h"
#include "store/store.h"

#define CHUNK 1000
#define CHUNKS_PER_STEP 16

/* --- deliveries ----------------------------------------------------------------------------------------------------
 * */

/* Followers who are to get the post next. */
struct chunk {
    uint64_t readers[CHUNK];
    size_t count;
    char end[32]; /* the cursor behind them */
};

/* The deliveries of one step. While the engine works on a batch, the next one is built. */
struct course {
    struct social *social;
    struct delivery_work *work;
    struct arena *arena;      /* of the step */
    struct arena *batches[2]; /* for every other batch */
    unsigned turn;
    struct chunk *now, *next;
};

/* A batch, and its questions besides the deliveries. */
struct load {
    struct store_batch *batch;
    size_t saved, there, followers, time; /* replies */
    bool asks, careful;
};

static void followers_add(struct store_batch *b, struct arena *a, const struct job *j, const char *cursor,
                          unsigned most)
{
    store_command(b, id_bucket(j->uid), "ZRANGE", key_id(a, KEY_FOLLOWERS, j->uid), arena_printf(a, "(%s", cursor),
                  "+inf", "BYSCORE", "LIMIT", "0", arena_printf(a, "%u", most), "WITHSCORES", NULL);
}

/* A new batch that saves the cursor: before it delivers anything, so that after a crash only what this batch delivered
 * is delivered again. */
static struct load load_begin(struct course *c, const char *cursor)
{
    struct arena *a = c->batches[c->turn++ % 2];
    arena_reset(a);
    struct load l = {.batch = store_batch_new(c->social->store, a)};
    l.saved = job_save_add(l.batch, &c->work->job, cursor);
    return l;
}

static struct load load_of(struct course *c, const struct chunk *chunk, const char *cursor)
{
    struct arena *a = c->batches[c->turn % 2];
    struct load l = load_begin(c, cursor);
    l.careful = c->work->doubtful > 0 || fanout_is_late(c->social, c->work->post);
    if (!l.careful) {
        store_batch_once(l.batch);
    }
    fanout_deliveries_add(c->social, l.batch, a, chunk->readers, chunk->count, c->work->post, l.careful);
    l.time = fanout_time_add(l.batch);
    c->work->doubtful -= chunk->count < c->work->doubtful ? chunk->count : c->work->doubtful;
    return l;
}

/* Asks for more followers, and whether the post is still there. It asks after the deliveries: if the post is there
 * then, it can only be deleted after them. */
static void load_end(struct course *c, struct load *l, const char *cursor, unsigned most)
{
    const struct delivery_work *w = c->work;
    l->asks = cursor != NULL;
    if (l->asks) {
        l->followers = store_batch_count(l->batch);
        followers_add(l->batch, c->arena, &w->job, cursor, most);
    }
    l->there = store_command(l->batch, id_bucket(w->post), "EXISTS", key_id(c->arena, KEY_POST, w->post), NULL);
}

/* The cursor for those who follow a chunk; NULL after a short one, which was the last. */
static const char *behind(const struct chunk *k)
{
    return k->count == CHUNK ? k->end : NULL;
}

/* Takes rows (member, score, …) from one on. */
static void chunk_take(struct chunk *k, const struct store_reply *rows, size_t from)
{
    size_t i = from;
    for (k->count = 0; i + 1 < rows->count && k->count < CHUNK; i += 2) {
        k->readers[k->count++] = id_parse(store_text(&rows->items[i]));
    }
    if (k->count > 0) {
        snprintf(k->end, sizeof(k->end), "%s", store_text(&rows->items[i - 1]));
    }
}

/* The post was deleted, maybe before these deliveries: then nobody else takes them back. */
static enum err deliveries_take_back(struct course *c, const struct chunk *k)
{
    char post[ID_SIZE];
    id_write(c->work->post, post);
    struct store_batch *b = store_batch_new(c->social->store, c->arena);
    store_command_ids(b, "LREM", KEY_HOME, k->readers, k->count, 2, (const char *[]){"0", post});
    return store_run(b);
}

/* Waits for a batch that delivered to this chunk. *done when the job is gone, or the post. */
static enum err load_run(struct course *c, const struct load *l, const struct chunk *k, bool *done)
{
    enum err e = store_run(l->batch);
    if (e == ERR_OK && store_integer(store_reply(l->batch, l->there)) == 0) {
        e = deliveries_take_back(c, k);
        if (e == ERR_OK) {
            *done = true;
            fanout_end(c->social, c->arena, c->work);
        }
    } else if (e == ERR_OK && !job_is_there(store_reply(l->batch, l->saved))) {
        *done = true;
    }
    return e;
}

static enum err course_begin(struct course *c, bool *done)
{
    struct job *j = &c->work->job;
    if (j->resumed) { /* what one batch delivered; two when the cursor lies on another node than those homes */
        size_t in_request = (size_t)c->social->config->timeline.inline_followers;
        c->work->doubtful = in_request > 2 * CHUNK ? in_request : 2 * CHUNK;
        j->resumed = false;
    }
    struct load l = load_begin(c, j->cursor);
    load_end(c, &l, j->cursor, 2 * CHUNK);
    enum err e = load_run(c, &l, c->now, done);
    if (e == ERR_OK && !*done) {
        chunk_take(c->now, store_reply(l.batch, l.followers), 0);
        chunk_take(c->next, store_reply(l.batch, l.followers), 2 * CHUNK);
    }
    return e;
}

/* A chunk is delivered: goes on to the next, and takes the one after it. */
static void course_advance(struct course *c, const struct load *l)
{
    struct chunk *spent = c->now;
    c->work->job.cursor = arena_dup(c->arena, spent->end);
    c->now = c->next;
    c->next = spent;
    spent->count = 0;
    if (l->asks) {
        chunk_take(spent, store_reply(l->batch, l->followers), 0);
    }
}

/* Chunk after chunk until nobody is left or the step is long enough. */
static enum err course_run(struct course *c, bool *done)
{
    struct load l = {.batch = NULL};
    enum err e = course_begin(c, done);
    if (e == ERR_OK && !*done && c->now->count > 0) {
        l = load_of(c, c->now, c->work->job.cursor);
        load_end(c, &l, behind(c->next), CHUNK);
    }
    for (unsigned n = 1; l.batch; n++) {
        struct load following = {.batch = NULL};
        store_start(l.batch);
        if (c->next->count > 0 && n < CHUNKS_PER_STEP) {
            following = load_of(c, c->next, c->now->end);
        }
        e = load_run(c, &l, c->now, done);
        if (e != ERR_OK || *done) {
            break;
        }
        if (!l.careful && fanout_came_late(c->social, l.batch, l.time, c->work->post)) {
            c->work->doubtful = 2 * CHUNK; /* this step again, from the same cursor */
            break;
        }
        course_advance(c, &l);
        if (following.batch) {
            load_end(c, &following, behind(c->next), CHUNK);
        }
        l = following;
    }
    if (e == ERR_OK && !*done && c->now->count == 0) {
        *done = true;
        fanout_end(c->social, c->arena, c->work);
    }
    return e;
}

/* The work that a job still owes when it was interrupted at its very beginning: public timeline, tags, replies, the
 * other side of a boost, and a look at the mode. */
static enum err index_again(struct social *s, struct arena *a, const struct delivery_work *w)
{
    struct post_load l = {.id = w->post};
    struct store_batch *read = store_batch_new(s->store, a);
    post_load_add(s, read, a, &l, 1);
    size_t watchers = store_command(read, id_bucket(w->job.uid), "ZRANGE", key_id(a, KEY_WATCHERS, w->job.uid), "(0",
                                    "+inf", "BYSCORE", NULL);
    enum err e = store_run(read);
    e = e == ERR_OK && w->boost ? boost_mend(s, a, w->job.uid, w->boost) : e;
    if (e != ERR_OK) {
        return e;
    }
    post_load_take(s, read, a, &l, 1);
    if (!l.post.id) {
        return ERR_NOT_FOUND;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    fanout_indexes_add(s, b, a, &l.post, true, user_is_recommended(&l.post.author));
    s->parts->notify->post_add(b, a, &l.post, store_reply(read, watchers));
    size_t mode = social_epoch_add(b, a);
    e = store_run(b);
    return e == ERR_OK ? fanout_mode_take(s, b, mode, w) : e;
}

static enum err fanout_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    struct delivery_work *w = (struct delivery_work *)j;
    enum err e = strcmp(j->cursor, "0") == 0 ? index_again(s, a, w) : ERR_OK;
    if (e == ERR_NOT_FOUND || (e == ERR_OK && !w->delivers)) {
        *done = true;
        fanout_end(s, a, w);
        return ERR_OK;
    }
    if (e != ERR_OK) {
        return e;
    }
    struct course c = {.social = s, .work = w, .arena = a, .batches = {arena_new(), arena_new()}};
    c.now = arena_zero(a, sizeof(*c.now));
    c.next = arena_zero(a, sizeof(*c.next));
    e = course_run(&c, done);
    arena_free(c.batches[0]);
    arena_free(c.batches[1]);
    return e;
}

static const struct job_field fanout_fields[] = {{JOB_POST, JOB_ID, offsetof(struct delivery_work, post)},
                                                 {JOB_BOOST, JOB_ID, offsetof(struct delivery_work, boost)},
                                                 {JOB_MODE, JOB_TEXT, offsetof(struct delivery_work, mode)},
                                                 {JOB_DELIVERS, JOB_FLAG, offsetof(struct delivery_work, delivers)},
                                                 {.field = 0}};
const struct job_class fanout_job = {.name = "fanout",
                                     .step = fanout_step,
                                     .size = sizeof(struct delivery_work),
                                     .fields = fanout_fields,
                                     .about = JOB_ABOUT_POST,
                                     .needs_post = true};

/* --- taking a post back ------------------------------------------------------------------------------------------ */

/* Ends the step: the job is done after the last chunk of followers and the last favourites and boosts of the post, else its cursor
 * is saved. */
static enum err finish_chunk(struct social *s, struct arena *a, struct delivery_end_work *w,
                             const struct store_reply *rows, bool *done)
{
    struct job *j = &w->job;
    bool more = rows->count >= 2 * CHUNK;
    enum err e = more ? ERR_OK : favourite_forget(s, a, w->post, &more);
    e = more || e != ERR_OK ? e : boost_forget(s, a, w->post, &more);
    if (e == ERR_OK && !more) {
        struct store_batch *b = store_batch_new(s->store, a);
        job_done_add(b, j);
        store_send(b); /* if it gets lost the job runs once more, which is harmless */
        *done = true;
        return ERR_OK;
    }
    const char *cursor = strcmp(j->cursor, "0") == 0 ? "1" : j->cursor; /* before all followers: times are later */
    cursor = rows->count ? store_text(&rows->items[rows->count - 1]) : cursor;
    e = e == ERR_OK ? job_save(s, a, j, cursor) : e;
    *done = e == ERR_NOT_FOUND;
    return *done ? ERR_OK : e;
}

static enum err unpost_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    char post[ID_SIZE];
    struct delivery_end_work *w = (struct delivery_end_work *)j;
    id_write(w->post, post);
    struct store_batch *b = store_batch_new(s->store, a);
    if (strcmp(j->cursor, "0") == 0) {
        post_event_gone_of(s, b, a, w->post, j->uid, w->tags);
        store_command(b, KEY_GLOBAL_BUCKET, "LREM", key_plain(a, KEY_TIMELINE, KEY_GLOBAL_BUCKET), "0", post, NULL);
        fanout_tags_add(b, a, w->tags, post, true);
        trends_end_add(b, a, j->uid, w->post, w->tags);
        popular_end_add(b, a, w->post);
        if (w->reply_to) {
            store_command(b, id_bucket(w->reply_to), "ZREM", key_id(a, KEY_REPLIES, w->reply_to), post, NULL);
            event_add(s, b, a, EVENT_COUNTS, w->reply_to);
        }
        if (w->thread) { /* nobody knows any more for whom it was */
            struct thread_entry open = {w->post, w->reply_to, j->uid, false}, aside = open;
            aside.is_aside = true;
            store_command(b, id_bucket(w->thread), "ZREM", key_id(a, KEY_THREAD, w->thread), thread_member(a, &open),
                          thread_member(a, &aside), NULL);
        }
        store_command(b, id_bucket(w->post), "DEL", key_id(a, KEY_REPLIES, w->post), key_id(a, KEY_HISTORY, w->post),
                      NULL);
        s->parts->notify->post_end_add(b, a, j->uid, w->post, w->people);
    }
    struct store_batch *read = store_batch_new(s->store, a);
    followers_add(read, a, j, j->cursor, CHUNK);
    enum err e = store_run(read);
    if (e == ERR_OK && w->boost && strcmp(j->cursor, "0") == 0) {
        e = boost_mend(s, a, j->uid, w->boost);
    }
    const struct store_reply *rows = store_reply(read, 0);
    for (size_t i = 0; e == ERR_OK && i < rows->count; i += 2) {
        uint64_t reader = id_parse(store_text(&rows->items[i]));
        store_command(b, id_bucket(reader), "LREM", key_id(a, KEY_HOME, reader), "0", post, NULL);
    }
    e = e == ERR_OK ? store_run(b) : e;
    return e == ERR_OK ? finish_chunk(s, a, w, rows, done) : e;
}

static const struct job_field unpost_fields[] = {{JOB_POST, JOB_ID, offsetof(struct delivery_end_work, post)},
                                                 {JOB_REPLY_TO, JOB_ID, offsetof(struct delivery_end_work, reply_to)},
                                                 {JOB_BOOST, JOB_ID, offsetof(struct delivery_end_work, boost)},
                                                 {JOB_THREAD, JOB_ID, offsetof(struct delivery_end_work, thread)},
                                                 {JOB_TARGETS, JOB_TEXT, offsetof(struct delivery_end_work, tags)},
                                                 {JOB_PEOPLE, JOB_TEXT, offsetof(struct delivery_end_work, people)},
                                                 {.field = 0}};
const struct job_class unpost_job = {.name = "unpost",
                                     .step = unpost_step,
                                     .size = sizeof(struct delivery_end_work),
                                     .fields = unpost_fields,
                                     .about = JOB_ABOUT_POST};
