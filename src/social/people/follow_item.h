/* follow_item.h - people who are named in an action, and what came of it for each: who they are, counted by the limit of the
 * action. What is done to them: follow.h, apart.h, request.h, endorse.h, remark.h, lists.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_FOLLOW_ITEM_H
#define SOCIAL_PEOPLE_FOLLOW_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/action.h"

struct arena;
struct problems;
struct social;
struct store_batch;
struct store_reply;

enum follow_result {
    FOLLOW_CHANGED,
    FOLLOW_UNCHANGED,
    FOLLOW_SELF,
    FOLLOW_UNKNOWN,
    FOLLOW_REFUSED, /* one of both blocks the other */
    FOLLOW_ASKED,   /* his account is locked: he is asked, now or before */
};

struct follow_item {
    const char *name; /* as given; of the user when found */
    uint64_t uid;     /* given when the caller knows whose the name is, else 0; when looked for, 0: nobody's */
    enum follow_result result;
    bool is_locked; /* as he was found: he wants to be asked */
};

/* What every action upon named people begins with: who they are. Whom the process remembers is not asked for; *limit is
 * then how the script of the change takes `count` from the limit of the action `what`. Else they are looked up, and that
 * is taken in the same round trip, whether they are there or not: then *limit takes nothing. ERR_TOO_MANY: see action.h.
 * Without an error each has a result: FOLLOW_UNKNOWN, FOLLOW_SELF, or FOLLOW_UNCHANGED: it is to be done. */
enum err follow_find(struct social *s, struct arena *a, const struct actor *by, enum action what,
                     struct follow_item *items, size_t count, struct script_limit *limit, struct problems *p);

/* What a script that took the limit itself answered: ERR_TOO_MANY, with the seconds to wait in *p, or ERR_OK. */
enum err follow_limited(enum answer answer, int64_t wait_ms, struct problems *p);

/* Says what came of those whom a script names: it is a list of uids. */
void follow_mark(struct follow_item *items, size_t count, const struct store_reply *uids, enum follow_result result);

#endif
