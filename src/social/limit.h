/* limit.h - rate limits, counted in the engine so that all processes of a site share them (GCRA, rate_limit.lua).
 *
 * Threads: any.
 */
#ifndef SOCIAL_LIMIT_H
#define SOCIAL_LIMIT_H

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

/* The same for a user id. */
enum err limit_take_user(struct social *s, struct arena *a, enum limit what, uint64_t uid, unsigned cost,
                         unsigned *retry_after);

#endif
