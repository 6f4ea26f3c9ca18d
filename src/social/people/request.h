/* request.h - locked accounts: whoever wants to follow one asks, and its owner lets him or not.
 *
 * A request has two sides in two buckets: asked (of who asks) and requests (of who is asked). follow.h makes it and takes
 * it back, with the same job that makes both sides of a relation agree. Here it is answered: the answer is written where
 * the lock is, together with a durable job that brings the other side after it. Who is rejected is not told.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_REQUEST_H
#define SOCIAL_PEOPLE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/people/follow.h"

/* Actions (action.h). */

/* Lets everybody named follow the actor, or rejects them. Sets uid and result of each item: FOLLOW_CHANGED, or
 * FOLLOW_UNCHANGED of those who do not ask. Two round trips, one more if the process does not remember all of them; what the
 * actor is shown (shown.h) is asked of the first who was answered. */
enum err request_answer(struct social *s, struct arena *a, const struct actor *by, bool grants,
                        struct follow_item *items, size_t count, struct problems *p);

/* The same of all who ask at this moment; *count is how many. Workers do it. */
enum err request_answer_all(struct social *s, struct arena *a, const struct actor *by, bool grants, int64_t *count,
                            struct problems *p);

/* Locks the actor's account, or opens it: then all who ask are let in. ERR_NOT_FOUND: he was deleted. */
enum err request_lock(struct social *s, struct arena *a, const struct actor *by, bool on, struct problems *p);

/* One page of those who ask the visitor, newest first; nothing for nobody. */
const struct follow_page *request_list_ask(struct visit *v, const struct follow_query *q);

/* How many ask the visitor. */
const int64_t *request_count_ask(struct visit *v);

/* Handed over at start: the job that brings the other sides of answers after. */
extern const struct job_class request_job;

#endif
