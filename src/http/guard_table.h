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

/* FRESH: accepted, not a byte of a request read; before it, of a TLS connection, HANDSHAKE. */
enum guard_state { CLOSED, HANDSHAKE, FRESH, READING, WORKING, WRITING, IDLE };

#define GUARD_TLS_PORTS 32 /* at least LISTEN_MAX */

struct guard_slot {
    _Atomic int state;
    _Atomic bool expired;
    _Atomic uint64_t deadline; /* monotonic µs; 0: none */
    _Atomic uint64_t since;    /* when the state began */
    _Atomic uint64_t number;   /* connections are numbered as they come; see guard_table.taken */
    _Atomic bool greeted;      /* HANDSHAKE: the client's first message has come */
    _Atomic bool shakes;       /* counted in guard_table.handshakes */
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
    struct peer_count *peers;   /* connections */
    struct peer_count *shakers; /* handshakes */
    _Atomic unsigned handshakes;
    unsigned tls_ports[GUARD_TLS_PORTS];
    _Atomic size_t tls_port_count;
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

/* With the lock: takes a connection off the books, or only its handshake. */
void guard_forget(struct guard_slot *s);
void guard_shaken(struct guard_slot *s);

/* How many handshakes may be under way. */
unsigned guard_handshakes_most(void);

/* Whether something has come that nobody has read. */
bool guard_has_bytes(int fd);

/* When connections wait for a thread: ends as many that hold one and make no use of it; or only such as are in their
 * handshake. */
void guard_make_room(unsigned count, bool handshakes);

#endif
