/* line.c - see line.h: who comes into a line, who leads, who leaves.
 *
 * A line has exactly one leader unless it is LINE_EMPTY. Only he touches the connection. The lead goes from thread to
 * thread through `called` (chosen, under both locks) and RIDE_LEADS (told, without them).
 */
#include "store/line.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "store/connection.h"
#include "store/connection_call.h"
#include "store/loan.h"
#include "store/pool.h"
#include "store/reply.h"
#include "store/ride.h"

#define OUTBOX_MOST (1024 * 1024) /* unwritten bytes; whoever comes then goes elsewhere */
#define GRACE_US (1000 * 1000)    /* at most, and a third of the patience: see follow */
#define NOTE_US (5 * 1000)        /* the pool is told that the node answers, at most so often */

enum line_phase {
    LINE_EMPTY,  /* no connection and nobody there */
    LINE_BUSY,   /* the leader, alone, takes a connection or gives it back */
    LINE_OPEN,   /* whoever comes may come along */
    LINE_CLOSED, /* those who are under way are waited for, and nobody else may come */
};

struct bytes {
    char *data;
    size_t length, capacity;
};

struct line {
    struct pool *pool;
    _Atomic size_t crowd;
    pthread_mutex_t gate; /* of what follows */
    enum line_phase phase;
    struct rides waiting; /* whose bytes are in the outbox */
    struct bytes outbox;
    pthread_mutex_t flight; /* and of this, and of the parser */
    struct rides flying;    /* whose bytes are written, or being written */
    /* The leader's. */
    struct loan loan;
    struct bytes writing;
    struct iovec rest; /* of what is being written */
    bool stalled;      /* the connection itself may have some more */
    uint64_t noted_us;
};

struct line *line_new(struct pool *p)
{
    struct line *l = mem_zero(1, sizeof(*l));
    l->pool = p;
    pthread_mutex_init(&l->gate, NULL);
    pthread_mutex_init(&l->flight, NULL);
    return l;
}

void line_free(struct line *l)
{
    require_shared(l->phase == LINE_EMPTY);
    pthread_mutex_destroy(&l->gate);
    pthread_mutex_destroy(&l->flight);
    free(l->outbox.data);
    free(l->writing.data);
    free(l);
}

size_t line_crowd(const struct line *l)
{
    return atomic_load_explicit(&l->crowd, memory_order_relaxed);
}

static void lock_both(struct line *l)
{
    mutex_lock(&l->flight);
    mutex_lock(&l->gate);
}

static void unlock_both(struct line *l)
{
    mutex_unlock(&l->gate);
    mutex_unlock(&l->flight);
}

/* --- coming -------------------------------------------------------------------------------------------------------- */

static void bytes_add(struct bytes *b, const void *data, size_t length)
{
    if (b->capacity - b->length < length) {
        b->capacity = (b->length + length) * 2;
        b->data = mem_grow(b->data, b->capacity);
    }
    memcpy(b->data + b->length, data, length);
    b->length += length;
}

/* With the gate. */
static void line_add(struct line *l, struct ride *r)
{
    const struct link_call *c = r->call;
    for (size_t i = 0; i < c->part_count; i++) {
        bytes_add(&l->outbox, c->parts[i].iov_base, c->parts[i].iov_len);
    }
    rides_add(&l->waiting, r);
}

enum welcome { WELCOME_NOT, WELCOME_FOLLOWER, WELCOME_LEADER };

static enum welcome come(struct line *l, struct ride *r, bool join)
{
    enum welcome w = WELCOME_NOT;
    mutex_lock(&l->gate);
    if (l->phase == LINE_OPEN && l->outbox.length < OUTBOX_MOST) {
        line_add(l, r);
        w = WELCOME_FOLLOWER;
    } else if (l->phase == LINE_EMPTY && !join) {
        l->phase = LINE_BUSY;
        w = WELCOME_LEADER;
    }
    mutex_unlock(&l->gate);
    return w;
}

/* A connection for the first who comes; false if there is none. */
static bool open_line(struct line *l, struct ride *me)
{
    l->loan = (struct loan){.shared = true};
    enum err e = pool_take(l->pool, &l->loan);
    if (e == ERR_OK) {
        panic_shared_leave(); /* it is lent to the line, not to this thread */
        me->skip += connection_take_owed(l->loan.connection);
    } else {
        me->result = connection_call_refuse_loan(me->call, e);
    }
    mutex_lock(&l->gate);
    l->phase = e == ERR_OK ? LINE_OPEN : LINE_EMPTY;
    if (e == ERR_OK) {
        me->called = true;
        line_add(l, me);
    }
    mutex_unlock(&l->gate);
    return e == ERR_OK;
}

