/* pool_link.c - see pool_link.h. What a call has of the link is its loan, in the arena of the batch. */
#include "store/pool_link.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/panic.h"
#include "store/connection_call.h"
#include "store/dedicated.h"
#include "store/link.h"
#include "store/pool.h"

struct pool_link {
    struct link link;
    const struct connection_target *target;
    struct pool *pool;
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
    struct loan *loan = call->own;
    enum link_state state = connection_call_fail(loan->connection, call, s);
    pool_drop(p, loan, s == CONNECTION_LATE ? POOL_LATE : s == CONNECTION_BROKEN ? POOL_LOST : POOL_UNFIT);
    return state;
}

static enum link_state pool_link_send(struct link *l, struct link_call *call)
{
    struct loan *loan = call->own = arena_alloc(call->arena, sizeof(*loan));
    enum err e = lend(pool_of(l), call, loan);
    if (e != ERR_OK) {
        return connection_call_refuse(call, e,
                                      e == ERR_BUSY ? "all connections are in use" : "the engine cannot be reached");
    }
    enum connection_state s = connection_call_send(loan->connection, call);
    return s == CONNECTION_OK ? LINK_OK : pool_give_up(pool_of(l), call, s);
}

static enum link_state pool_link_receive(struct link *l, struct link_call *call, struct store_reply *out)
{
    const struct loan *loan = call->own;
    enum connection_state s = connection_receive(loan->connection, call->arena, out, call->deadline);
    return s == CONNECTION_OK ? LINK_OK : pool_give_up(pool_of(l), call, s);
}

static void pool_link_end(struct link *l, struct link_call *call, bool demoted)
{
    struct loan *loan = call->own;
    connection_call_end(loan->connection, call);
    if (demoted) {
        pool_drop(pool_of(l), loan, POOL_DEMOTED);
    } else {
        pool_give(pool_of(l), loan);
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
    pool_free(pool_of(l));
    free(l);
}

struct link *pool_link_new(const struct connection_target *t, size_t capacity)
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
    *l = (struct pool_link){.link.ops = &ops, .target = t, .pool = pool_new(t, capacity)};
    return &l->link;
}
