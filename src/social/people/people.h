/* people.h - people to be shown: the newest of the site, and, for other reads, people by id.
 *
 * The room people/, in the order to read it: user.h (the record of a person), sign_up.h and invite.h (how there comes
 * to be one), password.h, sign_in.h, session.h and device.h (how he proves who he is), app.h, code.h, token.h and scope.h (who else acts in his name), follow.h (who follows whom),
 * request.h (who asks to), purge.h (what is taken away when he is deleted). Pages begin with visit.h: one request of one visitor, whose reads
 * travel together (visit_read.h).
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_PEOPLE_H
#define SOCIAL_PEOPLE_PEOPLE_H

#include <stddef.h>
#include <stdint.h>

#include "social/people/user.h"

struct visit;

struct people {
    struct user *users;
    size_t count;
};

/* The newest users of the site, at most so many. */
const struct people *newest_people_ask(struct visit *v, unsigned most);

/* The numbers of the visitor; none if he is not signed in. */
const struct user_counts *viewer_counts_ask(struct visit *v);

/* Who has this name, in any case; id 0 if nobody has, or he is hidden from the visitor. */
const struct user *user_named_ask(struct visit *v, const char *name);

/* Who a change will be about, by name or (NULL) by id: read with who asks, so that whoever makes the change finds him
 * remembered. Asks nothing for strangers, nor for who is remembered. */
void people_foresee(struct visit *v, const char *name, uint64_t id);

/* For reads: these users, from the cache or with the next round. After it out->users has one user for each id; a user
 * with id 0 does not exist, was deleted or is hidden from the visitor. */
void people_ask(struct visit *v, const uint64_t *ids, size_t count, struct people *out);

/* The same of people who stand beside something else that is shown, as the authors of posts do: their numbers are those
 * that the process remembers, up to USER_NUMBERS_SECONDS old. */
void people_beside_ask(struct visit *v, const uint64_t *ids, size_t count, struct people *out);

#endif