/* --- going --------------------------------------------------------------------------------------------------------- */

static void tell_all(struct rides *all, const struct ride *me)
{
    for (struct ride *r = all->first, *next; r; r = next) {
        next = r->next;
        if (r != me) {
            ride_tell(r, RIDE_OVER);
        }
    }
}

/* Nobody comes any more, and whose bytes have not been written goes elsewhere: those are put into `away`, for tell_all.
 * (Who leads looks by himself.) With both locks. */
static void close_gate(struct line *l, struct rides *away)
{
    l->phase = LINE_CLOSED;
    l->outbox.length = 0;
    while (l->waiting.first) {
        struct ride *r = rides_pop(&l->waiting);
        r->elsewhere = r->over = true;
        if (!r->called) {
            r->called = true;
            rides_add(away, r);
        }
    }
}

/* His time is over. False if he is being told something at this moment. */
static bool line_leave(struct line *l, struct ride *r, bool leads)
{
    struct rides away = {.first = NULL};
    lock_both(l);
    bool leaves = leads ? !r->over : !r->called;
    if (leaves) {
        r->called = r->over = true;
        r->call->touched = rides_take_out(&l->flying, r);
        if (!r->call->touched) {
            rides_take_out(&l->waiting, r);
        }
        close_gate(l, &away);
        ride_fail(r, LINK_LATE, "no answer in time");
    }
    unlock_both(l);
    if (leaves) {
        pool_silent(l->pool, r->since_us);
    }
    tell_all(&away, r);
    return leaves;
}

/* The pool has the connection again, and the line is as new. The leader's last act. */
static void wind_up(struct line *l, bool keep, enum pool_reason reason)
{
    l->rest.iov_len = 0;
    l->stalled = false;
    panic_shared_enter(); /* pool_give and pool_drop take it for this thread's */
    if (keep || !connection_settled(l->loan.connection)) {
        pool_give(l->pool, &l->loan);
    } else {
        pool_drop(l->pool, &l->loan, reason);
    }
    mutex_lock(&l->gate);
    l->phase = LINE_EMPTY;
    mutex_unlock(&l->gate);
}

/* The lead goes to the first who still waits. */
static void line_hand_over(struct line *l)
{
    lock_both(l);
    struct ride *heir = l->flying.first ? l->flying.first : l->waiting.first;
    bool keep = l->phase == LINE_OPEN;
    if (heir) {
        heir->called = true;
    } else {
        l->phase = LINE_BUSY;
    }
    unlock_both(l);
    if (heir) {
        ride_tell(heir, RIDE_LEADS);
    } else {
        wind_up(l, keep, POOL_UNFIT);
    }
}

/* The connection has failed: who is under way is lost. */
static void break_down(struct line *l, const struct ride *me, enum connection_state s)
{
    struct rides away = {.first = NULL}, lost = {.first = NULL};
    enum link_state result = s == CONNECTION_GARBAGE ? LINK_GARBAGE : LINK_LOST;
    const char *why = connection_why(l->loan.connection);
    lock_both(l);
    close_gate(l, &away);
    rides_append(&lost, &l->flying);
    for (struct ride *r = lost.first; r; r = r->next) {
        r->called = r->over = r->call->touched = true;
        ride_fail(r, result, why);
    }
    l->phase = LINE_BUSY;
    unlock_both(l);
    wind_up(l, false, result == LINK_LOST ? POOL_LOST : POOL_UNFIT);
    tell_all(&lost, me);
    tell_all(&away, me);
}

/* --- leading ------------------------------------------------------------------------------------------------------- */

/* Whether nobody may come any more: the connection is out of date, or says what nobody asked. With `flight`. */
static bool is_unfit(struct line *l)
{
    return !pool_is_current(l->pool, &l->loan) || (!l->flying.first && !connection_settled(l->loan.connection));
}

