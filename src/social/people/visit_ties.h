/* visit_ties.h - what the visitor wants otherwise of those whom he follows (tie.h). Reading alone; who changes it does so
 * in one script with HOMESTATE_TIES, its version.
 *
 * A process remembers the whole with that version. The first round of a visit brings the version, so it is known then,
 * or comes with the second round. Version 0: he never said anything, so most people never ask.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_PEOPLE_VISIT_TIES_H
#define SOCIAL_PEOPLE_VISIT_TIES_H

#include <stdbool.h>
#include <stdint.h>

struct tie;
struct visit;

/* Asks for it: known after the next round at the latest, or after the second, if that is the first. */
void visit_want_ties(struct visit *v);
bool visit_ties_are_known(const struct visit *v);

/* For a visit that has asked for one other alone: what the key says of him is all that is known. */
void visit_tie_put(struct visit *v, uint64_t uid, const char *value);

/* What he wants of somebody; NULL: nothing. */
const struct tie *visit_tie(const struct visit *v, uint64_t uid);

/* For the visit: its version has come; 0: there is none, or nobody is signed in. */
void visit_ties_settle(struct visit *v, uint64_t version);

#endif
