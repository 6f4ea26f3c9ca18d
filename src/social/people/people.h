/* people.h - the records of several people at once, for the other files of social/.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_PEOPLE_H
#define SOCIAL_PEOPLE_PEOPLE_H

#include <stddef.h>
#include <stdint.h>

#include "social/people/user.h"

struct arena;
struct store_batch;
struct visit;

/* Users to be shown: from the cache, else with the next round trip. After people_take an id of 0 is nobody, or somebody who
 * was deleted. */
struct people {
    struct user *users;
    size_t *replies; /* SIZE_MAX: was in the cache */
    size_t count;
    struct store_batch *batch;
};

void people_add(struct visit *v, struct people *p, const uint64_t *ids, size_t count);
void people_take(struct visit *v, struct people *p);

#endif
