/* connection_call.c - see connection_call.h. */
#include "store/connection_call.h"

#include "base/arena.h"
#include "base/clock.h"

#define OWED_MAX 10000 /* unread replies a connection may carry before somebody reads them */

enum connection_state connection_call_send(struct connection *c, struct link_call *call)
{
    if (!call->deadline) {
        call->deadline = clock_monotonic_us() + call->patience_us;
    }
    if (connection_owed(c) > OWED_MAX) {
        enum connection_state s = connection_drain(c, call->deadline);
        if (s != CONNECTION_OK) {
            return s;
        }
    }
    connection_forget(c, call->unasked);
    return connection_send(c, call->parts, call->part_count, call->deadline, &call->touched);
}

void connection_call_end(struct connection *c, const struct link_call *call)
{
    connection_forget(c, call->replies - call->received);
}

enum link_state connection_call_fail(struct connection *c, struct link_call *call, enum connection_state s)
{
    call->why = arena_dup(call->arena, connection_why(c));
    return s == CONNECTION_GARBAGE ? LINK_GARBAGE : s == CONNECTION_LATE ? LINK_LATE : LINK_LOST;
}

enum link_state connection_call_refuse(struct link_call *call, enum err e, const char *why)
{
    call->refused = e;
    call->why = why;
    return LINK_REFUSED;
}

enum link_state connection_call_refuse_loan(struct link_call *call, enum err e)
{
    return connection_call_refuse(call, e,
                                  e == ERR_BUSY ? "all connections are in use" : "the engine cannot be reached");
}
