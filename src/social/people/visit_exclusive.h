/* visit_exclusive.h - who is on one of the visitor's exclusive lists (timelines/list.h): their posts stand in that list
 * and not in his home. Reading alone; who changes it does so in one script with HOMESTATE_EXCLUSIVE, its version.
 *
 * A process remembers the whole set with that version. The first round of a visit brings the version, so the set is
 * known then, or comes with the second round. Version 0: he never had such a list, so most people never ask.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_PEOPLE_VISIT_EXCLUSIVE_H
#define SOCIAL_PEOPLE_VISIT_EXCLUSIVE_H

#include <stdbool.h>
#include <stdint.h>

struct visit;

/* Asks for it: known after the next round at the latest, or after the second, if that is the first. */
void visit_want_exclusive(struct visit *v);
bool visit_exclusive_is_known(const struct visit *v);

/* Whether he is on one of them. */
bool visit_is_exclusive(const struct visit *v, uint64_t uid);

/* For the visit: its version has come; 0: there is none, or nobody is signed in. */
void visit_exclusive_settle(struct visit *v, uint64_t version);

#endif
