/* job.c - the queue of durable work: running, leases, workers and the sweeper. What the work is: job_steps.h.
 *
 * Design: a process queues the jobs that it made or claimed in memory and works on them; the engine only knows job and
 * lease. The sweeper asks all buckets (one pipeline, some milliseconds) every SWEEP_MS for ended leases.
 * Rejected: a list per site that workers block on, because it lies in another slot than the change, so that a crash
 * between both would lose the job.
 */
#include "social/job.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "base/secret.h"
#include "config/config.h"
#include "social/job_steps.h"
#include "social/social.h"
#include "store/keys.h"
#include "store/store.h"

#define LEASE_MS 6000
#define LATER_MS                                                                                                       \
    60000 /* a lease that ends so much later than one that begins now was given before the clock went back */
#define SWEEP_MS 2000
#define CLAIM_AT_ONCE "16"
#define MOST_ATTEMPTS "10"
#define QUEUE_LIMIT 10000
#define STALE_TRIES 10
#define MAX_WORKERS 64

struct queued {
    struct queued *next;
    struct arena *arena; /* owns the job */
    struct job *job;
};

/* Which job it is. */
struct identity {
    uint64_t id, nonce;
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t queued; /* for the workers alone: a signal must not be spent on the sweeper */
    pthread_cond_t ended;  /* for the sweeper */
    struct queued *first, **last;
    unsigned waiting;
    struct identity working[MAX_WORKERS]; /* so that a slow worker's job is not queued twice */
    unsigned worker_count;
    bool stopping;
    pthread_t workers[MAX_WORKERS];
    pthread_t sweeper;
};

struct worker {
    struct social *social;
    unsigned number;
};

static const struct {
    const char *name;
    job_step run;
} types[JOB_TYPES] = {
    [JOB_SIGNUP] = {"signup", job_step_signup}, [JOB_FANOUT] = {"fanout", job_step_fanout},
    [JOB_UNPOST] = {"unpost", job_step_unpost}, [JOB_FOLLOW] = {"follow", job_step_follow},
    [JOB_PURGE] = {"purge", job_step_purge},
};

struct job *job_new(struct arena *a, enum job_type type, uint64_t uid)
{
    struct job *j = arena_zero(a, sizeof(*j));
    j->type = type;
    j->uid = uid;
    j->id = id_new(id_bucket(uid), 0);
    j->nonce = secret_random_u64() | 1;
    j->targets = j->mode = "";
    j->cursor = "0";
    return j;
}

const char *job_id_text(struct arena *a, const struct job *j)
{
    return id_text(a, j->id);
}

const char *job_nonce_text(struct arena *a, const struct job *j)
{
    return j->nonce ? arena_printf(a, "%llx", (unsigned long long)j->nonce) : "";
}

static const char *ms_text(struct arena *a, uint64_t ms)
{
    return arena_printf(a, "%llu", (unsigned long long)ms);
}

static const char *lease_text(struct arena *a)
{
    return ms_text(a, clock_site_ms() + LEASE_MS);
}

void job_words(struct arena *a, const struct job *j, const char *words[JOB_WORDS])
{
    words[0] = job_id_text(a, j);
    words[1] = lease_text(a);
    words[2] = job_nonce_text(a, j);
}

bool job_is_stale(struct job *j, const struct store_reply *answer)
{
    if (strcmp(store_text(store_item(answer, 0)), "stale") != 0 || ++j->stale == STALE_TRIES) {
        return false;
    }
    j->id = id_new(id_bucket(j->id), 0);
    return true;
}

enum err job_store(struct social *s, struct arena *a, struct job *j)
{
    unsigned bucket = id_bucket(j->uid);
    const struct store_reply *r;
    do {
        struct store_batch *b = store_batch_new(s->store, a);
        const char *keys[] = {key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, j->id)};
        const char *arguments[JOB_WORDS + 2];
        job_words(a, j, arguments);
        arguments[JOB_WORDS] = types[j->type].name;
        arguments[JOB_WORDS + 1] = id_text(a, j->uid);
        store_script(b, bucket, SCRIPT_JOB_CREATE, 2, keys, JOB_WORDS + 2, arguments);
        enum err e = store_run(b);
        if (e != ERR_OK) {
            return e;
        }
        r = store_reply(b, 0);
    } while (job_is_stale(j, r));
    return strcmp(store_text(store_item(r, 0)), "ok") == 0 ? ERR_OK : ERR_BUSY;
}

