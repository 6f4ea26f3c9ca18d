/* sieve.h - those who listen with filters: who is woken by what the hub heard (hub.h).
 *
 * One thread of the process loads what was posted for all, once, finds by an index (match.h) who wants it, and hands it to them alone. So
 * a post costs what those cost who want it, however many listen. Each has a short queue: who lets it fill is cut off.
 *
 * Of a post that is deleted those are told to whom it was handed not long ago.
 *
 * Threads: any; each listener is one thread's.
 */
#ifndef SOCIAL_STREAMING_SIEVE_H
#define SOCIAL_STREAMING_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/streaming/hub.h"

struct arena;
struct match_query;
struct sieve;
struct sieve_listener;
struct social;

#define SIEVE_QUEUE 128

/* Who listens. What ends his sessions, or those of his application, is handed to him too. */
struct sieve_who {
    uint64_t account, app;
};

/* Begins to listen from now on, which is *at. NULL: the process does not hear the engine. To be left before the product is closed. */
struct sieve_listener *sieve_join(struct social *s, const struct match_query *q, const struct sieve_who *who,
                                  struct hub_place *at);
void sieve_leave(struct sieve_listener *l);

/* A descriptor that can be read when there may be something to take, or the server stops. */
int sieve_fd(const struct sieve_listener *l);

/* The next entries, at most so many, in the arena; of the last one the number is 0 if the process lost its place (hub.h). *at: up to where he
 * has been told with them. False: he let his queue fill. */
bool sieve_take(struct sieve_listener *l, struct arena *a, struct hub_entry *out, size_t most, size_t *count,
                struct hub_place *at);

/* --- for product.c ------------------------------------------------------------------------------------------------- */

struct sieve *sieve_open(void);
/* When nobody listens any more. */
void sieve_close(struct sieve *s);

#endif
