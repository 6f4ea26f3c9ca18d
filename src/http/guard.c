/* guard.c - see guard.h: what a connection may take, while it lasts.
 *
 * civetweb gives each connection a thread and asks for time-outs only where one read or write stalls, so a client that
 * sends a byte every few seconds keeps its thread for hours; a few hundred such clients are the whole server. Here
 * every connection has one deadline for what it is doing (request, answer, pause between requests), kept in a table by
 * file descriptor. A watch thread looks at the table a few times a second and calls shutdown(2) on what is late: that
 * wakes the connection's thread wherever it waits, in plain text as in TLS. Deadlines are therefore a tick late at most and
 * cost a request nothing but a few relaxed stores.
 *
 * Who is let in at all is in guard_accept.c, the locking in guard_table.h.
 */
#include "http/guard.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "base/sleeper.h"
#include "http/guard_table.h"

#define TICK_MS 200
#define MAX_SLOTS (256 * 1024)
#define OTHER_FILES 512
#define MIN_RATE (16 * 1024)  /* bytes per second that a large body or answer must keep */
#define FREE_SIZE (64 * 1024) /* bytes that need not keep it */
#define LINGER_MS 500
#define LINGER_BYTES (512 * 1024)

struct guard_table guard_table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct sleeper *watcher;

static _Thread_local int this_fd = -1;
static _Thread_local size_t this_received; /* bytes since the last request ended */

/* --- the table ----------------------------------------------------------------------------------------------------- */

uint64_t guard_now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

struct guard_slot *guard_slot_of(int fd)
{
    return fd >= 0 && (size_t)fd < guard_table.slot_count ? &guard_table.slots[fd] : NULL;
}

void guard_set(struct guard_slot *s, enum guard_state state, uint64_t now, uint64_t deadline)
{
    atomic_store_explicit(&s->since, now, memory_order_relaxed);
    atomic_store_explicit(&s->deadline, deadline, memory_order_relaxed);
    atomic_store_explicit(&s->state, (int)state, memory_order_relaxed);
}

void guard_end(int fd, struct guard_slot *s, int how)
{
    atomic_store(&s->expired, true);
    shutdown(fd, how);
}

void guard_shaken(struct guard_slot *s)
{
    if (atomic_exchange(&s->shakes, false)) {
        atomic_fetch_sub(&guard_table.handshakes, 1);
        if (s->counted) {
            peer_count_drop(guard_table.shakers, &s->group);
        }
    }
}

void guard_forget(struct guard_slot *s)
{
    guard_shaken(s);
    if (s->counted) {
        peer_count_drop(guard_table.peers, &s->group);
        s->counted = false;
    }
    atomic_store(&s->deadline, 0);
    atomic_store(&s->state, CLOSED);
    atomic_fetch_sub(&guard_table.open, 1);
}

bool guard_has_bytes(int fd)
{
    char byte;
    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

unsigned guard_handshakes_most(void)
{
    return guard_table.limits.threads / 2;
}

static uint64_t extra_us(size_t size)
{
    return size > FREE_SIZE ? (uint64_t)(size - FREE_SIZE) * 1000000 / MIN_RATE : 0;
}

/* --- the watch thread ---------------------------------------------------------------------------------------------- */

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

static void watch(struct sleeper *sleeper, void *unused)
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

/* As many descriptors as there can be connections, and some for the rest of the program, if the system lets us. Returns
 * how many there are. */
static size_t raise_file_limit(size_t wanted)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) {
        return 1024;
    }
    if (files.rlim_cur < wanted && files.rlim_cur < files.rlim_max) {
        rlim_t before = files.rlim_cur;
        files.rlim_cur = wanted < files.rlim_max ? wanted : files.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &files) != 0) {
            files.rlim_cur = before;
        }
    }
    return files.rlim_cur < MAX_SLOTS ? (size_t)files.rlim_cur : MAX_SLOTS;
}

void guard_start(const struct guard_limits *limits)
{
    guard_table.slot_count = raise_file_limit(limits->threads + limits->queue + OTHER_FILES);
    guard_table.limits = *limits;
    guard_table.slots = mem_zero(guard_table.slot_count, sizeof(*guard_table.slots));
    guard_table.peers = peer_count_new();
    guard_table.shakers = peer_count_new();
    guard_table.handshakes = 0;
    guard_table.tls_port_count = 0;
    guard_table.highest = 0;
    guard_table.open = 0;
    guard_table.accepted = guard_table.taken = 0;
    guard_table.stopping = false;
    watcher = sleeper_start(watch, NULL);
}

void guard_stop(void)
{
    sleeper_end(watcher);
    watcher = NULL;
    free(guard_table.slots);
    guard_table.slots = NULL;
    guard_table.slot_count = 0;
    peer_count_free(guard_table.peers);
    guard_table.peers = NULL;
    peer_count_free(guard_table.shakers);
    guard_table.shakers = NULL;
}

void guard_tls_ports(const unsigned *ports, size_t count)
{
    require(count <= GUARD_TLS_PORTS);
    memcpy(guard_table.tls_ports, ports, count * sizeof(*ports));
    atomic_store(&guard_table.tls_port_count, count);
}

/* --- one connection ------------------------------------------------------------------------------------------------ */

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

/* The deadline of a first request runs from the connection's start (or the handshake's end), that of a later one from its
 * first byte. How long a connection has waited for a thread does not make it slow. */
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

/* --- stopping ------------------------------------------------------------------------------------------------------ */

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
