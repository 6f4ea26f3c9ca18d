/* home_window.c - see home_window.h. Any thread. */
#include "social/timelines/home_window.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/secret.h"
#include "config/config.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "social/timelines/home_known.h"
#include "social/timelines/rebuild.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

bool window_is_first_page(const struct timeline_query *q)
{
    return !q->max_id && !q->min_id;
}

/* How long a home that nobody reads is kept, in ms; 0: for ever. */
static int64_t home_lifetime(const struct social *s)
{
    return s->config->timeline.inactive_days * CLOCK_DAY_MS;
}

/* Prolongs the life of a home that is read again: once a day, not at every visit. */
static void prolong(struct visit *v, const struct window *w)
{
    int64_t left = store_integer(visit_reply(v, w->ttl_reply));
    int64_t whole = home_lifetime(v->social);
    if (left < 0 || left > whole - CLOCK_DAY_MS) {
        return;
    }
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    store_command(b, id_bucket(v->viewer.id), "PEXPIRE", key_id(v->arena, KEY_HOME, v->viewer.id),
                  arena_printf(v->arena, "%lld", (long long)whole), NULL);
    store_send(b);
}

#define STATE_OF_LIST (HOMESTATE_STAMP | HOMESTATE_BUILD | HOMESTATE_LATE)

/* --- reading ------------------------------------------------------------------------------------------------------- */

static size_t add_part(struct visit *v, const struct window *w)
{
    int64_t page = w->query.limit + 1 + HOME_SLACK;
    bool upwards = w->query.min_id != 0;
    const struct script_home_range in = {.uid = v->claimed,
                                         .cursor = upwards ? w->query.min_id : w->query.max_id,
                                         .before = upwards ? page : HOME_MARGIN,
                                         .behind = upwards ? HOME_MARGIN : page,
                                         .size = TIMELINE_KEPT(v->social->config)};
    return script_home_range_add(v->reads.batch, &in);
}

/* Reads the state again after the list; it was also read before it. Only if both are the same does the list belong to
 * that state. */
static void add_state(struct visit *v, struct window *w)
{
    w->state_reply = record_ask(v->reads.batch, RECORD_HOMESTATE, v->claimed, STATE_OF_LIST);
}

/* Takes the state that was read after the list. False: it is not that of before. */
static bool take_state_again(const struct visit *v, struct window *w)
{
    struct record_homestate now;
    record_homestate_take(visit_reply(v, w->state_reply), STATE_OF_LIST, &now);
    w->is_steady = (uint64_t)now.late == v->home.late;
    return now.build == v->home.must_build && strcmp(now.stamp, v->home.stamp) == 0;
}

void window_ask(struct visit *v, struct window *w)
{
    const char *key = key_id(v->arena, KEY_HOME, v->claimed);
    if (window_is_first_page(&w->query)) {
        w->list_reply = store_command(v->reads.batch, id_bucket(v->claimed), "LRANGE", key, "0",
                                      arena_printf(v->arena, "%u", w->query.limit + HOME_SLACK), NULL);
    } else {
        w->list_reply = add_part(v, w);
    }
    add_state(v, w);
    w->ttl_reply = store_command(v->reads.batch, id_bucket(v->claimed), "PTTL", key, NULL);
}

/* A list is cut by order of arrival: an id that was cut off may be newer than the oldest ones that are still there, if
 * it came before them. So the list is longer than the window, and ids beyond the window are left to the truth. `behind`
 * is how many ids of the list stand beyond the window's size. */
static void leave_tail(struct timeline_ids *ids, size_t behind)
{
    ids->count -= behind < ids->count ? behind : ids->count;
}

/* Takes a part of the list that begins at `from`. */
static void take_part(struct visit *v, struct window *w, const struct store_reply *list, size_t from)
{
    size_t size = (size_t)v->social->config->timeline.size;
    w->ids = timeline_ids_of(v->arena, list);
    const struct store_reply *last = list->count ? &list->items[list->count - 1] : NULL;
    w->is_whole = last && strcmp(store_text(last), "0") == 0;
    bool has_doubles = w->ids.count + w->is_whole < list->count;
    w->list = !last ? WINDOW_MISSING : has_doubles ? WINDOW_DOUBLED : WINDOW_FOUND;
    if (!w->is_whole && from + list->count > size) {
        leave_tail(&w->ids, from + list->count - size);
    }
}

/* A first page whose part of the list does not reach far enough: perhaps what lies behind is remembered. */
static void join_known(struct visit *v, struct window *w, const struct store_reply *list)
{
    bool may = w->list == WINDOW_FOUND && w->is_steady && window_is_first_page(&w->query) && !w->reaches_bottom;
    if (may && window_is_uncertain(w)) {
        struct timeline_ids newest = home_known_join(v, timeline_ids_in_order(v->arena, list), w->query.limit + 1);
        w->is_known = newest.count > 0;
        w->ids = w->is_known ? newest : w->ids;
    }
}

enum err window_take(struct visit *v, struct window *w)
{
    struct store_reply list = *visit_reply(v, w->list_reply);
    if (list.type != STORE_ARRAY) {
        return list.type == STORE_ERROR ? list.err : ERR_PROTOCOL;
    }
    size_t from = 0;
    w->reaches_top = w->reaches_bottom = true;
    if (window_is_first_page(&w->query)) {
        w->reaches_bottom = list.count < w->query.limit + 1 + HOME_SLACK;
    } else {
        struct script_home_range_reply part;
        script_home_range_take(&list, &part);
        from = (size_t)part.from;
        w->reaches_top = from == 0;
        w->reaches_bottom = part.ends;
        list = *part.ids;
    }
    prolong(v, w);
    take_part(v, w, &list, from);
    if (!take_state_again(v, w) && w->list != WINDOW_MISSING) {
        w->list = WINDOW_OTHER;
    }
    join_known(v, w, &list);
    return ERR_OK;
}

