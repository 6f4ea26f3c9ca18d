/* marks.c - see marks.h. One thread at a time per visit. */
#include "social/posts/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* Where each mark is the truth, and how many of the newest are read, and remembered; its number is that of its bit. The
 * last is of conversations, by their first posts: all that there are. */
enum mark { MARK_FAVOURITED, MARK_BOOKMARKED, MARK_PINNED, MARK_BOOSTED, MARK_QUIET, MARKS };
static const struct {
    enum key key;
    size_t newest;
} sets[MARKS] = {[MARK_FAVOURITED] = {KEY_FAVOURITED, 100},
                 [MARK_BOOKMARKED] = {KEY_BOOKMARKS, 100},
                 [MARK_PINNED] = {KEY_PINS, 100},
                 [MARK_BOOSTED] = {KEY_BOOSTED, 100},
                 [MARK_QUIET] = {KEY_QUIET, QUIET_MOST}};
#define MARKS_BY_TIME MARK_BOOSTED /* of posts; boosts are ordered by post */

struct marked {
    uint64_t post; /* first, for id_newest_first */
    uint64_t bits;
};

/* The cached form: the newest marks of each sort in this version, those of one post together, newest post first. */
struct packed_marks {
    uint64_t version;
    uint64_t since_us; /* of posts that are not older all is known; 0: of all posts */
    struct marked rows[];
};

/* What a visit knows of its visitor's marks. */
struct visit_marks {
    struct packed_marks *packed; /* NULL: asked for, or nobody's */
    size_t count;
    bool asked;
    size_t reply;
};

/* --- boosts --------------------------------------------------------------------------------------------------------
 * */

size_t marks_boost_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t post)
{
    char digits[ID_SIZE];
    id_write(post, digits);
    return store_command(b, id_bucket(uid), "ZRANGE", key_id(a, KEY_BOOSTED, uid), arena_printf(a, "[%s ", digits),
                         arena_printf(a, "(%s!", digits), "BYLEX", "LIMIT", "0", "1", NULL);
}

uint64_t marks_boost_take(const struct store_reply *r)
{
    return r->type == STORE_ARRAY && r->count ? marks_boost_parse(store_text(&r->items[0])).boost : 0;
}

struct marks_boost marks_boost_parse(const char *entry)
{
    size_t length = strcspn(entry, " ");
    struct marks_boost out = {id_parse_n(entry, length), entry[length] ? id_parse(entry + length + 1) : 0};
    return out.post && out.boost ? out : (struct marks_boost){0};
}

const char *marks_boost_entry(struct arena *a, uint64_t post, uint64_t boost)
{
    char digits[ID_SIZE];
    return arena_printf(a, "%s %s", id_text(a, post), id_write(boost, digits));
}

/* --- the newest ----------------------------------------------------------------------------------------------------
 * */

static void ask_newest_marks(struct visit *v)
{
    v->marks->asked = true;
    v->marks->reply = store_batch_count(v->reads.batch);
    for (int m = 0; m < MARKS; m++) {
        store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE", key_id(v->arena, sets[m].key, v->claimed), "0",
                      store_last(v->arena, sets[m].newest), "REV", "WITHSCORES", NULL);
    }
}

/* Puts the rows in order, and makes one of those of the same post. */
static size_t order(struct marked *rows, size_t count)
{
    size_t n = 0;
    qsort(rows, count, sizeof(*rows), id_newest_first);
    for (size_t i = 0; i < count; i++) {
        if (n && rows[n - 1].post == rows[i].post) {
            rows[n - 1].bits |= rows[i].bits;
        } else {
            rows[n++] = rows[i];
        }
    }
    return n;
}

/* The post of an entry: of boosts something stands behind it. */
static uint64_t marked_post(const struct store_reply *entry)
{
    const char *text = store_text(entry);
    return id_parse_n(text, strcspn(text, " "));
}

/* Posts that are not older than this (us) have no other marks of the sort than those that were read. */
static uint64_t known_since(const struct store_reply *newest, enum mark m)
{
    if (m == MARK_QUIET || newest->count < 2 * sets[m].newest) {
        return 0;
    }
    const struct store_reply *last = &newest->items[newest->count - 2];
    return m < MARKS_BY_TIME ? (uint64_t)strtod(store_text(last + 1), NULL) : (id_ms(marked_post(last)) + 1) * 1000;
}

static enum err take_newest_marks(struct visit *v, void *unused)
{
    (void)unused;
    struct visit_marks *k = v->marks;
    size_t most = 0, count = 0;
    for (int m = 0; m < MARKS; m++) {
        most += visit_reply(v, k->reply + (size_t)m)->count / 2;
    }
    struct packed_marks *p = arena_alloc(v->arena, sizeof(*p) + (most + 1) * sizeof(p->rows[0]));
    *p = (struct packed_marks){.version = v->marks_version};
    for (int m = 0; m < MARKS; m++) {
        const struct store_reply *newest = visit_reply(v, k->reply + (size_t)m);
        for (size_t i = 0; i + 1 < newest->count; i += 2) {
            p->rows[count++] = (struct marked){marked_post(&newest->items[i]), UINT64_C(1) << m};
        }
        uint64_t since_us = known_since(newest, (enum mark)m);
        p->since_us = since_us > p->since_us ? since_us : p->since_us;
    }
    k->count = order(p->rows, count);
    k->packed = p;
    cache_put(v->social->cache, CACHE_MARKS, v->viewer.id, p, sizeof(*p) + k->count * sizeof(p->rows[0]),
              store_batch_marked(v->reads.answers));
    return ERR_OK;
}

