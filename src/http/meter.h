/* meter.h - how much of a rate limit each caller has used, in this process and in a fixed amount of memory.
 *
 * For reading, which is so frequent that a round trip to the engine for each request would cost more than the answer.
 * So a site of several processes allows the limit once for each process. Limits that must hold for the whole site
 * (signing in, posting) are in social/limit.h.
 *
 * A slot holds one number, the time at which its caller will have used nothing (GCRA). When many callers must share few
 * slots, the one who has used least is forgotten: a flood of addresses does not free the one that floods alone.
 *
 * Threads: any, at once. Inside src/http only.
 */
#ifndef HTTP_METER_H
#define HTTP_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

struct meter;

/* `slots` of 16 bytes, a power of two and at least 512. */
struct meter *meter_new(size_t slots);
void meter_free(struct meter *m);

/* Whether the caller may do one thing more: 0, or the microseconds until he may. `now` is clock_monotonic_us. Takes
 * nothing: several limits can be asked before any is charged. (Threads that ask at the same moment may all be let
 * through.) */
uint64_t meter_wait(struct meter *m, uint64_t caller, const struct config_limit *l, uint64_t now);

/* Microseconds until the caller will have used nothing. */
uint64_t meter_used(struct meter *m, uint64_t caller, uint64_t now);

/* How many things more he may do at once. */
uint64_t meter_left(uint64_t used, const struct config_limit *l);

/* Charges the caller for one thing. */
void meter_add(struct meter *m, uint64_t caller, const struct config_limit *l, uint64_t now);

/* The same slots as a set whose members are forgotten at a time: keep, ask, drop. */
void meter_keep(struct meter *m, uint64_t member, uint64_t until);
bool meter_has(struct meter *m, uint64_t member, uint64_t now);
void meter_drop(struct meter *m, uint64_t member);

#endif