/* What happened to a job was no attempt: its lease ended while it waited here, there is no room for it in the queue, or the engine
 * is full. */
static void wait_on_add(struct store_batch *b, struct arena *a, const struct job *j)
{
    const char *key = key_id(a, KEY_JOB, j->id), *nonce = job_nonce_text(a, j);
    store_script(b, id_bucket(j->id), SCRIPT_JOB_WAIT, 1, &key, 1, &nonce);
}

/* Each step has memory of its own, so that a job of a million steps does not need that of all of them. */
enum err job_run(struct social *s, struct arena *a, struct job *j)
{
    enum err e;
    bool done = false;
    struct arena *step = arena_new();
    do {
        const char *before = j->cursor;
        e = types[j->type].run(s, step, j, &done);
        j->cursor = j->cursor == before ? before : arena_dup(a, j->cursor);
        arena_reset(step);
    } while (e == ERR_OK && !done);
    arena_free(step);
    metric_add(e == ERR_OK ? METRIC_JOBS_DONE : METRIC_JOBS_FAILED, 1);
    if (e == ERR_READ_ONLY) { /* jobs can be claimed while memory is full: they are not to die of that */
        struct store_batch *b = store_batch_new(s->store, a);
        wait_on_add(b, a, j);
        store_send(b);
    }
    if (e != ERR_OK) {
        log_warning("job", "%s of %llu stops: %s; it will be taken up again", types[j->type].name,
                    (unsigned long long)j->uid, err_info(e)->name);
    }
    return e;
}

void job_done_add(struct store_batch *b, struct arena *a, const struct job *j)
{
    unsigned bucket = id_bucket(j->id);
    const char *keys[] = {key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, j->id)};
    const char *arguments[] = {job_id_text(a, j), job_nonce_text(a, j)};
    store_script(b, bucket, SCRIPT_JOB_DONE, 2, keys, 2, arguments);
}

size_t job_save_add(struct store_batch *b, struct arena *a, const struct job *j, const char *cursor)
{
    unsigned bucket = id_bucket(j->id);
    const char *keys[] = {key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, j->id)};
    const char *arguments[] = {job_id_text(a, j), job_nonce_text(a, j), cursor, lease_text(a)};
    return store_script(b, bucket, SCRIPT_JOB_SAVE, 2, keys, 4, arguments);
}

bool job_is_there(const struct store_reply *saved)
{
    return strcmp(store_text(store_item(saved, 0)), "ok") == 0;
}

enum err job_save(struct social *s, struct arena *a, struct job *j, const char *cursor)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t saved = job_save_add(b, a, j, cursor);
    enum err e = store_run(b);
    j->cursor = cursor;
    j->resumed = false; /* from here on nobody did any of it before */
    return e == ERR_OK && !job_is_there(store_reply(b, saved)) ? ERR_NOT_FOUND : e;
}

/* --- the queue of this process --- */

static struct identity identity_of(const struct job *j)
{
    return (struct identity){j->id, j->nonce};
}

static bool is_same(struct identity a, struct identity b)
{
    return a.id == b.id && a.nonce == b.nonce;
}

static bool is_known(const struct jobs *q, struct identity i)
{
    for (unsigned w = 0; w < q->worker_count; w++) {
        if (is_same(q->working[w], i)) {
            return true;
        }
    }
    for (const struct queued *e = q->first; e; e = e->next) {
        if (is_same(identity_of(e->job), i)) {
            return true;
        }
    }
    return false;
}