/* Whoever waits is written next, unless something is still being written. True if the leader's own call is over. */
static bool board(struct line *l, const struct ride *me)
{
    struct rides away = {.first = NULL};
    lock_both(l);
    if (l->phase == LINE_OPEN && is_unfit(l)) {
        close_gate(l, &away);
    }
    if (!l->rest.iov_len && !l->stalled) {
        rides_append(&l->flying, &l->waiting);
        struct bytes empty = l->writing;
        l->writing = l->outbox;
        l->outbox = empty;
        l->outbox.length = 0;
        l->rest = (struct iovec){.iov_base = l->writing.data, .iov_len = l->writing.length};
    }
    bool over = me->over;
    unlock_both(l);
    tell_all(&away, me);
    return over;
}

/* Writes what is to be written. */
static enum connection_state line_write(struct line *l, uint64_t deadline)
{
    bool touched;
    if (!l->rest.iov_len && !l->stalled) {
        return CONNECTION_OK;
    }
    enum connection_state s =
        connection_send(l->loan.connection, &l->rest, l->rest.iov_len ? 1 : 0, deadline, &touched);
    l->stalled = s == CONNECTION_LATE;
    return s;
}

/* One reply of what was read, to whom it belongs. With `flight`. */
static enum connection_state deliver(struct line *l, struct rides *done)
{
    struct ride *r = l->flying.first;
    bool wanted = r->skip == 0;
    enum connection_state s =
        connection_parse(l->loan.connection, wanted ? r->call->arena : NULL, wanted ? &r->replies[r->got] : NULL);
    if (s != CONNECTION_OK) {
        return s;
    }
    r->skip -= !wanted;
    r->got += wanted;
    if (r->got == r->call->replies) {
        rides_pop(&l->flying);
        r->called = r->over = true;
        r->generation = l->loan.generation;
        rides_add(done, r);
    }
    return CONNECTION_OK;
}

/* All of them. */
static enum connection_state unload(struct line *l, const struct ride *me)
{
    struct rides done = {.first = NULL};
    enum connection_state s = CONNECTION_OK;
    mutex_lock(&l->flight);
    while (l->flying.first && s == CONNECTION_OK) {
        s = deliver(l, &done);
    }
    mutex_unlock(&l->flight);
    uint64_t now = clock_monotonic_us();
    if (done.first && now - l->noted_us > NOTE_US) {
        l->noted_us = now;
        pool_answered(l->pool);
    }
    tell_all(&done, me);
    return s == CONNECTION_EMPTY ? CONNECTION_OK : s;
}

/* Until his own call is over. What has come meanwhile is written before he hands over, so that the engine has something
 * to do while his successor wakes. */
static void lead(struct line *l, struct ride *me)
{
    enum connection_state s = CONNECTION_OK;
    bool over = false;
    while (!over && s == CONNECTION_OK) {
        over = board(l, me);
        s = line_write(l, over ? 0 : me->call->deadline);
        if (!over && s == CONNECTION_OK) {
            s = connection_fill(l->loan.connection, me->call->deadline);
            s = s == CONNECTION_OK ? unload(l, me) : s;
        }
    }
    if (s == CONNECTION_BROKEN || s == CONNECTION_GARBAGE) {
        break_down(l, me, s);
        return;
    }
    if (!over) {
        line_leave(l, me, true);
    }
    line_hand_over(l);
}

/* Until it is over, or it is his turn to lead. Who is late waits a moment more: if this whole process did not run, the
 * replies may be there, and the leader is as late as he. */
static void follow(struct line *l, struct ride *me)
{
    uint64_t until = me->call->deadline, third = me->call->patience_us / 3;
    uint64_t grace = third < GRACE_US ? third : GRACE_US;
    for (bool late = false;; late = true) {
        enum ride_state state = ride_wait(me, until);
        if (state == RIDE_LEADS) {
            lead(l, me);
        }
        if (state != RIDE_WAITS || (late && line_leave(l, me, false))) {
            return;
        }
        until = clock_monotonic_us() + grace;
    }
}

struct ride *line_ride(struct line *l, struct link_call *call, bool join)
{
    struct ride *me = ride_new(call);
    panic_shared_enter(); /* others work in his arena */
    atomic_fetch_add_explicit(&l->crowd, 1, memory_order_relaxed);
    enum welcome w = come(l, me, join);
    if (w == WELCOME_FOLLOWER) {
        follow(l, me);
    } else if (w == WELCOME_LEADER && open_line(l, me)) {
        lead(l, me);
    }
    atomic_fetch_sub_explicit(&l->crowd, 1, memory_order_relaxed);
    panic_shared_leave();
    ride_end(me);
    return w == WELCOME_NOT || me->elsewhere ? NULL : me;
}
