/* dedicated.c - see dedicated.h. `lock` guards what link_cut needs: the connection while there is one, and `ended`. */
#include "store/dedicated.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "store/connection_call.h"
#include "store/handshake.h"
#include "store/link.h"

struct dedicated {
    struct link link;
    const struct connection_target *target;
    pthread_mutex_t lock;
    struct connection *connection; /* NULL: none yet, or none any more */
    bool ended;
};

/* Makes it the connection, unless it was ended meanwhile. */
static bool adopt(struct dedicated *d, struct connection *c)
{
    mutex_lock(&d->lock);
    bool welcome = !d->ended;
    d->connection = welcome ? c : NULL;
    mutex_unlock(&d->lock);
    return welcome;
}

static void hang_up(struct dedicated *d)
{
    mutex_lock(&d->lock);
    struct connection *c = d->connection;
    d->connection = NULL;
    mutex_unlock(&d->lock);
    connection_free(c);
}

static bool is_ended(struct dedicated *d)
{
    mutex_lock(&d->lock);
    bool ended = d->ended;
    mutex_unlock(&d->lock);
    return ended;
}

/* A connection that has said who it is; link_cut breaks it from its first moment on. */
static enum err call_up(struct dedicated *d, char why[CONNECTION_WHY_SIZE])
{
    enum err e = ERR_OK;
    struct connection *c = connection_dial(d->target, &e, why);
    if (!c) {
        return e;
    }
    if (!adopt(d, c)) {
        connection_free(c);
        return ERR_UNAVAILABLE;
    }
    e = handshake_introduce(c, why);
    if (e != ERR_OK) {
        hang_up(d);
    }
    return e;
}

/* The one that there is, if it can be used. */
static bool is_fit(struct dedicated *d)
{
    struct connection *c = d->connection;
    if (c && (!connection_is_alive(c) || (!connection_has_scripts(c) && handshake_refresh(c, false) != ERR_OK))) {
        hang_up(d);
    }
    return d->connection != NULL;
}

/* The connection has failed. */
static enum link_state dedicated_give_up(struct dedicated *d, struct link_call *call, enum connection_state s)
{
    enum link_state state = connection_call_fail(d->connection, call, s);
    hang_up(d);
    return state;
}

static enum link_state dedicated_send(struct link *l, struct link_call *call)
{
    struct dedicated *d = (struct dedicated *)l;
    char why[CONNECTION_WHY_SIZE] = "";
    if (is_ended(d)) {
        return connection_call_refuse(call, ERR_UNAVAILABLE, "nobody listens any more");
    }
    enum err e = is_fit(d) ? ERR_OK : call_up(d, why);
    if (e != ERR_OK) {
        return connection_call_refuse(call, e, arena_dup(call->arena, why));
    }
    enum connection_state s = connection_call_send(d->connection, call);
    return s == CONNECTION_OK ? LINK_OK : dedicated_give_up(d, call, s);
}

static enum link_state dedicated_receive(struct link *l, struct link_call *call, struct store_reply *out)
{
    struct dedicated *d = (struct dedicated *)l;
    enum connection_state s = connection_receive(d->connection, call->arena, out, call->deadline);
    return s == CONNECTION_OK ? LINK_OK : dedicated_give_up(d, call, s);
}

static void dedicated_end(struct link *l, struct link_call *call, bool demoted)
{
    struct dedicated *d = (struct dedicated *)l;
    connection_call_end(d->connection, call);
    if (demoted || !connection_settled(d->connection)) {
        hang_up(d);
    }
}

static void dedicated_cut(struct link *l)
{
    struct dedicated *d = (struct dedicated *)l;
    mutex_lock(&d->lock);
    d->ended = true;
    if (d->connection) {
        connection_break(d->connection);
    }
    mutex_unlock(&d->lock);
}

static void dedicated_free(struct link *l)
{
    struct dedicated *d = (struct dedicated *)l;
    connection_free(d->connection);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

struct link *dedicated_new(const struct connection_target *t)
{
    static const struct link_ops ops = {
        .send = dedicated_send,
        .receive = dedicated_receive,
        .end = dedicated_end,
        .cut = dedicated_cut,
        .free = dedicated_free,
    };
    struct dedicated *d = mem_zero(1, sizeof(*d));
    d->link.ops = &ops;
    d->target = t;
    pthread_mutex_init(&d->lock, NULL);
    return &d->link;
}
