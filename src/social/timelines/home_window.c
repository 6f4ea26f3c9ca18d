/* home_window.c - see home_window.h. Any thread. */
#include "social/timelines/home_window.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/secret.h"
#include "config/config.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/visit.h"
#include "social/timelines/rebuild.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

#define MS_PER_DAY 86400000

bool window_is_first_page(const struct home_read *h)
{
    return !h->query.max_id && !h->query.min_id;
}

int64_t home_ttl(const struct social *s)
{
    return s->config->timeline.inactive_days * MS_PER_DAY;
}

const char *home_ttl_text(const struct social *s, struct arena *a)
{
    return arena_printf(a, "%lld", (long long)home_ttl(s));
}

/* Keeps the home of somebody who comes again from running out: once a day, not at every visit. */
static void prolong(struct visit *v, const struct home_read *h)
{
    int64_t left = store_integer(store_reply(h->first, h->ttl_reply));
    int64_t whole = home_ttl(v->social);
    if (left < 0 || left > whole - MS_PER_DAY) {
        return;
    }
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    store_command(b, id_bucket(v->viewer.id), "PEXPIRE", key_id(v->arena, KEY_HOME, v->viewer.id),
                  home_ttl_text(v->social, v->arena), NULL);
    store_send(b);
}

static void end_home(struct store_batch *b, struct arena *a, uint64_t uid)
{
    store_command(b, id_bucket(uid), "DEL", key_id(a, KEY_HOME, uid), key_id(a, KEY_HOMESTATE, uid), NULL);
}

const struct remains home_remains = {.name = "home", .end_add = end_home};

/* --- reading ------------------------------------------------------------------------------------------------------- */

static size_t add_range(struct visit *v, const struct home_read *h)
{
    int64_t page = h->query.limit + 1 + HOME_SLACK;
    bool upwards = h->query.min_id != 0;
    const struct script_home_range in = {.uid = v->claimed,
                                         .cursor = upwards ? h->query.min_id : h->query.max_id,
                                         .before = upwards ? page : HOME_MARGIN,
                                         .behind = upwards ? HOME_MARGIN : page,
                                         .size = TIMELINE_KEPT(v->social->config)};
    return script_home_range_add(v->batch, &in);
}

/* After the list, because its state was read before it: only if both say the same the list is what the state says. */
static void add_state(struct visit *v, struct home_read *h)
{
    h->state_reply = store_command(v->batch, id_bucket(v->claimed), "HMGET",
                                   key_id(v->arena, KEY_HOMESTATE, v->claimed), "stamp", "build", NULL);
}

static bool is_other(const struct visit *v, const struct store_reply *state)
{
    bool must_build = store_integer(store_item(state, 1)) != 0;
    return must_build != v->home.must_build || strcmp(store_text(store_item(state, 0)), v->home.stamp) != 0;
}

void window_add(struct visit *v, struct home_read *h)
{
    const char *key = key_id(v->arena, KEY_HOME, v->claimed);
    h->first = v->batch;
    if (window_is_first_page(h)) {
        h->list_reply = store_command(v->batch, id_bucket(v->claimed), "LRANGE", key, "0",
                                      arena_printf(v->arena, "%u", h->query.limit + HOME_SLACK), NULL);
    } else {
        h->list_reply = add_range(v, h);
    }
    add_state(v, h);
    h->ttl_reply = store_command(v->batch, id_bucket(v->claimed), "PTTL", key, NULL);
}

/* A list is cut where the order of arrival says so: an id that was cut off may be newer than the oldest ones that are still
 * there, if it came before them. So the list is longer than the window, and what is behind is left to the truth. `behind` is
 * how many ids of the list stand beyond the window's size. */
static void leave_tail(struct timeline_ids *w, size_t behind)
{
    w->count -= behind < w->count ? behind : w->count;
}

/* Takes a part of the list that begins at `from`. */
static void take_ids(struct visit *v, struct home_read *h, const struct store_reply *list, size_t from)
{
    size_t size = (size_t)v->social->config->timeline.size;
    h->window = h->cached = timeline_ids_of(v->arena, list);
    h->has_list = list->count > 0;
    const struct store_reply *last = list->count ? &list->items[list->count - 1] : NULL;
    h->window_is_whole = last && strcmp(store_text(last), "0") == 0;
    h->has_doubles = h->window.count + h->window_is_whole < list->count;
    if (!h->window_is_whole && from + list->count > size) {
        leave_tail(&h->window, from + list->count - size);
        h->cached = h->window;
    }
}