bool window_is_uncertain(const struct window *w)
{
    if (w->is_known) {
        return false;
    }
    struct timeline_ids needed = timeline_cut(&w->ids, &w->query, w->query.limit + 1);
    if (needed.count == 0) {
        return !w->reaches_top || !w->reaches_bottom;
    }
    uint64_t top = w->query.max_id ? w->query.max_id : needed.ids[0];
    uint64_t bottom = w->query.min_id ? w->query.min_id : needed.ids[needed.count - 1];
    uint64_t newest = id_ms(w->ids.ids[0]), oldest = id_ms(w->ids.ids[w->ids.count - 1]);
    /* ids in front of the part came after it, so they are hardly older; ids behind it are hardly newer */
    bool sure_above = w->reaches_top || newest >= id_ms(top) + SOCIAL_DISORDER_MS;
    bool sure_below = w->reaches_bottom || oldest + SOCIAL_DISORDER_MS <= id_ms(bottom);
    return !sure_above || !sure_below;
}

void window_ask_whole(struct visit *v, struct window *w)
{
    w->asked_whole = true;
    w->list_reply =
        store_command(v->reads.batch, id_bucket(v->claimed), "LRANGE", key_id(v->arena, KEY_HOME, v->claimed), "0",
                      arena_printf(v->arena, "%lld", (long long)TIMELINE_KEPT(v->social->config) - 1), NULL);
    add_state(v, w);
}

bool window_take_whole(struct visit *v, struct window *w)
{
    if (!take_state_again(v, w)) {
        window_empty(w);
        return false;
    }
    w->reaches_top = w->reaches_bottom = true;
    take_part(v, w, visit_reply(v, w->list_reply), 0);
    if (w->list == WINDOW_FOUND && w->is_steady) {
        home_known_keep(v, &w->ids);
    }
    return true;
}

void window_empty(struct window *w)
{
    w->ids.count = 0;
    w->is_whole = w->reaches_top = false;
}

bool window_reaches(const struct window *w)
{
    if (w->is_whole) {
        return true;
    }
    if (w->ids.count == 0) {
        return false;
    }
    if (w->query.min_id) {
        return w->query.min_id >= w->ids.ids[w->ids.count - 1];
    }
    return timeline_cut(&w->ids, &w->query, w->query.limit).count == w->query.limit;
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
        .uid = v->claimed, .epoch = (int64_t)v->home.epoch, .stamp = v->home.stamp, .ttl = home_lifetime(v->social)};
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    script_home_begin_add(b, &in);
    store_run(b);
}

/* `keeps`: beside what the list has. `oldest`: the lower end of what is stored then; 0: nothing older exists. */
static void store_ids(struct visit *v, const struct timeline_ids *ids, bool keeps, uint64_t oldest, uint64_t mark_ms)
{
    char stamp[ID_SIZE];
    size_t size = (size_t)TIMELINE_KEPT(v->social->config);
    const struct script_home_store in = {.uid = v->viewer.id,
                                         .epoch = (int64_t)v->home.epoch,
                                         .read = v->home.stamp,
                                         .stamp = id_write(secret_random_u64() | 1, stamp),
                                         .mark = (int64_t)mark_ms,
                                         .size = (int64_t)size,
                                         .ttl = home_lifetime(v->social),
                                         .keeps = keeps,
                                         .oldest = oldest,
                                         .window = ids->ids,
                                         .window_count = ids->count < size ? ids->count : size};
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    script_home_store_add(b, &in);
    store_send(b);
}

void window_store(struct visit *v, const struct window *w, uint64_t mark_ms)
{
    bool cut = !w->is_whole && w->ids.count;
    store_ids(v, &w->ids, false, cut ? w->ids.ids[w->ids.count - 1] : 0, mark_ms);
}

void window_store_more(struct visit *v, const struct timeline_ids *ids, uint64_t mark_ms)
{
    store_ids(v, ids, true, 0, mark_ms);
}

bool window_lacks(const struct window *w, const struct timeline_ids *answers)
{
    size_t at = 0;
    for (size_t i = 0; i < answers->count; i++) {
        while (at < w->ids.count && w->ids.ids[at] > answers->ids[i]) {
            at++;
        }
        if (at == w->ids.count || w->ids.ids[at] != answers->ids[i]) {
            return true;
        }
    }
    return false;
}

static uint64_t highest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void window_append(struct timeline_ids *to, const struct timeline_ids *more)
{
    if (more->count) { /* else there may be no array */
        memcpy(to->ids + to->count, more->ids, more->count * sizeof(uint64_t));
        to->count += more->count;
    }
}

void window_unite(struct arena *a, struct window *w, const struct window_answers *answers)
{
    const struct timeline_ids *own = &w->ids, *others = &answers->ids;
    struct timeline_ids both = {.ids = arena_alloc(a, (own->count + others->count + 1) * sizeof(uint64_t))};
    window_append(&both, others);
    window_append(&both, own);
    timeline_sort(&both);
    struct timeline_query reach = {0};
    if (w->query.min_id) {
        reach.max_id = answers->is_whole || !others->count ? 0 : others->ids[0] + 1;
    } else {
        uint64_t own_edge = w->is_whole || !own->count ? 0 : own->ids[own->count - 1];
        uint64_t others_edge = answers->is_whole || !others->count ? 0 : others->ids[others->count - 1];
        uint64_t edge = highest(highest(own_edge, others_edge), answers->asked_from);
        reach.min_id = edge ? edge - 1 : 0;
        w->is_whole = w->is_whole && answers->is_whole && !answers->asked_from;
    }
    w->ids = timeline_cut(&both, &reach, both.count);
}
