/* tls.h - the certificate of the HTTPS listeners, exchangeable while the server runs. Inside src/http only.
 *
 * Threads: made and reloaded by the main thread; connection threads meet it in their handshakes.
 */
#ifndef HTTP_TLS_H
#define HTTP_TLS_H

#include <stdbool.h>
#include <stdio.h>

struct findings;
struct tls;

/* Reads certificate (with chain) and key, PEM. NULL with a line on report if they cannot be used. The two functions are
 * called on the connection's thread: when a handshake begins, with its socket, and when the client's first message has
 * come. */
struct tls *tls_new(const char *certificate, const char *key, void (*on_handshake)(int fd), void (*on_hello)(void),
                    FILE *report);
void tls_free(struct tls *t);

/* Reads the files again. On failure the old certificate stays, a line goes to report, and the result is false. */
bool tls_reload(struct tls *t, FILE *report);

/* The SSL_CTX for civetweb, which keeps it until the server stops. */
void *tls_context(struct tls *t);

/* Reports what tls_new would say of the files, and what browsers would: whether the certificate is valid now and for a
 * while, and for this host ("": not checked). */
void tls_check(const char *certificate, const char *key, const char *host, struct findings *f);

#endif
