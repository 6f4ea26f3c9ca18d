/* user_numbers.h - what is counted of people, as the process remembers it: for the authors of posts, whose accounts apps show with
 * them. A profile reads its own.
 *
 * Nobody tells of a change, so what is remembered is believed for USER_NUMBERS_SECONDS.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_USER_NUMBERS_H
#define SOCIAL_PEOPLE_USER_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "social/people/user.h"

struct arena;
struct social;
struct store_reply;

#define USER_NUMBERS_SECONDS 300

struct user_numbers {
    struct user_counts counts;
    uint64_t last_post; /* id; 0: he has none */
};

/* Remembers them; `token`: the mark of the batch that they came with (cache.h). */
void user_numbers_put(struct social *s, uint64_t uid, const struct user_numbers *n, uint64_t token);

/* False: they are not remembered, or too old. */
bool user_numbers_recall(struct social *s, struct arena *a, uint64_t uid, struct user_numbers *out);

/* Those that a script answered (include/numbers.lua), which are remembered, too; in the arena. NULL: it was not asked for
 * them. */
const struct user_numbers *user_numbers_take(struct social *s, struct arena *a, uint64_t uid,
                                             const struct store_reply *r, uint64_t token);

#endif