static struct queued *queued_copy(const struct job *j)
{
    struct arena *a = arena_new();
    struct queued *e = arena_zero(a, sizeof(*e));
    e->arena = a;
    e->job = arena_alloc(a, sizeof(*e->job));
    *e->job = *j;
    e->job->targets = arena_dup(a, j->targets);
    e->job->cursor = arena_dup(a, j->cursor);
    e->job->mode = arena_dup(a, j->mode);
    return e;
}

/* False if it is in the queue, or in work, already; or if there is no room for it: the end of its lease brings it back. */
static bool enqueue(struct jobs *q, const struct job *j)
{
    mutex_lock(&q->lock);
    bool takes = q->waiting < QUEUE_LIMIT && !q->stopping && !is_known(q, identity_of(j));
    if (takes) {
        struct queued *e = queued_copy(j);
        *q->last = e;
        q->last = &e->next;
        q->waiting++;
        pthread_cond_signal(&q->queued);
    }
    mutex_unlock(&q->lock);
    return takes;
}

/* False if this process has it already, or no room for it. */
static bool hand_over(struct social *s, struct arena *a, struct job *j)
{
    if (s->jobs) {
        return enqueue(s->jobs, j);
    }
    job_run(s, a, j);
    return true;
}

void job_hand_over(struct social *s, struct arena *a, struct job *j)
{
    hand_over(s, a, j);
}

unsigned job_waiting(struct social *s)
{
    if (!s->jobs) {
        return 0;
    }
    mutex_lock(&s->jobs->lock);
    unsigned n = s->jobs->waiting;
    mutex_unlock(&s->jobs->lock);
    return n;
}

static struct queued *dequeue(struct jobs *q, unsigned worker)
{
    mutex_lock(&q->lock);
    q->working[worker] = (struct identity){0};
    while (!q->first && !q->stopping) {
        pthread_cond_wait(&q->queued, &q->lock);
    }
    struct queued *e = q->stopping ? NULL : q->first;
    if (e) {
        q->first = e->next;
        if (!q->first) {
            q->last = &q->first;
        }
        q->waiting--;
        q->working[worker] = identity_of(e->job);
    }
    mutex_unlock(&q->lock);
    return e;
}

static void *work(void *context)
{
    struct worker w = *(struct worker *)context;
    free(context);
    for (struct queued *e; (e = dequeue(w.social->jobs, w.number));) {
        job_run(w.social, e->arena, e->job);
        arena_free(e->arena);
    }
    return NULL;
}

/* --- the sweeper --- */

static bool job_read(const struct store_reply *id, const struct store_reply *fields, struct job *j)
{
    memset(j, 0, sizeof(*j));
    const char *name = store_text(store_field(fields, "type"));
    while (j->type < JOB_TYPES && strcmp(types[j->type].name, name) != 0) {
        j->type++;
    }
    j->id = id_parse(store_text(id));
    j->nonce = strtoull(store_text(store_field(fields, "nonce")), NULL, 16);
    j->uid = id_parse(store_text(store_field(fields, "uid")));
    j->post = id_parse(store_text(store_field(fields, "post")));
    j->reply_to = id_parse(store_text(store_field(fields, "reply_to")));
    j->mode = store_text(store_field(fields, "mode"));
    j->delivers = strcmp(store_text(store_field(fields, "delivers")), "1") == 0;
    j->targets = store_text(store_field(fields, "targets"));
    j->cursor = store_text(store_field(fields, "cursor"));
    j->resumed = true;
    return j->type < JOB_TYPES && j->id && j->uid;
}

static void take_claimed(struct social *s, struct arena *a, const struct store_reply *claimed, struct store_batch *ours,
                         unsigned *found)
{
    for (size_t i = 0; i + 1 < claimed->count; i += 2) {
        struct job j;
        if (!job_read(&claimed->items[i], &claimed->items[i + 1], &j)) {
            log_error("job", "job %s is not understood", store_text(&claimed->items[i]));
            continue;
        }
        ++*found;
        if (hand_over(s, a, &j)) {
            metric_add(METRIC_JOBS_TAKEN_OVER, 1);
        } else {
            wait_on_add(ours, a, &j);
        }
    }
}

