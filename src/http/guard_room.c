/* guard_room.c - see guard_room.h.
 *
 * When all threads are taken, connections that make no use of theirs are ended, so that those who wait are served: they
 * need a thread more than a browser that may or may not ask for something else, or a client that sends its header in
 * small pieces. So slow clients, however many, only slow each other. Stalled TLS handshakes are ended earlier, when
 * they take more than half of the threads.
 */
#include "http/guard_room.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "base/metric.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "http/guard_table.h"

#define EVICT_IDLE_US 200000   /* a connection idle for less is probably about to send */
#define EVICT_SLOW_US 1000000  /* a request that takes longer to arrive is slow */
#define EVICT_SILENT_US 200000 /* a TLS client begins to speak at once */

struct candidate {
    int fd;
    int value; /* how well the connection can be done without */
    uint64_t since;
};

/* Whether the client of a handshake has sent nothing that lies unread. Under the lock, as the number may be closed and another's in
 * the same moment. */
static bool handshake_is_silent(int fd, const struct guard_slot *s)
{
    mutex_lock(&guard_table.lock);
    bool silent = atomic_load(&s->state) == HANDSHAKE && !guard_has_bytes(fd);
    mutex_unlock(&guard_table.lock);
    return silent;
}

/* A client that does not go on with its handshake is silent; one whose bytes lie unread waits for us. */
static int dispensable_handshake(int fd, const struct guard_slot *s, uint64_t age, bool taken)
{
    bool greeted = atomic_load_explicit(&s->greeted, memory_order_relaxed);
    if (!greeted && age > EVICT_SILENT_US && handshake_is_silent(fd, s)) {
        return 3;
    }
    return taken && age > EVICT_SLOW_US ? 1 : 0;
}

/* How well the connection can be done without; 0: not at all. First come stalled handshakes, then pauses between
 * requests, and last connections that have been sending one request for longer than anybody needs except on a very bad
 * line. */
static int dispensable(int fd, const struct guard_slot *s, uint64_t age)
{
    int state = atomic_load_explicit(&s->state, memory_order_relaxed);
    bool taken = atomic_load_explicit(&s->number, memory_order_relaxed) <= atomic_load(&guard_table.taken);
    if (atomic_load_explicit(&s->expired, memory_order_relaxed)) {
        return 0;
    }
    if (state == HANDSHAKE) {
        return dispensable_handshake(fd, s, age, taken);
    }
    if (state == IDLE) {
        return age > EVICT_IDLE_US ? 2 : 0;
    }
    return (state == READING || (state == FRESH && taken)) && age > EVICT_SLOW_US ? 1 : 0;
}

/* The most dispensable first, of equals the oldest. */
static int guests_compare(const void *left, const void *right)
{
    const struct candidate *a = left;
    const struct candidate *b = right;
    if (a->value != b->value) {
        return b->value - a->value;
    }
    return a->since < b->since ? -1 : a->since > b->since;
}

static size_t find_candidates(struct candidate *out, size_t room, bool handshakes)
{
    uint64_t now = guard_now_us();
    size_t n = 0;
    for (size_t fd = 0; fd < room; fd++) {
        const struct guard_slot *s = &guard_table.slots[fd];
        int state = atomic_load_explicit(&s->state, memory_order_relaxed);
        uint64_t since = atomic_load_explicit(&s->since, memory_order_relaxed);
        if (state == CLOSED || (handshakes && state != HANDSHAKE)) {
            continue;
        }
        int value = dispensable((int)fd, s, now > since ? now - since : 0);
        if (value > 0) {
            out[n++] = (struct candidate){(int)fd, value, since};
        }
    }
    return n;
}

static void evict(int fd)
{
    struct guard_slot *s = &guard_table.slots[fd];
    mutex_lock(&guard_table.lock);
    int state = atomic_load(&s->state);
    if (state == IDLE || state == READING || state == FRESH || state == HANDSHAKE) {
        guard_end(fd, s, SHUT_RD);
        metric_add(METRIC_CONNECTIONS_EVICTED, 1);
    }
    mutex_unlock(&guard_table.lock);
}

void guard_make_room(unsigned wanted, bool handshakes)
{
    size_t room = atomic_load(&guard_table.highest) + 1;
    room = room < guard_table.slot_count ? room : guard_table.slot_count;
    struct candidate *all = mem_alloc(room * sizeof(*all));
    size_t n = find_candidates(all, room, handshakes);
    qsort(all, n, sizeof(*all), guests_compare);
    for (size_t i = 0; i < n && i < wanted && i < GUARD_ROOM_MOST; i++) {
        evict(all[i].fd);
    }
    free(all);
}
