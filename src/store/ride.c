/* ride.c - see ride.h. */
#include "store/ride.h"

#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "store/reply.h"

#define LOOK_US (2 * 1000 * 1000) /* one wait at most (mutex.h says why) */

struct ride *ride_new(struct link_call *call)
{
    struct ride *r = arena_zero(call->arena, sizeof(*r));
    r->call = call;
    r->replies = arena_alloc(call->arena, call->replies * sizeof(*r->replies));
    r->skip = call->unasked;
    r->since_us = clock_monotonic_us();
    call->deadline = call->deadline ? call->deadline : r->since_us + call->patience_us;
    pthread_mutex_init(&r->lock, NULL);
    clock_condition(&r->turn);
    return r;
}

void ride_end(struct ride *r)
{
    pthread_cond_destroy(&r->turn);
    pthread_mutex_destroy(&r->lock);
}

enum ride_state ride_wait(struct ride *r, uint64_t until_us)
{
    mutex_lock(&r->lock);
    for (uint64_t now; r->state == RIDE_WAITS && (now = clock_monotonic_us()) < until_us;) {
        uint64_t look = until_us - now < LOOK_US ? until_us : now + LOOK_US;
        struct timespec t = {.tv_sec = (time_t)(look / 1000000), .tv_nsec = (long)(look % 1000000) * 1000};
        pthread_cond_timedwait(&r->turn, &r->lock, &t);
    }
    enum ride_state state = r->state;
    mutex_unlock(&r->lock);
    return state;
}

/* With the lock: once he can see it, the ride may be gone. */
void ride_tell(struct ride *r, enum ride_state state)
{
    mutex_lock(&r->lock);
    r->state = state;
    pthread_cond_signal(&r->turn);
    mutex_unlock(&r->lock);
}

void ride_fail(struct ride *r, enum link_state result, const char *why)
{
    r->result = result;
    r->call->why = arena_dup(r->call->arena, why);
}

void rides_add(struct rides *all, struct ride *r)
{
    r->next = NULL;
    if (all->first) {
        all->last->next = r;
    } else {
        all->first = r;
    }
    all->last = r;
}

void rides_append(struct rides *all, struct rides *more)
{
    if (!more->first) {
        return;
    }
    if (all->first) {
        all->last->next = more->first;
    } else {
        all->first = more->first;
    }
    all->last = more->last;
    *more = (struct rides){.first = NULL};
}

struct ride *rides_pop(struct rides *all)
{
    struct ride *r = all->first;
    all->first = r->next;
    return r;
}

bool rides_take_out(struct rides *all, struct ride *r)
{
    struct ride *before = NULL, *at = all->first;
    while (at && at != r) {
        before = at;
        at = at->next;
    }
    if (!at) {
        return false;
    }
    if (r->next) {
        r->next->skip += r->skip + r->call->replies - r->got;
    } else {
        all->last = before;
    }
    *(before ? &before->next : &all->first) = r->next;
    return true;
}
