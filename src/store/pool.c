/* pool.c - see pool.h: connections that come back, or do not. How they are lent is in pool_take.c.
 *
 * Threads: any. The mutex is never held while a socket is used.
 */
#include "store/pool.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "store/connection.h"
#include "store/pool_inside.h"

/* A prober may open one more than the capacity, when all the others hang in a silent node. */
static struct idle *idle_new(size_t capacity)
{
    return mem_zero(capacity + 1, sizeof(struct idle));
}

struct pool *pool_new(const struct connection_target *t, size_t capacity, size_t reserved)
{
    struct pool *p = mem_zero(1, sizeof(*p));
    p->target = t;
    p->label = url_describe(&t->url);
    require_shared(reserved < capacity);
    p->capacity = capacity;
    p->single_most = capacity - reserved;
    p->idle = idle_new(capacity);
    breaker_setup(&p->breaker, clock_wall_ms() ^ (uint64_t)(uintptr_t)p);
    waiters_setup(&p->waiters);
    pthread_mutex_init(&p->mutex, NULL);
    return p;
}

/* Takes all idle connections out, for the caller to close without the mutex. */
static struct idle *steal_idle(struct pool *p, size_t *count)
{
    struct idle *stolen = p->idle;
    *count = p->idle_count;
    p->open -= p->idle_count;
    p->idle = idle_new(p->capacity);
    p->idle_count = 0;
    return stolen;
}

static void close_stolen(struct idle *stolen, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        connection_free(stolen[i].connection);
    }
    free(stolen);
}

void pool_free(struct pool *p)
{
    if (!p) {
        return;
    }
    close_stolen(p->idle, p->idle_count);
    pthread_mutex_destroy(&p->mutex);
    free(p->label);
    free(p);
}

bool pool_trip(struct pool *p, enum err trouble)
{
    waiters_wake_all(&p->waiters);
    return breaker_trip(&p->breaker, trouble);
}

/* Gives the connection to a caller who has waited too long, or puts it onto the stack. With the mutex held. */
static void put_back(struct pool *p, const struct idle *back)
{
    const struct waiter *w = p->waiters.first;
    bool single = w && !w->shared;
    if (w && pool_has_place(p, w->shared) && waiters_hand_over(&p->waiters, back)) {
        p->single += single;
        return;
    }
    p->idle[p->idle_count++] = *back;
    waiters_wake_first(&p->waiters);
}

void pool_give(struct pool *p, struct loan *loan)
{
    if (!connection_settled(loan->connection)) {
        log_error("store", "engine at %s: an answer that nobody asked for", p->label);
        pool_drop(p, loan, POOL_UNFIT);
        return;
    }
    mutex_lock(&p->mutex);
    struct connection *c = loans_remove(loan);
    p->single -= !loan->shared;
    struct idle back = {.connection = c, .generation = loan->generation, .since_us = clock_monotonic_us()};
    bool keep = back.generation == p->generation;
    if (connection_owed(c) == 0) {
        breaker_note_answer(&p->breaker, back.since_us);
    }
    if (keep) {
        put_back(p, &back);
    } else {
        p->open--;
        waiters_wake_first(&p->waiters);
    }
    mutex_unlock(&p->mutex);
    if (!keep) {
        connection_free(c);
    }
}

/* All of this age are as good as lost. With the mutex held; the caller closes what is returned. */
static struct idle *expire(struct pool *p, unsigned generation, size_t *count)
{
    *count = 0;
    if (generation != p->generation) {
        return NULL;
    }
    p->generation++;
    return steal_idle(p, count);
}

void pool_silent(struct pool *p, uint64_t since_us)
{
    mutex_lock(&p->mutex);
    bool silent = !p->breaker.open && !breaker_is_doubtful(&p->breaker, since_us);
    bool first = silent && pool_trip(p, ERR_UNAVAILABLE);
    mutex_unlock(&p->mutex);
    if (first) {
        log_warning("store", "engine at %s: no answer in time", p->label);
    }
}

void pool_answered(struct pool *p)
{
    mutex_lock(&p->mutex);
    breaker_note_answer(&p->breaker, clock_monotonic_us());
    mutex_unlock(&p->mutex);
}

bool pool_is_current(struct pool *p, const struct loan *loan)
{
    return loan->generation == atomic_load_explicit(&p->generation, memory_order_relaxed);
}

void pool_drop(struct pool *p, struct loan *loan, enum pool_reason reason)
{
    struct idle *stolen = NULL;
    size_t count = 0;
    if (reason == POOL_LATE) {
        pool_silent(p, loan->taken_us);
    }
    mutex_lock(&p->mutex);
    struct connection *c = loans_remove(loan);
    p->open--;
    p->single -= !loan->shared;
    if (reason == POOL_LOST || reason == POOL_DEMOTED) {
        stolen = expire(p, loan->generation, &count);
    }
    waiters_wake_first(&p->waiters);
    mutex_unlock(&p->mutex);
    close_stolen(stolen, count);
    connection_free(c);
}

void pool_demoted(struct pool *p, unsigned generation)
{
    size_t count;
    mutex_lock(&p->mutex);
    struct idle *stolen = expire(p, generation, &count);
    mutex_unlock(&p->mutex);
    close_stolen(stolen, count);
}

void pool_reset(struct pool *p)
{
    size_t count;
    mutex_lock(&p->mutex);
    struct idle *stolen = expire(p, p->generation, &count);
    breaker_reset(&p->breaker);
    waiters_wake_all(&p->waiters);
    mutex_unlock(&p->mutex);
    close_stolen(stolen, count);
}

void pool_refuse(struct pool *p, const char *why)
{
    size_t count;
    mutex_lock(&p->mutex);
    struct idle *stolen = expire(p, p->generation, &count);
    bool first = pool_trip(p, ERR_CONFIG);
    mutex_unlock(&p->mutex);
    close_stolen(stolen, count);
    if (first) {
        log_error("store", "engine at %s: not used any more: %s", p->label, why);
    }
}

void pool_end(struct pool *p)
{
    mutex_lock(&p->mutex);
    loans_break(&p->loans);
    breaker_trip(&p->breaker, ERR_UNAVAILABLE); /* what they are told */
    waiters_wake_all(&p->waiters);
    mutex_unlock(&p->mutex);
}
