/* guard_accept.c - who gets a connection. civetweb's master thread, the only one that accepts.
 *
 * A connection is refused when its address has too many (but for loopback, trusted proxies and Unix sockets, behind
 * which any number of people may be), and when as many wait for a thread as may wait: then with 503, because that tells
 * a proxy more than a reset. When all threads are taken, connections that make no use of theirs are ended, so that those
 * who wait are served: a thread is worth more to them than to a browser that may or may not ask for something else, or to
 * a client that sends its header in small pieces. So many slow clients only slow each other.
 *
 * One accept(2) per call: the listener is blocking and civetweb polls before each call.
 */
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mutex.h"
#include "http/guard_table.h"

#define EVICT_IDLE_US 200000  /* a connection idle for less is probably about to send */
#define EVICT_SLOW_US 1000000 /* a request that takes longer to arrive is slow */
#define EVICT_AT_ONCE 64

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

static bool enter(int fd, const struct sockaddr *from)
{
    struct guard_slot *s = guard_slot_of(fd);
    if (!s) {
        return false;
    }
    mutex_lock(&guard_table.lock);
    if (atomic_load(&s->state) != CLOSED) {
        guard_forget(s); /* civetweb closed it without a word: the number is in use again */
    }
    bool room = count_peer(s, from);
    if (room) {
        uint64_t now = guard_now_us();
        atomic_store(&s->expired, false);
        atomic_store(&s->number, atomic_fetch_add(&guard_table.accepted, 1) + 1);
        guard_set(s, FRESH, now, now + guard_table.limits.request_ms * 1000);
        atomic_fetch_add(&guard_table.open, 1);
        if ((size_t)fd > atomic_load(&guard_table.highest)) {
            atomic_store(&guard_table.highest, (size_t)fd);
        }
    }
    mutex_unlock(&guard_table.lock);
    return room;
}

/* How well a connection can be done without: 0 not at all, then the pauses between requests, and last those that have
 * been sending one request for longer than anybody needs who is not on a very bad line. */
static int dispensable(const struct guard_slot *s, uint64_t age)
{
    int state = atomic_load_explicit(&s->state, memory_order_relaxed);
    if (atomic_load_explicit(&s->expired, memory_order_relaxed)) {
        return 0;
    }
    if (state == IDLE) {
        return age > EVICT_IDLE_US ? 2 : 0;
    }
    bool taken = atomic_load_explicit(&s->number, memory_order_relaxed) <= atomic_load(&guard_table.taken);
    return (state == READING || (state == FRESH && taken)) && age > EVICT_SLOW_US ? 1 : 0;
}

/* The most dispensable one, of equals the oldest; -1 if there is none. */
static int find_dispensable(uint64_t now)
{
    int found = -1;
    int best = 0;
    uint64_t oldest = 0;
    size_t highest = atomic_load(&guard_table.highest);
    for (size_t fd = 0; fd <= highest && fd < guard_table.slot_count; fd++) {
        const struct guard_slot *s = &guard_table.slots[fd];
        uint64_t since = atomic_load_explicit(&s->since, memory_order_relaxed);
        int value = dispensable(s, now > since ? now - since : 0);
        if (value > best || (value == best && value > 0 && since < oldest)) {
            best = value;
            oldest = since;
            found = (int)fd;
        }
    }
    return found;
}

void guard_make_room(unsigned count)
{
    uint64_t now = guard_now_us();
    for (unsigned i = 0; i < count && i < EVICT_AT_ONCE; i++) {
        int fd = find_dispensable(now);
        if (fd < 0) {
            return;
        }
        struct guard_slot *s = &guard_table.slots[fd];
        mutex_lock(&guard_table.lock);
        int state = atomic_load(&s->state);
        if (state == IDLE || state == READING || state == FRESH) {
            guard_end(fd, s, SHUT_RD);
        }
        mutex_unlock(&guard_table.lock);
    }
}

static void refuse(int fd)
{
    static const char answer[] = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 2\r\n"
                                 "Cache-Control: no-store\r\nConnection: close\r\n\r\n";
    ssize_t ignored = send(fd, answer, sizeof(answer) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)ignored;
    shutdown(fd, SHUT_WR);
    close(fd);
    complain("all connections are taken: a new one was refused");
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
    int fd = accept(listener, (struct sockaddr *)&from, &from_length);
    if (fd < 0) {
        return refused();
    }
    unsigned open = atomic_load(&guard_table.open);
    if (open >= guard_table.limits.threads) {
        guard_make_room(1);
    }
    if (open >= guard_table.limits.threads + guard_table.limits.queue) {
        refuse(fd);
        errno = EAGAIN;
        return -1;
    }
    if (!enter(fd, (struct sockaddr *)&from)) {
        close(fd);
        complain("too many connections of one address");
        errno = EAGAIN;
        return -1;
    }
    memcpy(address, &from, from_length < *length ? from_length : *length);
    *length = from_length;
    return fd;
}
