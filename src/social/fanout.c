/* fanout.c - see fanout.h. Any thread. */
#include "social/fanout.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/log.h"
#include "base/metric.h"
#include "config/config.h"
#include "social/celebrity.h"
#include "social/job.h"
#include "social/job_steps.h"
#include "social/post.h"
#include "social/social.h"
#include "social/timeline.h"
#include "store/keys.h"
#include "store/store.h"

#define CHUNK "1000"
#define TAG_KEPT "-1001" /* ZREMRANGEBYRANK 0 -1001 keeps the newest 1000 */
#define TAG_MAX_BYTES 400
#define TRIM_EVERY 64 /* deliveries to one home per trim, about */

static bool tag_is_new(const char *list, const char *tag)
{
    size_t n = strlen(tag);
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        if (length == n && memcmp(at, tag, n) == 0) {
            return false;
        }
        at += length + (at[length] == ',');
    }
    return true;
}

const char *fanout_tags(struct arena *a, const char *text, size_t length)
{
    struct buffer list = buffer_make(a);
    struct entity_scan scan = entity_scan_start(text, length);
    struct entity e;
    for (unsigned count = 0; count < POST_TAGS_MAX && entity_scan_next(&scan, &e);) {
        if (e.kind != ENTITY_TAG || e.name_length > TAG_MAX_BYTES) {
            continue;
        }
        char tag[TAG_MAX_BYTES + 1];
        entity_scan_fold(e.name, e.name_length, tag);
        if (tag_is_new(buffer_string(&list), tag)) {
            buffer_printf(&list, "%s%s", count++ ? "," : "", tag);
        }
    }
    return buffer_string(&list);
}

/* Calls the command for each tag of a comma separated list. */
static void tags_add(struct store_batch *b, struct arena *a, const char *tags, const char *post, bool remove)
{
    for (const char *at = tags; *at;) {
        size_t length = strcspn(at, ",");
        const char *tag = arena_dup_n(a, at, length);
        const char *key = key_text(a, KEY_TAG, tag);
        if (remove) {
            store_command(b, key_text_bucket(tag), "ZREM", key, post, NULL);
        } else {
            store_command(b, key_text_bucket(tag), "ZADD", key, "0", post, NULL);
            store_command(b, key_text_bucket(tag), "ZREMRANGEBYRANK", key, "0", TAG_KEPT, NULL);
        }
        at += length + (at[length] == ',');
    }
}

static void insert_add(struct store_batch *b, unsigned bucket, const char *key, const char *post, const char *size,
                       const char *create)
{
    const char *arguments[] = {post, size, create};
    store_script(b, bucket, SCRIPT_HOME_INSERT, 1, &key, 3, arguments);
}

/* Public timeline, tags and the list of replies. */
static void indexes_add(struct store_batch *b, struct arena *a, const char *post, const char *tags, uint64_t reply_to,
                        bool repeatable)
{
    const char *timeline = key_plain(a, KEY_TIMELINE, KEY_GLOBAL_BUCKET);
    if (repeatable) {
        insert_add(b, KEY_GLOBAL_BUCKET, timeline, post, TIMELINE_PUBLIC_TEXT, "create");
    } else {
        store_command(b, KEY_GLOBAL_BUCKET, "LPUSH", timeline, post, NULL);
    }
    store_command(b, KEY_GLOBAL_BUCKET, "LTRIM", timeline, "0", TIMELINE_PUBLIC_LAST, NULL);
    tags_add(b, a, tags, post, false);
    if (reply_to) {
        store_command(b, id_bucket(reply_to), "ZADD", key_id(a, KEY_REPLIES, reply_to), "0", post, NULL);
        social_announce(b, a, 'r', reply_to);
    }
}

/* One delivery to one home. Every TRIM_EVERY-th or so also cuts the home. */
static void home_add(struct social *s, struct store_batch *b, struct arena *a, uint64_t reader, const char *post,
                     uint64_t post_id, bool repeatable)
{
    unsigned bucket = id_bucket(reader);
    const char *key = key_id(a, KEY_HOME, reader);
    if (repeatable) {
        insert_add(b, bucket, key, post, arena_printf(a, "%lld", (long long)s->config->timeline.size), "");
        return;
    }
    metric_add(METRIC_DELIVERIES, 1);
    store_command(b, bucket, "LPUSHX", key, post, NULL);
    uint64_t chance = (reader ^ post_id) * 0x9E3779B97F4A7C15u;
    if (chance >> 32 & 1 && (chance >> 40) % (TRIM_EVERY / 2) == 0) {
        store_command(b, bucket, "LTRIM", key, "0", arena_printf(a, "%lld", (long long)s->config->timeline.size - 1),
                      NULL);
    }
}

static bool is_late(const struct job *j)
{
    return j->resumed || clock_wall_ms() > id_ms(j->post) + FANOUT_LATE_MS;
}

static void end(struct social *s, struct arena *a, const struct job *j)
{
    if (j->type == JOB_FANOUT) {
        metric_set(METRIC_FANOUT_LAG_MS, clock_wall_ms() - id_ms(j->post));
    }
    struct store_batch *b = store_batch_new(s->store, a);
    job_done_add(b, a, j);
    store_send(b); /* if it gets lost the job runs once more, which is harmless */
}

