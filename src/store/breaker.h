/* breaker.h - whether a node is known to be out of reach, and when somebody may try again.
 *
 * Open while the last attempt to connect failed, or the node stayed silent past a deadline. Then one prober connects
 * when the back-off is over: 50 ms, doubling up to 5 s (up to 1 s when the engine's settings are wrong), with full
 * jitter, so that many processes do not come at once. Success closes the breaker. Rejected: a prober thread of its own.
 * Requests come anyway, and when none come nobody needs to know.
 *
 * Internal to src/store: a part of the pool.
 *
 * Threads: those that hold the pool's mutex.
 */
#ifndef STORE_BREAKER_H
#define STORE_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* A caller who comes when the node may be back in a moment waits for so long instead of being refused. */
#define BREAKER_PATIENCE_US (200 * 1000)

struct breaker {
    bool open;
    bool probing;
    bool told;        /* the log knows of the trouble; a reset does not make it news again */
    enum err trouble; /* what callers are told while it is open */
    unsigned failures;
    uint64_t next_try_us;
    uint64_t alive_us; /* when the node last answered anybody */
    uint64_t random;
};

void breaker_setup(struct breaker *b, uint64_t seed);

/* What a caller may do: go on as usual; probe (and say so with breaker_probe); wait a moment, for a prober or to become
 * one; give up. */
enum breaker_advice { BREAKER_CLOSED, BREAKER_PROBE, BREAKER_WAIT, BREAKER_OPEN };
enum breaker_advice breaker_ask(const struct breaker *b);

void breaker_probe(struct breaker *b);
void breaker_probed(struct breaker *b);

/* An attempt failed, or a connection was opened. Each says whether that is news. */
bool breaker_trip(struct breaker *b, enum err trouble);
bool breaker_heal(struct breaker *b);

/* The next caller may try at once. */
void breaker_reset(struct breaker *b);

/* The node answered somebody. */
void breaker_note_answer(struct breaker *b, uint64_t now_us);

/* Whether the node answered somebody in the later half of a wait that has just ended in vain. Then the node is not
 * silent: this one connection is, or this thread did not run for so long. */
bool breaker_is_doubtful(const struct breaker *b, uint64_t since_us);

#endif