enum err window_take(struct visit *v, struct home_read *h)
{
    struct store_reply list = *store_reply(h->first, h->list_reply);
    if (list.type != STORE_ARRAY) {
        return list.type == STORE_ERROR ? list.err : ERR_PROTOCOL;
    }
    size_t from = 0;
    h->is_other = is_other(v, store_reply(h->first, h->state_reply));
    h->reaches_top = h->reaches_bottom = true;
    if (window_is_first_page(h)) {
        h->reaches_bottom = list.count < h->query.limit + 1 + HOME_SLACK;
    } else {
        struct script_home_range_reply part;
        script_home_range_take(&list, &part);
        from = (size_t)part.from;
        h->reaches_top = from == 0;
        h->reaches_bottom = part.ends;
        list = *part.ids;
    }
    prolong(v, h);
    take_ids(v, h, &list, from);
    return ERR_OK;
}

bool window_is_uncertain(const struct home_read *h)
{
    struct timeline_ids needed = timeline_cut(&h->window, &h->query, h->query.limit + 1);
    if (needed.count == 0) {
        return !h->reaches_top || !h->reaches_bottom;
    }
    uint64_t top = h->query.max_id ? h->query.max_id : needed.ids[0];
    uint64_t bottom = h->query.min_id ? h->query.min_id : needed.ids[needed.count - 1];
    uint64_t newest = id_ms(h->window.ids[0]), oldest = id_ms(h->window.ids[h->window.count - 1]);
    /* what stands in front of the part came after it, so it is hardly older; what stands behind, hardly newer */
    bool sure_above = h->reaches_top || newest >= id_ms(top) + TIMELINE_DISORDER_MS;
    bool sure_below = h->reaches_bottom || oldest + TIMELINE_DISORDER_MS <= id_ms(bottom);
    return !sure_above || !sure_below;
}

void window_add_whole(struct visit *v, struct home_read *h)
{
    h->asked_whole = true;
    h->list_reply =
        store_command(v->batch, id_bucket(v->claimed), "LRANGE", key_id(v->arena, KEY_HOME, v->claimed), "0",
                      arena_printf(v->arena, "%lld", (long long)TIMELINE_KEPT(v->social->config) - 1), NULL);
    add_state(v, h);
}

bool window_take_whole(struct visit *v, struct home_read *h)
{
    const struct store_reply *list = store_reply(h->second, h->list_reply);
    if (is_other(v, store_reply(h->second, h->state_reply))) {
        h->window.count = h->cached.count = 0;
        h->window_is_whole = h->reaches_top = false;
        return false;
    }
    h->reaches_top = h->reaches_bottom = true;
    take_ids(v, h, list, 0);
    return true;
}

bool window_reaches(const struct home_read *h)
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
    return timeline_cut(&h->window, &h->query, h->query.limit).count == h->query.limit;
}

/* --- writing ------------------------------------------------------------------------------------------------------- */

void window_drop(struct visit *v)
{
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    rebuild_add(b, v->claimed);
    store_send(b);
}

void window_begin(struct visit *v)
{
    v->home.stamp = id_text(v->arena, secret_random_u64());
    v->home.epoch = atomic_load(&v->social->epoch);
    const struct script_home_begin in = {
        .uid = v->claimed, .epoch = (int64_t)v->home.epoch, .stamp = v->home.stamp, .ttl = home_ttl(v->social)};
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    script_home_begin_add(b, &in);
    store_run(b);
}

/* The lower edge of the window that is stored; 0: nothing older exists. */
static uint64_t edge(const struct home_read *h)
{
    bool cut = !h->window_is_whole && h->window.count;
    return cut ? h->window.ids[h->window.count - 1] : 0;
}

void window_store(struct visit *v, const struct home_read *h, const struct timeline_ids *ids, bool adds)
{
    char stamp[ID_SIZE];
    size_t size = (size_t)TIMELINE_KEPT(v->social->config);
    const struct script_home_store in = {.uid = v->viewer.id,
                                         .epoch = (int64_t)v->home.epoch,
                                         .read = v->home.stamp,
                                         .stamp = id_write(secret_random_u64() | 1, stamp),
                                         .mark = (int64_t)h->mark_ms,
                                         .size = (int64_t)size,
                                         .ttl = home_ttl(v->social),
                                         .keeps = adds,
                                         .oldest = edge(h),
                                         .window = ids->ids,
                                         .window_count = ids->count < size ? ids->count : size};
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    script_home_store_add(b, &in);
    store_send(b);
}

bool window_lacks(const struct timeline_ids *window, const struct timeline_ids *merged)
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

void window_unite(struct visit *v, struct home_read *h, const struct timeline_ids *merged, bool merge_is_whole)
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
        /* celebrities were asked as far down as the part of the list went that was in hand then */
        uint64_t asked_edge = h->overlays && h->merge.from_ms ? id_of_ms(h->merge.from_ms) : 0;
        edge = edge > asked_edge ? edge : asked_edge;
        reach.min_id = edge ? edge - 1 : 0;
        h->window_is_whole = h->window_is_whole && merge_is_whole && !asked_edge;
    }
    h->window = timeline_cut(&both, &reach, both.count);
}
