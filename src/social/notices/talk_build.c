/* talk_build.c - the job that gathers direct posts which versions before 0.4.0 wrote: see talk.h. It walks over the users,
 * bucket by bucket, and tells of each of their newest direct posts once more, which changes nothing where it is known.
 * The cursor is the next bucket. SITE_TALKS says that it was done.
 *
 * Threads: talk_build_begin the caller's; the job a worker's.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/notices/talk.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define BUCKETS_PER_STEP 32
#define OF_AUTHOR 1000 /* newest direct posts of each */
#define POSTS_AT_ONCE 500
#define DONE "all"

/* Tells of some posts again. */
static enum err tell_again(struct social *s, const uint64_t *ids, size_t count)
{
    struct arena *a = arena_new();
    struct store_batch *read = store_batch_new(s->store, a), *b = store_batch_new(s->store, a);
    for (size_t i = 0; i < count; i++) {
        record_ask(read, RECORD_POST, ids[i], POST_SHOWN);
    }
    enum err e = store_run(read);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_post record;
        struct post p;
        if (record_post_take(store_reply(read, i), POST_SHOWN, &record)) {
            post_from_record(a, ids[i], &record, &p);
            talk_post_add(b, a, &p, false);
        }
    }
    e = e == ERR_OK && store_batch_count(b) ? store_run(b) : e;
    arena_free(a);
    return e;
}

/* The posts of one reply, in parts. */
static enum err tell_author(struct social *s, struct arena *a, const struct store_reply *rows)
{
    uint64_t *ids = arena_alloc(a, (rows->count + 1) * sizeof(*ids));
    enum err e = ERR_OK;
    store_list_ids(rows, ids);
    for (size_t i = 0; e == ERR_OK && i < rows->count; i += POSTS_AT_ONCE) {
        size_t left = rows->count - i;
        e = tell_again(s, ids + i, left < POSTS_AT_ONCE ? left : POSTS_AT_ONCE);
    }
    return e;
}

static enum err buckets_tell(struct social *s, struct arena *a, unsigned first)
{
    struct store_batch *users = store_batch_new(s->store, a), *directs = store_batch_new(s->store, a);
    for (unsigned bucket = first; bucket < first + BUCKETS_PER_STEP; bucket++) {
        store_command(users, bucket, "ZRANGE", key_plain(a, KEY_USERS, bucket), "0", "-1", NULL);
    }
    enum err e = store_run(users);
    for (size_t n = 0; e == ERR_OK && n < store_batch_count(users); n++) {
        const struct store_reply *rows = store_reply(users, n);
        for (size_t i = 0; i < rows->count; i++) {
            uint64_t uid = id_parse(store_text(&rows->items[i]));
            store_command(directs, id_bucket(uid), "ZRANGE", key_id(a, KEY_DIRECTS, uid), "+", "-", "BYLEX", "REV",
                          "LIMIT", "0", arena_printf(a, "%d", OF_AUTHOR), NULL);
        }
    }
    e = e == ERR_OK && store_batch_count(directs) ? store_run(directs) : e;
    for (size_t n = 0; e == ERR_OK && n < store_batch_count(directs); n++) {
        e = tell_author(s, a, store_reply(directs, n));
    }
    return e;
}

static size_t done_add(struct store_batch *b, struct arena *a)
{
    return store_command(b, KEY_GLOBAL_BUCKET, "HSET", key_plain(a, KEY_SITE, KEY_GLOBAL_BUCKET),
                         record_word(RECORD_SITE, SITE_TALKS), DONE, NULL);
}

static enum err talk_build_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    unsigned first = (unsigned)strtoul(j->cursor, NULL, 10), next = first + BUCKETS_PER_STEP;
    enum err e = first < ID_BUCKETS ? buckets_tell(s, a, first) : ERR_OK;
    if (e == ERR_OK && next < ID_BUCKETS) {
        e = job_save(s, a, j, arena_printf(a, "%u", next));
        *done = e == ERR_NOT_FOUND; /* another worker has it */
        return *done ? ERR_OK : e;
    }
    if (e == ERR_OK) {
        struct store_batch *b = store_batch_new(s->store, a);
        done_add(b, a);
        job_done_add(b, j);
        e = store_run(b);
        *done = e == ERR_OK;
    }
    return e;
}

const struct job_class talk_build_job = {.name = "talks", .step = talk_build_step, .size = sizeof(struct job)};

enum err talk_build_begin(struct social *s, struct arena *a)
{
    struct record_site site;
    struct store_batch *b = store_batch_new(s->store, a);
    size_t asked =
        record_ask_at(b, KEY_GLOBAL_BUCKET, key_plain(a, KEY_SITE, KEY_GLOBAL_BUCKET), RECORD_SITE, SITE_TALKS);
    size_t people = store_command(b, KEY_GLOBAL_BUCKET, "EXISTS", key_plain(a, KEY_LATEST, KEY_GLOBAL_BUCKET), NULL);
    enum err e = store_run(b);
    record_site_take(store_reply(b, asked), SITE_TALKS, &site);
    if (e != ERR_OK || *site.talks) {
        return e;
    }
    if (store_integer(store_reply(b, people)) == 0) { /* a new site, which has nothing */
        struct store_batch *mark = store_batch_new(s->store, a);
        done_add(mark, a);
        return store_run(mark);
    }
    log_info("talks", "direct posts are gathered by conversations in the background");
    return job_store(s, a, job_new(a, &talk_build_job, id_of_ms(clock_site_ms()) | KEY_GLOBAL_BUCKET << 6));
}
