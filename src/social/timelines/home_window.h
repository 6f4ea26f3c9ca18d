/* home_window.h - the cached part of a home timeline in hand: reading it, judging how far it is certain, storing it again.
 *
 * Inside of home.c's work only. A window is a run of ids without holes. Mostly it is a part of the list: the first ids, or
 * those around a cursor. Ids may stand in the list in another order than their times, but never by more than
 * TIMELINE_DISORDER_MS, so at the edges of a part some ids are not certain: see window_is_uncertain.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_TIMELINES_HOME_WINDOW_H
#define SOCIAL_TIMELINES_HOME_WINDOW_H

#include "social/timelines/home.h"
#include "social/timelines/merge.h"

struct visit;

#define HOME_SLACK 20  /* ids read beyond the page, for those that turn out to be hidden */
#define HOME_MARGIN 10 /* and on the other side of a cursor: they show how far the order of the list is certain */

struct home_read {
    struct timeline_query query;
    struct store_batch *first;
    size_t list_reply, state_reply, ttl_reply;
    bool is_other;    /* the list is not the one that v->home is about: it was emptied or stored since that was read */
    bool has_list;    /* there is a list at all */
    bool reaches_top; /* the part in hand begins where the list begins */
    bool reaches_bottom; /* and ends where it ends */
    bool has_doubles;    /* the list has an id twice */
    struct timeline_ids window;
    struct timeline_ids cached;  /* of the list, as far as this visit uses it: where the posts of a page came from */
    bool window_is_whole;        /* nothing older than the window exists */
    bool window_ends;            /* nothing exists beyond it in the direction of reading */
    bool asked_whole;            /* with the second round trip: see window_is_uncertain */
    bool rebuilds;               /* this visit stores the window */
    bool pulls;                  /* pull: this visit asks all authors for what is new */
    bool overlays;               /* hybrid: this visit asks celebrities, on top of the window */
    struct store_values *newest; /* pull: of those whose ids are `asked`, and of the reader himself */
    const uint64_t *asked;
    struct store_batch
        *time_batch; /* pull: the engine's clock, asked with the first of the reads that the mark is about */
    size_t time_reply;
    struct merge merge; /* when rebuilding, pulling, or below the window */
    bool merges, merge_is_whole;
    uint64_t mark_ms; /* pull: of the home as it is stored */
    struct store_batch *second;
    struct post_load *loads; /* of the window, newest first */
    size_t load_count;
};

bool window_is_first_page(const struct home_read *h);

/* Adds the read of the list to v->batch, and takes it. */
void window_add(struct visit *v, struct home_read *h);
enum err window_take(struct visit *v, struct home_read *h);

/* Whether ids beyond the part in hand could belong on the page. Then the second round trip brings the whole list (add,
 * take), beside the posts that the page will nearly always consist of all the same. Take says false, and leaves no window,
 * when the list was emptied or stored between the two. */
bool window_is_uncertain(const struct home_read *h);
void window_add_whole(struct visit *v, struct home_read *h);
bool window_take_whole(struct visit *v, struct home_read *h);

/* True when the window alone may answer the query (if nothing of it is hidden). */
bool window_reaches(const struct home_read *h);

/* Has the next visit build the home anew. */
void window_drop(struct visit *v);

/* Begins the home anew. An engine that refuses writes does not matter: the page is merged all the same. */
void window_begin(struct visit *v);

/* Stores a window: `ids` in place of the list, or added to it (then they must reach down to something that the list has).
 * Lost or refused, the next visit makes it again. */
void window_store(struct visit *v, const struct home_read *h, const struct timeline_ids *ids, bool adds);

/* Whether merged ids bring anything that the window lacks. */
bool window_lacks(const struct timeline_ids *window, const struct timeline_ids *merged);

/* Window and answers of authors as one set. It reaches only as far as both do: beyond the edge of either, ids may be
 * missing. */
void window_unite(struct visit *v, struct home_read *h, const struct timeline_ids *merged, bool merge_is_whole);

#endif
