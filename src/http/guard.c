/* guard.c - see guard.h.
 *
 * civetweb gives each connection a thread and asks for time-outs only where one read or write stalls, so a client that
 * sends a byte every few seconds keeps its thread for hours; a few hundred such clients are the whole server. Here
 * every connection has one deadline for what it is doing (request, answer, pause between requests), kept in a table by
 * file descriptor. A watch thread looks at the table a few times a second and calls shutdown(2) on what is late: that
 * wakes the connection's thread wherever it waits, in plain text as in TLS. Deadlines are therefore a tick late at most and
 * cost a request nothing but a few relaxed stores.
 *
 * When all threads are taken, the connection that has been idle longest is ended so that the next one in the queue is
 * served; when even the queue is full, newcomers get 503 from the accept thread.
 *
 * Locking: `lock` guards the address counts, and that a slot cannot be closed while the watch thread shuts it down
 * (civetweb closes a socket only after guard_leave). The fields of a slot are atomic and may be a moment old.
 */
#include "http/guard.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "http/peer_count.h"

#define TICK_MS 200
#define MAX_SLOTS (256 * 1024)
#define MIN_RATE (16 * 1024)  /* bytes per second that a large body or answer must keep */
#define FREE_SIZE (64 * 1024) /* bytes that need not keep it */
#define EVICT_AFTER_US 200000 /* a connection idle for less is probably about to send */
#define LINGER_MS 500
#define LINGER_BYTES (512 * 1024)

enum state { CLOSED, FRESH, READING, WORKING, WRITING, IDLE }; /* FRESH: accepted, not a byte read */

struct slot {
    _Atomic int state;
    _Atomic bool expired;
    _Atomic uint64_t deadline; /* monotonic µs; 0: none */
    _Atomic uint64_t since;    /* when the state began */
    bool counted;
    struct address group; /* counted under this */
};

static struct {
    pthread_mutex_t lock;
    struct guard_limits limits;
    struct slot *slots;
    size_t slot_count;
    _Atomic size_t highest; /* slots beyond were never used */
    _Atomic unsigned open;
    _Atomic bool stopping;
    _Atomic bool watching;
    pthread_t watcher;
    struct peer_count *peers;
    uint64_t last_complaint;
} guard = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int this_fd = -1;
static _Thread_local size_t this_received; /* bytes since the last request ended */

/* Good to a few milliseconds and much cheaper than the exact clock. */
static uint64_t now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static struct slot *slot_of(int fd)
{
    return fd >= 0 && (size_t)fd < guard.slot_count ? &guard.slots[fd] : NULL;
}

static void set(struct slot *s, enum state state, uint64_t now, uint64_t deadline)
{
    atomic_store_explicit(&s->since, now, memory_order_relaxed);
    atomic_store_explicit(&s->deadline, deadline, memory_order_relaxed);
    atomic_store_explicit(&s->state, (int)state, memory_order_relaxed);
}

static uint64_t extra_us(size_t size)
{
    return size > FREE_SIZE ? (uint64_t)(size - FREE_SIZE) * 1000000 / MIN_RATE : 0;
}

/* --- the watch thread ---------------------------------------------------------------------------------------------- */

/* A reader is told "end of file" and may still answer 408; a writer's client is cut off. */
static void end(int fd, struct slot *s, int how)
{
    atomic_store(&s->expired, true);
    atomic_store(&s->deadline, 0);
    shutdown(fd, how);
}

static void end_late(uint64_t now)
{
    size_t highest = atomic_load(&guard.highest);
    for (size_t fd = 0; fd <= highest && fd < guard.slot_count; fd++) {
        struct slot *s = &guard.slots[fd];
        uint64_t deadline = atomic_load_explicit(&s->deadline, memory_order_relaxed);
        if (deadline == 0 || deadline > now) {
            continue;
        }
        pthread_mutex_lock(&guard.lock);
        int state = atomic_load(&s->state);
        deadline = atomic_load(&s->deadline);
        if (state != CLOSED && deadline != 0 && deadline <= now) {
            end((int)fd, s, state == WRITING ? SHUT_RDWR : SHUT_RD);
        }
        pthread_mutex_unlock(&guard.lock);
    }
}

