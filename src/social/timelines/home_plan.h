/* home_plan.h - which authors a visit to a home asks, for what, and how it uses their answers. For home.c only.
 *
 * The window alone answers most pages of push mode. Otherwise authors are asked in the second round, and their answers
 * go on top of the window or replace it: five plans.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_TIMELINES_HOME_PLAN_H
#define SOCIAL_TIMELINES_HOME_PLAN_H

#include "social/timelines/home_window.h"
#include "social/timelines/merge.h"

struct store_values;

enum home_plan {
    PLAN_WINDOW,  /* nobody is asked: the window alone answers */
    PLAN_OVERLAY, /* hybrid: the celebrities, whose posts are not in the window */
    PLAN_PULL,    /* pull: everybody who has news since the last visit */
    PLAN_TRUTH,   /* everybody: the window does not reach, or cannot be used */
    PLAN_REBUILD  /* everybody, and what they answer is stored as the new window */
};

struct home_authors {
    enum home_plan plan;
    struct merge merge;
    struct store_values
        *newest; /* pull: of each of `asked`, and of the reader himself, the newest post; NULL: not asked for */
    const uint64_t *asked;
    size_t time_reply;
    bool asks_time;
    uint64_t
        clock_ms; /* pull: the engine's clock, asked with the first of the reads that the mark is about; 0: not asked */
};

/* Pull: asks in the first round who has anything new, if it is known already whom the reader follows. */
void home_ask_newest(struct visit *v, struct home_authors *h, const struct timeline_query *q);

/* Takes the engine's clock, if it was asked for with the round that has come back. */
void home_take_time(struct visit *v, struct home_authors *h);

/* Chooses the plan for the window as it was found. */
enum home_plan home_choose_plan(const struct visit *v, const struct window *w);

/* A list that cannot be used is begun anew, unless another visit has just done so; one that has an id twice is
 * dropped. */
void home_mend_list(struct visit *v, enum home_plan plan, const struct window *w);

/* Asks as the plan says; it must be known by then whom the visitor follows. PLAN_OVERLAY becomes PLAN_WINDOW when he
 * follows no celebrity. */
enum err home_ask_authors(struct visit *v, struct home_authors *h, const struct window *w);

/* Completes the window with their answers, and stores it where that is worth it. False: they have more in the direction
 * of reading. */
bool home_take_authors(struct visit *v, struct home_authors *h, struct window *w);

/* Asks everybody for so many posts, because the window is used up; their answers replace it. */
void home_ask_truth(struct visit *v, struct home_authors *h, const struct window *w, size_t limit);
bool home_take_truth(struct visit *v, const struct home_authors *h, struct window *w);

#endif
