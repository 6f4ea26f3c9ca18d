/* home.c - see home.h: the read of a home, as a machine of named states. Any thread.
 *
 * LIST: the part of the list around the cursor was asked for: how far does it reach, and what else must be asked?
 * FOLLOWING: that could not be asked before it was known whom he follows. ANSWERS: posts, authors, the rest of the list
 * were asked for as planned: the window is made whole. WHOLE: the part was used up, and the whole list was asked for.
 * BELOW: the window was used up, and the truth was asked for instead. TAGS: of tags that he follows more was asked for,
 * or which they are was not known before. POSTS: other candidates were loaded: the page is full, or more of them are
 * needed.
 *
 * Nearly always a page goes from LIST to ANSWERS and is done: two rounds. */
#include "social/timelines/home.h"

#include "base/arena.h"
#include "social/people/visit.h"
#include "social/people/visit_exclusive.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"
#include "social/posts/post_read.h"
#include "social/timelines/home_plan.h"
#include "social/timelines/home_tags.h"
#include "social/timelines/once.h"

#define MOST_LOOKS 8 /* for other home_candidates, when nearly all of them are hidden */

enum home_state { HOME_LIST, HOME_FOLLOWING, HOME_ANSWERS, HOME_WHOLE, HOME_BELOW, HOME_TAGS, HOME_POSTS };

struct home_read {
    struct home out;
    enum home_state state;
    struct timeline_query query;
    struct window window;
    struct home_authors authors;
    struct home_tags tags;
    bool ends;               /* nothing exists beyond the window in the direction of reading */
    struct post_load *loads; /* home_candidates, newest first */
    size_t load_count;
    size_t want;    /* candidates that the page needs, as it seems */
    unsigned looks; /* for others */
    struct once once;
};

static void wait_in(struct visit *v, struct home_read *h, enum home_state state);

/* --- candidates ----------------------------------------------------------------------------------------------------
 * */

static struct timeline_ids home_candidates(struct visit *v, const struct home_read *h)
{
    struct timeline_ids all = home_tags_unite(v, &h->tags, &h->window.ids, h->ends);
    return timeline_cut(&all, &h->query, h->want);
}

static void ask_loads(struct visit *v, struct home_read *h, const struct timeline_ids *ids)
{
    h->loads = timeline_loads(v->arena, ids);
    h->load_count = ids->count;
    home_tags_mark(&h->tags, h->loads, h->load_count);
    post_ask(v, h->loads, h->load_count, SEE_HOME);
}

static void ask_candidates(struct visit *v, struct home_read *h)
{
    struct timeline_ids ids = home_candidates(v, h);
    ask_loads(v, h, &ids);
}

/* Before authors have answered. Without a window, what the tags have will be among them. */
static struct timeline_ids first_candidates(struct visit *v, const struct home_read *h)
{
    bool has_window = h->window.ids.count || h->ends;
    return has_window ? home_candidates(v, h) : timeline_cut(&h->tags.ids, &h->query, h->want);
}

/* What the page will show, as it seems; and others at once for those that it will show only once. */
static void ask_first(struct visit *v, struct home_read *h)
{
    h->ends = h->query.min_id ? h->window.reaches_top : h->window.is_whole;
    struct timeline_ids ids = first_candidates(v, h);
    h->want += once_guess(v, &ids, &h->once);
    ids = first_candidates(v, h);
    ask_loads(v, h, &ids);
}

static void ask_behind(struct visit *v, struct home_read *h)
{
    struct timeline_ids ids = home_tags_behind(v, &h->tags, &h->window.ids);
    once_ask(v, &ids, &h->tags.behind, &h->query, &h->once);
}

static bool are_loaded(const struct home_read *h, const struct timeline_ids *ids)
{
    bool same = h->load_count == ids->count;
    for (size_t i = 0; same && i < ids->count; i++) {
        same = h->loads[i].id == ids->ids[i];
    }
    return same;
}

static bool may_see(const struct visit *v, const struct post *p)
{
    return p->author.id == v->viewer.id || !v->following_known || visit_follows(v, p->author.id);
}