static struct packed_marks *recall(struct visit *v, uint64_t uid, size_t *count)
{
    size_t size;
    struct packed_marks *p = cache_get(v->social->cache, CACHE_MARKS, uid, v->arena, &size);
    *count = p ? (size - sizeof(*p)) / sizeof(p->rows[0]) : 0;
    return p;
}

/* The version has come: the marks are in hand, or remembered as they are, or asked for with the next round. */
static enum err settle_marks(struct visit *v, void *unused)
{
    struct visit_marks *k = v->marks;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    if (k->asked) {
        return take_newest_marks(v, unused);
    }
    k->packed = recall(v, v->viewer.id, &k->count);
    if (!k->packed || k->packed->version != v->marks_version) {
        k->packed = NULL;
        k->count = 0;
        ask_newest_marks(v);
        visit_then(v, take_newest_marks, NULL);
    }
    return ERR_OK;
}

void marks_want(struct visit *v)
{
    if (!v->claimed || v->marks) {
        return;
    }
    v->marks = arena_zero(v->arena, sizeof(*v->marks));
    if (visit_is_known(v)) {
        settle_marks(v, NULL);
        return;
    }
    size_t count;
    if (v->is_behind || !recall(v, v->claimed, &count)) { /* a change has made what is remembered old */
        ask_newest_marks(v);
    }
    visit_then(v, settle_marks, NULL);
}

/* --- those of a page -----------------------------------------------------------------------------------------------
 * */

struct marks_read {
    struct post_mark *marks;
    size_t count;
    size_t *asked; /* indexes of those that are asked for one by one */
    size_t asked_count, reply;
};

static uint64_t bits_of(const struct visit_marks *k, uint64_t post)
{
    const struct marked *row =
        k->count ? bsearch(&post, k->packed->rows, k->count, sizeof(*row), id_newest_first) : NULL;
    return row ? row->bits : 0;
}

bool marks_are_quiet(const struct visit *v, uint64_t root)
{
    return v->viewer.id && v->marks && bits_of(v->marks, root) >> MARK_QUIET & 1;
}

/* Whether the newest marks tell of this post, too. */
static bool is_told(const struct packed_marks *p, uint64_t post)
{
    return p && id_ms(post) * 1000 >= p->since_us;
}

static void ask_one_by_one(struct visit *v, struct marks_read *r)
{
    const char **words = arena_alloc(v->arena, (2 + r->asked_count) * sizeof(*words));
    words[0] = "ZMSCORE";
    for (size_t i = 0; i < r->asked_count; i++) {
        words[2 + i] = id_text(v->arena, r->marks[r->asked[i]].post);
    }
    r->reply = store_batch_count(v->reads.batch);
    for (int m = 0; m < MARKS_BY_TIME; m++) {
        words[1] = key_id(v->arena, sets[m].key, v->claimed);
        store_command_v(v->reads.batch, id_bucket(v->claimed), 2 + r->asked_count, words);
    }
    for (size_t i = 0; i < r->asked_count; i++) {
        marks_boost_add(v->reads.batch, v->arena, v->claimed, r->marks[r->asked[i]].post);
    }
}

static void set_mark(struct post_mark *out, uint64_t bits)
{
    out->marks.is_favourited = bits >> MARK_FAVOURITED & 1;
    out->marks.is_bookmarked = bits >> MARK_BOOKMARKED & 1;
    out->marks.is_pinned = bits >> MARK_PINNED & 1;
    out->marks.is_boosted = bits >> MARK_BOOSTED & 1;
}

static enum err take_marks(struct visit *v, void *self)
{
    struct marks_read *r = self;
    const struct visit_marks *k = v->marks;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    for (size_t i = 0; i < r->count; i++) {
        set_mark(&r->marks[i], bits_of(k, r->marks[i].post));
    }
    for (size_t i = 0; i < r->asked_count; i++) {
        bool is_boosted = marks_boost_take(visit_reply(v, r->reply + MARKS_BY_TIME + i)) != 0;
        uint64_t bits = (uint64_t)is_boosted << MARK_BOOSTED;
        for (int m = 0; m < MARKS_BY_TIME; m++) {
            bool is = store_item(visit_reply(v, r->reply + (size_t)m), i)->type != STORE_NIL;
            bits |= (uint64_t)is << m;
        }
        set_mark(&r->marks[r->asked[i]], bits);
    }
    return ERR_OK;
}

void marks_ask(struct visit *v, struct post_mark *marks, size_t count)
{
    marks_want(v);
    if (!v->claimed || !count) {
        return;
    }
    struct marks_read *r = arena_zero(v->arena, sizeof(*r));
    r->marks = marks;
    r->count = count;
    r->asked = arena_alloc(v->arena, count * sizeof(*r->asked));
    for (size_t i = 0; i < count; i++) {
        if (!is_told(v->marks->packed, marks[i].post)) {
            r->asked[r->asked_count++] = i;
        }
    }
    if (r->asked_count) {
        ask_one_by_one(v, r);
    }
    visit_then(v, take_marks, r);
}
