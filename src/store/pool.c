/* pool.c - see pool.h.
 *
 * Threads: any. The mutex is never held while a socket is used.
 */
#include "store/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "store/breaker.h"
#include "store/connection.h"
#include "store/handshake.h"
#include "store/waiters.h"

#define WAIT_US (1000 * 1000)         /* for a connection that somebody else has */
#define IDLE_US (30ull * 1000 * 1000) /* after this a connection proves with PING that it lives */

struct pool {
    const struct connection_target *target;
    char *label; /* for log lines */
    pthread_mutex_t mutex;
    struct waiters waiters;
    size_t capacity;
    size_t open; /* idle, lent or being opened */
    struct loans loans;
    struct idle *idle;
    size_t idle_count;
    unsigned generation;
    struct breaker breaker;
};

/* A prober may open one more than the capacity, when all the others hang in a silent node. */
static struct idle *idle_new(size_t capacity)
{
    return mem_zero(capacity + 1, sizeof(struct idle));
}

struct pool *pool_new(const struct connection_target *t, size_t capacity)
{
    struct pool *p = mem_zero(1, sizeof(*p));
    p->target = t;
    p->label = url_describe(&t->url);
    p->capacity = capacity;
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

/* With the mutex held; true if it is worth a line in the log. Those who wait for a connection are told now. */
static bool trip(struct pool *p, enum err trouble)
{
    waiters_wake_all(&p->waiters);
    return breaker_trip(&p->breaker, trouble);
}

/* Likewise. */
static bool heal(struct pool *p)
{
    bool was_open = p->breaker.open;
    if (was_open) {
        waiters_wake_all(&p->waiters);
    }
    return breaker_heal(&p->breaker);
}

/* A new connection, lent from its first moment on. Without the mutex. */
static enum err open_lent(struct pool *p, struct loan *loan, char why[CONNECTION_WHY_SIZE])
{
    enum err e;
    loan->connection = NULL;
    mutex_lock(&p->mutex);
    unsigned generation = p->generation;
    mutex_unlock(&p->mutex);
    struct connection *c = connection_dial(p->target, &e, why);
    if (!c) {
        return e;
    }
    mutex_lock(&p->mutex);
    loans_add(&p->loans, loan, c, generation);
    mutex_unlock(&p->mutex);
    return handshake_introduce(c, why);
}

/* Opens a connection in a place that is already counted. Without the mutex. */
static enum err open_one(struct pool *p, struct loan *loan, bool prober)
{
    char why[CONNECTION_WHY_SIZE];
    struct connection *failed = NULL;
    bool first = false, healed = false;
    uint64_t start = clock_monotonic_us();
    enum err e = open_lent(p, loan, why);
    mutex_lock(&p->mutex);
    if (prober) {
        breaker_probed(&p->breaker);
    }
    if (e == ERR_OK) {
        healed = heal(p);
        loan->taken_us = clock_monotonic_us();
    } else {
        failed = loan->connection ? loans_remove(loan) : NULL;
        p->open--;
        bool late = clock_monotonic_us() - start >= p->target->connect_us;
        if (late && p->open && !prober) {
            e = ERR_BUSY; /* the others will show whether it is the node */
        } else {
            first = trip(p, e);
        }
    }
    mutex_unlock(&p->mutex);
    connection_free(failed);
    if (first) {
        log_warning("store", "engine at %s: %s", p->label, why);
    }
    if (healed) {
        log_info("store", "engine at %s: reachable again", p->label);
    }
    return e;
}

enum step { STEP_OPEN, STEP_PROBE, STEP_REUSE, STEP_WAIT, STEP_FAIL };

/* What to do next; with the mutex held. STEP_REUSE leaves the connection in *found. A patient caller opens none while
 * others are open. */
static enum step pool_choose(struct pool *p, bool patient, struct idle *found)
{
    enum breaker_advice advice = p->loans.broken ? BREAKER_OPEN : breaker_ask(&p->breaker);
    if (advice == BREAKER_PROBE && p->open <= p->capacity) {
        breaker_probe(&p->breaker);
        p->open++;
        return STEP_PROBE;
    }
    if (advice != BREAKER_CLOSED) {
        return advice == BREAKER_WAIT ? STEP_WAIT : STEP_FAIL;
    }
    if (p->idle_count) {
        *found = p->idle[--p->idle_count];
        require_shared(found->generation == p->generation);
        return STEP_REUSE;
    }
    if (p->open < p->capacity && !(patient && p->open)) {
        p->open++;
        return STEP_OPEN;
    }
    return STEP_WAIT;
}

/* Waits for a signal, or until the time has come to look by oneself. Says whether the whole wait is over. */
static bool wait_once(struct pool *p, struct waiter *w, uint64_t until_us)
{
    const struct breaker *b = &p->breaker;
    uint64_t end =
        b->open && w->since_us + BREAKER_PATIENCE_US < until_us ? w->since_us + BREAKER_PATIENCE_US : until_us;
    uint64_t look = b->open && !b->probing && b->next_try_us < end ? b->next_try_us : end;
    return !waiter_sleep(w, &p->mutex, look) && look == end;
}

/* Waits until there is something to do, or the time is over (STEP_WAIT, STEP_FAIL). With the mutex held. */
static enum step wait_turn(struct pool *p, uint64_t until_us, bool patient, struct idle *found)
{
    struct waiter w;
    enum step step = STEP_WAIT;
    bool over = false;
    waiter_enter(&p->waiters, &w);
    while (step == STEP_WAIT && !over) {
        over = wait_once(p, &w, until_us);
        if (w.gift.connection) {
            *found = w.gift;
            step = STEP_REUSE;
        } else {
            step = pool_choose(p, patient, found);
        }
    }
    waiter_leave(&p->waiters, &w);
    if (!w.gift.connection && (p->idle_count || p->open < p->capacity)) {
        waiters_wake_first(&p->waiters); /* several may be free: the one who took one wakes the next */
    }
    return step == STEP_WAIT && p->breaker.open ? STEP_FAIL : step;
}

/* An idle connection is fit, or becomes so, or is thrown away. */
static bool reuse(struct pool *p, const struct idle *found, struct loan *loan)
{
    bool stale = loan->taken_us - found->since_us > IDLE_US;
    if (!stale && connection_has_scripts(found->connection)) {
        return true;
    }
    if (handshake_refresh(found->connection, stale) == ERR_OK) {
        return true;
    }
    bool late = clock_monotonic_us() - loan->taken_us >= p->target->connect_us;
    pool_drop(p, loan, late ? POOL_LATE : POOL_UNFIT);
    return false;
}

enum err pool_take(struct pool *p, struct loan *loan)
{
    uint64_t until = 0;
    bool patient = false;
    for (;;) {
        struct idle found = {.connection = NULL};
        mutex_lock(&p->mutex);
        enum step step = pool_choose(p, patient, &found);
        if (step == STEP_WAIT) {
            until = until ? until : clock_monotonic_us() + WAIT_US;
            step = wait_turn(p, until, patient, &found);
        }
        if (step == STEP_REUSE) {
            loans_add(&p->loans, loan, found.connection, found.generation);
        }
        enum err trouble = step == STEP_WAIT ? ERR_BUSY : p->breaker.trouble;
        mutex_unlock(&p->mutex);
        switch (step) {
        case STEP_OPEN:
        case STEP_PROBE:
            trouble = open_one(p, loan, step == STEP_PROBE);
            if (trouble != ERR_BUSY || patient) {
                return trouble;
            }
            patient = true; /* the node answers, but not to newcomers */
            break;
        case STEP_REUSE:
            if (reuse(p, &found, loan)) {
                return ERR_OK;
            }
            break;
        case STEP_WAIT:
        case STEP_FAIL:
            return trouble;
        }
    }
}

/* Gives the connection to a caller who has waited too long, or puts it onto the stack. With the mutex held. */
static void put_back(struct pool *p, const struct idle *back)
{
    if (!waiters_hand_over(&p->waiters, back)) {
        p->idle[p->idle_count++] = *back;
        waiters_wake_first(&p->waiters);
    }
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

void pool_drop(struct pool *p, struct loan *loan, enum pool_reason reason)
{
    struct idle *stolen = NULL;
    size_t count = 0;
    mutex_lock(&p->mutex);
    struct connection *c = loans_remove(loan);
    p->open--;
    bool current = loan->generation == p->generation;
    if (current && (reason == POOL_LOST || reason == POOL_DEMOTED)) {
        p->generation++;
        stolen = steal_idle(p, &count);
    }
    bool silent = reason == POOL_LATE && !p->breaker.open && !breaker_is_doubtful(&p->breaker, loan->taken_us);
    bool first = silent && trip(p, ERR_UNAVAILABLE);
    waiters_wake_first(&p->waiters);
    mutex_unlock(&p->mutex);
    if (first) {
        log_warning("store", "engine at %s: no answer in time", p->label);
    }
    close_stolen(stolen, count);
    connection_free(c);
}

void pool_reset(struct pool *p)
{
    size_t count;
    mutex_lock(&p->mutex);
    p->generation++;
    struct idle *stolen = steal_idle(p, &count);
    breaker_reset(&p->breaker);
    waiters_wake_all(&p->waiters);
    mutex_unlock(&p->mutex);
    close_stolen(stolen, count);
}

void pool_refuse(struct pool *p, const char *why)
{
    size_t count;
    mutex_lock(&p->mutex);
    p->generation++;
    struct idle *stolen = steal_idle(p, &count);
    bool first = trip(p, ERR_CONFIG);
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