/* Hides posts that he may not see, and boosts of what he sees anyway; returns how many are left. */
static size_t hide_unseen(const struct visit *v, struct home_read *h)
{
    for (size_t i = 0; i < h->load_count; i++) {
        struct post *p = &h->loads[i].post;
        if (p->id && !h->loads[i].by_tag && !may_see(v, p)) {
            p->id = 0;
        }
    }
    once_hide(&h->query, &h->once, h->loads, h->load_count);
    return timeline_visible(h->loads, h->load_count);
}

/* Nothing exists beyond the candidates in the direction of reading. */
static bool has_no_more(const struct home_read *h)
{
    return h->ends && h->tags.is_whole;
}

/* At the lower end of a window below which more is known to exist, the page itself is enough: it need not look for an
 * older post (if all of those are hidden, the next page is empty). */
static bool is_page_full(const struct home_read *h, size_t visible)
{
    return visible > h->query.limit || (visible == h->query.limit && !h->query.min_id && !has_no_more(h));
}

static enum err finish_home(struct visit *v, struct home_read *h)
{
    struct timeline_page *out = &h->out.page;
    h->out.tagged = h->tags.ids;
    timeline_fill(v->arena, &h->query, h->loads, h->load_count, out);
    out->has_older |= is_page_full(h, out->count);
    timeline_since(&h->query, out);
    return ERR_OK;
}

/* --- the states ----------------------------------------------------------------------------------------------------
 * */

/* Asks what the plan needs, and loads beside it the posts that the window has for the page, in any case. */
static enum err leave_following(struct visit *v, struct home_read *h)
{
    enum err e = home_ask_authors(v, &h->authors, &h->window);
    if (e != ERR_OK) {
        return e;
    }
    ask_behind(v, h);
    if (h->authors.plan == PLAN_TRUTH || h->authors.plan == PLAN_REBUILD) {
        window_empty(&h->window);
    }
    h->out.cached = h->window.ids;
    ask_first(v, h);
    if (timeline_cut(&h->window.ids, &h->query, 1).count && window_is_uncertain(&h->window)) {
        window_ask_whole(v, &h->window);
    }
    wait_in(v, h, HOME_ANSWERS);
    return ERR_OK;
}

static enum err leave_list(struct visit *v, struct home_read *h)
{
    if (!v->viewer.id) {
        return ERR_OK;
    }
    enum err e = window_take(v, &h->window);
    if (e != ERR_OK) {
        return e;
    }
    home_take_time(v, &h->authors);
    h->authors.plan = home_choose_plan(v, &h->window);
    home_mend_list(v, h->authors.plan, &h->window);
    if (h->authors.plan == PLAN_WINDOW || v->following_known) {
        return leave_following(v, h);
    }
    wait_in(v, h, HOME_FOLLOWING);
    return ERR_OK;
}

/* Whether the list may have more than the part of it in hand, and the list alone answers. */
static bool is_part(const struct home_read *h)
{
    const struct window *w = &h->window;
    return h->authors.plan == PLAN_WINDOW && !w->asked_whole && !(w->reaches_top && w->reaches_bottom);
}

/* The candidates in hand are used up: asks for others, from where it costs least. */
static void look_further(struct visit *v, struct home_read *h)
{
    bool is_short = !h->ends && timeline_cut(&h->window.ids, &h->query, h->want).count < h->want;
    if (!h->tags.is_whole) {
        home_tags_more(v, &h->tags, h->want + TIMELINE_SLACK);
    }
    if (!is_short) {
        wait_in(v, h, HOME_TAGS);
    } else if (is_part(h)) {
        window_ask_whole(v, &h->window);
        wait_in(v, h, HOME_WHOLE);
    } else {
        home_ask_truth(v, &h->authors, &h->window, h->want);
        wait_in(v, h, HOME_BELOW);
    }
}

