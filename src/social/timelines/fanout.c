/* fanout.c - see fanout.h. Any thread. */
#include "social/timelines/fanout.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/metric.h"
#include "config/config.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/people/shown.h"
#include "social/posts/boost.h"
#include "social/posts/delivery.h"
#include "social/posts/index.h"
#include "social/posts/notify.h"
#include "social/posts/popular.h"
#include "social/posts/post_event.h"
#include "social/posts/tags.h"
#include "social/posts/thread.h"
#include "social/timelines/celebrity.h"
#include "social/timelines/fanout_parts.h"
#include "social/timelines/tag_trends.h"
#include "social/timelines/timeline.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define TRIM_EVERY 64 /* deliveries to one home per trim, about */

void fanout_tags_add(struct store_batch *b, struct arena *a, const char *tags, const char *post, bool remove)
{
    for (const char *tag; (tag = tags_next(a, &tags));) {
        const char *key = key_text(a, KEY_TAG, tag);
        if (remove) {
            store_command(b, key_text_bucket(tag), "ZREM", key, post, NULL);
        } else {
            store_command(b, key_text_bucket(tag), "ZADD", key, "0", post, NULL);
            store_command(b, key_text_bucket(tag), "ZREMRANGEBYRANK", key, "0", TIMELINE_TAG_CUT(a), NULL);
        }
    }
}

/* Where strangers find posts. */
static void public_add(struct store_batch *b, struct arena *a, const struct post *post, bool repeatable, bool trends)
{
    const char *id = id_text(a, post->id);
    const char *timeline = key_plain(a, KEY_TIMELINE, KEY_GLOBAL_BUCKET);
    if (repeatable) {
        const struct script_newest_insert in = {.list = timeline, .id = post->id, .size = TIMELINE_PUBLIC_SIZE};
        script_newest_insert_add(b, &in);
    } else {
        store_command(b, KEY_GLOBAL_BUCKET, "LPUSH", timeline, id, NULL);
    }
    store_command(b, KEY_GLOBAL_BUCKET, "LTRIM", timeline, "0", store_last(a, TIMELINE_PUBLIC_SIZE), NULL);
    const char *tags = tags_of(a, post->text, strlen(post->text));
    fanout_tags_add(b, a, tags, id, false);
    if (trends) {
        trends_add(b, a, post->author.id, post->id, tags);
    }
}

size_t fanout_indexes_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *post,
                          bool repeatable, bool trends)
{
    if (post->visibility == VISIBILITY_PUBLIC && !post->boost) {
        public_add(b, a, post, repeatable, trends);
    }
    if (post->reply_to && post_is_for_all(post)) {
        store_command(b, id_bucket(post->reply_to), "ZADD", key_id(a, KEY_REPLIES, post->reply_to), "0",
                      id_text(a, post->id), NULL);
        event_add(s, b, a, EVENT_COUNTS, post->reply_to);
    }
    if (post->thread) {
        const struct thread_entry entry = thread_entry_of_post(post);
        store_command(b, id_bucket(post->thread), "ZADD", key_id(a, KEY_THREAD, post->thread), "0",
                      thread_member(a, &entry), NULL);
    }
    post_event_new(b, a, post);
    return s->parts->index->post_new_add(s, b, a, post);
}

/* Whether this delivery also cuts the home: every TRIM_EVERY-th or so to a home does. */
static bool trims(uint64_t reader, uint64_t post)
{
    uint64_t chance = (reader ^ post) * 0x9E3779B97F4A7C15u;
    return chance >> 32 & 1 && (chance >> 40) % (TRIM_EVERY / 2) == 0;
}

void fanout_deliveries_add(struct social *s, struct store_batch *b, struct arena *a, const uint64_t *readers,
                           size_t count, uint64_t post, bool careful)
{
    char digits[ID_SIZE];
    long long size = (long long)TIMELINE_KEPT(s->config);
    id_write(post, digits);
    if (careful) {
        for (size_t i = 0; i < count; i++) {
            script_home_late_add(b, &(struct script_home_late){readers[i], post, size});
        }
        return;
    }
    metric_add(METRIC_DELIVERIES, count);
    store_command_ids(b, "LPUSHX", KEY_HOME, readers, count, 1, (const char *[]){digits});
    const char *last = arena_printf(a, "%lld", size - 1);
    for (size_t i = 0; i < count; i++) {
        if (trims(readers[i], post)) {
            store_command(b, id_bucket(readers[i]), "LTRIM", key_id(a, KEY_HOME, readers[i]), "0", last, NULL);
        }
    }
}

