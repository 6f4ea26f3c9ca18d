/* guard_accept.c - decides who gets a connection. Runs in civetweb's master thread, the only one that accepts.
 *
 * A connection is refused when its address has too many (except loopback, trusted proxies and Unix sockets, behind
 * which there may be any number of people), and when as many connections wait for a thread as may wait, after an
 * attempt to make room (guard_room.h). The latter get a 503, because that tells a proxy more than a reset; on a TLS
 * port, where it would be rubbish, the connection is just closed.
 *
 * One accept(2) per call: the listener is blocking and civetweb polls before each call.
 */
#include "http/guard_accept.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "http/guard_room.h"
#include "http/guard_table.h"

#define HANDSHAKE_US 5000000 /* longest handshake */
#define PATIENCE_US 1500000  /* how long a newcomer waits for a place when all are taken */

/* The ports of the TLS listeners. */
static struct {
    unsigned ports[GUARD_TLS_PORTS];
    _Atomic size_t count;
} tls_listeners;

void guard_tls_ports(const unsigned *ports, size_t count)
{
    require(count <= GUARD_TLS_PORTS);
    for (size_t i = 0; i < count; i++) {
        tls_listeners.ports[i] = ports[i];
    }
    atomic_store(&tls_listeners.count, count);
}

/* At most one line a second: a flood must not become a flood of lines. */
static void guard_complain(const char *text)
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

/* With the lock. An address that begins handshakes and does not end them must not keep others from beginning theirs. */
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

static bool guard_enter(int fd, const struct sockaddr *from, bool tls)
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

/* --- accepting ----------------------------------------------------------------------------------------------------- */

static bool guard_is_full(void)
{
    return atomic_load(&guard_table.open) >= guard_table.limits.threads + guard_table.limits.queue;
}

/* When all places are taken, newcomers wait a moment in the system's queue while unused connections are ended. False
 * when that did not help. */
static bool wait_for_room(void)
{
    static uint64_t full_since;
    uint64_t now = guard_now_us();
    full_since = guard_is_full() ? (full_since ? full_since : now) : 0;
    if (!full_since || now - full_since > PATIENCE_US) {
        return false;
    }
    guard_make_room(GUARD_ROOM_MOST, false);
    clock_sleep_ms(5);
    return true;
}

/* Whether the connection came by a TLS port. */
static bool is_tls(int fd)
{
    struct sockaddr_storage here = {0};
    socklen_t size = sizeof(here);
    size_t count = atomic_load(&tls_listeners.count);
    if (count == 0 || getsockname(fd, (struct sockaddr *)&here, &size) != 0) {
        return false;
    }
    unsigned port = here.ss_family == AF_INET6  ? ntohs(((const struct sockaddr_in6 *)(const void *)&here)->sin6_port)
                    : here.ss_family == AF_INET ? ntohs(((const struct sockaddr_in *)(const void *)&here)->sin_port)
                                                : 0;
    for (size_t i = 0; i < count; i++) {
        if (tls_listeners.ports[i] == port) {
            return true;
        }
    }
    return false;
}

/* Before a handshake there is nothing that a TLS client would understand, so its connection is only closed. */
static void guard_refuse(int fd, bool tls)
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
    guard_complain(why);
    errno = EAGAIN;
    return -1;
}

static int guard_refused(void)
{
    /* Out of file descriptors, or a listener that is shut: poll says "ready" at once, so do not spin. */
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        if (errno == EMFILE || errno == ENFILE) {
            guard_complain("out of file descriptors");
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
        return guard_refused();
    }
    bool tls = is_tls(fd);
    if (atomic_load(&guard_table.open) >= guard_table.limits.threads) {
        guard_make_room(1, false);
    }
    if (guard_is_full()) {
        guard_refuse(fd, tls);
        return turn_away("all connections are taken: a new one was refused");
    }
    if (!guard_enter(fd, (struct sockaddr *)&from, tls)) {
        close(fd);
        return turn_away(tls ? "too many connections or TLS handshakes of one address"
                             : "too many connections of one address");
    }
    memcpy(address, &from, from_length < *length ? from_length : *length);
    *length = from_length;
    return fd;
}
