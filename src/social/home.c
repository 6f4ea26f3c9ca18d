/* home.c - see home.h. Any thread. */
#include "social/home.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/metric.h"
#include "base/secret.h"
#include "config/config.h"
#include "social/celebrity.h"
#include "social/merge.h"
#include "social/social.h"
#include "social/visit.h"
#include "store/keys.h"
#include "store/store.h"

#define SLACK 20
#define MS_PER_DAY 86400000
#define MOST_MERGES 8 /* round trips for one page when nearly everything on it is hidden */

struct home_read {
    struct timeline_query query;
    struct store_batch *first;
    size_t list_reply, ttl_reply;
    size_t asked; /* ids of the list asked for */
    struct timeline_ids window;
    bool window_is_whole; /* nothing older than the window exists */
    bool window_ends;     /* nothing exists beyond it in the direction of reading */
    bool asked_whole;     /* with the second round trip: see is_uncertain */
    bool rebuilds;        /* this visit stores the window */
    bool pulls;           /* pull: this visit asks all authors for what is new */
    bool overlays;        /* hybrid: this visit asks celebrities, on top of the window */
    struct merge merge;   /* when rebuilding, pulling, or below the window */
    bool merges, merge_is_whole;
    uint64_t merged_at_ms;
    struct store_batch *second;
    struct post_load *loads; /* of the window, newest first */
    size_t load_count;
};

static bool is_first_page(const struct home_read *h)
{
    return !h->query.max_id && !h->query.min_id;
}

const char *home_ttl_text(const struct social *s, struct arena *a)
{
    return arena_printf(a, "%lld", (long long)s->config->timeline.inactive_days * MS_PER_DAY);
}

/* Keeps the home of somebody who comes again from running out: once a day, not at every visit. */
static void prolong(struct visit *v, const struct home_read *h)
{
    int64_t left = store_integer(store_reply(h->first, h->ttl_reply));
    int64_t whole = v->social->config->timeline.inactive_days * MS_PER_DAY;
    if (left < 0 || left > whole - MS_PER_DAY) {
        return;
    }
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    store_command(b, id_bucket(v->viewer.id), "PEXPIRE", key_id(v->arena, KEY_HOME, v->viewer.id),
                  home_ttl_text(v->social, v->arena), NULL);
    store_send(b);
}

struct home_read *home_add(struct visit *v, const struct timeline_query *q)
{
    struct home_read *h = arena_zero(v->arena, sizeof(*h));
    h->query = *q;
    if (!v->claimed) {
        return h;
    }
    visit_want_following(v);
    size_t size = (size_t)v->social->config->timeline.size;
    h->asked = q->limit + 1 + SLACK;
    /* pull keeps the whole window in hand: it is stored again with what is new */
    if (!is_first_page(h) || h->asked > size || v->social->config->timeline.mode == CONFIG_PULL) {
        h->asked = size;
    }
    h->first = v->batch;
    h->list_reply = store_command(v->batch, id_bucket(v->claimed), "LRANGE", key_id(v->arena, KEY_HOME, v->claimed),
                                  "0", arena_printf(v->arena, "%zu", h->asked - 1), NULL);
    h->ttl_reply = store_command(v->batch, id_bucket(v->claimed), "PTTL", key_id(v->arena, KEY_HOME, v->claimed), NULL);
    return h;
}

/* Takes the window from a reply of LRANGE. */
static void take_window(struct visit *v, struct home_read *h, const struct store_reply *list)
{
    h->window = timeline_ids_of(v->arena, list);
    const struct store_reply *last = list->count ? &list->items[list->count - 1] : NULL;
    h->window_is_whole = last && strcmp(store_text(last), "0") == 0;
}

/* Whether something behind the first part of the list could be newer than the page's last. Then the second round trip
 * brings the whole list, beside the posts that the page will nearly always consist of all the same. */
static bool is_uncertain(const struct visit *v, const struct home_read *h, const struct store_reply *list)
{
    size_t size = (size_t)v->social->config->timeline.size;
    if (list->count < h->asked || h->asked >= size || h->window.count == 0) {
        return false;
    }
    size_t last = h->query.limit < h->window.count ? h->query.limit : h->window.count - 1;
    return id_ms(h->window.ids[last]) < id_ms(h->window.ids[h->window.count - 1]) + TIMELINE_DISORDER_MS;
}

static void ask_whole(struct visit *v, struct home_read *h)
{
    h->asked_whole = true;
    h->list_reply =
        store_command(v->batch, id_bucket(v->claimed), "LRANGE", key_id(v->arena, KEY_HOME, v->claimed), "0",
                      arena_printf(v->arena, "%lld", (long long)v->social->config->timeline.size - 1), NULL);
}

