/* read.h - the rounds of one request: the questions of all its reads go to the engine together, until no read has more
 * to ask.
 *
 * A read is a struct of some module, and functions of the type read_step that take its replies out of a round. A read
 * that wants another round names the step that follows it; a read that names none is done. All reads of a request share
 * their rounds, so a page makes as many round trips as its slowest read needs, and no more. A round in which nothing is
 * asked (the cache had it) is no round trip.
 *
 * This is what the visit (people/visit.h) is built on. Modules use it through people/visit_read.h.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_CORE_READ_H
#define SOCIAL_CORE_READ_H

#include <stddef.h>

#include "base/err.h"

struct arena;
struct social;
struct store_batch;
struct visit;

/* One step of a read. An error ends all reads of the request. */
typedef enum err read_step(struct visit *v, void *self);

struct read_wait {
    struct read_wait *next;
    read_step *step;
    void *self;
};

struct reads {
    struct social *social;
    struct arena *arena;
    struct visit *visit;            /* handed to each step */
    struct store_batch *batch;      /* the next round */
    struct store_batch *answers;    /* the round before; NULL: there was none */
    enum err first_round;           /* how the first one went, whatever the steps made of it */
    struct read_wait *first, **end; /* the reads that wait for the next round, in the order in which they came */
};

void reads_begin(struct reads *r, struct social *s, struct arena *a, struct visit *v);

/* The step is called once, after the next round and after the steps that were named before it. */
void reads_then(struct reads *r, read_step *step, void *self);

/* Rounds until no read waits for another. The first error, of the engine or of a step, ends it: steps behind it are not
 * called. */
enum err reads_run(struct reads *r);

#endif
