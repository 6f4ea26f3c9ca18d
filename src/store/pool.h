/* pool.h - the connections to one node, and what is known about its health.
 *
 * Internal to src/store. Connections are opened when first needed and handed out last in, first out. When the node
 * cannot be reached, one caller at a time tries again, ever more rarely; the others get the error at once (breaker.h).
 *
 * Threads: any.
 */
#ifndef STORE_POOL_H
#define STORE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "store/loan.h"

struct connection_target;
struct pool;

/* The target must outlive the pool. Of its places so many are kept for lines (line.h), so that who needs a connection of
 * his own for long never takes the last one. */
struct pool *pool_new(const struct connection_target *t, size_t capacity, size_t reserved);

/* All connections must have been given back. */
void pool_free(struct pool *p);

/* Lends a connection that is fit for use. ERR_BUSY when all stayed in use for a second; the class of the trouble when
 * the node is known to be out of reach; otherwise what opening one says. */
enum err pool_take(struct pool *p, struct loan *loan);

/* For a loan that lasts: false once its connection must not be used for anything new (pool_reset, pool_refuse, or others
 * of its age were lost). */
bool pool_is_current(struct pool *p, const struct loan *loan);

/* The node has just answered on a connection that stays lent; or it has been silent there since that moment, past a
 * deadline. */
void pool_answered(struct pool *p);
void pool_silent(struct pool *p, uint64_t since_us);

/* Takes a good connection back. */
void pool_give(struct pool *p, struct loan *loan);

enum pool_reason {
    POOL_UNFIT,  /* this connection only */
    POOL_LOST,   /* closed by the other side: those of the same age probably are, too */
    POOL_LATE,   /* the node was silent past a deadline: out of reach until a new connection proves otherwise */
    POOL_DEMOTED /* the node takes no writes any more: find out anew who does */
};

/* Throws a connection away, and others with it where the reason says so. */
void pool_drop(struct pool *p, struct loan *loan, enum pool_reason reason);

/* The node takes no writes any more, said a connection of this generation. */
void pool_demoted(struct pool *p, unsigned generation);

/* No connection of now is used again, and the next caller may try at once (the engine was restarted). */
void pool_reset(struct pool *p);

/* The node must not be used as it is set up: it is not, until a new connection finds it mended. `why` is for the
 * log. */
void pool_refuse(struct pool *p, const char *why);

/* Ends all waiting for the node, now and later: callers get ERR_UNAVAILABLE. */
void pool_end(struct pool *p);

#endif
