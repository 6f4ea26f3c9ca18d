/* timeline.c - public, tag, reply and profile timelines, and what they share with homes (home.c). Any thread. */
#include "social/timelines/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/visit.h"
#include "store/keys.h"
#include "store/store.h"

#define SLACK 20 /* ids read beyond the page, for those that turn out to be hidden */

enum source { SOURCE_LIST, SOURCE_RANGE, SOURCE_USER };

struct timeline_read {
    enum source source;
    const char *key; /* of the list or sorted set */
    unsigned bucket;
    bool ascending; /* replies read oldest first */
    struct timeline_query query;
    struct store_batch *batch;
    size_t reply;
    size_t asked;     /* ids asked for */
    bool asked_whole; /* with the second round trip: see is_uncertain */
    bool more_behind; /* there may be ids behind those in hand */
    struct user user;
    struct user_counts counts;
    enum err user_err;
    struct timeline_ids ids; /* candidates within the cursors */
    size_t loaded;           /* of ids */
    struct store_batch *load_batch;
    struct post_load *loads;
    size_t load_count;
};

static int newest_first(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a > b ? -1 : a < b;
}

void timeline_sort(struct timeline_ids *ids)
{
    bool sorted = true;
    for (size_t i = 1; i < ids->count && sorted; i++) {
        sorted = ids->ids[i - 1] > ids->ids[i];
    }
    if (sorted) {
        return;
    }
    qsort(ids->ids, ids->count, sizeof(*ids->ids), newest_first);
    size_t n = 0;
    for (size_t i = 0; i < ids->count; i++) {
        if (n == 0 || ids->ids[n - 1] != ids->ids[i]) {
            ids->ids[n++] = ids->ids[i];
        }
    }
    ids->count = n;
}

bool timeline_has(const struct timeline_ids *ids, uint64_t id)
{
    return ids->count > 0 && bsearch(&id, ids->ids, ids->count, sizeof(id), newest_first) != NULL;
}

struct timeline_ids timeline_ids_of(struct arena *a, const struct store_reply *r)
{
    struct timeline_ids out = {.ids = arena_alloc(a, (r->count + 1) * sizeof(uint64_t))};
    for (size_t i = 0; i < r->count; i++) {
        uint64_t id = id_parse_n(r->items[i].text ? r->items[i].text : "", r->items[i].length);
        if (id) {
            out.ids[out.count++] = id;
        }
    }
    timeline_sort(&out);
    return out;
}

struct timeline_ids timeline_cut(const struct timeline_ids *ids, const struct timeline_query *q, size_t need)
{
    size_t from = 0, to = ids->count;
    while (q->max_id && from < to && ids->ids[from] >= q->max_id) {
        from++;
    }
    while (q->min_id && from < to && ids->ids[to - 1] <= q->min_id) {
        to--;
    }
    if (to - from > need) {
        if (q->min_id) {
            from = to - need;
        } else {
            to = from + need;
        }
    }
    return (struct timeline_ids){ids->ids + from, to - from};
}

enum err timeline_load(struct visit *v, const struct timeline_ids *ids, struct post_load **loads)
{
    struct post_load *l = arena_zero(v->arena, (ids->count + 1) * sizeof(*l));
    struct store_batch *b = social_batch(v->social, v->arena);
    for (size_t i = 0; i < ids->count; i++) {
        l[i].id = ids->ids[i];
    }
    post_load_add(v->social, b, v->arena, l, ids->count);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        post_load_take(v->social, b, v->arena, l, ids->count);
        *loads = l;
    }
    return e;
}

void timeline_fill(struct arena *a, const struct timeline_query *q, const struct post_load *loads, size_t count,
                   struct timeline_page *out)
{
    struct post *posts = arena_alloc(a, (count + 1) * sizeof(*posts));
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (loads[i].post.id) {
            posts[n++] = loads[i].post;
        }
    }
    bool over = n > q->limit;
    size_t skip = over && q->min_id ? n - q->limit : 0;
    out->posts = posts + skip;
    out->count = over ? q->limit : n;
    out->has_older = q->min_id ? out->count > 0 : over;
    out->has_newer = q->min_id ? over : q->max_id != 0 && out->count > 0;
}

void timeline_since(const struct timeline_query *q, struct timeline_page *page)
{
    if (!q->since_id || q->min_id) {
        return;
    }
    size_t n = 0;
    while (n < page->count && page->posts[n].id > q->since_id) {
        n++;
    }
    page->has_older = n > 0 && (page->has_older || n < page->count);
    page->has_newer = page->has_newer && n > 0;
    page->count = n;
}

/* --- lists and sorted sets --- */

