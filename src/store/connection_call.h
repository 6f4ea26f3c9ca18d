/* connection_call.h - a call of link.h on one connection: the part that all links made of connections share.
 *
 * Internal to src/store. Threads: that of the call.
 */
#ifndef STORE_CONNECTION_CALL_H
#define STORE_CONNECTION_CALL_H

#include "store/connection.h"
#include "store/link.h"

/* Writes the call; before that, reads the replies that the connection still owes if they are too many. Sets the call's
 * deadline. */
enum connection_state connection_call_send(struct connection *c, struct link_call *call);

/* After the last reply that is wanted: the others will be skipped. */
void connection_call_end(struct connection *c, const struct link_call *call);

/* Turns the state into one of link.h, with the reason in call->why. The connection must not be used again. */
enum link_state connection_call_fail(struct connection *c, struct link_call *call, enum connection_state s);

/* No connection: nothing was sent. */
enum link_state connection_call_refuse(struct link_call *call, enum err e, const char *why);

/* The same, when a pool lends none. */
enum link_state connection_call_refuse_loan(struct link_call *call, enum err e);

#endif
