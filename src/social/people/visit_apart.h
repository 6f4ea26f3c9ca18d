/* visit_apart.h - whom the visitor is kept apart from: the people whom he blocks or mutes, and those who block him.
 * Reading alone; who writes it does so in one script with HOMESTATE_APART, its version.
 *
 * A process remembers the whole set with that version, as it does with whom somebody follows. The first round of a
 * visit brings the version, so the set is known then, or comes with the second round. Version 0: it was never changed,
 * so it is empty, and most people never ask for it.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_PEOPLE_VISIT_APART_H
#define SOCIAL_PEOPLE_VISIT_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct visit;

enum apart_flag {
    APART_BLOCKS = 1,       /* he blocks the other */
    APART_BLOCKED_BY = 2,   /* the other blocks him */
    APART_MUTES = 4,        /* he does not want to read the other */
    APART_MUTES_NOTICES = 8 /* nor to hear of what the other does to him */
};

struct apart {
    uint64_t uid;
    unsigned flags;    /* of enum apart_flag, joined */
    uint64_t until_ms; /* when the mute ends; 0: never */
};

/* Asks for it: known after the next round at the latest, or after the second, if that is the first. */
void visit_want_apart(struct visit *v);

/* For a visit that has asked for one other alone: what the key says of him is all that is known. */
void visit_apart_put(struct visit *v, uint64_t uid, const char *value);

/* Whether it is known. Before, nobody can say whom the visitor may see. */
bool visit_apart_is_known(const struct visit *v);

/* What stands between the visitor and another: flags, without a mute that is over; 0: nothing. */
unsigned visit_apart(const struct visit *v, uint64_t uid);

/* For the visit: its version has come; and: nobody is signed in. */
enum err visit_apart_settle(struct visit *v, uint64_t version);
void visit_apart_none(struct visit *v);

#endif
