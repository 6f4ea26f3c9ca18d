/* handshake.h - the introduction on a connection, before it carries commands of others.
 *
 * Internal to src/store. Both take the target's connect_us at most, and say ERR_UNAVAILABLE, ERR_CONFIG or ERR_PROTOCOL
 * when they fail. Threads: that of the connection.
 */
#ifndef STORE_HANDSHAKE_H
#define STORE_HANDSHAKE_H

#include <stdbool.h>

#include "base/err.h"
#include "store/connection.h"

/* On a new connection: HELLO with user and password, SELECT, a check that the scripts are there (they are loaded if
 * not), and a check that the engine is fit (audit.h). */
enum err handshake_introduce(struct connection *c, char why[CONNECTION_WHY_SIZE]);

/* Makes an idle connection fit for use: PING if asked for, and the scripts if the engine forgot them. */
enum err handshake_refresh(struct connection *c, bool ping);

#endif
