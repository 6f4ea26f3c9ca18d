/* tls.h - the client side of TLS towards an engine (rediss://).
 *
 * Internal to src/store. hiredis' own helper does not compare the name in the certificate with the host, so the context
 * is made here. Any thread; a context is shared by all connections.
 */
#ifndef STORE_TLS_H
#define STORE_TLS_H

#include <stdio.h>

#include "base/err.h"

struct redisContext;
struct tls;

/* Trusts the PEM file `ca`, or the system's authorities if it is "" or NULL. NULL with a line on report on failure. */
struct tls *store_tls_new(const char *ca, FILE *report);
void store_tls_free(struct tls *t);

/* Encrypts a fresh connection and checks that the certificate is for `host` (name or address). On failure the context
 * of hiredis holds the reason. */
enum err tls_begin(struct tls *t, struct redisContext *context, const char *host);

#endif
