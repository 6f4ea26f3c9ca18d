/* remark.h - what somebody has noted about another, for himself alone. Whoever it is about never learns of it.
 *
 * Reading: relation.h and follow_common_ask. Threads: any.
 */
#ifndef SOCIAL_PEOPLE_REMARK_H
#define SOCIAL_PEOPLE_REMARK_H

#include "base/err.h"
#include "social/people/follow.h"

#define REMARK_MAX 2000  /* code points */
#define REMARK_MOST 1000 /* about how many people */

/* Action (action.h): the actor notes this text about whoever item->name names, in place of what he had noted; an empty
 * one takes it away. Sets name, uid and result of the item: FOLLOW_CHANGED; FOLLOW_SELF and FOLLOW_UNKNOWN: nothing was
 * done. ERR_INVALID with problems, ERR_CONFLICT: he has noted something about REMARK_MOST people. Two round trips. */
enum err remark_set(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                    const char *text, struct problems *p);

#endif
