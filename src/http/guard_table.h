/* guard_table.h - what the guard's files share: the limits, and one slot for each file descriptor. Others include it
 * for the limits only.
 *
 * `lock` guards the address counts, and keeps a slot from being closed while the watch thread shuts it down (civetweb
 * closes a socket only after guard_leave). Without the lock, the atomic fields may be a moment old.
 */
#ifndef HTTP_GUARD_TABLE_H
#define HTTP_GUARD_TABLE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/address.h"
#include "http/peer_count.h"

struct guard_limits {
    unsigned threads;                   /* connections served at a time; more of them wait */
    unsigned queue;                     /* so many may wait; the rest get 503 */
    unsigned per_address;               /* connections of one address (IPv6: of one /64) */
    uint64_t request_ms;                /* for header plus body, and for sending the answer */
    uint64_t keep_alive_ms;             /* between two requests */
    const struct address_list *trusted; /* proxies: not counted per address, like loopback and Unix sockets */
};

/* FRESH: accepted, not a byte of a request read; before it, of a TLS connection, HANDSHAKE. */
enum guard_state { CLOSED, HANDSHAKE, FRESH, READING, WORKING, WRITING, IDLE };

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
    _Atomic uint64_t taken;    /* how many of them a thread has taken: civetweb's queue is first in, first out */
    _Atomic bool stopping;
    struct peer_count *peers;   /* connections */
    struct peer_count *shakers; /* handshakes */
    _Atomic unsigned handshakes;
};

extern struct guard_table guard_table;

/* Makes the table empty, with as many slots as there can be connections; gives it back. */
void guard_table_open(const struct guard_limits *limits);
void guard_table_close(void);

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

#endif
