/* handshake.h - what is said on a new connection before it carries anybody's commands.
 *
 * Internal to src/store. Threads: that of the connection.
 */
#ifndef STORE_HANDSHAKE_H
#define STORE_HANDSHAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "store/connection.h"

/* HELLO with user and password, SELECT, a look whether the scripts are there (loaded if not), and whether the engine is fit
 * (audit.h). */
enum err handshake_introduce(struct connection *c, const struct connection_target *t, uint64_t deadline,
                             bool *has_scripts, char why[CONNECTION_WHY_SIZE]);

enum err handshake_load_scripts(struct connection *c, uint64_t deadline);
enum err handshake_ping(struct connection *c, uint64_t deadline);

#endif