void fanout_end(struct social *s, struct arena *a, const struct delivery_work *work)
{
    metric_set(METRIC_FANOUT_LAG_MS, clock_site_ms() - id_ms(work->post));
    struct store_batch *b = store_batch_new(s->store, a);
    job_done_add(b, &work->job);
    popular_add(b, a, work->boost, work->people);
    store_send(b); /* if it gets lost the job runs once more, which is harmless */
}

bool fanout_is_late(const struct social *s, uint64_t post)
{
    return clock_site_ms() > id_ms(post) + FANOUT_LATE_MS || social_is_ahead(s);
}

size_t fanout_time_add(struct store_batch *b)
{
    return store_command(b, KEY_GLOBAL_BUCKET, "TIME", NULL);
}

bool fanout_came_late(struct social *s, const struct store_batch *b, size_t time, uint64_t post)
{
    uint64_t now = store_time_ms(store_reply(b, time));
    social_saw_time(s, now);
    return now > id_ms(post) + FANOUT_LATE_MS || social_is_ahead(s);
}

enum err fanout_mode_take(struct social *s, const struct store_batch *b, size_t mode, const struct delivery_work *work)
{
    struct record_site site;
    record_site_take(store_reply(b, mode), SITE_MODE | SITE_EPOCH, &site);
    const char *now = site.mode;
    /* by then at the latest it was stored; since an epoch moved after that all homes are built from it */
    uint64_t stored_ms = id_ms(work->post) + SOCIAL_LATE_MS + SOCIAL_AHEAD_MS;
    if (!*now) {
        return ERR_OK;
    }
    social_take_epoch(s, (uint64_t)site.epoch, now);
    if (!*work->mode || strcmp(now, work->mode) == 0 || stored_ms < atomic_load(&s->moved_ms)) {
        return ERR_OK;
    }
    log_warning("fanout", "post %llu was written in mode %s, the site is served in %s: every home is built again",
                (unsigned long long)work->post, work->mode, now);
    return social_move_epoch(s);
}

struct fanout_wave {
    struct social *social;
    struct arena *arena;
    struct delivery_work *work;
    struct store_batch *indexes, *batch;
    size_t indexed, time;
    bool careful; /* none of these deliveries need be repeated */
    bool again;   /* something has come too late */
    bool last;    /* nobody is left for the workers */
    bool mark;    /* the author is a celebrity from the next post on */
};

static bool has_come(enum err e, const struct delivery_work *work)
{
    if (e != ERR_OK) { /* the post is stored and the job will deliver it */
        log_warning("fanout", "deliveries of post %llu are late: %s", (unsigned long long)work->post,
                    err_info(e)->name);
    }
    return e == ERR_OK;
}

static struct store_batch *batch_once(struct social *s, struct arena *a)
{
    struct store_batch *b = store_batch_new(s->store, a);
    store_batch_once(b);
    return b;
}

/* The first followers, those that post_create's second answer lists; the job goes on behind them. */
static size_t take_followers(struct delivery_work *work, struct arena *a, const struct store_reply *followers,
                             uint64_t **readers)
{
    size_t count = work->delivers && followers ? followers->count / 2 : 0;
    *readers = arena_alloc(a, (count + 1) * sizeof(**readers));
    for (size_t i = 0; i < count; i++) {
        (*readers)[i] = id_parse(store_text(&followers->items[2 * i]));
    }
    work->job.cursor = count ? store_text(&followers->items[2 * count - 1]) : "1";
    return count;
}

/* The batch with the indexes has been answered; false if the job must do the rest later. */
static bool settle(struct fanout_wave *w, const struct store_batch *b, size_t mode, size_t time)
{
    w->again = !w->careful && fanout_came_late(w->social, b, time, w->work->post);
    return has_come(fanout_mode_take(w->social, b, mode, w->work), w->work);
}

