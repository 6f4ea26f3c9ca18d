/* home_plan.c - see home_plan.h. Any thread. */
#include "social/timelines/home_plan.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/metric.h"
#include "config/config.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "social/timelines/celebrity.h"
#include "store/store.h"

#define MARK_EVERY_MS 5000 /* a mark that stays behind makes every visit ask for the same posts again */
#define SHARES 4           /* of a home, for each author, when it is made anew */

/* --- the clock, and who has news ----------------------------------------------------------------------------------- */

/* Before the reads that the mark is about: posts stored after them are not much older than this time. */
static void ask_time(struct visit *v, struct home_authors *h)
{
    h->asks_time = true;
    h->time_reply = store_command(v->reads.batch, KEY_GLOBAL_BUCKET, "TIME", NULL);
}

void home_take_time(struct visit *v, struct home_authors *h)
{
    if (h->asks_time) {
        h->asks_time = false;
        h->clock_ms = store_time_ms(visit_reply(v, h->time_reply));
        social_saw_time(v->social, h->clock_ms);
    }
}

void home_ask_newest(struct visit *v, struct home_authors *h, const struct timeline_query *q)
{
    if (v->social->config->timeline.mode != CONFIG_PULL || !window_is_first_page(q) || !v->following) {
        return;
    }
    uint64_t *ids = arena_alloc(v->arena, (v->following_count + 1) * sizeof(*ids));
    memcpy(ids, v->following, v->following_count * sizeof(*ids));
    ids[v->following_count] = v->claimed;
    h->asked = v->following;
    ask_time(v, h);
    h->newest = store_values_add(v->reads.batch, KEY_NEWEST, ids, v->following_count + 1);
}

/* Whether the newest ids were asked for the people whom he follows now. */
static bool knows_newest(const struct visit *v, const struct home_authors *h)
{
    return h->newest && h->asked == v->following;
}

/* --- the plan ------------------------------------------------------------------------------------------------------ */

static bool is_of_epoch(const struct visit *v)
{
    return v->home.epoch == atomic_load(&v->social->epoch);
}

/* Whether the list holds what it should. */
static bool is_usable(const struct visit *v, const struct window *w)
{
    bool is_there = w->list == WINDOW_FOUND || w->list == WINDOW_DOUBLED;
    bool is_foreign = atomic_load(&v->social->is_foreign);
    /* the clock was set back since the mark was written, or the mark is not ours: posts that came meanwhile may lie
     * below it */
    bool is_ahead = v->home.mark_ms > clock_site_ms() + SOCIAL_AHEAD_MS;
    return is_there && is_of_epoch(v) && !v->home.must_build && !is_ahead && !is_foreign;
}

/* In pull mode the window knows nothing above its mark: a page up there must come from the truth. */
static bool is_below_mark(const struct visit *v, const struct timeline_query *q)
{
    return !q->min_id && id_ms(q->max_id) + SOCIAL_DISORDER_MS <= v->home.mark_ms;
}

enum home_plan home_choose_plan(const struct visit *v, const struct window *w)
{
    enum config_mode mode = v->social->config->timeline.mode;
    bool is_first_page = window_is_first_page(&w->query);
    if (!is_usable(v, w)) { /* this process leaves homes of another mode alone */
        return is_first_page && !atomic_load(&v->social->is_foreign) ? PLAN_REBUILD : PLAN_TRUTH;
    }
    if (mode == CONFIG_PULL && is_first_page) {
        return PLAN_PULL;
    }
    if (!window_reaches(w) || (mode == CONFIG_PULL && !is_below_mark(v, &w->query))) {
        return PLAN_TRUTH;
    }
    return mode == CONFIG_HYBRID ? PLAN_OVERLAY : PLAN_WINDOW;
}

/* A delivery that had to wait (the engine was away) may come after a visit that took the same post from the truth. No
 * page shows a post twice, but the list must be mended. */
