/* mutex.h - locks that panic.h knows of: a thread that holds one must not end one request only.
 *
 * pthread's own functions for taking, giving back and waiting without end are called nowhere else (`make lint`). For
 * panic.h the thread that waits for a condition holds the lock before, meanwhile and afterwards.
 *
 * Threads: any.
 */
#ifndef BASE_MUTEX_H
#define BASE_MUTEX_H

#include <pthread.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/panic.h"

#define MUTEX_WAIT_MS 2000

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

/* Waits for a condition that clock_condition has made. It may return without a signal, so the caller asks each time whether
 * there is something to do; and it does so after MUTEX_WAIT_MS at the latest, because glibc before 2.41 can lose a signal
 * where several threads wait (bug 25847): what they wait for comes late then, and not never. */
static inline void mutex_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    struct timespec until = clock_until(MUTEX_WAIT_MS);
    pthread_cond_timedwait(c, m, &until);
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
