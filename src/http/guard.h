/* guard.h - how long a connection may take for what it does: civetweb's recv and send, with limits around them.
 *
 * packaging/deps/civetweb_guard.h renames them in civetweb.c to the functions below. civet.c and exchange.c tell what
 * each connection is doing; a watch thread (guard_watch.h) ends those that do it for too long. Who gets a connection is
 * in guard_accept.h. Inside src/http only.
 *
 * Threads: connection threads, and each of those serves one connection at a time, so "this connection" needs no
 * argument.
 */
#ifndef HTTP_GUARD_H
#define HTTP_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* The renamed system calls. */
ssize_t guard_recv(int fd, void *buffer, size_t size, int flags);
ssize_t guard_send(int fd, const void *data, size_t size, int flags);

/* guard_take: this thread has taken a connection from the queue. For TLS, guard_attach says which socket that is when
 * the handshake begins, guard_greeted that the client's first message has come, and guard_take follows at the end of
 * the handshake. In plain text the first guard_recv shows the socket. */
void guard_take(void);
void guard_attach(int fd);
void guard_greeted(void);

/* Say what this connection does from now on. */
void guard_reading(size_t body); /* a body of so many bytes; the time runs from the request's first byte */
void guard_working(void);        /* a handler runs: it has its own time limits */
void guard_writing(size_t size); /* an answer of so many bytes */
void guard_idle(void);           /* waits for the next request */
void guard_leave(void);          /* is being closed */

/* The socket of this connection; -1 while it is not known. */
int guard_socket(void);

/* True when the server is stopping. */
bool guard_stopping(void);

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

#endif