void home_mend_list(struct visit *v, enum home_plan plan, const struct window *w)
{
    if (plan == PLAN_REBUILD) {
        if (w->list == WINDOW_MISSING || !is_of_epoch(v)) {
            window_begin(v);
        }
    } else if (w->list == WINDOW_DOUBLED && is_usable(v, w)) {
        window_drop(v);
    }
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

static struct merge everybody(const struct visit *v)
{
    return (struct merge){.authors = v->following, .count = v->following_count, .self = v->viewer.id};
}

/* Hybrid: the celebrities among those followed, whose posts are not in the window. */
static enum err find_celebrities(struct visit *v, const struct window *w, struct merge *who)
{
    uint64_t *ids;
    *who = (struct merge){0};
    enum err e = celebrity_among(v->social, v->arena, v->following, v->following_count, &ids, &who->count);
    if (e == ERR_OK) {
        who->authors = ids;
        if (!w->is_whole && !w->query.min_id && w->ids.count) {
            who->from_ms = id_ms(w->ids.ids[w->ids.count - 1]);
        }
    }
    return e;
}

/* Whether the i-th of those in h->newest may have posts from this time on that the window lacks. */
static bool has_news(const struct home_authors *h, const struct window *w, size_t i, uint64_t from_ms)
{
    const struct store_reply *r = store_value(h->newest, i);
    uint64_t newest = r->type == STORE_STRING ? id_parse(r->text) : UINT64_MAX;
    return newest >= (from_ms ? id_of_ms(from_ms) : 1) && !timeline_has(&w->ids, newest);
}

/* Leaves out authors who have nothing new. */
static void drop_silent(struct arena *a, const struct home_authors *h, const struct window *w, struct merge *who)
{
    uint64_t *authors = arena_alloc(a, (who->count + 1) * sizeof(*authors));
    size_t n = 0;
    for (size_t i = 0; i < who->count; i++) {
        authors[n] = who->authors[i];
        n += has_news(h, w, i, who->from_ms);
    }
    who->self = has_news(h, w, who->count, who->from_ms) ? who->self : 0;
    who->authors = authors;
    who->count = n;
}

/* Pull: everybody's posts since the last time. */
static struct merge everybody_since(struct visit *v, const struct home_authors *h, const struct window *w)
{
    struct merge who = everybody(v);
    who.from_ms = v->home.mark_ms > SOCIAL_DISORDER_MS ? v->home.mark_ms - SOCIAL_DISORDER_MS : 0;
    who.known = w->ids.count ? w->ids.ids[0] : 0;
    if (knows_newest(v, h)) {
        drop_silent(v->arena, h, w, &who);
    }
    return who;
}

/* How many ids each author is asked for: a page, and when a home is made anew also his share of it with room to spare,
 * so that a reader of few people gets a whole window and not one that ends where the busiest was cut off. */
static unsigned share(const struct visit *v, const struct home_authors *h, unsigned page, size_t authors)
{
    unsigned most = (unsigned)v->social->config->timeline.pull_per_author;
    unsigned size = (unsigned)v->social->config->timeline.size;
    unsigned part = h->plan == PLAN_REBUILD ? (unsigned)(SHARES * size / (authors + 1)) : 0;
    most = most > page ? most : page;
    part = part < size ? part : size;
    return most > part ? most : part;
}

static void ask_these(struct visit *v, struct home_authors *h, const struct merge *who, const struct timeline_query *q)
{
    unsigned page = q->limit + 1 + TIMELINE_SLACK;
    size_t size = (size_t)TIMELINE_KEPT(v->social->config);
    h->merge = *who;
    h->merge.query = *q;
    h->merge.per_author = share(v, h, page, who->count);
    h->merge.most = size > page ? size : page;
    merge_add(v, &h->merge);
}

enum err home_ask_authors(struct visit *v, struct home_authors *h, const struct window *w)
{
    struct merge who = h->plan == PLAN_PULL ? everybody_since(v, h, w) : everybody(v);
    if (h->plan == PLAN_OVERLAY) {
        enum err e = find_celebrities(v, w, &who);
        if (e != ERR_OK) {
            return e;
        }
        h->plan = who.count ? PLAN_OVERLAY : PLAN_WINDOW;
    }
    if (h->plan == PLAN_WINDOW) {
        return ERR_OK;
    }
    if (v->social->config->timeline.mode == CONFIG_PULL && !h->newest) {
        ask_time(v, h);
    }
    ask_these(v, h, &who, &w->query);
    return ERR_OK;
}

void home_ask_truth(struct visit *v, struct home_authors *h, const struct window *w, size_t limit)
{
    struct merge who = everybody(v);
    struct timeline_query q = w->query;
    q.limit = (unsigned)limit;
    ask_these(v, h, &who, &q);
}

/* --- what they answered -------------------------------------------------------------------------------------------- */

/* Pull: up to when the window that is stored knows of everything (see home.h). */
static uint64_t home_mark(const struct visit *v, const struct home_authors *h, const struct window *w,
                          const struct timeline_ids *answers)
{
    if (!h->clock_ms) {
        return 0;
    }
    uint64_t newest = answers->count ? answers->ids[0] : 0;
    newest = w->ids.count && w->ids.ids[0] > newest ? w->ids.ids[0] : newest;
    for (size_t i = 0; knows_newest(v, h) && i <= v->following_count; i++) {
        uint64_t id = id_parse(store_text(store_value(h->newest, i)));
        newest = id > newest ? id : newest;
    }
    return id_ms(newest) < h->clock_ms ? id_ms(newest) : h->clock_ms;
}

/* Answers in place of the window. */
static void replace_window(struct window *w, const struct window_answers *answers)
{
    w->ids = answers->ids;
    w->is_whole = answers->is_whole && !w->query.min_id;
    w->reaches_top = true;
}

/* Pull: answers on top of the window; and of the list, when it lacks some of them or its mark is old. */
static void add_news(struct visit *v, struct window *w, const struct window_answers *answers, uint64_t mark_ms)
{
    bool is_worth_it = window_lacks(w, &answers->ids) || mark_ms > v->home.mark_ms + MARK_EVERY_MS;
    window_unite(v->arena, w, answers);
    if (!answers->is_whole) {
        window_store(v, w, mark_ms);
    } else if (is_worth_it) {
        window_store_more(v, &answers->ids, mark_ms);
    }
}

bool home_take_authors(struct visit *v, struct home_authors *h, struct window *w)
{
    struct window_answers answers = {0};
    answers.ids = merge_take(v, v->reads.answers, &h->merge, &answers.is_whole);
    uint64_t mark_ms = home_mark(v, h, w, &answers.ids);
    metric_add(h->plan == PLAN_PULL ? METRIC_PULLS : h->plan == PLAN_REBUILD ? METRIC_REBUILDS : METRIC_MERGES, 1);
    switch (h->plan) {
    case PLAN_OVERLAY: /* asked as far down as the part of the list in hand went */
        answers.asked_from = h->merge.from_ms ? id_of_ms(h->merge.from_ms) : 0;
        window_unite(v->arena, w, &answers);
        break;
    case PLAN_PULL:
        add_news(v, w, &answers, mark_ms);
        break;
    case PLAN_REBUILD:
        replace_window(w, &answers);
        window_store(v, w, mark_ms);
        break;
    case PLAN_TRUTH:
    case PLAN_WINDOW:
        replace_window(w, &answers);
        break;
    }
    return answers.is_whole;
}

bool home_take_truth(struct visit *v, const struct home_authors *h, struct window *w)
{
    struct window_answers answers = {0};
    answers.ids = merge_take(v, v->reads.answers, &h->merge, &answers.is_whole);
    replace_window(w, &answers);
    return answers.is_whole;
}
