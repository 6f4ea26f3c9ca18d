/* link.h - the way from a batch to the engine: one link for each node, which takes requests and gives their replies.
 *
 * run.c splits a batch by node, sends each node's part over that node's link, and reads the replies in order. How the
 * bytes get there is the link's business alone: the pool lends a connection to each call (pool_link.c), a listener has
 * one of its own (dedicated.c), the unit tests have links without any.
 *
 * The interface promises no more than can be kept by a connection that many threads share, and by the links of a
 * cluster:
 *  - A call says before it is sent how many replies will come and until when they are waited for, and its bytes stay
 *    where they are until it is over. So a leader can write and read for others.
 *  - A reply goes into the caller's arena only while the caller is in link_receive (or in link_send, if the call is
 *    `prompt`): between send and receive the arena is his.
 *  - run.c reads off the reply what a refusal means (a script is missing, the node is not the right one any more) and
 *  sends that one command again, perhaps over another link. Links do not look into replies and never send anything
 *  twice; link_state and call->touched tell run.c what it must know for that.
 *  - Links are added while a store is open, but none goes away.
 *
 * Internal to src/store.
 *
 * Threads: a link is shared by all, unless it is dedicated; a call belongs to the thread that made it.
 */
#ifndef STORE_LINK_H
#define STORE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/err.h"

struct arena;
struct link;
struct store_reply;

/* The state of a call. After anything but LINK_OK it is over. */
enum link_state {
    LINK_OK,
    LINK_REFUSED, /* nothing was sent: call->refused says why */
    LINK_LOST,    /* the other side closed the connection */
    LINK_LATE,    /* the deadline passed */
    LINK_GARBAGE, /* what came is not the protocol, or beyond its limits */
};

/* One request under way: some commands, and the replies to them. It must stay where it is until it is over. */
struct link_call {
    /* The caller's. */
    struct arena *arena; /* of the batch: for the replies, and for what the link itself needs */
    struct iovec *parts; /* the link may change the array, not the bytes */
    size_t part_count;
    size_t unasked; /* so many replies come first that nobody wants */
    size_t replies; /* and then so many; those that are not received before link_end are skipped */
    bool
        careful; /* send it only if the other side is seen to be there: it must not run twice, or nobody waits for replies */
    bool prompt;          /* the caller does nothing before it is over: link_send may wait for the replies too */
    uint64_t patience_us; /* for all replies together, from the moment when it is sent */
    uint64_t deadline;    /* of clock_monotonic_us; 0: link_send sets it, by patience_us */
    /* The link's. */
    void *own;
    size_t received;
    bool touched;     /* something left this machine, so it may have been applied */
    enum err refused; /* of LINK_REFUSED: ERR_BUSY, ERR_UNAVAILABLE, ERR_CONFIG, ERR_PROTOCOL */
    const char *why;  /* of any state but LINK_OK, for the log; in the arena */
};

struct link_ops {
    enum link_state (*send)(struct link *l, struct link_call *c);
    enum link_state (*receive)(struct link *l, struct link_call *c, struct store_reply *out);
    void (*end)(struct link *l, struct link_call *c, bool demoted);
    void (*cut)(struct link *l);
    void (*free)(struct link *l);
    /* Of the links of a map alone, not of dedicated ones. */
    struct link *(*dedicated)(struct link *l);
    void (*reset)(struct link *l);
    void (*refuse)(struct link *l, const char *why);
};

/* What every link begins with. */
struct link {
    const struct link_ops *ops;
};

/* Sends it all. Waits for a connection if need be, and for the other side to take the bytes. */
static inline enum link_state link_send(struct link *l, struct link_call *c)
{
    return l->ops->send(l, c);
}

/* Waits for the next reply. */
static inline enum link_state link_receive(struct link *l, struct link_call *c, struct store_reply *out)
{
    enum link_state s = l->ops->receive(l, c, out);
    c->received += s == LINK_OK;
    return s;
}

/* The caller wants no more of a call that has not failed. `demoted`: the node takes no writes any more; the link finds
 * out anew which node does. */
static inline void link_end(struct link *l, struct link_call *c, bool demoted)
{
    l->ops->end(l, c, demoted);
}

/* Another link to the same node, with a connection of its own, for one thread that waits longer than others. The caller
 * frees it; it must not outlive this one. */
static inline struct link *link_dedicated(struct link *l)
{
    return l->ops->dedicated(l);
}

/* The engine was started again: connections of before are not used any more, and the next caller may try at once. */
static inline void link_reset(struct link *l)
{
    l->ops->reset(l);
}

/* The node must not be used as it is set up, until a new connection finds it mended. `why` is for the log. */
static inline void link_refuse(struct link *l, const char *why)
{
    l->ops->refuse(l, why);
}

/* Ends all waiting for the node, now and later: callers get ERR_UNAVAILABLE. May be called by any thread. */
static inline void link_cut(struct link *l)
{
    l->ops->cut(l);
}

/* All calls must be over. */
static inline void link_free(struct link *l)
{
    if (l) {
        l->ops->free(l);
    }
}

#endif
