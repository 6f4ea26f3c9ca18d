/* memo.h - answers of the engine that are given again without asking, as long as nothing they tell of has changed.
 *
 * Whole batches, by their bytes: a batch that its maker lets be kept (store_batch_keep), and all of whose commands are
 * plain reads of keys, or scripts that only read and whose keys the maker knows (store_batch_source). All its answers are given or none, so they are of one moment, as if the batch had been run then.
 * Whether something has changed, and how this process's own writes show at once, is watch.h's.
 *
 * What is in an answer may change without a write when a key's time is over (PTTL, a session). So nothing is kept for
 * longer than MEMO_SECONDS.
 *
 * Internal to src/store: run.c asks here before it sends anything. Threads: those of the batches.
 */
#ifndef STORE_MEMO_H
#define STORE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMO_SECONDS 10

struct kept_numbers;
struct memo;
struct store_batch;
struct watch;

/* Keeps answers in so many bytes. The watch becomes its own. */
struct memo *memo_new(struct watch *w, size_t bytes);
void memo_free(struct memo *m);

/* See watch_end. */
void memo_end(struct memo *m);

/* Gives the batch its answers. False: it has to be run; b->memo_token is set then. */
bool memo_find(struct memo *m, struct store_batch *b);

/* Keeps the answers of a batch that was run without an error, if they can be kept. */
void memo_keep(struct memo *m, const struct store_batch *b);

/* The batch is over, or will be: what it wrote has changed. */
void memo_note(struct memo *m, const struct store_batch *b);

/* hits: batches that were given answers; misses: those that were run. */
void memo_count(struct memo *m, struct kept_numbers *out);

#endif
