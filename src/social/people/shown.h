/* shown.h - what somebody is shown of what he has changed, read in the round trip of the change: the last commands of the
 * change and the reads go in one batch, in this order, so the answer costs no round trip of its own.
 *
 * An action that knows of this takes the batch of its last commands from shown_batch, says by shown_ask what it was about,
 * and runs it by shown_run. All three go without (NULL): then it is a batch like any other. Whoever wants to be shown
 * something puts a struct shown into his actor (actor.h); if nothing was read, because there was nothing to change or the
 * action knows nothing of this, he reads by himself.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_PEOPLE_SHOWN_H
#define SOCIAL_PEOPLE_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct social;
struct store_batch;
struct visit;

struct shown {
    const struct visit *verified;
    /* Asks the visit for what is to be shown of this thing. NULL: nothing is to be read. */
    void (*ask)(struct shown *self, struct visit *v, uint64_t id);
    struct visit *visit; /* of the last try; NULL: there was none */
    bool is_read;        /* all that was asked is there */
    bool is_new;         /* the action has made the post: it was not there before */
};

struct store_batch *shown_batch(struct social *s, struct arena *a, struct shown *shown);

/* The commands of the change are in the batch; behind them comes what is asked of the thing. */
void shown_ask(struct shown *shown, uint64_t id);

/* store_run of the batch: how the change went, not whether it could be shown. */
enum err shown_run(struct shown *shown, struct store_batch *b);

#endif
