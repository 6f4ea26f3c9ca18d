/* waiters.c - see waiters.h. */
#include "store/waiters.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

#include "base/clock.h"

#define HANDOVER_US (20 * 1000) /* a caller who has waited so long gets the next connection */

void waiters_setup(struct waiters *all)
{
    all->first = NULL;
    all->last = &all->first;
}

void waiter_enter(struct waiters *all, struct waiter *w, bool shared)
{
    *w = (struct waiter){.shared = shared, .since_us = clock_monotonic_us()};
    clock_condition(&w->turn);
    struct waiter **at = shared ? &all->first : all->last;
    while (*at && (*at)->shared) {
        at = &(*at)->next;
    }
    w->next = *at;
    *at = w;
    all->last = w->next ? all->last : &w->next;
}

static void take_out(struct waiters *all, struct waiter *w)
{
    struct waiter **at = &all->first;
    while (*at != w) {
        at = &(*at)->next;
    }
    *at = w->next;
    all->last = w->next ? all->last : at;
}

void waiter_leave(struct waiters *all, struct waiter *w)
{
    if (!w->gift.connection) {
        take_out(all, w);
    }
    pthread_cond_destroy(&w->turn);
}

bool waiter_sleep(struct waiter *w, pthread_mutex_t *mutex, uint64_t until_us)
{
    struct timespec t = {.tv_sec = (time_t)(until_us / 1000000), .tv_nsec = (long)(until_us % 1000000) * 1000};
    return pthread_cond_timedwait(&w->turn, mutex, &t) != ETIMEDOUT;
}

void waiters_wake_first(const struct waiters *all)
{
    if (all->first) {
        pthread_cond_signal(&all->first->turn);
    }
}

void waiters_wake_all(const struct waiters *all)
{
    for (struct waiter *w = all->first; w; w = w->next) {
        pthread_cond_signal(&w->turn);
    }
}

bool waiters_hand_over(struct waiters *all, const struct idle *back)
{
    struct waiter *w = all->first;
    if (!w || back->since_us <= w->since_us + HANDOVER_US) {
        return false;
    }
    take_out(all, w);
    w->gift = *back;
    pthread_cond_signal(&w->turn);
    return true;
}
