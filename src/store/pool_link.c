/* pool_link.c - see pool_link.h. What a call has of the link is its loan, or what it had in a line, in the arena of the
 * batch.
 *
 * In a line go the calls for which somebody just waits, as those of pages are, unless they are large or must not run twice.
 * What must run once has a connection whose other end was there a moment ago (lend); in a line others may be before it.
 */
#include "store/pool_link.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/panic.h"
#include "store/connection_call.h"
#include "store/dedicated.h"
#include "store/line.h"
#include "store/link.h"
#include "store/pool.h"
#include "store/reply.h"
#include "store/ride.h"

/* The largest call that goes in a line. */
#define SHARED_REPLIES 256
#define SHARED_BYTES (32 * 1024)

struct pool_link {
    struct link link;
    const struct connection_target *target;
    struct pool *pool;
    struct line **lines;
    size_t line_count;
};

/* What a call has of the link. */
struct passage {
    struct loan loan;
    const struct ride *ride; /* NULL: the loan counts */
};

static struct pool *pool_of(struct link *l)
{
    return ((struct pool_link *)l)->pool;
}

/* A connection; for a careful call one whose other end is still there. */
static enum err lend(struct pool *p, const struct link_call *call, struct loan *loan)
{
    for (;;) {
        enum err e = pool_take(p, loan);
        if (e != ERR_OK || !call->careful || connection_is_alive(loan->connection)) {
            return e;
        }
        pool_drop(p, loan, POOL_LOST);
    }
}

/* The connection has failed: nobody uses it again. */
static enum link_state pool_give_up(struct pool *p, struct link_call *call, enum connection_state s)
{
    struct loan *loan = &((struct passage *)call->own)->loan;
    enum link_state state = connection_call_fail(loan->connection, call, s);
    pool_drop(p, loan, s == CONNECTION_LATE ? POOL_LATE : s == CONNECTION_BROKEN ? POOL_LOST : POOL_UNFIT);
    return state;
}

static bool may_share(const struct link_call *call)
{
    size_t bytes = 0;
    for (size_t i = 0; i < call->part_count; i++) {
        bytes += call->parts[i].iov_len;
    }
    return call->prompt && !call->careful && call->replies > 0 && call->replies <= SHARED_REPLIES &&
           bytes <= SHARED_BYTES;
}

/* The line with the fewest in it comes first, and if it cannot have a connection, those that have one. NULL: none takes
 * it. */
static const struct ride *find_ride(const struct pool_link *l, struct link_call *call)
{
    size_t first = 0;
    for (size_t i = 1; i < l->line_count; i++) {
        first = line_crowd(l->lines[i]) < line_crowd(l->lines[first]) ? i : first;
    }
    const struct ride *r = NULL;
    for (size_t i = 0; i < l->line_count; i++) {
        const struct ride *next = line_ride(l->lines[(first + i) % l->line_count], call, r != NULL);
        r = next ? next : r;
        if (r && !(r->result == LINK_REFUSED && call->refused == ERR_BUSY)) {
            return r;
        }
    }
    return r;
}

static enum link_state pool_link_send(struct link *l, struct link_call *call)
{
    struct passage *own = call->own = arena_zero(call->arena, sizeof(*own));
    uint64_t deadline = call->deadline;
    bool shares = may_share(call);
    own->ride = shares ? find_ride((struct pool_link *)l, call) : NULL;
    enum err e = ERR_OK;
    if (!own->ride) {
        call->deadline = deadline; /* nothing was sent */
        e = lend(pool_of(l), call, &own->loan);
    }
    if (e == ERR_BUSY && shares) { /* the lines that were being opened when he came are open now */
        own->ride = find_ride((struct pool_link *)l, call);
    }
    if (own->ride) {
        return own->ride->result == LINK_REFUSED ? LINK_REFUSED : LINK_OK;
    }
    if (e != ERR_OK) {
        return connection_call_refuse_loan(call, e);
    }
    enum connection_state s = connection_call_send(own->loan.connection, call);
    return s == CONNECTION_OK ? LINK_OK : pool_give_up(pool_of(l), call, s);
}

static enum link_state pool_link_receive(struct link *l, struct link_call *call, struct store_reply *out)
{
    const struct passage *own = call->own;
    if (own->ride && call->received == own->ride->got) {
        return own->ride->result;
    }
    if (own->ride) {
        *out = own->ride->replies[call->received];
        return LINK_OK;
    }
    enum connection_state s = connection_receive(own->loan.connection, call->arena, out, call->deadline);
    return s == CONNECTION_OK ? LINK_OK : pool_give_up(pool_of(l), call, s);
}

static void pool_link_end(struct link *l, struct link_call *call, bool demoted)
{
    struct passage *own = call->own;
    if (own->ride) {
        if (demoted) {
            pool_demoted(pool_of(l), own->ride->generation);
        }
        return;
    }
    connection_call_end(own->loan.connection, call);
    if (demoted) {
        pool_drop(pool_of(l), &own->loan, POOL_DEMOTED);
    } else {
        pool_give(pool_of(l), &own->loan);
    }
}

static struct link *pool_link_dedicated(struct link *l)
{
    return dedicated_new(((struct pool_link *)l)->target);
}

static void pool_link_reset(struct link *l)
{
    pool_reset(pool_of(l));
}

static void pool_link_refuse(struct link *l, const char *why)
{
    pool_refuse(pool_of(l), why);
}

static void pool_link_cut(struct link *l)
{
    pool_end(pool_of(l));
}

static void pool_link_free(struct link *l)
{
    struct pool_link *p = (struct pool_link *)l;
    for (size_t i = 0; i < p->line_count; i++) {
        line_free(p->lines[i]);
    }
    free(p->lines);
    pool_free(p->pool);
    free(p);
}

struct link *pool_link_new(const struct connection_target *t, size_t capacity, size_t lines)
{
    static const struct link_ops ops = {
        .send = pool_link_send,
        .receive = pool_link_receive,
        .end = pool_link_end,
        .dedicated = pool_link_dedicated,
        .reset = pool_link_reset,
        .refuse = pool_link_refuse,
        .cut = pool_link_cut,
        .free = pool_link_free,
    };
    struct pool_link *l = mem_alloc(sizeof(*l));
    size_t count = lines < capacity ? lines : capacity - 1;
    *l = (struct pool_link){.link.ops = &ops, .target = t, .pool = pool_new(t, capacity, count), .line_count = count};
    l->lines = mem_zero(count + 1, sizeof(struct line *));
    for (size_t i = 0; i < count; i++) {
        l->lines[i] = line_new(l->pool);
    }
    return &l->link;
}
