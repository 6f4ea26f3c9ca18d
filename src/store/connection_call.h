/* connection_call.h - a call of link.h on one connection: what all links that are made of connections do alike.
 *
 * Internal to src/store. Threads: that of the call.
 */
#ifndef STORE_CONNECTION_CALL_H
#define STORE_CONNECTION_CALL_H

#include "store/connection.h"
#include "store/link.h"

/* Writes the call, and reads before it what the connection owes, if that is too much. Sets the call's deadline. */
enum connection_state connection_call_send(struct connection *c, struct link_call *call);

/* After the last reply that is wanted: the others will be skipped. */
void connection_call_end(struct connection *c, const struct link_call *call);

/* What the state is to the caller, with the reason in call->why. The connection must not be used again. */
enum link_state connection_call_fail(struct connection *c, struct link_call *call, enum connection_state s);

/* No connection: nothing was sent. */
enum link_state connection_call_refuse(struct link_call *call, enum err e, const char *why);

#endif