static void *watch(void *unused)
{
    (void)unused;
    while (atomic_load(&guard.watching)) {
        clock_sleep_ms(TICK_MS);
        end_late(now_us());
    }
    return NULL;
}

/* --- start and stop ------------------------------------------------------------------------------------------------ */

void guard_start(const struct guard_limits *limits)
{
    struct rlimit files;
    guard.slot_count = MAX_SLOTS;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < MAX_SLOTS) {
        guard.slot_count = (size_t)files.rlim_cur;
    }
    guard.limits = *limits;
    guard.slots = mem_zero(guard.slot_count, sizeof(*guard.slots));
    guard.peers = peer_count_new();
    guard.highest = 0;
    guard.open = 0;
    guard.stopping = false;
    guard.watching = true;
    require(pthread_create(&guard.watcher, NULL, watch, NULL) == 0);
}

void guard_stop(void)
{
    atomic_store(&guard.watching, false);
    pthread_join(guard.watcher, NULL);
    free(guard.slots);
    guard.slots = NULL;
    guard.slot_count = 0;
    peer_count_free(guard.peers);
    guard.peers = NULL;
}

/* --- accepting ----------------------------------------------------------------------------------------------------- */

/* At most one line a second: a flood must not become a flood of lines. */
static void complain(const char *text)
{
    uint64_t now = now_us();
    if (now - guard.last_complaint > 1000000) {
        guard.last_complaint = now;
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

/* With the lock. */
static void forget(struct slot *s)
{
    if (s->counted) {
        peer_count_drop(guard.peers, &s->group);
        s->counted = false;
    }
    atomic_store(&s->deadline, 0);
    atomic_store(&s->state, CLOSED);
    atomic_fetch_sub(&guard.open, 1);
}

/* With the lock. Room for the newcomer among those of its address? */
static bool count_peer(struct slot *s, const struct sockaddr *from)
{
    struct address a;
    if (!peer_address(from, &a) || address_is_loopback(&a) || address_list_has(guard.limits.trusted, &a)) {
        return true;
    }
    s->group = address_group(&a);
    if (peer_count_get(guard.peers, &s->group) >= guard.limits.per_address) {
        return false;
    }
    peer_count_add(guard.peers, &s->group);
    s->counted = true;
    return true;
}

static bool enter(int fd, const struct sockaddr *from)
{
    struct slot *s = slot_of(fd);
    if (!s) {
        return false;
    }
    pthread_mutex_lock(&guard.lock);
    if (atomic_load(&s->state) != CLOSED) {
        forget(s); /* civetweb closed it without a word: the number is in use again */
    }
    bool room = count_peer(s, from);
    if (room) {
        uint64_t now = now_us();
        atomic_store(&s->expired, false);
        set(s, FRESH, now, now + guard.limits.request_ms * 1000);
        atomic_fetch_add(&guard.open, 1);
        if ((size_t)fd > atomic_load(&guard.highest)) {
            atomic_store(&guard.highest, (size_t)fd);
        }
    }
    pthread_mutex_unlock(&guard.lock);
    return room;
}

/* Ends the connection that has been idle longest, so that its thread takes the next one from the queue. */
static void evict(void)
{
    uint64_t oldest = now_us() - EVICT_AFTER_US;
    int found = -1;
    size_t highest = atomic_load(&guard.highest);
    for (size_t fd = 0; fd <= highest && fd < guard.slot_count; fd++) {
        struct slot *s = &guard.slots[fd];
        uint64_t since = atomic_load_explicit(&s->since, memory_order_relaxed);
        if (atomic_load_explicit(&s->state, memory_order_relaxed) == IDLE && since < oldest &&
            !atomic_load_explicit(&s->expired, memory_order_relaxed)) {
            oldest = since;
            found = (int)fd;
        }
    }
    if (found < 0) {
        return;
    }
    pthread_mutex_lock(&guard.lock);
    if (atomic_load(&guard.slots[found].state) == IDLE) {
        end(found, &guard.slots[found], SHUT_RD);
    }
    pthread_mutex_unlock(&guard.lock);
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

static int refused(int listener)
{
    if (atomic_load(&guard.stopping)) {
        shutdown(listener, SHUT_RDWR); /* from now on the system refuses by itself */
    }
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
    int fd = atomic_load(&guard.stopping) ? -1 : accept(listener, (struct sockaddr *)&from, &from_length);
    if (fd < 0) {
        return refused(listener);
    }
    unsigned open = atomic_load(&guard.open);
    if (open >= guard.limits.threads) {
        evict();
    }
    if (open >= guard.limits.threads + guard.limits.queue) {
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

/* --- one connection ------------------------------------------------------------------------------------------------ */

void guard_attach(int fd)
{
    this_fd = fd;
}

/* The time of a first request runs from the connection's start, that of a later one from its first byte. */
static void start_reading(struct slot *s)
{
    int state = atomic_load_explicit(&s->state, memory_order_relaxed);
    if (state == FRESH) {
        atomic_store_explicit(&s->state, READING, memory_order_relaxed);
    } else if (state == IDLE) {
        uint64_t now = now_us();
        set(s, READING, now, now + guard.limits.request_ms * 1000);
    }
}

ssize_t guard_recv(int fd, void *buffer, size_t size, int flags)
{
    struct slot *s = slot_of(fd);
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
    struct slot *s = slot_of(this_fd);
    if (s) {
        start_reading(s);
        atomic_fetch_add(&s->deadline, extra_us(body));
    }
}

void guard_working(void)
{
    struct slot *s = slot_of(this_fd);
    if (s) {
        set(s, WORKING, 0, 0);
    }
}

void guard_writing(size_t size)
{
    struct slot *s = slot_of(this_fd);
    if (s) {
        uint64_t now = now_us();
        set(s, WRITING, now, now + guard.limits.request_ms * 1000 + extra_us(size));
    }
}

void guard_idle(void)
{
    this_received = 0;
    struct slot *s = slot_of(this_fd);
    if (s) {
        uint64_t now = now_us();
        set(s, IDLE, now, now + guard.limits.keep_alive_ms * 1000);
    }
}

void guard_leave(void)
{
    struct slot *s = slot_of(this_fd);
    this_fd = -1;
    this_received = 0;
    if (!s) {
        return;
    }
    pthread_mutex_lock(&guard.lock);
    if (atomic_load(&s->state) != CLOSED) {
        forget(s);
    }
    pthread_mutex_unlock(&guard.lock);
}

bool guard_expired(void)
{
    struct slot *s = slot_of(this_fd);
    return s && atomic_load(&s->expired);
}

size_t guard_received(void)
{
    return this_received;
}

bool guard_crowded(void)
{
    return atomic_load_explicit(&guard.open, memory_order_relaxed) > guard.limits.threads ||
           atomic_load_explicit(&guard.stopping, memory_order_relaxed);
}

void guard_linger(bool tls)
{
    char scrap[4096];
    size_t dropped = 0;
    int fd = this_fd;
    uint64_t end_at = now_us() + LINGER_MS * 1000;
    if (fd < 0) {
        return;
    }
    if (!tls) {
        shutdown(fd, SHUT_WR);
    }
    while (dropped < LINGER_BYTES) {
        uint64_t now = now_us();
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
    for (size_t fd = 0; fd < guard.slot_count && fd < 65536; fd++) {
        int listening = 0;
        socklen_t size = sizeof(listening);
        if (getsockopt((int)fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0 && listening) {
            shutdown((int)fd, SHUT_RDWR);
        }
    }
}

void guard_drain(void)
{
    atomic_store(&guard.stopping, true);
    shut_listeners();
}

/* A request that has come and is not read yet. */
static bool has_bytes(int fd)
{
    char byte;
    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

unsigned guard_busy(void)
{
    unsigned busy = 0;
    size_t highest = atomic_load(&guard.highest);
    for (size_t fd = 0; fd <= highest && fd < guard.slot_count; fd++) {
        struct slot *s = &guard.slots[fd];
        pthread_mutex_lock(&guard.lock);
        int state = atomic_load(&s->state);
        bool waiting = (state == IDLE || state == FRESH) && !has_bytes((int)fd);
        if (waiting && !atomic_load(&s->expired)) {
            end((int)fd, s, SHUT_RD);
        }
        busy += state != CLOSED && !waiting;
        pthread_mutex_unlock(&guard.lock);
    }
    return busy;
}