/* Leaves the rest to the workers: the followers behind the cursor, or all from the beginning. */
static void go_on(struct fanout_wave *w)
{
    if (w->again) {
        w->work->job.cursor = "0";
        w->work->job.resumed = true;
    } else if (w->last) {
        fanout_end(w->social, w->arena, w->work);
        return;
    }
    /* the worker that goes on saves the cursor; until then a process that takes the job over repeats these deliveries,
     * carefully */
    job_hand_over(w->social, w->arena, &w->work->job);
}

static struct fanout_wave *fanout_first(struct social *s, struct arena *a, struct delivery_work *work,
                                        const struct post *post, const struct script_post_create_reply *created,
                                        const struct store_reply *followers)
{
    uint64_t *readers;
    work->delivers = created->how != POST_CREATE_HOW_PULL;
    size_t listed = take_followers(work, a, followers, &readers);
    struct store_batch *indexes = shown_batch(s, a, work->shown);
    store_batch_once(indexes);
    struct fanout_wave *w = arena_alloc(a, sizeof(*w));
    *w = (struct fanout_wave){s, a, work, indexes, indexes, .mark = created->how == POST_CREATE_HOW_MARK};
    w->careful = fanout_is_late(s, work->post);
    w->last = !work->delivers || listed >= (size_t)created->followers;
    bool trends = user_is_recommended_by(created->state, created->discoverable);
    w->indexed = fanout_indexes_add(s, indexes, a, post, w->careful, trends);
    s->parts->notify->post_add(indexes, a, post, created->watchers);
    size_t other = post->boost ? boost_other_add(s, indexes, a, post) : 0;
    if (w->last) {
        fanout_deliveries_add(s, indexes, a, readers, listed, work->post, w->careful);
    }
    size_t mode = social_epoch_add(indexes, a), time = fanout_time_add(indexes);
    shown_ask(work->shown, work->post);
    if (!w->last) {
        store_start(indexes);
        w->batch = batch_once(s, a);
        fanout_deliveries_add(s, w->batch, a, readers, listed, work->post, w->careful);
        w->time = fanout_time_add(w->batch);
    }
    enum err e = shown_run(work->shown, indexes);
    work->shown = NULL;
    if (!has_come(e, work) || !settle(w, indexes, mode, time)) {
        return NULL;
    }
    w->again |= post->boost && !boost_other_take(indexes, other, post, &work->people);
    if (w->last) {
        w->batch = NULL;
        fanout_wait(w);
        return NULL;
    }
    store_start(w->batch);
    return w;
}

void fanout_wait(struct fanout_wave *w)
{
    if (!w || (w->batch && !has_come(store_run(w->batch), w->work))) {
        return;
    }
    w->again = w->again || (w->batch && !w->careful && fanout_came_late(w->social, w->batch, w->time, w->work->post));
    if (w->mark) {
        celebrity_mark(w->social, w->arena, w->work->job.uid);
    }
    w->social->parts->index->post_new_take(w->social, w->arena, w->indexes, w->indexed);
    go_on(w);
}

/* --- what posts ask (delivery.h) -----------------------------------------------------------------------------------
 * */

static void fanout_tell(struct social *s, struct script_post_create *in)
{
    in->celebrity = s->config->timeline.celebrity_followers;
    in->kept = TIMELINE_KEPT(s->config);
}

/* Who the first followers are: not by the script, because two thousand words through Lua take the engine a
 * millisecond. */
static void fanout_ask(struct social *s, struct store_batch *b, struct arena *a, uint64_t author)
{
    int64_t most = s->config->timeline.inline_followers;
    if (s->config->timeline.mode != CONFIG_PULL && most > 0) {
        store_command(b, id_bucket(author), "ZRANGE", key_id(a, KEY_FOLLOWERS, author), "0",
                      arena_printf(a, "%lld", (long long)most - 1), "WITHSCORES", NULL);
    }
}

const struct delivery fanout_delivery = {.work = &fanout_job,
                                         .end_work = &unpost_job,
                                         .edit_work = &edit_job,
                                         .tell = fanout_tell,
                                         .ask = fanout_ask,
                                         .first = fanout_first};
