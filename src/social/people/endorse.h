/* endorse.h - whom somebody recommends to others, on his profile: only people whom he follows, ENDORSE_MOST at most. It
 * ends with following them.
 *
 * Threads: any; a visit belongs to one.
 */
#ifndef SOCIAL_PEOPLE_ENDORSE_H
#define SOCIAL_PEOPLE_ENDORSE_H

#include <stdbool.h>

#include "base/err.h"
#include "social/people/follow.h"

#define ENDORSE_MOST 100

/* Action (action.h): the actor recommends whoever item->name names, or does not any more (also of whom he never did).
 * Sets name, uid and result of the item: FOLLOW_CHANGED; FOLLOW_SELF, FOLLOW_UNKNOWN, and FOLLOW_REFUSED (he does not
 * follow him): nothing was done. ERR_CONFLICT: he would recommend more than ENDORSE_MOST. Two round trips. */
enum err endorse_set(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item, bool on,
                     struct problems *p);

/* One page of whom somebody (0: the visitor) recommends, those whom he began with last first; nobody for whom he blocks.
 * ERR_NOT_FOUND: there is no such user. */
const struct follow_page *endorsed_ask(struct visit *v, uint64_t uid, const struct follow_query *q);

/* What a deleted user leaves of this, and of the other things that people keep about others. */
extern const struct remains endorse_remains;

#endif