static struct timeline_read *read_new(struct visit *v, enum source source, const struct timeline_query *q)
{
    struct timeline_read *r = arena_zero(v->arena, sizeof(*r));
    r->source = source;
    r->query = *q;
    r->batch = v->batch;
    r->asked = q->limit + 1 + SLACK;
    return r;
}

struct timeline_read *timeline_public_add(struct visit *v, const struct timeline_query *q)
{
    struct timeline_read *r = read_new(v, SOURCE_LIST, q);
    r->key = key_plain(v->arena, KEY_TIMELINE, KEY_GLOBAL_BUCKET);
    r->bucket = KEY_GLOBAL_BUCKET;
    if (q->max_id || q->min_id) {
        r->asked = TIMELINE_PUBLIC_SIZE;
    }
    r->reply =
        store_command(v->batch, r->bucket, "LRANGE", r->key, "0", arena_printf(v->arena, "%zu", r->asked - 1), NULL);
    return r;
}

/* BYLEX bounds of a query in reading direction. */
static void bounds(struct arena *a, const struct timeline_query *q, bool forward, const char **from, const char **to)
{
    char digits[ID_SIZE];
    const char *high = q->max_id ? arena_printf(a, "(%s", id_write(q->max_id, digits)) : "+";
    const char *low = q->min_id ? arena_printf(a, "(%s", id_write(q->min_id, digits)) : "-";
    *from = forward ? low : high;
    *to = forward ? high : low;
}

static size_t range_add(struct visit *v, struct timeline_read *r)
{
    bool forward = r->query.min_id != 0;
    const char *from, *to;
    bounds(v->arena, &r->query, forward, &from, &to);
    const char *count = arena_printf(v->arena, "%zu", r->asked);
    if (forward) {
        return store_command(v->batch, r->bucket, "ZRANGE", r->key, from, to, "BYLEX", "LIMIT", "0", count, NULL);
    }
    return store_command(v->batch, r->bucket, "ZRANGE", r->key, from, to, "BYLEX", "REV", "LIMIT", "0", count, NULL);
}

struct timeline_read *timeline_tag_add(struct visit *v, const char *tag, const struct timeline_query *q)
{
    struct timeline_read *r = read_new(v, SOURCE_RANGE, q);
    r->key = key_text(v->arena, KEY_TAG, tag);
    r->bucket = key_text_bucket(tag);
    r->reply = range_add(v, r);
    return r;
}

struct timeline_read *timeline_replies_add(struct visit *v, uint64_t post, const struct timeline_query *q)
{
    struct timeline_read *r = read_new(v, SOURCE_RANGE, q);
    r->key = key_id(v->arena, KEY_REPLIES, post);
    r->bucket = id_bucket(post);
    /* a conversation is read from its beginning: without a cursor the page begins at the first answer */
    r->ascending = true;
    if (!q->max_id && !q->min_id && !q->since_id) {
        r->query.min_id = 1;
    }
    r->reply = range_add(v, r);
    return r;
}

struct timeline_read *timeline_profile_add(struct visit *v, const char *name, const struct timeline_query *q)
{
    struct timeline_read *r = read_new(v, SOURCE_USER, q);
    bool forward = q->min_id != 0;
    struct user_page page = {.what = "posts", .reverse = !forward, .limit = (unsigned)r->asked};
    bounds(v->arena, q, forward, &page.from, &page.to);
    r->reply = user_find_add(v->batch, v->arena, name, &page);
    return r;
}

enum err timeline_profile_user(struct timeline_read *r, struct user *out, struct user_counts *counts)
{
    *out = r->user;
    *counts = r->counts;
    return r->user_err;
}

/* True if something behind the first part of a list could be newer than the page's last. Then the second round trip
 * brings the whole list, beside the posts that the page will nearly always consist of all the same. */
static bool is_uncertain(const struct timeline_read *r, const struct timeline_ids *ids)
{
    if (r->source != SOURCE_LIST || !ids->count || !r->more_behind || r->asked >= TIMELINE_PUBLIC_SIZE) {
        return false;
    }
    size_t last = r->query.limit < ids->count ? r->query.limit : ids->count - 1;
    return id_ms(ids->ids[last]) < id_ms(ids->ids[ids->count - 1]) + TIMELINE_DISORDER_MS;
}

static void ask_whole(struct visit *v, struct timeline_read *r)
{
    r->asked_whole = true;
    r->batch = v->batch;
    r->reply = store_command(v->batch, r->bucket, "LRANGE", r->key, "0", TIMELINE_PUBLIC_LAST, NULL);
}

