/* listener.h - a connection of its own for one thread that waits for the engine to say something.
 *
 * For commands that block (XREAD BLOCK): in the pool they would keep a connection from everybody, and an answer that
 * comes seconds later would look like a silent engine. Batches are made for the listener and otherwise are like any
 * other.
 *
 * Threads: one; store_listener_end by any.
 */
#ifndef STORE_LISTENER_H
#define STORE_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct store;
struct store_batch;
struct store_listener;

/* A listener to the node of that bucket. It connects when it is first used. To be freed before the store is closed. */
struct store_listener *store_listener_new(struct store *s, unsigned bucket);

/* An ordinary batch that goes over the listener's connection; all of it is for the listener's node, whatever the
 * buckets of its commands. Its replies may take patience_ms more than those of others, which here is three seconds at
 * most: set it to the time for which its command blocks. Failures are ordinary errors of store_run. The next batch connects anew at once, so the caller should
 * pause in between. Round trips of listeners are not counted. */
struct store_batch *store_listener_batch(struct store_listener *l, struct arena *a, uint64_t patience_ms);

/* The thread that waits gets ERR_UNAVAILABLE at once, and so does every later call. store_end does it too. */
void store_listener_end(struct store_listener *l);

/* NULL is allowed. */
void store_listener_free(struct store_listener *l);

/* Whether keys of both buckets may stand in one command (XREAD of several streams): then one listener hears both. */
bool store_same_command(const struct store *s, unsigned a, unsigned b);

/* Internal to src/store: store_listener_end for all that there are, and will be. */
void listeners_end(struct store *s);

#endif