/* Begins the home anew. An engine that refuses writes does not matter: the page is merged all the same. */
static void begin(struct visit *v)
{
    char stamp[ID_SIZE], epoch[ID_SIZE];
    v->home.stamp = arena_dup(v->arena, id_write(secret_random_u64(), stamp));
    v->home.epoch = atomic_load(&v->social->epoch);
    const char *keys[] = {key_id(v->arena, KEY_HOME, v->claimed), key_id(v->arena, KEY_HOMESTATE, v->claimed)};
    const char *arguments[] = {id_write(v->home.epoch, epoch), v->home.stamp, home_ttl_text(v->social, v->arena)};
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    store_script(b, id_bucket(v->claimed), SCRIPT_HOME_BEGIN, 2, keys, 3, arguments);
    store_run(b);
}

static enum err know_following(struct visit *v)
{
    return v->following_known ? ERR_OK : visit_run(v);
}

static void merge_start(struct visit *v, struct home_read *h, const struct timeline_query *q, const struct merge *who)
{
    unsigned per_author = (unsigned)v->social->config->timeline.pull_per_author;
    unsigned page = q->limit + 1 + SLACK;
    h->merge = *who;
    h->merge.query = *q;
    h->merge.per_author = per_author > page ? per_author : page;
    h->merges = true;
    h->merged_at_ms = clock_wall_ms();
    merge_add(v, &h->merge);
}

static struct merge everybody(const struct visit *v)
{
    return (struct merge){.authors = v->following, .count = v->following_count, .self = v->viewer.id};
}