/* Nearly always the first look is enough. */
static enum err leave_posts(struct visit *v, struct home_read *h)
{
    size_t visible = hide_unseen(v, h);
    bool used_up = home_candidates(v, h).count < h->want;
    if (is_page_full(h, visible) || (used_up && has_no_more(h)) || h->looks == MOST_LOOKS) {
        return finish_home(v, h);
    }
    h->want *= h->looks++ ? 2 : 1;
    if (used_up) {
        look_further(v, h);
    } else {
        h->want *= 2;
        ask_candidates(v, h);
        wait_in(v, h, HOME_POSTS);
    }
    return ERR_OK;
}

static enum err leave_answers(struct visit *v, struct home_read *h)
{
    struct window *w = &h->window;
    home_take_time(v, &h->authors);
    if (w->asked_whole) {
        if (!window_take_whole(v, w)) {
            h->authors.plan = PLAN_WINDOW; /* their answers were meant for that window: now all comes from the truth */
        }
        h->out.cached = w->ids;
    }
    bool is_whole = h->authors.plan == PLAN_WINDOW || home_take_authors(v, &h->authors, w);
    h->ends = h->query.min_id ? w->reaches_top && is_whole : w->is_whole;
    struct timeline_ids ids = home_candidates(v, h);
    if (!h->tags.is_ready) {
        wait_in(v, h, HOME_TAGS);
    } else if (are_loaded(h, &ids)) {
        return leave_posts(v, h);
    } else {
        ask_candidates(v, h);
        wait_in(v, h, HOME_POSTS);
    }
    return ERR_OK;
}

/* Nobody could ask what the tags have before, or more of it was wanted. */
static enum err leave_tags(struct visit *v, struct home_read *h)
{
    ask_behind(v, h);
    ask_candidates(v, h);
    wait_in(v, h, HOME_POSTS);
    return ERR_OK;
}

static enum err leave_whole(struct visit *v, struct home_read *h)
{
    struct window *w = &h->window;
    if (window_take_whole(v, w) && window_reaches(w)) {
        h->out.cached = w->ids;
        h->ends = h->query.min_id ? w->reaches_top : w->is_whole;
        ask_candidates(v, h);
        wait_in(v, h, HOME_POSTS);
    } else {
        look_further(v, h);
    }
    return ERR_OK;
}

static enum err leave_below(struct visit *v, struct home_read *h)
{
    h->ends = home_take_truth(v, &h->authors, &h->window);
    ask_candidates(v, h);
    wait_in(v, h, HOME_POSTS);
    return ERR_OK;
}

static enum err leave_state(struct visit *v, void *self)
{
    static enum err (*const leave[])(struct visit *, struct home_read *) = {
        [HOME_LIST] = leave_list,   [HOME_FOLLOWING] = leave_following, [HOME_ANSWERS] = leave_answers,
        [HOME_WHOLE] = leave_whole, [HOME_BELOW] = leave_below,         [HOME_TAGS] = leave_tags,
        [HOME_POSTS] = leave_posts};
    struct home_read *h = self;
    if (v->viewer.id) {
        home_tags_step(v, &h->tags);
    }
    return leave[h->state](v, h);
}

static void wait_in(struct visit *v, struct home_read *h, enum home_state state)
{
    h->state = state;
    visit_then(v, leave_state, h);
}

/* --- asking --------------------------------------------------------------------------------------------------------
 * */

const struct home *home_ask(struct visit *v, const struct timeline_query *q)
{
    struct home_read *h = arena_zero(v->arena, sizeof(*h));
    h->query = h->window.query = *q;
    h->want = q->limit + 1;
    if (v->claimed) {
        visit_want_following(v);
        visit_want_exclusive(v);
        marks_want(v);
        window_ask(v, &h->window);
        home_ask_newest(v, &h->authors, q);
        home_tags_begin(v, &h->tags, q);
        wait_in(v, h, HOME_LIST);
    }
    return &h->out;
}

enum home_source home_source(const struct home *h, uint64_t id)
{
    return timeline_has(&h->cached, id) ? HOME_CACHED : timeline_has(&h->tagged, id) ? HOME_TAGGED : HOME_MERGED;
}
