/* job_queue.c - the jobs of this process: the queue, the workers, and the sweeper.
 *
 * Design: a process queues the jobs that it made or claimed in memory and works on them; the engine only knows job and
 * lease. The sweeper asks all buckets (one pipeline, some milliseconds) every SWEEP_MS for jobs, and those that have
 * any for ended leases. Rejected: a list per site that workers block on, because it lies in another slot than the
 * change, so that a crash between both would lose the job.
 *
 * Threads: any; the workers and the sweeper are its own.
 */
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
#include "base/sleeper.h"
#include "config/config.h"
#include "social/core/job.h"
#include "social/core/job_parts.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"

/* A lease that ends so much later than a new one would was given before the clock went back. */
#define LATER_MS 60000
#define SWEEP_MS 2000
#define CLAIM_AT_ONCE 16
#define MOST_ATTEMPTS 10
#define QUEUE_LIMIT 10000
#define MAX_WORKERS 64
#define SLOT_BITS 12
#define SLOTS (1u << SLOT_BITS)

struct queued {
    struct queued *next;
    struct queued *same; /* in its slot */
    struct arena *arena; /* owns the job */
    struct job *job;
};

/* Which job it is. */
struct identity {
    uint64_t id, nonce;
};

struct jobs {
    pthread_mutex_t lock;
    pthread_cond_t queued;
    struct queued *first, **last;
    struct queued *slots[SLOTS]; /* the same ones, found by identity */
    unsigned waiting;
    struct identity working[MAX_WORKERS]; /* so that a slow worker's job is not queued twice */
    unsigned worker_count;
    bool stopping;
    pthread_t workers[MAX_WORKERS];
    struct sleeper *sweeper;
};

struct worker {
    struct social *social;
    unsigned number;
};

/* --- what waits --- */

static struct identity identity_of(const struct job *j)
{
    return (struct identity){j->id, j->nonce};
}

static bool is_same(struct identity a, struct identity b)
{
    return a.id == b.id && a.nonce == b.nonce;
}

static size_t job_slot(struct identity i)
{
    return (size_t)((i.id ^ i.nonce) * 0x9E3779B97F4A7C15u >> (64 - SLOT_BITS));
}

static bool is_known(const struct jobs *q, struct identity i)
{
    for (unsigned w = 0; w < q->worker_count; w++) {
        if (is_same(q->working[w], i)) {
            return true;
        }
    }
    const struct queued *e = q->slots[job_slot(i)];
    while (e && !is_same(identity_of(e->job), i)) {
        e = e->same;
    }
    return e != NULL;
}

static struct queued *queued_copy(const struct job *j)
{
    struct arena *a = arena_new();
    struct queued *e = arena_zero(a, sizeof(*e));
    e->arena = a;
    e->job = arena_alloc(a, j->class->size);
    memcpy(e->job, j, j->class->size);
    e->job->cursor = arena_dup(a, j->cursor);
    for (const struct job_field *f = job_fields(j); f->field; f++) {
        if (f->kind == JOB_TEXT) {
            const char **text = job_member(e->job, f);
            *text = arena_dup(a, *text);
        }
    }
    return e;
}

static void put_last(struct jobs *q, struct queued *e)
{
    struct queued **slot = &q->slots[job_slot(identity_of(e->job))];
    e->same = *slot;
    *slot = e;
    *q->last = e;
    q->last = &e->next;
    q->waiting++;
}

/* NULL: nothing waits. */
static struct queued *queue_take_first(struct jobs *q)
{
    struct queued *e = q->first;
    if (!e) {
        return NULL;
    }
    struct queued **at = &q->slots[job_slot(identity_of(e->job))];
    while (*at != e) {
        at = &(*at)->same;
    }
    *at = e->same;
    q->first = e->next;
    if (!q->first) {
        q->last = &q->first;
    }
    q->waiting--;
    return e;
}

/* False if it is in the queue or in work already, or if there is no room for it: the end of its lease brings it
 * back. */
