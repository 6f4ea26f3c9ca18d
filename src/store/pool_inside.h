/* pool_inside.h - what a pool is made of: for pool.c and pool_take.c alone.
 *
 * Threads: those that hold the mutex.
 */
#ifndef STORE_POOL_INSIDE_H
#define STORE_POOL_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "store/breaker.h"
#include "store/loan.h"
#include "store/waiters.h"

struct pool {
    const struct connection_target *target;
    char *label; /* for log lines */
    pthread_mutex_t mutex;
    struct waiters waiters;
    size_t capacity;
    size_t open;   /* idle, lent or being opened */
    size_t single; /* of these lent or being opened, and not for a line */
    size_t single_most;
    struct loans loans;
    struct idle *idle;
    size_t idle_count;
    _Atomic unsigned generation;
    struct breaker breaker;
};

/* Whether such a caller may have one more connection. */
static inline bool pool_has_place(const struct pool *p, bool shared)
{
    return shared || p->single < p->single_most;
}

/* True if it is worth a line in the log. Those who wait for a connection are told now. */
bool pool_trip(struct pool *p, enum err trouble);

#endif