void fanout_first(struct social *s, struct arena *a, struct job *j, const char *text, size_t length, uint64_t reply_to,
                  const struct store_reply *created)
{
    char post[ID_SIZE];
    id_write(j->post, post);
    struct store_batch *b = store_batch_new(s->store, a);
    store_batch_once(b);
    indexes_add(b, a, post, fanout_tags(a, text, length), reply_to, false);
    const char *how = store_text(store_item(created, 3));
    j->delivers = strcmp(how, "pull") != 0;
    size_t listed = created->count > 4 ? (created->count - 4) / 2 : 0;
    for (size_t i = 0; i < listed; i++) {
        home_add(s, b, a, id_parse(store_text(&created->items[4 + 2 * i])), post, j->post, false);
    }
    enum err e = store_run(b);
    if (e != ERR_OK) {
        log_warning("fanout", "deliveries of post %s are late: %s", post, err_info(e)->name);
        return; /* the post is stored and the job brings it on */
    }
    if (strcmp(how, "mark") == 0) {
        celebrity_mark(s, a, j->uid);
    }
    if (!j->delivers || listed >= (size_t)store_integer(store_item(created, 2))) {
        end(s, a, j);
    } else if (job_save(s, a, j, listed ? store_text(&created->items[created->count - 1]) : "1") == ERR_OK) {
        job_hand_over(s, a, j);
    }
}

/* Reads the post of a job again: text for tags, and whether it is still there. */
static enum err read_post(struct social *s, struct arena *a, uint64_t id, struct post_load *l)
{
    *l = (struct post_load){.id = id};
    struct store_batch *b = store_batch_new(s->store, a);
    post_load_add(s, b, a, l, 1);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        post_load_take(s, b, a, l, 1);
    }
    return e;
}

/* The followers behind the cursor, as member, score, member, score. */
static enum err followers_after(struct social *s, struct arena *a, const struct job *j, const struct store_reply **rows)
{
    struct store_batch *b = store_batch_new(s->store, a);
    store_command(b, id_bucket(j->uid), "ZRANGE", key_id(a, KEY_FOLLOWERS, j->uid), arena_printf(a, "(%s", j->cursor),
                  "+inf", "BYSCORE", "LIMIT", "0", CHUNK, "WITHSCORES", NULL);
    enum err e = store_run(b);
    *rows = store_reply(b, 0);
    return e;
}

/* Ends the step: the job is done after the last chunk, else its cursor is saved. */
static enum err finish_chunk(struct social *s, struct arena *a, struct job *j, const struct store_reply *rows,
                             bool *done)
{
    *done = rows->count < 2 * (size_t)atoi(CHUNK);
    if (*done) {
        end(s, a, j);
        return ERR_OK;
    }
    enum err e = job_save(s, a, j, store_text(&rows->items[rows->count - 1]));
    *done = e == ERR_NOT_FOUND;
    return *done ? ERR_OK : e;
}

enum err job_step_fanout(struct social *s, struct arena *a, struct job *j, bool *done)
{
    struct post_load l;
    enum err e = read_post(s, a, j->post, &l);
    if (e != ERR_OK) {
        return e;
    }
    if (!l.post.id) {
        *done = true;
        end(s, a, j);
        return ERR_OK;
    }
    char post[ID_SIZE];
    id_write(j->post, post);
    struct store_batch *b = store_batch_new(s->store, a);
    bool late = is_late(j);
    if (!late) {
        store_batch_once(b);
    }
    if (strcmp(j->cursor, "0") == 0) {
        indexes_add(b, a, post, fanout_tags(a, l.post.text, strlen(l.post.text)), l.post.reply_to, true);
    }
    const struct store_reply *rows = NULL;
    if (j->delivers) {
        e = followers_after(s, a, j, &rows);
        for (size_t i = 0; e == ERR_OK && i < rows->count; i += 2) {
            home_add(s, b, a, id_parse(store_text(&rows->items[i])), post, j->post, late);
        }
    }
    e = e == ERR_OK ? store_run(b) : e;
    if (e != ERR_OK) {
        j->resumed = true; /* a part may have arrived */
        return e;
    }
    if (!rows) {
        *done = true;
        end(s, a, j);
        return ERR_OK;
    }
    return finish_chunk(s, a, j, rows, done);
}

enum err job_step_unpost(struct social *s, struct arena *a, struct job *j, bool *done)
{
    char post[ID_SIZE];
    id_write(j->post, post);
    struct store_batch *b = store_batch_new(s->store, a);
    if (strcmp(j->cursor, "0") == 0) {
        social_announce(b, a, 'p', j->post);
        store_command(b, KEY_GLOBAL_BUCKET, "LREM", key_plain(a, KEY_TIMELINE, KEY_GLOBAL_BUCKET), "0", post, NULL);
        tags_add(b, a, j->targets, post, true);
        if (j->reply_to) {
            store_command(b, id_bucket(j->reply_to), "ZREM", key_id(a, KEY_REPLIES, j->reply_to), post, NULL);
            social_announce(b, a, 'r', j->reply_to);
        }
        store_command(b, id_bucket(j->post), "DEL", key_id(a, KEY_REPLIES, j->post), NULL);
    }
    const struct store_reply *rows;
    enum err e = followers_after(s, a, j, &rows);
    for (size_t i = 0; e == ERR_OK && i < rows->count; i += 2) {
        uint64_t reader = id_parse(store_text(&rows->items[i]));
        store_command(b, id_bucket(reader), "LREM", key_id(a, KEY_HOME, reader), "0", post, NULL);
    }
    e = e == ERR_OK ? store_run(b) : e;
    return e == ERR_OK ? finish_chunk(s, a, j, rows, done) : e;
}
