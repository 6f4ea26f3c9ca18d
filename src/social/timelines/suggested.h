/* suggested.h - people whom somebody might like to follow, who has not looked for them: those who wrote in public last. So
 * nobody is suggested who has written nothing, and nothing is counted for it. Whom one does not want to be suggested
 * again is remembered, UNSUGGESTED_MOST of them.
 *
 * Threads: those of the visit; suggested_dismiss: any.
 */
#ifndef SOCIAL_TIMELINES_SUGGESTED_H
#define SOCIAL_TIMELINES_SUGGESTED_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/timelines/timeline.h"

struct actor;
struct problems;
struct user;

#define UNSUGGESTED_MOST 500
#define SUGGESTED_LOOK 60              /* at so many of the newest posts */
#define ACTIVE_LOOK TIMELINE_LIMIT_MAX /* likewise: who wrote them is active */

struct suggested {
    const struct timeline_page *newest; /* posts whose authors they are */
    const uint64_t *gone;               /* whom the visitor does not want to be suggested */
    size_t gone_count, reply;
};

/* Asks for what follows. Whoever is signed in. */
const struct suggested *suggested_ask(struct visit *v);

/* After the visit has read: those who wrote last first, at most `most`, each once; never himself, whom he follows or has
 * asked, or from whom he stands apart, nor who does not want to be put before people (user_is_recommended). Returns how
 * many. */
size_t suggested_people(const struct visit *v, const struct suggested *s, const struct user **out, size_t most);

/* Who wrote last in public, of ACTIVE_LOOK posts; the same without regard to whom the visitor follows or dismissed. */
const struct timeline_page *active_ask(struct visit *v);
size_t active_people(const struct visit *v, const struct timeline_page *newest, const struct user **out, size_t most);

/* Whether the visitor may come upon him among people who are put before everybody. */
bool suggested_may_show(const struct visit *v, const struct user *u);

/* Action (action.h): the actor does not want to be suggested this one again, whether there is one or not. ERR_TOO_MANY, ERR_NOT_FOUND (he
 * was deleted himself). One round trip. */
enum err suggested_dismiss(struct social *s, struct arena *a, const struct actor *by, uint64_t uid, struct problems *p);

#endif
