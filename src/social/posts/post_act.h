/* post_act.h - the table of what somebody does with a post by one press of a button, for the pages and the API. Boosting
 * is not in it: a boost goes to followers (boost.h).
 *
 * Threads: constant.
 */
#ifndef SOCIAL_POSTS_POST_ACT_H
#define SOCIAL_POSTS_POST_ACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct actor;
struct arena;
struct problems;
struct social;

struct post_act {
    const char *name; /* as in addresses */
    enum err (*act)(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                    struct problems *p);
    bool on;
};

/* NULL: there is none of this name. */
const struct post_act *post_act_of(const char *name);

#endif
