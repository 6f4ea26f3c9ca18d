/* waiters.h - who waits for a connection, in the order in which they came.
 *
 * Waiting is nearly fair: a connection that comes back may go to the next caller, because that keeps a processor busy
 * instead of waking one up, but not past a caller who has waited for too long (waiters_hand_over).
 *
 * Internal to src/store: a part of the pool.
 *
 * Threads: those that hold the pool's mutex.
 */
#ifndef STORE_WAITERS_H
#define STORE_WAITERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct connection;

/* A connection that is not lent out. */
struct idle {
    struct connection *connection;
    unsigned generation;
    uint64_t since_us;
};

/* Somebody who waits, on his own stack. */
struct waiter {
    struct waiter *next;
    bool shared; /* waits for a line, where others wait for him: he stands before all who do not */
    pthread_cond_t turn;
    uint64_t since_us;
    struct idle gift; /* handed over to him: nobody else could take it, and he is out of the line */
};

struct waiters {
    struct waiter *first; /* who has waited longest */
    struct waiter **last;
};

void waiters_setup(struct waiters *all);

/* Puts him at the end of the queue. waiter_leave must follow. */
void waiter_enter(struct waiters *all, struct waiter *w, bool shared);
void waiter_leave(struct waiters *all, struct waiter *w);

/* Waits for a signal or that moment (clock_monotonic_us), with the mutex given back meanwhile. False: it was the
 * moment. */
bool waiter_sleep(struct waiter *w, pthread_mutex_t *mutex, uint64_t until_us);

/* Something has changed: wakes the one who has waited longest; or all. */
void waiters_wake_first(const struct waiters *all);
void waiters_wake_all(const struct waiters *all);

/* Gives it to the one who has waited longest, if he has waited too long. False: the connection is not lent out. */
bool waiters_hand_over(struct waiters *all, const struct idle *back);

#endif
