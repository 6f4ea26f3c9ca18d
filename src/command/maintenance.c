/* maintenance.c - see maintenance.h.
 *
 * Once a second it asks the engine for a sign of life and the time, and an external one whether it is still fit. After
 * the engine was away, its data may be those of another moment (a failover, a restored backup), so the timeline epoch
 * is read again before old homes are believed. It begins a new epoch for another mode only the first time: otherwise
 * two servers in the middle of a change of mode would take turns at it.
 *
 * The watchdog is for this process: it is fed as long as this thread goes round, that is, as long as the store answers
 * anything within its time limits. An engine that is away is no reason to be killed: pages say 503, the supervisor
 * starts the embedded one again, and a restart in the middle of a long load would begin it anew.
 *
 * Threads: one of its own.
 */
#include "command/maintenance.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/sleeper.h"
#include "command/notify.h"
#include "social/core/social.h"
#include "store/store.h"
#include "upkeep/census.h"
#include "social/product.h"

#define ROUND_MS 1000
#define PATIENCE_ROUNDS 10 /* during a start, this many rounds apart ask for twice as much time */

struct maintenance {
    struct sleeper *sleeper;
    _Atomic(struct social *) social; /* NULL: still starting */
    /* the thread's own, as soon as there is a social */
    struct census *census;
    bool away;
    unsigned rounds;
    uint64_t fed_us;
};

static void watch_engine(struct maintenance *m, struct social *social)
{
    bool unread = atomic_load(&social->epoch) == 0;
    enum err e = store_look(social->store);
    if (e == ERR_OK && (m->away || unread)) {
        e = product_enter(social, unread);
        if (e == ERR_OK) {
            log_info("serve", "the engine can be used again");
            m->away = false;
        }
    } else if (e == ERR_OK) {
        e = social_look(social);
    }
    if (e != ERR_OK && !m->away) {
        log_error("serve", "the engine cannot be used: %s", err_info(e)->help);
        m->away = true;
    }
}

static void feed_watchdog(struct maintenance *m)
{
    uint64_t period = notify_watchdog_us();
    uint64_t now = clock_monotonic_us();
    if (period && now - m->fed_us >= period / 3) {
        notify_send("WATCHDOG=1");
        m->fed_us = now;
    }
}

static void do_round(struct maintenance *m, struct social *social)
{
    m->rounds++;
    if (social) {
        watch_engine(m, social);
        feed_watchdog(m);
        if (!m->away) {
            census_step(m->census, social);
        }
    } else if (m->rounds % PATIENCE_ROUNDS == 0) {
        notify_send("EXTEND_TIMEOUT_USEC=%d\nSTATUS=Starting: the engine loads its data", 2000000 * PATIENCE_ROUNDS);
    }
}

static void do_rounds(struct sleeper *sleeper, void *maintenance)
{
    struct maintenance *m = maintenance;
    do {
        do_round(m, atomic_load(&m->social));
    } while (sleeper_sleep(sleeper, ROUND_MS));
}

struct maintenance *maintenance_start(void)
{
    struct maintenance *m = mem_zero(1, sizeof(*m));
    m->census = census_new();
    m->sleeper = sleeper_start(do_rounds, m);
    return m;
}

void maintenance_watch(struct maintenance *m, struct social *social)
{
    m->away = atomic_load(&social->epoch) == 0;
    atomic_store(&m->social, social);
}

void maintenance_stop(struct maintenance *m)
{
    if (!m) {
        return;
    }
    sleeper_end(m->sleeper);
    census_free(m->census);
    free(m);
}
