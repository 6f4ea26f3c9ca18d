/* mutex.h - locks that panic.h knows of: a thread that holds one must not end one request only.
 *
 * pthread's own functions for taking and giving back are called nowhere else (`make lint`). Waiting for a condition
 * needs nothing of this: the thread that waits holds the lock before and afterwards.
 *
 * Threads: any.
 */
#ifndef BASE_MUTEX_H
#define BASE_MUTEX_H

#include <pthread.h>
#include <stdbool.h>

#include "base/panic.h"

static inline void mutex_lock(pthread_mutex_t *m)
{
    pthread_mutex_lock(m);
    panic_shared_enter();
}

/* False if somebody else has it. */
static inline bool mutex_try(pthread_mutex_t *m)
{
    bool got = pthread_mutex_trylock(m) == 0;
    if (got) {
        panic_shared_enter();
    }
    return got;
}

static inline void mutex_unlock(pthread_mutex_t *m)
{
    panic_shared_leave();
    pthread_mutex_unlock(m);
}

static inline void mutex_read_lock(pthread_rwlock_t *m)
{
    pthread_rwlock_rdlock(m);
    panic_shared_enter();
}

static inline void mutex_write_lock(pthread_rwlock_t *m)
{
    pthread_rwlock_wrlock(m);
    panic_shared_enter();
}

static inline void mutex_rw_unlock(pthread_rwlock_t *m)
{
    panic_shared_leave();
    pthread_rwlock_unlock(m);
}

#endif
