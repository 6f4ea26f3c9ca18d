/* visit_numbers.h - the numbers of the people whom a visit reads: what the API shows of everybody and pages only of one.
 * Reading alone.
 *
 * Whoever wants them says so before he asks for people; people_ask then asks for the numbers with the records, in the
 * same round.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_PEOPLE_VISIT_NUMBERS_H
#define SOCIAL_PEOPLE_VISIT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/people/user_numbers.h"

struct visit;

/* From now on people are asked for with their numbers. */
void visit_want_numbers(struct visit *v);

/* Asks for those of these people with the next round; nothing if nobody wants them. For people_ask. */
void visit_numbers_ask(struct visit *v, const uint64_t *ids, size_t count);

/* The same for the authors of posts: of those whom the process remembers nothing is asked. */
void visit_numbers_of_authors(struct visit *v, const uint64_t *ids, size_t count);

/* NULL: they were not asked for, or there are none yet. */
const struct user_numbers *visit_numbers(const struct visit *v, uint64_t uid);

#endif
