/* acme.h - the proofs that show a certificate authority whose host this is (ACME, RFC 8555 8.3). Inside src/http only.
 *
 * What it is not: a client of such an authority. certbot or another program writes the proofs and fetches the
 * certificate.
 *
 * Threads: acme_setup by the main thread, before requests; the rest by any.
 */
#ifndef HTTP_ACME_H
#define HTTP_ACME_H

#include <stdbool.h>

#include "http/http.h"

/* `directory` has the proofs in its .well-known/acme-challenge; NULL or "" for none. It need not exist yet. */
void acme_setup(const char *directory);

/* Whether there is a directory, and so the routes below. */
bool acme_is_set(void);

/* /.well-known/acme-challenge/TOKEN */
extern const struct http_route acme_routes[];

#endif
