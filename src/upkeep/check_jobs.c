/* check_jobs.c - the queue of durable work, and whether work that is still to come explains a suspect. Threads: that of
 * the check. */
#include "upkeep/check_look.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "store/record.h"
#include "store/store.h"

#define QUEUE_READ "1000"

/* --- records -------------------------------------------------------------------------------------------------------
 * */

#define JOB_READ (JOB_TYPE | JOB_UID | JOB_POST | JOB_BOOST)

/* Whether the jobs are in the queue, given up, and deliveries of posts that are gone. */
enum err check_look_jobs(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *first = store_batch_new(c->social->store, a), *second = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        char digits[ID_SIZE];
        unsigned bucket = items[i].bucket;
        id_write(items[i].id, digits);
        record_ask_at(first, bucket, items[i].key, RECORD_JOB, JOB_READ);
        store_command(first, bucket, "ZSCORE", key_plain(a, KEY_JOBS, bucket), digits, NULL);
        store_command(first, bucket, "LPOS", key_plain(a, KEY_DEAD, bucket), digits, NULL);
        store_command(first, bucket, "EXISTS", items[i].key, NULL);
    }
    enum err e = check_ask(first);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_job job;
        record_job_take(store_reply(first, 4 * i), JOB_READ, &job);
        uint64_t post = job.post;
        store_command(second, id_bucket(post), "EXISTS", key_id(a, KEY_POST, post), NULL);
    }
    e = e == ERR_OK ? check_ask(second) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = store_integer(store_reply(first, 4 * i + 3)) == 1;
        bool queued = store_reply(first, 4 * i + 1)->type == STORE_STRING;
        bool dead = store_reply(first, 4 * i + 2)->type == STORE_INTEGER;
        struct record_job job;
        record_job_take(store_reply(first, 4 * i), JOB_READ, &job);
        const struct job_class *class = job_class(c->social, job.type);
        bool needs_post = class && class->needs_post;
        bool posted = store_integer(store_reply(second, i)) == 1;
        bool damaged = !*job.type || !job.uid; /* a type that only a newer version knows is no fault */
        items[i].found = !here                   ? CHECK_NONE
                         : damaged               ? CHECK_JOB_DAMAGED
                         : !queued && !dead      ? CHECK_JOB_UNLISTED
                         : needs_post && !posted ? CHECK_JOB_ENDS
                                                 : CHECK_NONE;
    }
    return e;
}

static enum err look_at_queue(struct check *c, struct arena *a, struct check_item *items, size_t count,
                              enum check_kind here, enum check_kind gone)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        store_command(b, id_bucket(items[i].other), "EXISTS", key_id(a, KEY_JOB, items[i].other), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool listed = check_entry_take(b, 2 * i, &items[i]);
        bool exists = store_integer(store_reply(b, 2 * i + 1)) == 1 && id_bucket(items[i].other) == items[i].bucket;
        items[i].found = !listed ? CHECK_NONE : exists ? here : gone;
    }
    return e;
}

enum err check_look_queued(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return look_at_queue(c, a, items, count, CHECK_JOB_WAITING, CHECK_JOB_MISSING);
}

enum err check_look_dead(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return look_at_queue(c, a, items, count, CHECK_JOB_DEAD, CHECK_JOB_DEAD);
}

static enum err remove_job(struct check *c, struct arena *a, const struct check_item *item)
{
    char digits[ID_SIZE];
    id_write(item->id, digits);
    struct store_batch *b = store_batch_new(c->social->store, a);
    store_command(b, item->bucket, "DEL", item->key, NULL);
    store_command(b, item->bucket, "ZREM", key_plain(a, KEY_JOBS, item->bucket), digits, NULL);
    store_command(b, item->bucket, "LREM", key_plain(a, KEY_DEAD, item->bucket), "0", digits, NULL);
    return check_ask(b);
}

