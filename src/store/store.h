/* store.h - the data engine as the rest of the program sees it: batches of commands, typed replies.
 *
 * A caller builds a batch (bucket + command, or bucket + script), runs it, and reads the replies in order. The store
 * sends one pipeline per node and hides connections, the pool, timeouts, reconnects with back-off, NOSCRIPT, LOADING,
 * READONLY, failover. Which node holds a bucket is its business alone, so a cluster changes nothing above.
 *
 * What this is not: an object mapper. Keys come from keys.h, meaning from social/. This header has no file of its own:
 * opening and closing is in open.c, batches in batch.c and run.c, health in health.c.
 *
 * The folder store/, in the order to read it: keys.h, record.h and answer.h (the words of the data), scripts/ and
 * script_call.h (how they are changed), batch.h and run.c (how a batch is sent), map.h and link.h (to which node, by
 * what), line.h, pool.h, connection.h and handshake.h (over which connections), breaker.h, audit.h and health.c (whether the
 * engine can be trusted at the moment).
 *
 * Threads: a struct store is shared by all; a batch belongs to one thread.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "store/keys.h"
#include "store/reply.h"

struct arena;
struct buffer;
struct config;
struct confine;
struct store;
struct store_batch;
struct store_values;

/* Opens the store that config.redis describes. It does not wait for the engine: store_run answers ERR_UNAVAILABLE
 * until it can be reached. Writes a line to report and returns NULL if the URL or a file it needs is unusable. */
struct store *store_open(const struct config *c, FILE *report);
void store_close(struct store *s);

/* Allows what a process that confines itself needs for talking with the engine that config.redis names. */
void store_confine(const struct config *c, struct confine *k);

/* Keeps answers of reads in so many bytes, for batches that ask for it (store_batch_keep): for a program that serves, as
 * it takes two connections and two threads. 0: none are kept. Before anybody else uses the store. */
void store_remember(struct store *s, size_t bytes);

/* How much of that is used, and how often. */
struct kept_numbers;
void store_remembered(struct store *s, struct kept_numbers *out);

/* Waits until the engine answers PING and has loaded its data, at most timeout_ms. */
enum err store_wait_ready(struct store *s, uint64_t timeout_ms);

/* Whether the engine answers and is fit to keep data (audit.h): ERR_CONFIG when it is not, and then nobody is served
 * before it is mended. To be called now and then; new connections are checked without it. */
enum err store_look(struct store *s);

/* Whether reads and writes work now (one round trip; ERR_READ_ONLY when a post would be refused). Writes lines that say
 * which limit it is, or what is wrong with the engine; with ERR_OK only warnings. */
enum err store_health(struct store *s, struct buffer *say);

/* The lines for an error that some call answered: err_info's, or why the engine is refused. */
void store_explain(struct store *s, enum err e, struct buffer *say);

/* The findings about the engine's set-up, one "error: …" or "warning: …" a line; true if it is refused. */
bool store_findings(struct store *s, struct buffer *out);

/* Sets METRIC_ENGINE_UP, and what all nodes together use of memory and may use (one round trip). */
enum err store_measure(struct store *s);

/* Forgets broken connections at once and reconnects: the supervisor calls it when the engine came back. */
void store_reset(struct store *s);

/* Breaks off all calls that wait for the engine and refuses new ones: for a program that must end while the engine
 * hangs. All callers get ERR_UNAVAILABLE. Only store_close can follow. */
void store_end(struct store *s);

/* A new batch whose memory and replies live in the arena. */
struct store_batch *store_batch_new(struct store *s, struct arena *a);

/* By default a batch may be sent again when the connection broke before its reply came (all reads, and scripts that
 * know their request id). A batch with commands that must not run twice says so. */
void store_batch_once(struct store_batch *b);

/* From now on the batches that this thread makes have a connection to themselves while they run, instead of sharing one
 * with those of pages: for threads for which nobody waits, and whose answers may be large. (Batches of many commands, those
 * that must not run twice, and those of store_start and store_send have it anyway.) */
void store_thread_apart(void);

/* The answers may be those of the last time, if the batch is all reads and nothing that it reads has changed: then there is
 * no round trip (memo.h). What this process has written shows at once, what others have within milliseconds. */
void store_batch_keep(struct store_batch *b);

/* For the answer of a script that changes nothing: on which keys it depends, so that it can be kept like those of plain
 * reads. `keys` finds them by the answer, in memory of the arena; at most STORE_SOURCES_MAX. `context` lives as long as the
 * batch. */
#define STORE_SOURCES_MAX 32
typedef size_t store_source_keys(struct arena *a, const struct store_reply *answer, const char **out, void *context);
void store_batch_source(struct store_batch *b, size_t index, store_source_keys *keys, void *context);

/* A number that goes with the batch to the reader of its replies; 0 if none was set. The store does nothing with it:
 * caches use it to know what had been heard of before the batch was sent (social/core/cache.h). */
void store_batch_mark(struct store_batch *b, uint64_t mark);
uint64_t store_batch_marked(const struct store_batch *b);

/* The arena that it lives in. */
struct arena *store_batch_arena(const struct store_batch *b);

/* Has call(context) called once, at the end of store_run or store_send and on the batch's thread, even if the batch
 * failed: when an answer is lost, the command may have been carried out. */
void store_batch_then(struct store_batch *b, void (*call)(void *context), void *context);

/* Adds a command: arguments are C strings, NULL ends them. Returns the index of its reply. */
size_t store_command(struct store_batch *b, unsigned bucket, ...) __attribute__((sentinel));
size_t store_command_v(struct store_batch *b, unsigned bucket, size_t count, const char *const *arguments);

/* Adds `command key argument…` for each id, the keys being those of one kind (keys.h, KEY_ID): what store_command would
 * do one by one, for thousands. Returns the index of the first reply. */
size_t store_command_ids(struct store_batch *b, const char *command, enum key k, const uint64_t *ids, size_t count,
                         size_t argument_count, const char *const *arguments);

/* Adds reads of one string key each for many ids, in as few commands as the nodes allow: for one node it is one, and
 * costs a tenth of as many GETs. The values are read with store_value. Lives in the arena of the batch. */
struct store_values *store_values_add(struct store_batch *b, enum key k, const uint64_t *ids, size_t count);

size_t store_batch_count(const struct store_batch *b);

/* Sends a batch without waiting, so that the caller can prepare the next one meanwhile. store_run, which must follow,
 * then only waits. */
void store_start(struct store_batch *b);

/* Sends everything and waits: one round trip, nodes in parallel. An empty batch is ERR_OK without one. The result is
 * the first error in order (of transport or of a command); each reply has its own, so a caller that can go on without
 * one looks at them. After a transport error every missing reply is a STORE_ERROR. */
enum err store_run(struct store_batch *b);

/* Sends without waiting and ignores the replies: for cache write-backs that may be lost. */
void store_send(struct store_batch *b);

/* The i-th reply; valid after store_run. */
const struct store_reply *store_reply(const struct store_batch *b, size_t i);

/* The value of the i-th id of store_values_add; NIL if it has none. */
const struct store_reply *store_value(const struct store_values *v, size_t i);

/* For tools that walk over all keys: how many nodes there are, and a bucket that lies on the n-th. */
size_t store_nodes(const struct store *s);
unsigned store_node_bucket(const struct store *s, size_t node);

/* Round trips made by this thread since store_trips_reset: the access log prints it, a test counts it. */
unsigned store_trips(void);
void store_trips_reset(void);

#endif
