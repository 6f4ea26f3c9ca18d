/* limit.h - rate limits, counted in the engine so that all processes of a site share them (GCRA, rate_limit.lua).
 *
 * Threads: any.
 */
#ifndef SOCIAL_CORE_LIMIT_H
#define SOCIAL_CORE_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "config/config.h"
#include "store/calls.h"

struct arena;
struct problems;
struct social;
struct store_batch;
struct store_reply;

enum limit {
    LIMIT_SIGN_IN,
    LIMIT_SIGN_IN_ACCOUNT,
    LIMIT_SIGN_IN_DEVICE,
    LIMIT_SIGN_UP,
    LIMIT_APP,
    LIMIT_POST,
    LIMIT_DELETE,
    LIMIT_FOLLOW,
    LIMIT_REACT,
    LIMIT_SETTINGS,
    LIMIT_NONE
};

/* --- limits of users: they lie in his bucket, and are taken in the round trip of the change --- */

/* The words that tell a script of this user's limit, from which it takes `cost`; 0 takes nothing. */
struct script_limit limit_ask_user(struct social *s, enum limit what, uint64_t uid, unsigned cost);

/* Adds the taking to a batch whose reads come before the change; returns the index of the reply. */
size_t limit_add(struct store_batch *b, const struct script_limit *ask);

/* Turns the wait that a script answers (ANSWER_LIMITED) into p->retry_after. */
void limit_note(int64_t wait_ms, struct problems *p);

/* True when the script answers that the limit is reached: then nothing was taken or written, and p->retry_after is
 * set. */
bool limit_refuses(const struct store_reply *answer, struct problems *p);

/* --- limits of strangers, who are known by an address, a name or a device --- */

/* Takes one from the limit of `who` (a folded name or a device), in a round trip of its own. ERR_TOO_MANY with
 * p->retry_after, or engine errors: without the engine nothing is let through. */
enum err limit_take(struct social *s, struct arena *a, enum limit what, const char *who, struct problems *p);

#define LIMIT_NETWORKS 3

/* Adds to a batch the taking of one attempt from an address, which is counted by several networks. These are, from the
 * narrowest, an IPv4 address alone, or the /64, /56 and /48 of an IPv6 one; NULL ends them. The wider ones allow more
 * (limits.network_56, network_48). If one refuses, none counts the attempt. Returns the index of the reply for
 * limit_refuses, or LIMIT_UNASKED: there is no limit. */
#define LIMIT_UNASKED SIZE_MAX
size_t limit_networks_add(struct social *s, struct store_batch *b, struct arena *a, enum limit what,
                          const char *const *networks);

/* The widest of them, which stands for one customer when something scarce is shared out; "" for no address. */
const char *limit_widest(const char *const *networks);

#endif
