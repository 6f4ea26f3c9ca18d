/* ride.h - one call in a line (line.h), and how its thread waits.
 *
 * Internal to src/store: a part of line.c.
 *
 * Threads: `lock` guards `state`; the rest is guarded by the line's locks as long as the ride is in it, and the
 * caller's before and afterwards.
 */
#ifndef STORE_RIDE_H
#define STORE_RIDE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/link.h"

struct store_reply;

enum ride_state { RIDE_WAITS, RIDE_LEADS, RIDE_OVER };

struct ride {
    struct link_call *call;
    struct store_reply *replies; /* as many as the call has, those that have come first */
    size_t got;
    size_t skip; /* so many come before them that nobody wants */
    uint64_t since_us;
    enum link_state result;
    bool elsewhere;      /* not sent, and not refused */
    bool called;         /* he is being told that he leads, or that it is over: he cannot leave any more */
    bool over;           /* it is */
    unsigned generation; /* of the connection, for pool_demoted */
    struct ride *next;
    pthread_mutex_t lock;
    pthread_cond_t turn;
    enum ride_state state;
};

/* In the order in which they came. */
struct rides {
    struct ride *first, *last;
};

/* In the arena of the call, whose deadline it sets if there is none yet. */
struct ride *ride_new(struct link_call *call);

/* When it is over. */
void ride_end(struct ride *r);

/* Waits until he is told something, or until that moment (clock_monotonic_us): then RIDE_WAITS. */
enum ride_state ride_wait(struct ride *r, uint64_t until_us);

void ride_tell(struct ride *r, enum ride_state state);

/* The call has failed. `why` is copied. */
void ride_fail(struct ride *r, enum link_state result, const char *why);

void rides_add(struct rides *all, struct ride *r);

/* All of `more` behind them. */
void rides_append(struct rides *all, struct rides *more);

/* The first one, which there must be. */
struct ride *rides_pop(struct rides *all);

/* Takes him out, wherever he is; his replies are for the next to skip, if there is one. False if he is not there. */
bool rides_take_out(struct rides *all, struct ride *r);

#endif
