/* guard.h - how long, how often and how many: the socket calls of civetweb, with limits around them.
 *
 * packaging/deps/civetweb_guard.h renames accept, recv and send in civetweb.c to the three functions below, and shows
 * guard_head and guard_target the head of each request. civet.c tells the guard what each connection is doing; a watch thread ends those
 * that do it for too long. Inside src/http only.
 *
 * There is one guard per process, because accept(2) has no room for a context. Threads: guard_accept is civetweb's
 * master thread, the others are connection threads, and each of those serves one connection at a time, so "this
 * connection" needs no argument.
 */
#ifndef HTTP_GUARD_H
#define HTTP_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "http/address.h"

struct guard_limits {
    unsigned threads;                   /* connections served at a time; more of them wait */
    unsigned queue;                     /* so many may wait; the rest are told 503 */
    unsigned per_address;               /* connections of one address (IPv6: of one /64) */
    uint64_t request_ms;                /* for header plus body, and for sending the answer */
    uint64_t keep_alive_ms;             /* between two requests */
    const struct address_list *trusted; /* proxies: not counted per address, like loopback and Unix sockets */
};

/* Before the server starts, and after it stopped. */
void guard_start(const struct guard_limits *limits);
void guard_stop(void);

/* The renamed system calls. */
int guard_accept(int listener, struct sockaddr *address, socklen_t *length);
ssize_t guard_recv(int fd, void *buffer, size_t size, int flags);
ssize_t guard_send(int fd, const void *data, size_t size, int flags);

/* The head of this connection's next request as it came, before civetweb cuts it into strings. */
void guard_head(const char *head, int size);
/* Where it ended. NULL if its lines do not all end with CR LF, or more than one empty line came before it. */
const char *guard_head_end(void);

/* Called by civetweb with the target of a request line that it has parsed, in its own buffer. civetweb understands paths;
 * of "*" and of "http://host/path" the result is the path that it is to work with, and this is what was there: */
const char *guard_target(const char *method, const char *target);

struct guard_target {
    const char *start;     /* where the target began */
    const char *authority; /* "host" of the absolute form, in the same buffer; NULL: there was none */
    size_t authority_length;
    bool https;    /* the absolute form began with https:// */
    bool asterisk; /* it was "*", or an OPTIONS for a host without a path, which means the same */
};

/* Of this connection's request. */
const struct guard_target *guard_target_seen(void);

/* The ports of the TLS listeners, as soon as they are known. What comes by them begins with a handshake, which has a shorter
 * deadline, and of which there may be only so many at a time: half of the threads, and a quarter of what one address may
 * have open. */
void guard_tls_ports(const unsigned *ports, size_t count);

/* This thread has taken a connection from the queue. Of a TLS connection guard_attach says which socket that is, when
 * the handshake begins, and guard_greeted that the client has said all that it has to say at first, before guard_take, which
 * is the handshake's end; of one in plain text the first guard_recv knows. */
void guard_take(void);
void guard_attach(int fd);
void guard_greeted(void);

/* What this connection does from now on. */
void guard_reading(size_t body); /* a body of so many bytes; the time runs from the request's first byte */
void guard_working(void);        /* a handler runs: it has its own time limits */
void guard_writing(size_t size); /* an answer of so many bytes */
void guard_idle(void);           /* waits for the next request */
void guard_leave(void);          /* is being closed */

/* The server's end of this connection: address and port, or the path of a Unix socket. False without one. */
bool guard_here(struct sockaddr_storage *out);

/* True when the watch thread has ended this connection. */
bool guard_expired(void);

/* Bytes that came since the last request (plain text only): tells a header that is too long from a malformed one. */
size_t guard_received(void);

/* True when connections wait for a thread, or the server is stopping: answer and close. */
bool guard_crowded(void);

/* Reads and drops what the client still sends, for a moment: a close with unread bytes would be a reset that takes the
 * answer with it. */
void guard_linger(bool tls);

/* Stops accepting: connections are refused, idle ones end. Then how many are still at something. */
void guard_drain(void);
unsigned guard_busy(void);

#endif
