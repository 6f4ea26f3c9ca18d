/* guard_accept.c - who gets a connection. civetweb's master thread, the only one that accepts.
 *
 * A connection is refused when its address has too many (but for loopback, trusted proxies and Unix sockets, behind
 * which any number of people may be), and when as many wait for a thread as may wait: then with 503, because that tells
 * a proxy more than a reset (on a TLS port it would be rubbish, and the connection is closed). When all threads are taken, connections that make no use of theirs are ended, so that those
 * who wait are served: a thread is worth more to them than to a browser that may or may not ask for something else, or to
 * a client that sends its header in small pieces. So many slow clients only slow each other. TLS handshakes that do not go
 * on are ended before that, when they are more than half of the threads.
 *
 * One accept(2) per call: the listener is blocking and civetweb polls before each call.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "http/guard_table.h"

#define EVICT_IDLE_US 200000   /* a connection idle for less is probably about to send */
#define EVICT_SLOW_US 1000000  /* a request that takes longer to arrive is slow */
#define EVICT_SILENT_US 200000 /* a TLS client begins to speak at once */
#define EVICT_AT_ONCE 256
#define HANDSHAKE_US 5000000 /* longest handshake */
#define PATIENCE_US 1500000  /* so long a full house hopes for guests who leave */

/* At most one line a second: a flood must not become a flood of lines. */
static void complain(const char *text)
{
    static uint64_t last_complaint;
    uint64_t now = guard_now_us();
    if (now - last_complaint > 1000000) {
        last_complaint = now;
        log_warning("http", "%s", text);
    }
}

static bool peer_address(const struct sockaddr *from, struct address *out)
{
    memset(out, 0, sizeof(*out));
    if (from->sa_family == AF_INET6) {
        memcpy(out->bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, 16);
        return true;
    }
    if (from->sa_family == AF_INET) {
        out->bytes[10] = out->bytes[11] = 0xff;
        memcpy(out->bytes + 12, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
        return true;
    }
    return false;
}

/* With the lock. Room for the newcomer among those of its address? */
static bool count_peer(struct guard_slot *s, const struct sockaddr *from)
{
    struct address a;
    if (!peer_address(from, &a) || address_is_loopback(&a) || address_list_has(guard_table.limits.trusted, &a)) {
        return true;
    }
    s->group = address_group(&a);
    if (peer_count_get(guard_table.peers, &s->group) >= guard_table.limits.per_address) {
        return false;
    }
    peer_count_add(guard_table.peers, &s->group);
    s->counted = true;
    return true;
}

/* With the lock. One address that begins handshakes and does not end them keeps no other from beginning its own. */
static bool count_handshake(struct guard_slot *s)
{
    unsigned most = guard_table.limits.per_address / 4;
    if (s->counted) {
        if (peer_count_get(guard_table.shakers, &s->group) >= (most < 4 ? 4 : most)) {
            return false;
        }
        peer_count_add(guard_table.shakers, &s->group);
    }
    atomic_fetch_add(&guard_table.handshakes, 1);
    atomic_store(&s->shakes, true);
    return true;
}

/* With the lock: counts the newcomer wherever it must be counted, or nowhere. */
static bool count(struct guard_slot *s, const struct sockaddr *from, bool tls)
{
    if (!count_peer(s, from)) {
        return false;
    }
    if (tls && !count_handshake(s)) {
        if (s->counted) {
            peer_count_drop(guard_table.peers, &s->group);
            s->counted = false;
        }
        return false;
    }
    return true;
}

static bool enter(int fd, const struct sockaddr *from, bool tls)
{
    struct guard_slot *s = guard_slot_of(fd);
    if (!s) {
        return false;
    }
    mutex_lock(&guard_table.lock);
    if (atomic_load(&s->state) != CLOSED) {
        guard_forget(s); /* civetweb closed it without a word: the number is in use again */
    }
    bool room = count(s, from, tls);
    if (room) {
        uint64_t now = guard_now_us();
        uint64_t request_us = guard_table.limits.request_ms * 1000;
        atomic_store(&s->expired, false);
        atomic_store(&s->greeted, false);
        atomic_store(&s->number, atomic_fetch_add(&guard_table.accepted, 1) + 1);
        guard_set(s, tls ? HANDSHAKE : FRESH, now,
                  now + (tls && request_us > HANDSHAKE_US ? HANDSHAKE_US : request_us));
        atomic_fetch_add(&guard_table.open, 1);
        if ((size_t)fd > atomic_load(&guard_table.highest)) {
            atomic_store(&guard_table.highest, (size_t)fd);
        }
    }
    mutex_unlock(&guard_table.lock);
    return room;
}

/* --- making room --------------------------------------------------------------------------------------------------- */

struct candidate {
    int fd;
    int value; /* how well the connection can be done without */
    uint64_t since;
};

/* A client that has nothing more to say in its handshake than it did is silent; one whose words lie unread waits for us. */
static int dispensable_handshake(int fd, const struct guard_slot *s, uint64_t age, bool taken)
{
    bool greeted = atomic_load_explicit(&s->greeted, memory_order_relaxed);
    if (!greeted && age > EVICT_SILENT_US && !guard_has_bytes(fd)) {
        return 3;
    }
    return taken && age > EVICT_SLOW_US ? 1 : 0;
}

/* 0: not at all. First the handshakes that nobody goes on with, then the pauses between requests, and last those that have
 * been sending one request for longer than anybody needs who is not on a very bad line. */
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
static int compare(const void *left, const void *right)
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
    qsort(all, n, sizeof(*all), compare);
    for (size_t i = 0; i < n && i < wanted && i < EVICT_AT_ONCE; i++) {
        evict(all[i].fd);
    }
    free(all);
}

