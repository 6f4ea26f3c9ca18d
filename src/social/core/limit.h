/* limit.h - rate limits, counted in the engine so that all processes of a site share them (GCRA, rate_limit.lua).
 *
 * Threads: any.
 */
#ifndef SOCIAL_CORE_LIMIT_H
#define SOCIAL_CORE_LIMIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "config/config.h"

struct arena;
struct social;
struct store_batch;

enum limit {
    LIMIT_SIGN_IN,
    LIMIT_SIGN_IN_ACCOUNT,
    LIMIT_SIGN_IN_DEVICE,
    LIMIT_SIGN_UP,
    LIMIT_POST,
    LIMIT_DELETE,
    LIMIT_FOLLOW,
    LIMIT_SETTINGS
};

/* Takes `cost` from the limit of `who` (an address, a uid, a folded name or a device). ERR_OK, or ERR_TOO_MANY with the seconds to
 * wait in *retry_after, or engine errors: without the engine nothing is let through. */
enum err limit_take(struct social *s, struct arena *a, enum limit what, const char *who, unsigned cost,
                    unsigned *retry_after);

#define LIMIT_NETWORKS 3

/* The same, for one attempt from an address, which is counted by several networks in one round trip: `networks` are, from the
 * narrowest, an IPv4 address alone, or the /64, /56 and /48 of an IPv6 one, and end with NULL. The wider ones allow more
 * (limits.network_56, network_48); what one of them refuses counts for none. */
enum err limit_take_networks(struct social *s, struct arena *a, enum limit what, const char *const *networks,
                             unsigned *retry_after);

/* The last of them, which stands for one customer where there is too little for all. */
const char *limit_widest(const char *const *networks);

/* The same as limit_take for a user id. */
enum err limit_take_user(struct social *s, struct arena *a, enum limit what, uint64_t uid, unsigned cost,
                         unsigned *retry_after);

/* The same for what frees memory: an engine too full to count lets it through, or nobody could make room. */
enum err limit_take_freeing(struct social *s, struct arena *a, enum limit what, uint64_t uid, unsigned cost,
                            unsigned *retry_after);

#endif
