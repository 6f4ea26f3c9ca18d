/* everyone.h - all people of the site by their place: those of the first bucket, the first to come first, then those of the next.
 * It is an order of no meaning that anybody can page through to the end: where a place lies is known from how many people
 * each bucket has (population.h), so a page costs as much as it has people, at any size of the site.
 *
 * What this is not: who may be shown to whom.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_PEOPLE_EVERYONE_H
#define SOCIAL_PEOPLE_EVERYONE_H

#include <stddef.h>

#include "social/people/people.h"

/* Those at `count` places from one on; fewer at the end. A user with id 0 is hidden from the visitor, was deleted or is not
 * there. Two rounds; and one more when nobody has counted for a minute. People who come and go meanwhile move the places
 * behind them. */
const struct people *everyone_ask(struct visit *v, size_t from, size_t count);

#endif
