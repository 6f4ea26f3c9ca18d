/* outcome.h - the result of a batch: its first error, and lines in the log for what the engine refused.
 *
 * Internal to src/store. Threads: that of the batch.
 */
#ifndef STORE_OUTCOME_H
#define STORE_OUTCOME_H

#include "base/err.h"

struct store_batch;

/* The first error of the replies in order; ERR_OK if there is none. */
enum err outcome_of(const struct store_batch *b);

#endif
