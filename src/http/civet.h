/* civet.h - civetweb's side of the fence: civet.c is the one file that includes civetweb.h.
 *
 * From its words to ours: connections and headers in, the exchanges of exchange.h out. Inside src/http only.
 *
 * Threads: start and stop are the main thread's. civetweb has a master that accepts and http.threads workers, all made
 * at start.
 */
#ifndef HTTP_CIVET_H
#define HTTP_CIVET_H

#include <stdbool.h>
#include <stdio.h>

#define CIVET_QUEUE 256 /* connections that wait for a thread */

struct config;
struct exchange_site;
struct listen_list;
struct mg_context;
struct tls;

/* All of it belongs to the caller and outlives the server; civet_start sets `context`. */
struct civet {
    const struct config *config;
    struct exchange_site *site;
    struct listen_list *listen;
    struct tls *tls; /* NULL: no entry of `listen` speaks TLS */
    struct mg_context *context;
};

/* Listens and serves, between guard_start and guard_stop. Ports of `listen` that were 0 are known afterwards. False,
 * with civetweb's complaint on report, if it cannot listen at an address. */
bool civet_start(struct civet *c, FILE *report);

/* Ends all connections and threads. */
void civet_stop(struct civet *c);

#endif
