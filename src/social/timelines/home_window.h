/* home_window.h - the part of a cached home timeline that a visit has in hand: reading it, judging how far it is
 * certain, storing it again.
 *
 * For home.c only. A window is a run of ids without holes. Mostly it is a part of the list: the first ids, or those
 * around a cursor. Ids may stand in the list in another order than their times, but never by more than
 * SOCIAL_DISORDER_MS, so at the edges of a part some ids are not certain: see window_is_uncertain.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_TIMELINES_HOME_WINDOW_H
#define SOCIAL_TIMELINES_HOME_WINDOW_H

#include "social/timelines/timeline.h"

struct visit;

#define HOME_SLACK 40  /* ids read beyond a page: answers to strangers are among them, which are hidden */
#define HOME_MARGIN 10 /* ids read on the other side of a cursor: they show how far the order of the list is certain */

/* The state of the list as it was found. */
enum window_list {
    WINDOW_FOUND,
    WINDOW_DOUBLED, /* it has an id twice */
    WINDOW_OTHER,   /* another list than v->home describes: it was emptied or stored since that was read */
    WINDOW_MISSING
};

struct window {
    struct timeline_query query; /* the page that it is read for */
    struct timeline_ids ids;
    enum window_list list;
    bool reaches_top;    /* the ids begin where the list begins */
    bool reaches_bottom; /* and end where it ends */
    bool is_whole;       /* nothing older than them exists */
    bool asked_whole;    /* the whole list comes with the second round */
    bool is_steady;      /* nothing was put at a place behind others since v->home was read */
    bool is_known;       /* the ids are the newest of the list: home_known.h */
    size_t list_reply, state_reply, ttl_reply;
};

bool window_is_first_page(const struct timeline_query *q);

/* Adds the read of the list to the next round, and takes it. */
void window_ask(struct visit *v, struct window *w);
enum err window_take(struct visit *v, struct window *w);

/* Whether ids beyond the part in hand could belong on the page. Then the second round brings the whole list (ask,
 * take), beside the posts that the page will nearly always show anyway. Take is false, and leaves no window, when the
 * list was emptied or stored between the two rounds. */
bool window_is_uncertain(const struct window *w);
void window_ask_whole(struct visit *v, struct window *w);
bool window_take_whole(struct visit *v, struct window *w);

/* True when the window alone may answer the query (if nothing of it is hidden). */
bool window_reaches(const struct window *w);

/* Empties the window in hand. */
void window_empty(struct window *w);

/* Has the next visit build the home anew. */
void window_drop(struct visit *v);

/* Begins the home anew. An engine that refuses writes does not matter: the page is merged all the same. */
void window_begin(struct visit *v);

/* Stores a window in place of the list; mark_ms is home.h's. If that is lost or refused, the next visit makes it
 * again. */
void window_store(struct visit *v, const struct window *w, uint64_t mark_ms);

/* Adds these ids to the list. They must reach down to something that it has. */
void window_store_more(struct visit *v, const struct timeline_ids *ids, uint64_t mark_ms);

/* What authors answered. */
struct window_answers {
    struct timeline_ids ids;
    bool is_whole;       /* they have no more in the direction of reading */
    uint64_t asked_from; /* they were not asked for posts older than this id; 0: for all */
};

/* Whether the answers bring anything that the window lacks. */
bool window_lacks(const struct window *w, const struct timeline_ids *answers);

/* Window and answers as one set. It reaches only as far as both do: beyond the edge of either, ids may be missing. */
void window_unite(struct arena *a, struct window *w, const struct window_answers *answers);

#endif
