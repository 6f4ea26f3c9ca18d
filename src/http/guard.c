/* guard.c - see guard.h.
 *
 * civetweb gives each connection a thread and has time-outs only for a single read or write that stalls, so a client
 * that sends a byte every few seconds keeps its thread for hours; a few hundred such clients are the whole server. Here
 * every connection has one deadline for what it is doing (request, answer, pause between requests), kept in a table by
 * file descriptor (guard_table.h), and the watch thread ends what is late.
 */
#include "http/guard.h"

#include <poll.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mutex.h"
#include "http/guard_table.h"

#define MIN_RATE (16 * 1024)  /* bytes per second that a large body or answer must keep */
#define FREE_SIZE (64 * 1024) /* bytes that need not keep it */
#define LINGER_MS 500
#define LINGER_BYTES (512 * 1024)

static _Thread_local int this_fd = -1;
static _Thread_local size_t this_received; /* bytes since the last request ended */

static uint64_t extra_us(size_t size)
{
    return size > FREE_SIZE ? (uint64_t)(size - FREE_SIZE) * 1000000 / MIN_RATE : 0;
}

/* The handshake is over; the time of the first request begins. */
static void end_handshake(struct guard_slot *s)
{
    mutex_lock(&guard_table.lock);
    if (atomic_load(&s->state) == HANDSHAKE) {
        uint64_t now = guard_now_us();
        guard_shaken(s);
        guard_set(s, FRESH, now, now + guard_table.limits.request_ms * 1000);
    }
    mutex_unlock(&guard_table.lock);
}

void guard_take(void)
{
    struct guard_slot *s = guard_slot_of(this_fd);
    if (s) {
        end_handshake(s);
    } else {
        atomic_fetch_add_explicit(&guard_table.taken, 1, memory_order_relaxed);
    }
}

void guard_attach(int fd)
{
    struct guard_slot *s = guard_slot_of(fd);
    if (s) { /* how long it has waited for us does not make it slow */
        atomic_store(&s->since, guard_now_us());
    }
    atomic_fetch_add_explicit(&guard_table.taken, 1, memory_order_relaxed);
    this_fd = fd;
}

void guard_greeted(void)
{
    struct guard_slot *s = guard_slot_of(this_fd);
    if (s) {
        atomic_store(&s->greeted, true);
    }
}

/* The deadline of a first request runs from the connection's start (or the handshake's end), that of a later one from
 * its first byte. The time for which a connection waited for a thread does not count. */
static void start_reading(struct guard_slot *s)
{
    int state = atomic_load_explicit(&s->state, memory_order_relaxed);
    if (state == FRESH) {
        atomic_store_explicit(&s->since, guard_now_us(), memory_order_relaxed);
        atomic_store_explicit(&s->state, READING, memory_order_relaxed);
    } else if (state == IDLE) {
        uint64_t now = guard_now_us();
        guard_set(s, READING, now, now + guard_table.limits.request_ms * 1000);
    }
}

ssize_t guard_recv(int fd, void *buffer, size_t size, int flags)
{
    struct guard_slot *s = guard_slot_of(fd);
    this_fd = fd;
    if (!s) {
        return recv(fd, buffer, size, flags);
    }
    if (atomic_load_explicit(&s->expired, memory_order_relaxed)) {
        return 0;
    }
    ssize_t n = recv(fd, buffer, size, flags);
    if (n > 0) {
        this_received += (size_t)n;
        start_reading(s);
    }
    return n;
}

ssize_t guard_send(int fd, const void *data, size_t size, int flags)
{
    this_fd = fd;
    return send(fd, data, size, flags | MSG_NOSIGNAL);
}

void guard_reading(size_t body)
{
    struct guard_slot *s = guard_slot_of(this_fd);
    if (s) {
        start_reading(s);
        atomic_fetch_add(&s->deadline, extra_us(body));
    }
}

void guard_working(void)
{
    struct guard_slot *s = guard_slot_of(this_fd);
    if (s) {
        guard_set(s, WORKING, 0, 0);
    }
}

void guard_writing(size_t size)
{
    struct guard_slot *s = guard_slot_of(this_fd);
    if (s) {
        uint64_t now = guard_now_us();
        guard_set(s, WRITING, now, now + guard_table.limits.request_ms * 1000 + extra_us(size));
    }
}

void guard_idle(void)
{
    this_received = 0;
    struct guard_slot *s = guard_slot_of(this_fd);
    if (s) {
        uint64_t now = guard_now_us();
        guard_set(s, IDLE, now, now + guard_table.limits.keep_alive_ms * 1000);
    }
}

void guard_leave(void)
{
    struct guard_slot *s = guard_slot_of(this_fd);
    this_fd = -1;
    this_received = 0;
    if (!s) {
        return;
    }
    mutex_lock(&guard_table.lock);
    if (atomic_load(&s->state) != CLOSED) {
        guard_forget(s);
    }
    mutex_unlock(&guard_table.lock);
}

bool guard_here(struct sockaddr_storage *out)
{
    socklen_t size = sizeof(*out) - 1; /* a NUL stays behind the longest path */
    memset(out, 0, sizeof(*out));
    return getsockname(this_fd, (struct sockaddr *)out, &size) == 0;
}

int guard_socket(void)
{
    return this_fd;
}

bool guard_stopping(void)
{
    return atomic_load_explicit(&guard_table.stopping, memory_order_relaxed);
}

bool guard_expired(void)
{
    struct guard_slot *s = guard_slot_of(this_fd);
    return s && atomic_load(&s->expired);
}

size_t guard_received(void)
{
    return this_received;
}

bool guard_crowded(void)
{
    return atomic_load_explicit(&guard_table.open, memory_order_relaxed) > guard_table.limits.threads ||
           atomic_load_explicit(&guard_table.stopping, memory_order_relaxed);
}

void guard_linger(bool tls)
{
    char scrap[4096];
    size_t dropped = 0;
    int fd = this_fd;
    uint64_t end_at = guard_now_us() + LINGER_MS * 1000;
    if (fd < 0) {
        return;
    }
    if (!tls) {
        shutdown(fd, SHUT_WR);
    }
    while (dropped < LINGER_BYTES) {
        uint64_t now = guard_now_us();
        struct pollfd p = {.fd = fd, .events = POLLIN};
        if (now >= end_at || poll(&p, 1, (int)((end_at - now) / 1000 + 1)) <= 0) {
            return;
        }
        ssize_t n = recv(fd, scrap, sizeof(scrap), MSG_DONTWAIT);
        if (n <= 0) {
            return;
        }
        dropped += (size_t)n;
    }
}
