/* guard_table.c - see guard_table.h. */
#include "http/guard_table.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include "base/panic.h"

#define MAX_SLOTS (256 * 1024)
#define OTHER_FILES 512

struct guard_table guard_table = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

void guard_table_open(const struct guard_limits *limits)
{
    guard_table.slot_count = raise_file_limit(limits->threads + limits->queue + OTHER_FILES);
    guard_table.limits = *limits;
    guard_table.slots = mem_zero(guard_table.slot_count, sizeof(*guard_table.slots));
    guard_table.peers = peer_count_new();
    guard_table.shakers = peer_count_new();
    guard_table.handshakes = 0;
    guard_table.highest = 0;
    guard_table.open = 0;
    guard_table.accepted = guard_table.taken = 0;
    guard_table.stopping = false;
}

void guard_table_close(void)
{
    free(guard_table.slots);
    guard_table.slots = NULL;
    guard_table.slot_count = 0;
    peer_count_free(guard_table.peers);
    guard_table.peers = NULL;
    peer_count_free(guard_table.shakers);
    guard_table.shakers = NULL;
}