/* Queues a job again, as its trouble may be over. If nothing is left of the job, its entry goes. */
enum err check_mend_job(struct check *c, struct arena *a, const struct check_item *item)
{
    if (item->found == CHECK_JOB_DAMAGED) {
        return remove_job(c, a, item);
    }
    char digits[ID_SIZE];
    uint64_t id = item->look == LOOK_JOB ? item->id : item->other;
    const char *now = arena_printf(a, "%llu", (unsigned long long)clock_site_ms()), *job = key_id(a, KEY_JOB, id);
    struct store_batch *read = store_batch_new(c->social->store, a), *b = store_batch_new(c->social->store, a);
    store_command(read, id_bucket(id), "EXISTS", job, NULL);
    enum err e = check_ask(read);
    id_write(id, digits);
    if (e == ERR_OK && store_integer(store_reply(read, 0)) == 1) {
        store_command(b, id_bucket(id), "HSET", job, record_word(RECORD_JOB, JOB_ATTEMPTS), "0", NULL);
        store_command(b, id_bucket(id), "ZADD", key_plain(a, KEY_JOBS, id_bucket(id)), now, digits, NULL);
    }
    if (item->look == LOOK_DEAD) {
        store_command(b, item->bucket, "LREM", item->key, "0", digits, NULL);
    }
    return e == ERR_OK ? check_ask(b) : e;
}

/* --- what is still to come -----------------------------------------------------------------------------------------
 * */

/* Whether a job waits in the bucket: of this user himself (not of his posts), or for this post or a boost of
 * it (0: not asked), which may lie elsewhere. */
static enum err job_waits(struct check *c, struct arena *a, uint64_t uid, uint64_t post, bool *waits)
{
    unsigned bucket = id_bucket(uid ? uid : post);
    struct store_batch *list = store_batch_new(c->social->store, a), *jobs = store_batch_new(c->social->store, a);
    store_command(list, bucket, "ZRANGE", key_plain(a, KEY_JOBS, bucket), "0", QUEUE_READ, NULL);
    enum err e = check_ask(list);
    const struct store_reply *ids = store_reply(list, 0);
    for (size_t i = 0; e == ERR_OK && i < ids->count; i++) {
        uint64_t id = id_parse(store_text(&ids->items[i]));
        record_ask(jobs, RECORD_JOB, id, JOB_READ);
    }
    e = e == ERR_OK ? check_ask(jobs) : e;
    for (size_t i = 0; e == ERR_OK && i < store_batch_count(jobs); i++) {
        struct record_job job;
        record_job_take(store_reply(jobs, i), JOB_READ, &job);
        const struct job_class *class = job_class(c->social, job.type);
        unsigned about =
            class ? class->about : JOB_ABOUT_POST; /* of a newer version: whatever its post is, it may bring it */
        *waits = *waits || (uid && (about & JOB_ABOUT_OWNER) && job.uid == uid) ||
                 (post && (about & JOB_ABOUT_POST) && (job.post == post || job.boost == post));
    }
    return e;
}

enum err check_is_pending(struct check *c, struct arena *a, const struct check_item *item, bool *pending)
{
    uint64_t users[2] = {0}, post = 0;
    switch (item->look) {
    case LOOK_FOLLOWS:
    case LOOK_FOLLOWED:
    case LOOK_ASKS:
    case LOOK_ASKED:
    case LOOK_APART:
    case LOOK_TIE:
    case LOOK_WATCHER:
        users[0] = item->id;
        users[1] = item->other;
        break;
    case LOOK_USER:
    case LOOK_OWNED:
    case LOOK_NEWCOMER:
    case LOOK_FINDABLE:
    case LOOK_LISTING:
        users[0] = item->id;
        break;
    case LOOK_LATEST:
        users[0] = item->other;
        break;
    case LOOK_FAVOURITED:
        users[0] = item->id;
        post = item->other;
        break;
    case LOOK_FAVOURER:
        users[0] = item->other;
        post = item->id;
        break;
    case LOOK_BOOSTED:
        users[0] = users[1] = item->id;
        post = item->other;
        break;
    case LOOK_BOOSTER:
        users[0] = users[1] = item->other;
        post = item->id;
        break;
    case LOOK_INDEX:
    case LOOK_NOTICE:
    case LOOK_DIRECT:
    case LOOK_TALKED:
        post = item->other;
        break;
    case LOOK_BOOST:
    case LOOK_BOOSTS:
    case LOOK_INDEXED:
    case LOOK_WORDED:
    case LOOK_REPLIES:
    case LOOK_HISTORY:
    case LOOK_FAVOURITES:
        post = item->id;
        break;
    case LOOK_HOME:
        users[0] = item->id;
        post = item->other;
        break;
    default:
        break;
    }
    *pending = false;
    enum err e = users[0] ? job_waits(c, a, users[0], 0, pending) : ERR_OK;
    e = e == ERR_OK && users[1] ? job_waits(c, a, users[1], post, pending) : e;
    return e == ERR_OK && post ? job_waits(c, a, 0, post, pending) : e;
}
