/* visit.h - one visitor's request to the data: who he is, and what changed, in the same round trip as the page's reads.
 *
 * A page makes a visit, adds its own reads to visit->batch, runs it, adds what it then knows it needs (mostly nothing, as
 * the cache has it), and runs it again: two round trips at most. visit_run answers ERR_OK for visitors who are not signed in
 * too, unless visit_require said otherwise: visit->viewer.id is 0 then.
 *
 * Threads: a visit belongs to one thread.
 */
#ifndef SOCIAL_PEOPLE_VISIT_H
#define SOCIAL_PEOPLE_VISIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/secret.h"
#include "base/who.h"
#include "social/core/social.h"
#include "social/people/user.h"

struct arena;
struct social;
struct store_batch;

/* State of the visitor's home timeline: see keys.h, homestate. */
struct visit_home {
    uint64_t epoch, mark_ms;
    const char *stamp;
    bool must_build;
};

struct visit {
    struct social *social;
    struct arena *arena;
    struct store_batch *batch; /* the next round trip */
    struct user viewer;        /* id 0: not signed in, or not known before the first run has succeeded */
    char session[SECRET_HASH_SIZE];
    struct visit_home home;
    const uint64_t *following; /* sorted; valid when following_known */
    size_t following_count;
    bool following_known;
    /* internal */
    uint64_t claimed;     /* uid of the cookie, not yet believed; 0 after a first run that did not believe it */
    struct user claimant; /* his record, when the cache had it */
    struct store_batch *first;
    struct social_changes changes;
    size_t session_reply, state_reply, user_reply;
    struct store_batch *following_batch; /* which following_reply is a reply of; NULL: not asked */
    size_t following_reply;
    enum who who;
    bool wants_following, asked_user, is_second, is_trusted;
    uint64_t cached_version;
};

/* Begins a visit with this session cookie (NULL: none). */
struct visit *visit_begin(struct social *s, struct arena *a, const char *cookie);

/* A visit of this user without a session: for command-line tools. */
struct visit *visit_begin_as(struct social *s, struct arena *a, uint64_t uid);

/* Who may make this visit, said before the first run. After it visit_run answers ERR_UNAUTHORIZED for a stranger and
 * ERR_FORBIDDEN for a member where an administrator is wanted; what the reads found is not for him then. */
void visit_require(struct visit *v, enum who who);

/* The page needs to know whom the visitor follows. Known after the second run at the latest, mostly after the first. */
void visit_want_following(struct visit *v);

/* One round trip. Afterwards v->batch is a new, empty batch; keep the old pointer for its replies. */
enum err visit_run(struct visit *v);

/* Whether the visitor follows him. */
bool visit_follows(const struct visit *v, uint64_t uid);

#endif