/* True when the window alone may answer the query (if nothing of it is hidden). */
static bool window_reaches(const struct home_read *h)
{
    if (h->window_is_whole) {
        return true;
    }
    if (h->window.count == 0) {
        return false;
    }
    uint64_t oldest = h->window.ids[h->window.count - 1];
    if (h->query.min_id) {
        return h->query.min_id >= oldest;
    }
    return timeline_cut(&h->window, &h->query, h->query.limit + 1).count > h->query.limit;
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

/* Whether the list can be used. One that cannot is begun anew by a visit to the first page. */
static bool check_list(struct visit *v, struct home_read *h, bool has_list)
{
    bool same_epoch = v->home.epoch == atomic_load(&v->social->epoch);
    if (has_list && same_epoch && !v->home.must_build) {
        return true;
    }
    h->window.count = 0;
    h->window_is_whole = false;
    h->rebuilds = is_first_page(h);
    if (h->rebuilds && (!has_list || !same_epoch)) {
        begin(v);
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

/* Pull: everybody's posts since the last time. */
static enum err ask_everybody_since(struct visit *v, struct home_read *h)
{
    enum err e = know_following(v);
    if (e == ERR_OK) {
        struct merge who = everybody(v);
        who.from_ms = v->home.mark_ms > TIMELINE_DISORDER_MS ? v->home.mark_ms - TIMELINE_DISORDER_MS : 0;
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
static enum err plan(struct visit *v, struct home_read *h, bool has_list)
{
    enum config_mode mode = v->social->config->timeline.mode;
    bool usable = check_list(v, h, has_list);
    if (mode == CONFIG_PULL && !is_first_page(h) && !is_below_mark(v, h)) {
        usable = false;
    }
    enum err e = ERR_OK;
    if (usable && mode == CONFIG_PULL && is_first_page(h)) {
        e = ask_everybody_since(v, h);
        load_window(v, h);
    } else if (usable && window_reaches(h)) {
        e = mode == CONFIG_HYBRID ? ask_celebrities(v, h) : ERR_OK;
        load_window(v, h);
    } else { /* rebuilding, or below the window */
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
    const struct store_reply *list = store_reply(h->first, h->list_reply);
    if (list->type != STORE_ARRAY) {
        return list->type == STORE_ERROR ? list->err : ERR_PROTOCOL;
    }
    prolong(v, h);
    take_window(v, h, list);
    bool uncertain = is_uncertain(v, h, list);
    enum err e = plan(v, h, list->count > 0);
    if (uncertain && h->load_count) {
        ask_whole(v, h);
    }
    h->second = v->batch;
    return e;
}

/* Stores the window that this visit made; lost or refused, the next visit makes it again. */
static void store_window(struct visit *v, const struct home_read *h)
{
    struct arena *a = v->arena;
    size_t size = (size_t)v->social->config->timeline.size;
    size_t count = h->window.count < size ? h->window.count : size;
    const char **arguments = arena_alloc(a, (7 + count) * sizeof(*arguments));
    arguments[0] = arena_printf(a, "%llu", (unsigned long long)v->home.epoch);
    arguments[1] = v->home.stamp;
    arguments[2] = arena_printf(a, "%llu", (unsigned long long)(secret_random_u64() | 1));
    arguments[3] = arena_printf(a, "%llu", (unsigned long long)h->merged_at_ms);
    arguments[4] = arena_printf(a, "%zu", size);
    bool cut = !h->window_is_whole && h->window.count;
    arguments[5] = home_ttl_text(v->social, a);
    arguments[6] = cut ? id_write(h->window.ids[h->window.count - 1], arena_alloc(a, ID_SIZE)) : "0";
    for (size_t i = 0; i < count; i++) {
        arguments[7 + i] = id_write(h->window.ids[i], arena_alloc(a, ID_SIZE));
    }
    const char *keys[] = {key_id(a, KEY_HOME, v->viewer.id), key_id(a, KEY_HOMESTATE, v->viewer.id)};
    struct store_batch *b = store_batch_new(v->social->store, a);
    store_script(b, id_bucket(v->viewer.id), SCRIPT_HOME_STORE, 2, keys, 7 + count, arguments);
    store_send(b);
}

/* Whether merged ids bring anything that the window lacks. */
static bool brings_news(const struct timeline_ids *window, const struct timeline_ids *merged)
{
    size_t w = 0;
    for (size_t i = 0; i < merged->count; i++) {
        while (w < window->count && window->ids[w] > merged->ids[i]) {
            w++;
        }
        if (w == window->count || window->ids[w] != merged->ids[i]) {
            return true;
        }
    }
    return false;
}

/* Window and answers as one set. It reaches only as far as both do: beyond the edge of either, ids may be missing. */
static void unite(struct visit *v, struct home_read *h, const struct timeline_ids *merged, bool merge_is_whole)
{
    const struct timeline_ids *window = &h->window;
    struct timeline_ids both = {.ids = arena_alloc(v->arena, (window->count + merged->count + 1) * sizeof(uint64_t))};
    memcpy(both.ids, merged->ids, merged->count * sizeof(uint64_t));
    memcpy(both.ids + merged->count, window->ids, window->count * sizeof(uint64_t));
    both.count = merged->count + window->count;
    timeline_sort(&both);
    struct timeline_query reach = {0};
    if (h->query.min_id) {
        reach.max_id = merge_is_whole || !merged->count ? 0 : merged->ids[0] + 1;
    } else {
        uint64_t window_edge = h->window_is_whole || !window->count ? 0 : window->ids[window->count - 1];
        uint64_t merge_edge = merge_is_whole || !merged->count ? 0 : merged->ids[merged->count - 1];
        uint64_t edge = window_edge > merge_edge ? window_edge : merge_edge;
        reach.min_id = edge ? edge - 1 : 0;
        h->window_is_whole = h->window_is_whole && merge_is_whole;
    }
    h->window = timeline_cut(&both, &reach, both.count);
}

/* Puts what the authors answered into the window. */
static void take_merge(struct visit *v, struct home_read *h)
{
    struct timeline_ids merged = merge_take(v, h->second, &h->merge, &h->merge_is_whole);
    bool stores = h->rebuilds;
    metric_add(h->pulls ? METRIC_PULLS : h->rebuilds ? METRIC_REBUILDS : METRIC_MERGES, 1);
    if (h->pulls || h->overlays) {
        stores = h->pulls && (brings_news(&h->window, &merged) || !h->merge_is_whole);
        unite(v, h, &merged, h->merge_is_whole);
    } else {
        h->window = merged;
        h->window_is_whole = h->merge_is_whole && !h->query.min_id;
    }
    if (stores) {
        store_window(v, h);
    }
}

static bool may_see(const struct visit *v, const struct post *p)
{
    return p->author.id == v->viewer.id || !v->following_known || visit_follows(v, p->author.id);
}

/* Loads the posts of the ids that are not loaded yet: one round trip, none if the cache has them all. */
static enum err load_candidates(struct visit *v, struct home_read *h, const struct timeline_ids *ids)
{
    struct post_load *loads = arena_zero(v->arena, (ids->count + 1) * sizeof(*loads));
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    for (size_t i = 0; i < ids->count; i++) {
        loads[i].id = ids->ids[i];
    }
    post_load_add(v->social, b, v->arena, loads, ids->count);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        post_load_take(v->social, b, v->arena, loads, ids->count);
        h->loads = loads;
        h->load_count = ids->count;
    }
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
    }
    return e;
}

/* Takes more candidates until the page is full or nothing more exists. Nearly always the first look is enough. */
static enum err fill_up(struct visit *v, struct home_read *h)
{
    size_t want = h->query.limit + 1;
    for (unsigned i = 0; i < MOST_MERGES && hide(v, h) <= h->query.limit; i++) {
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
    if (h->asked_whole && store_reply(h->second, h->list_reply)->type == STORE_ARRAY) {
        take_window(v, h, store_reply(h->second, h->list_reply));
    }
    if (h->merges) {
        take_merge(v, h);
    }
    if (h->merges || h->asked_whole) {
        struct timeline_ids ids = timeline_cut(&h->window, &h->query, h->query.limit + 1);
        e = is_loaded(h, &ids) ? ERR_OK : load_candidates(v, h, &ids);
    }
    h->window_ends = h->query.min_id ? !h->merges || h->merge_is_whole : h->window_is_whole;
    e = e == ERR_OK ? fill_up(v, h) : e;
    timeline_fill(v->arena, &h->query, h->loads, h->load_count, out);
    return e;
}
