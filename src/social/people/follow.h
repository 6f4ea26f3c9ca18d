/* follow.h - who follows whom: changing it, for one or for many, and reading lists.
 *
 * A relation has two sides in two buckets. The follower's side is the truth: it is changed first, together with a
 * durable job that changes the other side (follow.c explains why that cannot end half done). Whoever wants to follow a
 * locked account asks: that is a relation of its own sort, with two sides likewise (asked, requests), and request.h
 * answers it.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_FOLLOW_H
#define SOCIAL_PEOPLE_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/people/follow_item.h"
#include "social/people/user.h"

struct arena;
struct job;
struct job_class;
struct remains;
struct problems;
struct social;
struct store_batch;
struct store_reply;
struct visit;

#define FOLLOW_BATCH_MAX 1000
#define FOLLOW_MOST 5000 /* people one user may follow */
#define FOLLOW_COMMON_AMONG 1000
#define FOLLOW_COMMON_SHOWN 5

/* Actions (action.h): the actor follows (on) or unfollows everybody named, at most FOLLOW_BATCH_MAX; of locked accounts
 * he asks it, or takes that back. Each name counts for the limit, known or not. Sets uid and result of each item.
 * ERR_CONFLICT: he would follow and ask more than FOLLOW_MOST. Two round trips, whatever
 * the number, one more if the process does not remember all of them; what the actor is shown (shown.h) is asked of the
 * first of them. */
enum err follow_many(struct social *s, struct arena *a, const struct actor *by, bool on, struct follow_item *items,
                     size_t count, struct problems *p);

/* What the actor wants of somebody whom he follows: in his home (tie.h). */
enum follow_choice { FOLLOW_AS_IS, FOLLOW_YES, FOLLOW_NO };

struct follow_options {
    enum follow_choice boosts; /* whether it shows his boosts */
    enum follow_choice tells;  /* whether he is told of new posts (also NO: there are as many as there may be) */
    const char *languages;     /* in which posts are wanted (tie_languages); "": in all; NULL: as it is */
};

/* The same for one person, and what the actor wants of him; whoever is followed already has it changed. The same round
 * trips. */
enum err follow_one(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                    const struct follow_options *how, struct problems *p);

/* Ends relations by id, without looking anybody up: for the clean-up after a deleted user. */
enum err follow_end(struct social *s, struct arena *a, uint64_t uid, const uint64_t *targets, size_t count);

/* Makes the followed side of one relation agree with the follower's, as the job does after each follow: for the
 * repair. */
enum err follow_mend(struct social *s, struct arena *a, uint64_t follower, uint64_t followed);

/* Makes both sides of one relation agree by `job`, a new one of follow_job that a script of the follower's bucket has
 * stored: given to the workers. */
void follow_settle(struct social *s, struct arena *a, struct job *job, uint64_t followed);

/* Handed over at start: the job for the other sides, and what a deleted user leaves. */
extern const struct job_class follow_job;
extern const struct remains following_remains, follower_remains, asked_remains, request_remains;

/* One page of following or followers. Cursors are the times of relations: unique, so a page never repeats or skips. */
struct follow_row {
    struct user user;
    uint64_t since_us; /* the time, and the cursor */
    bool followed_by;  /* follows the visitor */
};

struct follow_query {
    uint64_t max_us;   /* 0: none; older than */
    uint64_t min_us;   /* 0: none; the rows immediately newer than */
    uint64_t since_us; /* 0: none; the newest rows, but only those newer than; min_us wins over it */
    unsigned limit;
};

struct follow_page {
    struct user user;
    struct user_counts counts;
    struct follow_row *rows;
    size_t count;
    uint64_t older_us, newer_us; /* cursors for max_us and min_us; 0: nothing there */
};

/* For other lists of people too: the bounds of such a page (of a ZRANGE BYSCORE in reading direction; returns whether
 * that is upwards), and its rows, taken from up to limit + 1 entries with their times. */
bool follow_page_bounds(struct arena *a, const struct follow_query *q, const char **from, const char **to);
void follow_page_rows(struct arena *a, const struct follow_query *q, const struct store_reply *entries,
                      struct follow_page *out);

/* The ids of a page's rows. */
uint64_t *follow_page_ids(struct arena *a, const struct follow_page *p);

/* The people whom somebody follows, or his followers; visit_follows then knows which of them the visitor follows.
 * ERR_NOT_FOUND: no such user. */
const struct follow_page *follow_list_ask(struct visit *v, const char *name, bool followers,
                                          const struct follow_query *q);

/* The same of somebody whose id is known; the counts of the page stay 0. */
const struct follow_page *follow_list_of_ask(struct visit *v, uint64_t uid, bool followers,
                                             const struct follow_query *q);

/* How the visitor and another user stand, what he keeps about the other, and whom they have in common. */
enum follow_shared {
    FOLLOW_SHARED_FOLLOWERS, /* follow both; counted among the visitor's newest FOLLOW_COMMON_AMONG followers */
    FOLLOW_SHARED_KNOWN, /* the visitor follows them, and they follow the other; among FOLLOW_COMMON_AMONG of them */
    FOLLOW_SHARED_FOLLOWING, /* both follow them; the same */
    FOLLOW_SHARED_KINDS
};

struct follow_common {
    size_t count;
    bool is_least;                         /* more people were there to be looked at, so there may be more */
    struct user some[FOLLOW_COMMON_SHOWN]; /* of them; only those the cache knows */
    size_t some_count;
};

struct follow_relation {
    bool followed_by;
    bool endorsed;      /* the visitor recommends him */
    const char *remark; /* what the visitor has noted about him; "" */
    struct follow_common common[FOLLOW_SHARED_KINDS];
};

/* `other` is the answer of a read that is asked before this one; his id is known after the first round. */
const struct follow_relation *follow_common_ask(struct visit *v, const struct user *other);

#endif
