/* population.c - see population.h. Any thread. */
#include "social/people/population.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "social/people/user.h"

#define COUNT_EVERY_US (60u * 1000000)

static struct {
    pthread_mutex_t lock;
    uint64_t counted_at;
    _Atomic int64_t users;
} numbers = {.lock = PTHREAD_MUTEX_INITIALIZER};

int64_t population(struct social *s, struct arena *a)
{
    if (!mutex_try(&numbers.lock)) {
        return atomic_load(&numbers.users);
    }
    uint64_t now = clock_monotonic_us();
    if (!numbers.counted_at || now > numbers.counted_at + COUNT_EVERY_US) {
        int64_t users;
        if (user_count_all(s, a, &users) == ERR_OK) {
            atomic_store(&numbers.users, users);
            numbers.counted_at = now;
        }
    }
    mutex_unlock(&numbers.lock);
    return atomic_load(&numbers.users);
}
