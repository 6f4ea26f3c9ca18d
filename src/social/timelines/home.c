/* home.c - see home.h. Any thread. */
#include "social/timelines/home_window.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/metric.h"
#include "config/config.h"
#include "social/core/social.h"
#include "social/people/visit.h"
#include "social/timelines/celebrity.h"
#include "store/store.h"

#define MARK_EVERY_MS 5000 /* a mark that stays behind makes every visit ask for the same posts again */
#define SHARES 4           /* of a home, for each author, when it is made anew */
#define MOST_MERGES 8      /* round trips for one page when nearly everything on it is hidden */

/* Before the reads that it is about: what is stored after them is not much older than this. */
static void ask_time(struct visit *v, struct home_read *h)
{
    h->time_batch = v->batch;
    h->time_reply = store_command(v->batch, KEY_GLOBAL_BUCKET, "TIME", NULL);
}

/* Pull: who has anything new, as far as it is known already whom the reader follows. */
static void ask_newest(struct visit *v, struct home_read *h)
{
    if (v->social->config->timeline.mode != CONFIG_PULL || !window_is_first_page(h) || !v->following) {
        return;
    }
    uint64_t *ids = arena_alloc(v->arena, (v->following_count + 1) * sizeof(*ids));
    memcpy(ids, v->following, v->following_count * sizeof(*ids));
    ids[v->following_count] = v->claimed;
    h->asked = v->following;
    ask_time(v, h);
    h->newest = store_values_add(v->batch, KEY_NEWEST, ids, v->following_count + 1);
}

struct home_read *home_add(struct visit *v, const struct timeline_query *q)
{
    struct home_read *h = arena_zero(v->arena, sizeof(*h));
    h->query = *q;
    if (v->claimed) {
        visit_want_following(v);
        window_add(v, h);
        ask_newest(v, h);
    }
    return h;
}

static enum err know_following(struct visit *v)
{
    return v->following_known ? ERR_OK : visit_run(v);
}

/* How many ids each author is asked for: a page, and when a home is made anew also his share of it with room to spare,
 * so that a reader of few people gets a whole window and not one that ends where the busiest was cut off. */
static unsigned share(const struct visit *v, const struct home_read *h, unsigned page, size_t authors)
{
    unsigned most = (unsigned)v->social->config->timeline.pull_per_author;
    unsigned size = (unsigned)v->social->config->timeline.size;
    unsigned part = h->rebuilds ? (unsigned)(SHARES * size / (authors + 1)) : 0;
    most = most > page ? most : page;
    part = part < size ? part : size;
    return most > part ? most : part;
}

static void merge_start(struct visit *v, struct home_read *h, const struct timeline_query *q, const struct merge *who)
{
    unsigned page = q->limit + 1 + HOME_SLACK;
    h->merge = *who;
    h->merge.query = *q;
    h->merge.per_author = share(v, h, page, who->count);
    size_t size = (size_t)TIMELINE_KEPT(v->social->config);
    h->merge.most = size > page ? size : page;
    h->merges = true;
    if (v->social->config->timeline.mode == CONFIG_PULL && !h->newest) {
        ask_time(v, h);
    }
    merge_add(v, &h->merge);
}

static struct merge everybody(const struct visit *v)
{
    return (struct merge){.authors = v->following, .count = v->following_count, .self = v->viewer.id};
}

static void load_window(struct visit *v, struct home_read *h)
{
    struct timeline_ids ids = timeline_cut(&h->window, &h->query, h->query.limit + 1);
    h->loads = arena_zero(v->arena, (ids.count + 1) * sizeof(*h->loads));
    h->load_count = ids.count;
    for (size_t i = 0; i < ids.count; i++) {
        h->loads[i].id = ids.ids[i];
    }
    post_load_add(v->social, v->batch, v->arena, h->loads, ids.count);
}

/* Whether the list can be used. One that cannot is begun anew by a visit to the first page. A delivery that had to wait (the
 * engine was away) may come after a visit that took the same post from the truth: nobody sees a post twice on a page, but
 * the list is not left so. */
static bool check_list(struct visit *v, struct home_read *h)
{
    bool same_epoch = v->home.epoch == atomic_load(&v->social->epoch), is_foreign = atomic_load(&v->social->is_foreign);
    /* the clock was set back since the mark was written, or it is not one of ours: what came meanwhile may lie below it */
    bool is_ahead = v->home.mark_ms > clock_site_ms() + TIMELINE_AHEAD_MS;
    if (h->has_list && same_epoch && !v->home.must_build && !h->is_other && !is_ahead && !is_foreign) {
        if (h->has_doubles) {
            window_drop(v);
        }
        return true;
    }
    h->window.count = 0;
    h->window_is_whole = false;
    h->rebuilds = window_is_first_page(h) && !is_foreign;
    if (h->rebuilds && (!h->has_list || !same_epoch)) {
        window_begin(v);
    }
    return false;
}