/* Reads the ids in hand. */
static enum err take_ids(struct visit *v, struct timeline_read *r)
{
    const struct store_reply *rows = store_reply(r->batch, r->reply);
    if (r->source == SOURCE_USER) {
        r->user_err = user_find_take(v->social, r->batch, r->reply, &r->user, &r->counts, &rows);
        if (r->user_err != ERR_OK) {
            return r->user_err;
        }
        r->key = key_id(v->arena, KEY_POSTS, r->user.id);
        r->bucket = id_bucket(r->user.id);
    }
    if (rows->type != STORE_ARRAY) {
        return rows->type == STORE_ERROR ? rows->err : ERR_PROTOCOL;
    }
    struct timeline_ids ids = timeline_ids_of(v->arena, rows);
    r->more_behind = rows->count >= r->asked;
    if (is_uncertain(r, &ids)) {
        ask_whole(v, r);
    }
    r->ids = timeline_cut(&ids, &r->query, ids.count);
    return ERR_OK;
}

/* The whole list has come: begins anew with it if its newest are not those that were loaded. */
static void take_whole(struct visit *v, struct timeline_read *r)
{
    struct timeline_ids first = r->ids;
    struct timeline_ids ids = timeline_ids_of(v->arena, store_reply(r->batch, r->reply));
    r->ids = timeline_cut(&ids, &r->query, ids.count);
    r->more_behind = false;
    size_t same = 0;
    while (same < r->loaded && same < r->ids.count && first.ids[same] == r->ids.ids[same]) {
        same++;
    }
    if (same < r->loaded) {
        r->loaded = 0;
        r->load_count = 0;
    }
}

/* Adds the next `want` candidates to a batch: from the top, or from the bottom when reading upwards. */
static void load_next(struct visit *v, struct timeline_read *r, struct store_batch *b, size_t want)
{
    size_t left = r->ids.count - r->loaded;
    size_t n = want < left ? want : left;
    struct post_load *loads = arena_zero(v->arena, (r->load_count + n + 1) * sizeof(*loads));
    size_t old_at = r->query.min_id ? n : 0, new_at = r->query.min_id ? 0 : r->load_count;
    if (r->load_count) {
        memcpy(loads + old_at, r->loads, r->load_count * sizeof(*loads));
    }
    size_t first = r->query.min_id ? r->ids.count - r->loaded - n : r->loaded;
    for (size_t i = 0; i < n; i++) {
        loads[new_at + i].id = r->ids.ids[first + i];
    }
    r->loads = loads;
    r->load_count += n;
    r->loaded += n;
    r->load_batch = b;
    post_load_add(v->social, b, v->arena, loads + new_at, n);
}

enum err timeline_next(struct visit *v, struct timeline_read *r)
{
    enum err e = take_ids(v, r);
    if (e == ERR_OK) {
        load_next(v, r, v->batch, r->query.limit + 1);
    }
    return e;
}

static size_t visible(const struct timeline_read *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->load_count; i++) {
        n += r->loads[i].post.id != 0;
    }
    return n;
}

/* More ids of a sorted set, behind those in hand. */
static enum err read_more(struct visit *v, struct timeline_read *r)
{
    struct timeline_query whole = r->query;
    if (r->query.min_id) {
        r->query.min_id = r->ids.ids[0];
    } else {
        r->query.max_id = r->ids.ids[r->ids.count - 1];
    }
    struct store_batch *b = v->batch;
    size_t reply = range_add(v, r);
    r->query = whole;
    v->batch = social_batch(v->social, v->arena);
    enum err e = store_run(b);
    const struct store_reply *rows = store_reply(b, reply);
    if (e == ERR_OK) {
        r->ids = timeline_ids_of(v->arena, rows);
        r->more_behind = rows->count >= r->asked;
        r->loaded = 0;
    }
    return e;
}

enum err timeline_take(struct visit *v, struct timeline_read *r, struct timeline_page *out)
{
    post_load_take(v->social, r->load_batch, v->arena, r->loads, r->load_count);
    if (r->asked_whole) {
        take_whole(v, r);
    }
    size_t found;
    while ((found = visible(r)) <= r->query.limit) {
        if (r->loaded == r->ids.count) {
            if (!r->more_behind || r->source == SOURCE_LIST || r->ids.count == 0) {
                break;
            }
            enum err e = read_more(v, r);
            if (e != ERR_OK) {
                return e;
            }
        }
        size_t before = r->load_count;
        struct store_batch *b = social_batch(v->social, v->arena);
        load_next(v, r, b, r->query.limit + 1 - found);
        enum err e = store_run(b);
        if (e != ERR_OK) {
            return e;
        }
        size_t added = r->load_count - before;
        post_load_take(v->social, b, v->arena, r->query.min_id ? r->loads : r->loads + before, added);
    }
    timeline_fill(v->arena, &r->query, r->loads, r->load_count, out);
    if (r->ascending && r->query.min_id == 1) { /* the page without a cursor */
        out->has_older = false;
    }
    timeline_since(&r->query, out);
    return ERR_OK;
}
