/* connection.h - one connection to one node: opened, introduced, written, read, thrown away.
 *
 * Internal to src/store. A connection that failed in any way is freed and never used again: a late reply would answer
 * the wrong command. Deadlines are moments of clock_monotonic_us and hold for the whole exchange, not for one system
 * call.
 *
 * Threads: one at a time; the pool hands connections round.
 */
#ifndef STORE_CONNECTION_H
#define STORE_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "base/err.h"
#include "store/url.h"

struct arena;
struct audit;
struct buffer;
struct connection;
struct store_reply;
struct tls;

/* How to reach a node: constant while the store is open. */
struct connection_target {
    struct url url;
    const char *password_file; /* read again for every new connection; NULL: none */
    struct audit *audit;       /* NULL: our own engine */
    struct tls *tls;           /* NULL: plain */
    uint64_t connect_us;
    uint64_t command_us;
};

enum connection_state {
    CONNECTION_OK,
    CONNECTION_BROKEN,  /* closed by the other side, or refused */
    CONNECTION_LATE,    /* the deadline passed */
    CONNECTION_GARBAGE, /* not the protocol, or beyond its limits */
    CONNECTION_EMPTY,   /* of connection_parse alone: no whole reply has come yet */
};

#define CONNECTION_WHY_SIZE 1024

/* Connects, with TLS if the target has it. On failure returns NULL, with the class (ERR_UNAVAILABLE, ERR_CONFIG) and a
 * reason for the log. The introduction is in handshake.h. */
struct connection *connection_dial(const struct connection_target *t, enum err *e, char why[CONNECTION_WHY_SIZE]);

void connection_free(struct connection *c);

/* A thread that waits for this connection finds it broken at once. May be called by any thread, unlike everything else
 * here. */
void connection_break(struct connection *c);

/* Writes it all. *touched tells whether anything left: if not, nothing can have been applied. After CONNECTION_LATE the
 * parts are what is still to be written, and the call may be repeated with them, even with none. */
enum connection_state connection_send(struct connection *c, struct iovec *parts, size_t count, uint64_t deadline,
                                      bool *touched);

/* The next reply, into out and the arena. */
enum connection_state connection_receive(struct connection *c, struct arena *a, struct store_reply *out,
                                         uint64_t deadline);

/* Writes what stands in the buffer, and reads so many replies to it, into the buffer's arena: for who has the connection to
 * himself. */
enum connection_state connection_ask(struct connection *c, const struct buffer *commands, struct store_reply *replies,
                                     size_t count, uint64_t deadline);

/* The two halves of connection_receive, for a line (line.h), which lets other threads do something between them: one read
 * from the socket, which waits; and the next reply of what has been read. A reply that has come in part is continued by
 * the next call, which may be for another place: out NULL forgets it. Nothing is skipped. */
enum connection_state connection_fill(struct connection *c, uint64_t deadline);
enum connection_state connection_parse(struct connection *c, struct arena *a, struct store_reply *out);

/* The next `count` replies will not be asked for: they are skipped before the next one that is. */
void connection_forget(struct connection *c, size_t count);
size_t connection_owed(const struct connection *c);
/* What is owed will be skipped by the caller. */
size_t connection_take_owed(struct connection *c);
/* Skips it now. */
enum connection_state connection_drain(struct connection *c, uint64_t deadline);

/* False if bytes came that nobody asked for: the connection must not be used again. */
bool connection_settled(const struct connection *c);

/* Without a round trip: false if the other side has hung up. */
bool connection_is_alive(struct connection *c);

/* Whether the engine has the scripts, as far as this connection knows; false once a skipped reply was NOSCRIPT. */
bool connection_has_scripts(const struct connection *c);
void connection_set_scripts(struct connection *c, bool has);

const struct connection_target *connection_target(const struct connection *c);

/* Why the last call failed, in words. */
const char *connection_why(const struct connection *c);

#endif
