/* sleeper.c - see sleeper.h. */
#include "base/sleeper.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/panic.h"

struct sleeper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t told;
    bool ends;
    void (*body)(struct sleeper *s, void *context);
    void *context;
};

static void *sleeper_run(void *argument)
{
    struct sleeper *s = argument;
    s->body(s, s->context);
    return NULL;
}

struct sleeper *sleeper_start(void (*body)(struct sleeper *s, void *context), void *context)
{
    struct sleeper *s = mem_zero(1, sizeof(*s));
    s->body = body;
    s->context = context;
    pthread_mutex_init(&s->lock, NULL);
    clock_condition(&s->told);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&s->thread, NULL, sleeper_run, s) != 0) {
        panic("cannot start a thread");
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s;
}

bool sleeper_sleep(struct sleeper *s, uint64_t ms)
{
    struct timespec until = clock_until(ms);
    int result = 0;
    mutex_lock(&s->lock);
    while (!s->ends && result == 0) {
        result = pthread_cond_timedwait(&s->told, &s->lock, &until);
    }
    bool ends = s->ends;
    mutex_unlock(&s->lock);
    return !ends;
}

void sleeper_tell(struct sleeper *s)
{
    mutex_lock(&s->lock);
    s->ends = true;
    pthread_cond_signal(&s->told);
    mutex_unlock(&s->lock);
}

void sleeper_end(struct sleeper *s)
{
    if (!s) {
        return;
    }
    sleeper_tell(s);
    pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->told);
    pthread_mutex_destroy(&s->lock);
    free(s);
}
