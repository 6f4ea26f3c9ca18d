/* visit_read.h - what a visit offers to its reads. Inside src/social only; pages and commands know visit.h.
 *
 * A read has two kinds of functions. Its ask function, which pages call, adds commands to v->reads.batch and names the
 * step that comes after the round (visit_then). A step finds the replies by visit_reply, at the indexes that the
 * commands got when they were added, and either asks for more in the same way or is done.
 *
 * Before the first round nobody knows whether the cookie is good. A read about the visitor asks for `claimed` there,
 * and looks at viewer.id in its first step: if that is 0, it must ignore the replies.
 *
 * A read that needs another's answer is asked after it and takes a pointer to that answer: its step comes after the
 * other's.
 *
 * Threads: a visit belongs to one thread.
 */
#ifndef SOCIAL_PEOPLE_VISIT_READ_H
#define SOCIAL_PEOPLE_VISIT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/core/read.h"
#include "social/people/user.h"

struct apart;
struct filter;
struct numbers_set;
struct store_reply;
struct tie;
struct visit_marks;

/* State of the visitor's home timeline: see keys.h, homestate. */
struct visit_home {
    uint64_t epoch, mark_ms, notices_us, late;
    const char *stamp;
    bool must_build;
    int64_t talks; /* conversations of direct posts that he has not read */
};

/* Whom the visitor is kept apart from: visit_apart.h. */
struct visit_apart {
    const struct apart *all; /* sorted by uid; before it is known: as it was last time */
    size_t count, reply;
    uint64_t guessed_version, version;
    bool is_wanted, is_asked, is_known;
};

/* Who is on the visitor's exclusive lists: visit_exclusive.h. */
struct visit_exclusive {
    const uint64_t *ids; /* sorted */
    size_t count, reply;
    uint64_t version;
    bool is_wanted, is_known;
};

/* What the visitor wants of those whom he follows: visit_ties.h. */
struct visit_ties {
    const struct tie *all; /* sorted by uid */
    size_t count, reply;
    uint64_t version;
    bool is_wanted, is_known;
};

/* Which tags the visitor follows: visit_interests.h. */
struct visit_interests {
    const char *const *tags; /* NULL: nothing is remembered; before it is known: as it was last time */
    size_t count, reply;
    uint64_t guessed_version, version;
    bool is_wanted, is_asked, is_known;
};

/* The visitor's filters: filter.h. */
struct visit_filters {
    const struct filter *all; /* by id */
    size_t count, reply;
    uint64_t version;
    bool is_wanted, is_known;
};

struct visit {
    struct social *social;
    struct arena *arena;
    struct reads reads;
    struct user viewer; /* id 0: not signed in, or not known before the first round is back */
    uint64_t claimed;   /* uid of the cookie, not yet believed; 0 after a first round that did not believe it */
    struct visit_home home;
    uint64_t marks_version;    /* of what he did with posts; 0 before it is known */
    struct visit_marks *marks; /* posts/marks.c's alone */
    const uint64_t
        *following; /* sorted. NULL: not asked for, or nothing is remembered; before it is known: as it was last time */
    size_t following_count;
    const uint64_t *asked; /* likewise, and comes with it: whom he asks to be let follow */
    size_t asked_count;
    bool following_known;
    struct visit_apart apart;
    struct visit_exclusive exclusive;
    struct visit_ties ties;
    struct visit_filters filters;
    struct visit_interests interests;
    bool wants_numbers; /* visit_numbers.h */
    const struct numbers_set *numbers;
    bool is_behind;            /* its first round comes behind a change of the visitor's (shown.h) */
    bool is_known;             /* the first round has come back */
    struct visit_login *login; /* visit.c's alone */
};

/* For shown.c: the visit of whom another one has verified. Until it is opened its batch is empty, and takes the commands of a
 * change; what is read comes behind them. */
struct visit *visit_behind(const struct visit *verified);
void visit_behind_open(struct visit *v);

/* The step is called once, after the next round. */
void visit_then(struct visit *v, read_step *step, void *self);

/* The i-th reply of the round that has come back. */
const struct store_reply *visit_reply(const struct visit *v, size_t i);

#endif
