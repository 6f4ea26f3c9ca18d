/* guard_table.h - what guard.c and guard_accept.c share: one slot for each file descriptor. Nobody else includes it.
 *
 * `lock` guards the address counts, and that a slot cannot be closed while the watch thread shuts it down (civetweb
 * closes a socket only after guard_leave). The atomic fields may be a moment old for who has not the lock.
 */
#ifndef HTTP_GUARD_TABLE_H
#define HTTP_GUARD_TABLE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/guard.h"
#include "http/peer_count.h"

enum guard_state { CLOSED, FRESH, READING, WORKING, WRITING, IDLE }; /* FRESH: accepted, not a byte read */

struct guard_slot {
    _Atomic int state;
    _Atomic bool expired;
    _Atomic uint64_t deadline; /* monotonic µs; 0: none */
    _Atomic uint64_t since;    /* when the state began */
    _Atomic uint64_t number;   /* connections are numbered as they come; see guard_table.taken */
    bool counted;
    struct address group; /* counted under this */
};

struct guard_table {
    pthread_mutex_t lock;
    struct guard_limits limits;
    struct guard_slot *slots;
    size_t slot_count;
    _Atomic size_t highest; /* slots beyond were never used */
    _Atomic unsigned open;
    _Atomic uint64_t accepted; /* connections so far */
    _Atomic uint64_t taken;    /* of them by a thread: civetweb's queue is first in, first out */
    _Atomic bool stopping;
    struct peer_count *peers;
};

extern struct guard_table guard_table;

/* Monotonic time, good to a few milliseconds and much cheaper than the exact clock. */
uint64_t guard_now_us(void);

/* NULL if there is no such slot. */
struct guard_slot *guard_slot_of(int fd);

void guard_set(struct guard_slot *s, enum guard_state state, uint64_t now, uint64_t deadline);

/* With the lock: ends the connection of a slot by shutdown(2). A reader is told "end of file" and may still answer 408;
 * a writer's client is cut off. */
void guard_end(int fd, struct guard_slot *s, int how);

/* With the lock: takes a connection off the books. */
void guard_forget(struct guard_slot *s);

/* When connections wait for a thread: ends as many that hold one and make no use of it. */
void guard_make_room(unsigned count);

#endif
