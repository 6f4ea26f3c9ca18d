/* guard_watch.c - see guard_watch.h.
 *
 * A few times a second the watch thread looks at the table and calls shutdown(2) on connections that are late: that
 * wakes the connection's thread wherever it waits, with TLS and without. So deadlines are at most a tick late and cost
 * a request only a few relaxed stores.
 */
#include "http/guard_watch.h"

#include <stdatomic.h>
#include <sys/socket.h>

#include "base/mutex.h"
#include "base/sleeper.h"
#include "http/guard_accept.h"
#include "http/guard_room.h"

#define TICK_MS 200

static struct sleeper *watcher;

static void end_late(uint64_t now)
{
    size_t highest = atomic_load(&guard_table.highest);
    for (size_t fd = 0; fd <= highest && fd < guard_table.slot_count; fd++) {
        struct guard_slot *s = &guard_table.slots[fd];
        uint64_t deadline = atomic_load_explicit(&s->deadline, memory_order_relaxed);
        if (deadline == 0 || deadline > now) {
            continue;
        }
        mutex_lock(&guard_table.lock);
        int state = atomic_load(&s->state);
        /* Unless the connection has gone on to something else in this moment. */
        if (state != CLOSED && atomic_compare_exchange_strong(&s->deadline, &deadline, 0)) {
            guard_end((int)fd, s, state == WRITING ? SHUT_RDWR : SHUT_RD);
        }
        mutex_unlock(&guard_table.lock);
    }
}

static void guard_watcher(struct sleeper *sleeper, void *unused)
{
    (void)unused;
    while (sleeper_sleep(sleeper, TICK_MS)) {
        end_late(guard_now_us());
        unsigned open = atomic_load(&guard_table.open);
        unsigned handshakes = atomic_load(&guard_table.handshakes);
        if (open > guard_table.limits.threads) {
            guard_make_room(open - guard_table.limits.threads, false);
        }
        if (handshakes > guard_handshakes_most()) {
            guard_make_room(handshakes - guard_handshakes_most(), true);
        }
    }
}

/* --- start and stop ------------------------------------------------------------------------------------------------ */

void guard_start(const struct guard_limits *limits)
{
    guard_table_open(limits);
    guard_tls_ports(NULL, 0);
    watcher = sleeper_start(guard_watcher, NULL);
}

void guard_stop(void)
{
    sleeper_end(watcher);
    watcher = NULL;
    guard_table_close();
}

/* The listening sockets are civetweb's and it does not show them; they are found by asking every descriptor. Shutting
 * one down wakes the accept thread and makes the system refuse newcomers. */
static void shut_listeners(void)
{
    for (size_t fd = 0; fd < guard_table.slot_count && fd < 65536; fd++) {
        int listening = 0;
        socklen_t size = sizeof(listening);
        if (getsockopt((int)fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 && listening) {
            shutdown((int)fd, SHUT_RDWR);
        }
    }
}

void guard_drain(void)
{
    atomic_store(&guard_table.stopping, true);
    shut_listeners();
}

unsigned guard_busy(void)
{
    unsigned busy = 0;
    size_t highest = atomic_load(&guard_table.highest);
    for (size_t fd = 0; fd <= highest && fd < guard_table.slot_count; fd++) {
        struct guard_slot *s = &guard_table.slots[fd];
        mutex_lock(&guard_table.lock);
        int state = atomic_load(&s->state);
        bool waiting = (state == IDLE || state == FRESH) && !guard_has_bytes((int)fd);
        if (waiting && !atomic_load(&s->expired)) {
            guard_end((int)fd, s, SHUT_RD);
        }
        busy += state != CLOSED && !waiting;
        mutex_unlock(&guard_table.lock);
    }
    return busy;
}