/* Hybrid: the celebrities among those followed, whose posts are not in the window. */
static enum err ask_celebrities(struct visit *v, struct home_read *h)
{
    struct merge who = {0};
    uint64_t *ids;
    enum err e = know_following(v);
    e = e == ERR_OK ? celebrity_among(v->social, v->arena, v->following, v->following_count, &ids, &who.count) : e;
    if (e == ERR_OK && who.count) {
        who.authors = ids;
        if (!h->window_is_whole && !h->query.min_id && h->window.count) {
            who.from_ms = id_ms(h->window.ids[h->window.count - 1]);
        }
        h->overlays = true;
        merge_start(v, h, &h->query, &who);
    }
    return e;
}

/* Whether the i-th of those in h->newest may have posts from this time on that the window lacks. */
static bool has_news(const struct home_read *h, size_t i, uint64_t from_ms)
{
    const struct store_reply *r = store_value(h->newest, i);
    uint64_t newest = r->type == STORE_STRING ? id_parse(r->text) : UINT64_MAX;
    return newest >= (from_ms ? id_of_ms(from_ms) : 1) && !timeline_has(&h->window, newest);
}

/* Leaves those out who have nothing new. */
static void drop_silent(struct visit *v, const struct home_read *h, struct merge *who)
{
    if (h->asked != v->following) { /* it changed meanwhile */
        return;
    }
    uint64_t *authors = arena_alloc(v->arena, (who->count + 1) * sizeof(*authors));
    size_t n = 0;
    for (size_t i = 0; i < who->count; i++) {
        authors[n] = who->authors[i];
        n += has_news(h, i, who->from_ms);
    }
    who->self = has_news(h, who->count, who->from_ms) ? who->self : 0;
    who->authors = authors;
    who->count = n;
}

/* Pull: everybody's posts since the last time. */
static enum err ask_everybody_since(struct visit *v, struct home_read *h)
{
    enum err e = know_following(v);
    if (e == ERR_OK) {
        struct merge who = everybody(v);
        who.from_ms = v->home.mark_ms > TIMELINE_DISORDER_MS ? v->home.mark_ms - TIMELINE_DISORDER_MS : 0;
        who.known = h->window.count ? h->window.ids[0] : 0;
        if (h->newest) {
            drop_silent(v, h, &who);
        }
        h->pulls = true;
        merge_start(v, h, &h->query, &who);
    }
    return e;
}

/* In pull mode the window knows nothing above its mark: a cursor up there is a matter of the truth. */
static bool is_below_mark(const struct visit *v, const struct home_read *h)
{
    return !h->query.min_id && id_ms(h->query.max_id) + TIMELINE_DISORDER_MS <= v->home.mark_ms;
}

/* Decides what the second round trip must bring. */
static enum err plan(struct visit *v, struct home_read *h)
{
    enum config_mode mode = v->social->config->timeline.mode;
    bool usable = check_list(v, h);
    if (mode == CONFIG_PULL && !window_is_first_page(h) && !is_below_mark(v, h)) {
        usable = false;
    }
    enum err e = ERR_OK;
    if (usable && mode == CONFIG_PULL && window_is_first_page(h)) {
        e = ask_everybody_since(v, h);
        load_window(v, h);
    } else if (usable && window_reaches(h)) {
        e = mode == CONFIG_HYBRID ? ask_celebrities(v, h) : ERR_OK;
        load_window(v, h);
    } else { /* rebuilding, or below the window */
        h->cached.count = 0;
        e = know_following(v);
        struct merge who = everybody(v);
        if (e == ERR_OK) {
            merge_start(v, h, &h->query, &who);
        }
    }
    return e;
}

enum err home_next(struct visit *v, struct home_read *h)
{
    if (!v->viewer.id) {
        return ERR_OK;
    }
    enum err e = window_take(v, h);
    if (e != ERR_OK) {
        return e;
    }
    bool uncertain = window_is_uncertain(h);
    e = plan(v, h);
    if (uncertain && h->load_count) {
        window_add_whole(v, h);
    }
    h->second = v->batch;
    return e;
}

/* Pull: up to when the window that is stored knows of everything (see home.h). */
static uint64_t mark_of(const struct visit *v, const struct home_read *h, const struct timeline_ids *merged)
{
    if (!h->time_batch) {
        return 0;
    }
    uint64_t now = store_time_ms(store_reply(h->time_batch, h->time_reply));
    social_saw_time(v->social, now);
    uint64_t newest = merged->count ? merged->ids[0] : 0;
    newest = h->window.count && h->window.ids[0] > newest ? h->window.ids[0] : newest;
    for (size_t i = 0; h->newest && h->asked == v->following && i <= v->following_count; i++) {
        uint64_t id = id_parse(store_text(store_value(h->newest, i)));
        newest = id > newest ? id : newest;
    }
    return id_ms(newest) < now ? id_ms(newest) : now;
}

