/* visit_interests.h - which tags the visitor follows. Reading alone; who changes it (interest.h) does so in one script
 * with HOMESTATE_INTERESTS, its version.
 *
 * A process remembers the set with that version, as it does whom somebody is kept apart from (visit_apart.h): what it
 * remembers is a guess that the first round asks with, and confirms.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_PEOPLE_VISIT_INTERESTS_H
#define SOCIAL_PEOPLE_VISIT_INTERESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct social;
struct store_batch;
struct store_reply;
struct visit;

/* Asks for it: known after the next round at the latest, or after the second, if that is the first. */
void visit_want_interests(struct visit *v);
bool visit_interests_are_known(const struct visit *v);

/* The tags, folded, those followed last behind; before they are known: as they were last time. */
const char *const *visit_interests(const struct visit *v, size_t *count);

/* Whether he follows this (folded) tag. */
bool visit_is_interested(const struct visit *v, const char *tag);

/* For the visit: its version has come; and: nobody is signed in. */
void visit_interests_settle(struct visit *v, uint64_t version);
void visit_interests_none(struct visit *v);

/* For interest.c: this user follows these tags (an array reply of this batch) by now. */
void visit_interests_remember(struct social *s, const struct store_batch *b, uint64_t uid, uint64_t version,
                              const struct store_reply *tags);

#endif