static void claim_add(struct store_batch *b, struct arena *a, unsigned bucket, const char *now, const char *later)
{
    const char *keys[] = {key_plain(a, KEY_JOBS, bucket), key_plain(a, KEY_DEAD, bucket)};
    const char *arguments[] = {key_bucket_prefix(a, bucket), now, lease_text(a), later, CLAIM_AT_ONCE, MOST_ATTEMPTS};
    store_script(b, bucket, SCRIPT_JOB_CLAIM, 2, keys, 6, arguments);
}

enum err job_sweep(struct social *s, unsigned *found)
{
    *found = 0;
    struct arena *a = arena_new();
    uint64_t now_ms = clock_site_ms();
    const char *now = ms_text(a, now_ms), *later = ms_text(a, now_ms + LEASE_MS + LATER_MS);
    struct store_batch *look = store_batch_new(s->store, a);
    for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
        const char *jobs = key_plain(a, KEY_JOBS, bucket);
        store_command(look, bucket, "ZCOUNT", jobs, "-inf", now, NULL);
        store_command(look, bucket, "ZCOUNT", jobs, later, "+inf", NULL);
    }
    enum err e = store_run(look);
    struct store_batch *claim = store_batch_new(s->store, a);
    for (unsigned bucket = 0; e == ERR_OK && bucket < ID_BUCKETS; bucket++) {
        if (store_integer(store_reply(look, 2 * bucket)) + store_integer(store_reply(look, 2 * bucket + 1)) > 0) {
            claim_add(claim, a, bucket, now, later);
        }
    }
    e = e == ERR_OK ? store_run(claim) : e;
    struct store_batch *ours = store_batch_new(s->store, a);
    for (size_t i = 0; e == ERR_OK && i < store_batch_count(claim); i++) {
        take_claimed(s, a, store_reply(claim, i), ours, found);
    }
    store_send(ours);
    arena_free(a);
    return e;
}

static void *sweep(void *context)
{
    struct social *s = context;
    struct jobs *q = s->jobs;
    bool stopping = false;
    while (!stopping) {
        unsigned found = 0;
        if (job_waiting(s) < QUEUE_LIMIT / 2) {
            job_sweep(s, &found);
        }
        struct timespec until = clock_until(SWEEP_MS);
        mutex_lock(&q->lock);
        int timeout = 0;
        while (!q->stopping && timeout == 0) {
            timeout = pthread_cond_timedwait(&q->ended, &q->lock, &until);
        }
        stopping = q->stopping;
        mutex_unlock(&q->lock);
    }
    return NULL;
}

void job_start(struct social *s)
{
    struct jobs *q = mem_zero(1, sizeof(*q));
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->queued, NULL);
    clock_condition(&q->ended);
    q->last = &q->first;
    q->worker_count = (unsigned)s->config->timeline.workers;
    require(q->worker_count <= MAX_WORKERS);
    s->jobs = q;
    for (unsigned i = 0; i < q->worker_count; i++) {
        struct worker *w = mem_alloc(sizeof(*w));
        *w = (struct worker){s, i};
        require(pthread_create(&q->workers[i], NULL, work, w) == 0);
    }
    require(pthread_create(&q->sweeper, NULL, sweep, s) == 0);
}

void job_stop(struct social *s)
{
    struct jobs *q = s->jobs;
    if (!q) {
        return;
    }
    mutex_lock(&q->lock);
    q->stopping = true;
    pthread_cond_broadcast(&q->queued);
    pthread_cond_signal(&q->ended);
    mutex_unlock(&q->lock);
    for (unsigned i = 0; i < q->worker_count; i++) {
        pthread_join(q->workers[i], NULL);
    }
    pthread_join(q->sweeper, NULL);
    while (q->first) { /* their leases bring them back at the next start */
        struct queued *e = q->first;
        q->first = e->next;
        arena_free(e->arena);
    }
    pthread_cond_destroy(&q->queued);
    pthread_cond_destroy(&q->ended);
    pthread_mutex_destroy(&q->lock);
    s->jobs = NULL;
    free(q);
}