/* Puts what the authors answered into the window. */
static void take_merge(struct visit *v, struct home_read *h)
{
    struct timeline_ids merged = merge_take(v, h->second, &h->merge, &h->merge_is_whole);
    bool stores = h->rebuilds, adds = h->pulls && h->merge_is_whole;
    h->mark_ms = mark_of(v, h, &merged);
    metric_add(h->pulls ? METRIC_PULLS : h->rebuilds ? METRIC_REBUILDS : METRIC_MERGES, 1);
    if (h->pulls || h->overlays) {
        bool is_old = h->mark_ms > v->home.mark_ms + MARK_EVERY_MS;
        stores = h->pulls && (is_old || window_lacks(&h->window, &merged) || !h->merge_is_whole);
        window_unite(v, h, &merged, h->merge_is_whole);
    } else {
        h->window = merged;
        h->window_is_whole = h->merge_is_whole && !h->query.min_id;
        h->reaches_top = true;
    }
    if (stores) {
        window_store(v, h, adds ? &merged : &h->window, adds);
    }
}

static bool may_see(const struct visit *v, const struct post *p)
{
    return p->author.id == v->viewer.id || !v->following_known || visit_follows(v, p->author.id);
}

/* Takes other candidates in place of those in hand. */
static enum err load_candidates(struct visit *v, struct home_read *h, const struct timeline_ids *ids)
{
    enum err e = timeline_load(v, ids, &h->loads);
    h->load_count = e == ERR_OK ? ids->count : h->load_count;
    return e;
}

static bool is_loaded(const struct home_read *h, const struct timeline_ids *ids)
{
    bool same = h->load_count == ids->count;
    for (size_t i = 0; same && i < ids->count; i++) {
        same = h->loads[i].id == ids->ids[i];
    }
    return same;
}

static size_t hide(const struct visit *v, struct home_read *h)
{
    size_t visible = 0;
    for (size_t i = 0; i < h->load_count; i++) {
        struct post *p = &h->loads[i].post;
        if (p->id && !may_see(v, p)) {
            p->id = 0;
        }
        visible += p->id != 0;
    }
    return visible;
}

/* The window is used up: takes the ids from the truth instead, `want` of them. */
static enum err go_below(struct visit *v, struct home_read *h, size_t want)
{
    enum err e = know_following(v);
    if (e != ERR_OK) {
        return e;
    }
    struct timeline_query q = h->query;
    q.limit = (unsigned)want;
    struct store_batch *b = v->batch;
    struct merge who = everybody(v);
    merge_start(v, h, &q, &who);
    e = visit_run(v);
    if (e == ERR_OK) {
        h->window = merge_take(v, b, &h->merge, &h->window_ends);
        h->window_is_whole = h->window_ends && !h->query.min_id;
        h->reaches_top = true;
    }
    return e;
}

/* At the lower end of a window below which more is known to exist the page itself is enough: that there is an older one
 * need not be looked up (should all of that be hidden, it is an empty page). */
static bool is_full(const struct home_read *h, size_t visible)
{
    return visible > h->query.limit || (visible == h->query.limit && !h->query.min_id && !h->window_ends);
}

/* Takes more candidates until the page is full or nothing more exists. Nearly always the first look is enough. */
static enum err fill_up(struct visit *v, struct home_read *h)
{
    size_t want = h->query.limit + 1;
    for (unsigned i = 0; i < MOST_MERGES && !is_full(h, hide(v, h)); i++) {
        bool used_up = timeline_cut(&h->window, &h->query, want).count < want;
        if (used_up && h->window_ends) {
            break;
        }
        want *= i ? 2 : 1;
        enum err e = used_up ? go_below(v, h, want) : ERR_OK;
        struct timeline_ids ids = timeline_cut(&h->window, &h->query, want *= used_up ? 1 : 2);
        e = e == ERR_OK ? load_candidates(v, h, &ids) : e;
        if (e != ERR_OK) {
            return e;
        }
    }
    return ERR_OK;
}

enum err home_take(struct visit *v, struct home_read *h, struct timeline_page *out)
{
    memset(out, 0, sizeof(*out));
    if (!v->viewer.id) {
        return ERR_OK;
    }
    enum err e = ERR_OK;
    if (h->load_count) { /* into the cache with them, whatever the page will be */
        post_load_take(v->social, h->second, v->arena, h->loads, h->load_count);
    }
    if (h->asked_whole && !window_take_whole(v, h)) {
        h->merges = false; /* it was to go with the window: now all comes from the truth */
    }
    if (h->merges) {
        take_merge(v, h);
    }
    if (h->merges || h->asked_whole) {
        struct timeline_ids ids = timeline_cut(&h->window, &h->query, h->query.limit + 1);
        e = is_loaded(h, &ids) ? ERR_OK : load_candidates(v, h, &ids);
    }
    h->window_ends = h->query.min_id ? h->reaches_top && (!h->merges || h->merge_is_whole) : h->window_is_whole;
    e = e == ERR_OK ? fill_up(v, h) : e;
    timeline_fill(v->arena, &h->query, h->loads, h->load_count, out);
    out->has_older |= is_full(h, out->count);
    timeline_since(&h->query, out);
    return e;
}

bool home_from_cache(const struct home_read *h, uint64_t id)
{
    for (size_t i = 0; i < h->cached.count; i++) {
        if (h->cached.ids[i] == id) {
            return true;
        }
    }
    return false;
}
