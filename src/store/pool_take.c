/* pool_take.c - how a connection is lent: one that is idle, a new one, or the next that is given back.
 *
 * Threads: any. The mutex is never held while a socket is used.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "store/connection.h"
#include "store/handshake.h"
#include "store/pool.h"
#include "store/pool_inside.h"

#define WAIT_US (1000 * 1000)         /* for a connection that somebody else has */
#define IDLE_US (30ull * 1000 * 1000) /* after this a connection proves with PING that it lives */

/* With the mutex held; true if it is worth a line in the log. */
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
        p->single -= !loan->shared;
        bool late = clock_monotonic_us() - start >= p->target->connect_us;
        if (late && p->open && !prober) {
            e = ERR_BUSY; /* the others will show whether it is the node */
        } else {
            first = pool_trip(p, e);
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
static enum step pool_choose(const struct pool *p, const struct loan *loan, bool patient)
{
    enum breaker_advice advice = p->loans.broken ? BREAKER_OPEN : breaker_ask(&p->breaker);
    if (advice == BREAKER_PROBE && p->open <= p->capacity) {
        return STEP_PROBE;
    }
    if (advice != BREAKER_CLOSED) {
        return advice == BREAKER_WAIT ? STEP_WAIT : STEP_FAIL;
    }
    if (!pool_has_place(p, loan->shared)) {
        return STEP_WAIT;
    }
    if (p->idle_count) {
        return STEP_REUSE;
    }
    return p->open < p->capacity && !(patient && p->open) ? STEP_OPEN : STEP_WAIT;
}

/* The same, and begins to do it. */
static enum step pool_begin(struct pool *p, const struct loan *loan, bool patient, struct idle *found)
{
    enum step step = pool_choose(p, loan, patient);
    if (step == STEP_PROBE) {
        breaker_probe(&p->breaker);
    }
    if (step == STEP_REUSE) {
        *found = p->idle[--p->idle_count];
        require_shared(found->generation == p->generation);
    }
    p->open += step == STEP_PROBE || step == STEP_OPEN;
    p->single += step <= STEP_REUSE && !loan->shared;
    return step;
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
static enum step wait_turn(struct pool *p, const struct loan *loan, uint64_t until_us, bool patient, struct idle *found)
{
    struct waiter w;
    enum step step = STEP_WAIT;
    bool over = false;
    waiter_enter(&p->waiters, &w, loan->shared);
    while (step == STEP_WAIT && !over) {
        over = wait_once(p, &w, until_us);
        if (w.gift.connection) {
            *found = w.gift;
            step = STEP_REUSE;
        } else {
            step = pool_begin(p, loan, patient, found);
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
        enum step step = pool_begin(p, loan, patient, &found);
        if (step == STEP_WAIT) {
            until = until ? until : clock_monotonic_us() + WAIT_US;
            step = wait_turn(p, loan, until, patient, &found);
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
