/* guard_accept.h - who gets a connection: accept(2) for civetweb, with limits before it. Inside src/http only.
 *
 * packaging/deps/civetweb_guard.h renames accept in civetweb.c to guard_accept. Threads: civetweb's master thread, the
 * only one that accepts.
 */
#ifndef HTTP_GUARD_ACCEPT_H
#define HTTP_GUARD_ACCEPT_H

#include <stddef.h>
#include <sys/socket.h>

#define GUARD_TLS_PORTS 32 /* at least LISTEN_MAX */

/* As accept(2); -1 with EAGAIN for a connection that was refused. */
int guard_accept(int listener, struct sockaddr *address, socklen_t *length);

/* The ports of the TLS listeners, as soon as they are known. Connections there begin with a handshake, which has a
 * shorter deadline. Only so many may run at a time: half of the threads, and for one address a quarter of the
 * connections that it may have open. */
void guard_tls_ports(const unsigned *ports, size_t count);

#endif