/* --- accepting ----------------------------------------------------------------------------------------------------- */

static bool is_full(void)
{
    return atomic_load(&guard_table.open) >= guard_table.limits.threads + guard_table.limits.queue;
}

/* When all places are taken, newcomers wait a moment in the system's queue, while those who make no use of theirs are ended.
 * False when that has not helped. */
static bool wait_for_room(void)
{
    static uint64_t full_since;
    uint64_t now = guard_now_us();
    full_since = is_full() ? (full_since ? full_since : now) : 0;
    if (!full_since || now - full_since > PATIENCE_US) {
        return false;
    }
    guard_make_room(EVICT_AT_ONCE, false);
    clock_sleep_ms(5);
    return true;
}

/* Whether the connection came by a TLS port. */
static bool is_tls(int fd)
{
    struct sockaddr_storage here = {0};
    socklen_t size = sizeof(here);
    size_t count = atomic_load(&guard_table.tls_port_count);
    if (count == 0 || getsockname(fd, (struct sockaddr *)&here, &size) != 0) {
        return false;
    }
    unsigned port = here.ss_family == AF_INET6  ? ntohs(((const struct sockaddr_in6 *)(const void *)&here)->sin6_port)
                    : here.ss_family == AF_INET ? ntohs(((const struct sockaddr_in *)(const void *)&here)->sin_port)
                                                : 0;
    for (size_t i = 0; i < count; i++) {
        if (guard_table.tls_ports[i] == port) {
            return true;
        }
    }
    return false;
}

/* Before a handshake there is nothing that a TLS client would understand, so its connection is only closed. */
static void refuse(int fd, bool tls)
{
    static const char answer[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 2\r\n"
                                 "Cache-Control: no-store\r\nConnection: close\r\n\r\n";
    if (!tls) {
        ssize_t ignored = send(fd, answer, sizeof(answer) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        (void)ignored;
        shutdown(fd, SHUT_WR);
    }
    close(fd);
}

/* -1 for civetweb, which then goes on. */
static int turn_away(const char *why)
{
    metric_add(METRIC_CONNECTIONS_REFUSED, 1);
    complain(why);
    errno = EAGAIN;
    return -1;
}

static int refused(void)
{
    /* Out of file descriptors, or a listener that is shut: poll says "ready" at once, so do not spin. */
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        if (errno == EMFILE || errno == ENFILE) {
            complain("out of file descriptors");
        }
        clock_sleep_ms(10);
    }
    return -1;
}

int guard_accept(int listener, struct sockaddr *address, socklen_t *length)
{
    struct sockaddr_storage from = {0};
    socklen_t from_length = sizeof(from);
    if (wait_for_room()) {
        errno = EAGAIN;
        return -1;
    }
    int fd = accept(listener, (struct sockaddr *)&from, &from_length);
    if (fd < 0) {
        return refused();
    }
    bool tls = is_tls(fd);
    if (atomic_load(&guard_table.open) >= guard_table.limits.threads) {
        guard_make_room(1, false);
    }
    if (is_full()) {
        refuse(fd, tls);
        return turn_away("all connections are taken: a new one was refused");
    }
    if (!enter(fd, (struct sockaddr *)&from, tls)) {
        close(fd);
        return turn_away(tls ? "too many connections or TLS handshakes of one address"
                             : "too many connections of one address");
    }
    memcpy(address, &from, from_length < *length ? from_length : *length);
    *length = from_length;
    return fd;
}
