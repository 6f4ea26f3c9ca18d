/* watch.h - hears from the engine which keys were changed, so that what was read of them need not be read again.
 *
 * Two connections of its own. By one (the hand) it tells the engine which keys it wants to hear of: CLIENT TRACKING with
 * REDIRECT, and EXISTS of each key, which is a read like any other. By the other (the ear) it hears of each change of
 * one, once; whoever still wants to hear of the key, it tells again. So the connections of pages know nothing of this,
 * and a proxy or an engine that cannot do it makes no difference but that everything is asked each time: the log says
 * so once.
 *
 * What was heard is counted. A reader takes the count as a token before he asks, and what he was answered is true as
 * long as no change of its keys was counted after his token. This process's own writes are counted when they are
 * answered, before whoever wrote goes on: so it sees them at once, whatever the ear has heard by then.
 *
 *   A change is made at E and heard of at H > E; a reader takes his token at T, is answered at R > T, and keeps that at
 *   P. R > E: he has the new value. R < E, H < P: H is after T, so what he keeps is false from the beginning, and nobody
 *   takes it. P < H: it is taken until H. But the engine tells only of keys that it was asked about before E: so a
 *   reader keeps what he read only if the hand had its answer about all keys before T.
 *
 * The ear and the hand ask the engine something all the time. When one of them has heard nothing for a second, nothing is
 * believed until it does, and after a connection was lost nothing that was read before it was made anew.
 *
 * Tracking is of one node: with several, nothing is watched yet.
 *
 * Internal to src/store. Threads: any; the two connections have a thread each.
 */
#ifndef STORE_WATCH_H
#define STORE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct connection_target;
struct watch;

/* Begins to connect. The target must outlive it; ended with key_watch_free. */
struct watch *watch_new(const struct connection_target *t);
void key_watch_free(struct watch *w);

/* Breaks off all waiting: for a program that ends while the engine hangs. key_watch_free must follow. */
void watch_end(struct watch *w);

/* Whether what it hears can be believed at this moment. */
bool watch_is_trusted(const struct watch *w);

/* How many changes were heard of by now. */
uint64_t watch_token(struct watch *w);

/* The place where changes of a key are counted, which it may share with others. */
uint32_t watch_place(const char *key, size_t length);

/* Whether a change of the key, or of anything in the bucket, may have been heard of after the token. */
bool watch_has_changed(struct watch *w, uint32_t place, uint64_t token);
bool watch_bucket_has_changed(struct watch *w, unsigned bucket, uint64_t token);

/* Tell source.h what was read after the token: in general, of a place, of a bucket. */
void watch_add_sources(struct watch *w, uint64_t token);
void watch_add_place(struct watch *w, uint32_t place, uint64_t token);
void watch_add_bucket(struct watch *w, unsigned bucket, uint64_t token);

/* Whether changes of the key have been heard since before the token. If not, they are from soon on. */
bool watch_hears(struct watch *w, const char *key, size_t length, uint64_t token);

/* This process has changed the key, or perhaps anything in the bucket. */
void watch_note(struct watch *w, uint32_t place);
void watch_note_bucket(struct watch *w, unsigned bucket);

#endif