static bool enqueue(struct jobs *q, const struct job *j)
{
    mutex_lock(&q->lock);
    bool takes = q->waiting < QUEUE_LIMIT && !q->stopping && !is_known(q, identity_of(j));
    if (takes) {
        put_last(q, queued_copy(j));
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
        mutex_wait(&q->queued, &q->lock);
    }
    struct queued *e = q->stopping ? NULL : queue_take_first(q);
    if (e) {
        q->working[worker] = identity_of(e->job);
    }
    mutex_unlock(&q->lock);
    return e;
}

static void *queue_work(void *context)
{
    struct worker w = *(struct worker *)context;
    free(context);
    store_thread_apart();
    for (struct queued *e; (e = dequeue(w.social->jobs, w.number));) {
        job_run(w.social, e->arena, e->job);
        arena_free(e->arena);
    }
    return NULL;
}

/* --- the sweeper --- */

static void take_claimed(struct social *s, struct arena *a, const struct store_reply *reply, struct store_batch *ours,
                         unsigned *found)
{
    struct script_job_claim_reply r;
    script_job_claim_take(reply, &r);
    const struct store_reply *claimed = r.claimed;
    for (size_t i = 0; i + 1 < claimed->count; i += 2) {
        struct job *j = job_read(s, a, &claimed->items[i], &claimed->items[i + 1]);
        if (!j) {
            log_error("job", "job %s is not understood", store_text(&claimed->items[i]));
            continue;
        }
        ++*found;
        if (hand_over(s, a, j)) {
            metric_add(METRIC_JOBS_TAKEN_OVER, 1);
        } else {
            job_wait_add(ours, j);
        }
    }
}

static void claim_add(struct store_batch *b, unsigned bucket, uint64_t now_ms)
{
    const struct script_job_claim in = {.bucket = bucket,
                                        .now = (int64_t)now_ms,
                                        .lease = (int64_t)job_lease(),
                                        .never = (int64_t)(now_ms + JOB_LEASE_MS + LATER_MS),
                                        .most = CLAIM_AT_ONCE,
                                        .attempts = MOST_ATTEMPTS};
    script_job_claim_add(b, &in);
}

enum err job_sweep(struct social *s, unsigned *found)
{
    *found = 0;
    struct arena *a = arena_new();
    uint64_t now_ms = clock_site_ms();
    struct store_batch *look = store_batch_new(s->store, a);
    for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
        store_command(look, bucket, "ZCARD", key_plain(a, KEY_JOBS, bucket), NULL);
    }
    enum err e = store_run(look);
    struct store_batch *claim = store_batch_new(s->store, a);
    for (unsigned bucket = 0; e == ERR_OK && bucket < ID_BUCKETS; bucket++) {
        if (store_integer(store_reply(look, bucket)) > 0) {
            claim_add(claim, bucket, now_ms);
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

static void sweep(struct sleeper *sleeper, void *context)
{
    struct social *s = context;
    do {
        unsigned found = 0;
        if (job_waiting(s) < QUEUE_LIMIT / 2) {
            job_sweep(s, &found);
        }
    } while (sleeper_sleep(sleeper, SWEEP_MS));
}

void job_start(struct social *s)
{
    struct jobs *q = mem_zero(1, sizeof(*q));
    pthread_mutex_init(&q->lock, NULL);
    clock_condition(&q->queued);
    q->last = &q->first;
    q->worker_count = (unsigned)s->config->timeline.workers;
    require(q->worker_count <= MAX_WORKERS);
    s->jobs = q;
    for (unsigned i = 0; i < q->worker_count; i++) {
        struct worker *w = mem_alloc(sizeof(*w));
        *w = (struct worker){s, i};
        require(pthread_create(&q->workers[i], NULL, queue_work, w) == 0);
    }
    q->sweeper = sleeper_start(sweep, s);
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
    mutex_unlock(&q->lock);
    sleeper_tell(q->sweeper);
    for (unsigned i = 0; i < q->worker_count; i++) {
        pthread_join(q->workers[i], NULL);
    }
    sleeper_end(q->sweeper);
    for (struct queued *e; (e = queue_take_first(q));) { /* their leases bring them back at the next start */
        arena_free(e->arena);
    }
    pthread_cond_destroy(&q->queued);
    pthread_mutex_destroy(&q->lock);
    s->jobs = NULL;
    free(q);
}
