/* merge.c - see merge.h. Any thread. */
#include "social/timelines/merge.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/user_numbers.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

#define SCRIPT_AUTHORS 64 /* more than these are asked without a script */

static size_t author_count(const struct merge *m)
{
    return m->count + (m->self != 0);
}

static uint64_t merge_author(const struct merge *m, size_t i)
{
    return i < m->count ? m->authors[i] : m->self;
}

/* Posts sent along by each author: few authors send a page each, many send one or two. */
static unsigned bodies(const struct merge *m)
{
    unsigned share = (unsigned)(4 * m->query.limit / (m->count + 1)) + 1;
    return share < m->query.limit + 1 ? share : m->query.limit + 1;
}

/* Bounds for BYLEX, from which to which. */
struct bounds {
    char text[2][ID_SIZE + 1];
};

static struct bounds bounds_of(const struct merge *m)
{
    bool forward = m->query.min_id != 0;
    struct bounds out = {{"", ""}};
    char *high = out.text[forward], *low = out.text[!forward];
    memcpy(high, "+", 2);
    memcpy(low, "-", 2);
    if (m->query.max_id) {
        high[0] = '(';
        id_write(m->query.max_id, high + 1);
    }
    if (forward) {
        low[0] = '(';
        id_write(m->query.min_id, low + 1);
    } else if (m->from_ms) {
        low[0] = '[';
        id_write(id_of_ms(m->from_ms), low + 1);
    }
    return out;
}

static void ask_by_script(struct visit *v, struct merge *m, const struct bounds *bounds)
{
    struct script_author_posts in = {.from = bounds->text[0],
                                     .to = bounds->text[1],
                                     .backwards = !m->query.min_id,
                                     .most = m->per_author,
                                     .most_bodies = bodies(m),
                                     .known = m->known,
                                     .numbers = v->wants_numbers};
    for (size_t i = 0; i < author_count(m); i++) {
        in.uid = merge_author(m, i);
        script_author_posts_add(v->reads.batch, &in);
    }
}

static void ask_plainly(struct visit *v, struct merge *m, const struct bounds *bounds)
{
    const char *most = arena_printf(v->arena, "%u", m->per_author);
    const char *rev[] = {bounds->text[0], bounds->text[1], "BYLEX", "REV", "LIMIT", "0", most};
    const char *fwd[] = {bounds->text[0], bounds->text[1], "BYLEX", "LIMIT", "0", most};
    bool forward = m->query.min_id != 0;
    const char *const *arguments = forward ? fwd : rev;
    size_t count = forward ? 6 : 7;
    store_command_ids(v->reads.batch, "ZRANGE", KEY_POSTS, m->authors, m->count, count, arguments);
    if (m->self) {
        store_command_ids(v->reads.batch, "ZRANGE", KEY_POSTS, &m->self, 1, count, arguments);
    }
}

void merge_add(struct visit *v, struct merge *m)
{
    struct bounds bounds = bounds_of(m);
    m->first_reply = store_batch_count(v->reads.batch);
    m->plain = m->count > SCRIPT_AUTHORS;
    if (m->plain) {
        ask_plainly(v, m, &bounds);
    } else {
        ask_by_script(v, m, &bounds);
    }
}

static void remember(struct visit *v, uint64_t author, const struct store_reply *reply, uint64_t token)
{
    struct script_author_posts_reply r;
    if (!script_author_posts_take(reply, &r)) { /* without bodies */
        return;
    }
    user_cache_put(v->social, v->arena, author, &r.user, token);
    user_numbers_take(v->social, v->arena, author, r.of_author, token);
    for (size_t i = 0; 2 * (i + 1) <= r.bodies->count; i++) {
        struct record_post post;
        uint64_t id = id_parse(store_text(store_item(r.ids, i)));
        record_post_take(&r.bodies->items[2 * i], POST_SHOWN, &post);
        if (*post.text || post.boost) { /* else it was deleted at this moment */
            const struct store_reply *numbers = &r.bodies->items[2 * i + 1];
            const struct post_counts counts = {store_integer(store_item(numbers, 0)),
                                               store_integer(store_item(numbers, 1)),
                                               store_integer(store_item(numbers, 2))};
            post_remember(v->social, v->arena, id, &post, &counts, token);
        }
    }
}

/* --- merging -------------------------------------------------------------------------------------------------------
 * */

/* What is left of one author's answer; `id` is its next. */
struct author_answer {
    const struct store_reply *ids;
    size_t at;
    uint64_t id;
    bool is_cut; /* he has more than he was asked for */
};

/* The answers as a heap: the one whose next id comes first in the order of reading is at the top. */
struct heap {
    struct author_answer *items;
    size_t count;
    bool forward;
};

static bool comes_before(const struct heap *h, size_t x, size_t y)
{
    return h->forward ? h->items[x].id < h->items[y].id : h->items[x].id > h->items[y].id;
}

static void sink(struct heap *h, size_t i)
{
    for (;;) {
        size_t first = i, left = 2 * i + 1;
        if (left < h->count && comes_before(h, left, first)) {
            first = left;
        }
        if (left + 1 < h->count && comes_before(h, left + 1, first)) {
            first = left + 1;
        }
        if (first == i) {
            return;
        }
        struct author_answer kept = h->items[i];
        h->items[i] = h->items[first];
        h->items[first] = kept;
        i = first;
    }
}

/* Goes to the next id of an answer; false at its end. */
static bool next_id(struct author_answer *a)
{
    a->id = 0;
    while (!a->id && a->at < a->ids->count) {
        a->id = id_parse(store_text(&a->ids->items[a->at++]));
    }
    return a->id != 0;
}

static struct heap heap_of(struct visit *v, const struct store_batch *b, const struct merge *m)
{
    struct heap h = {.forward = m->query.min_id != 0};
    h.items = arena_alloc(v->arena, (author_count(m) + 1) * sizeof(*h.items));
    for (size_t i = 0; i < author_count(m); i++) {
        const struct store_reply *r = store_reply(b, m->first_reply + i);
        struct author_answer *a = &h.items[h.count];
        *a = (struct author_answer){.ids = m->plain ? r : store_item(r, 0)};
        a->is_cut = a->ids->count >= m->per_author;
        h.count += next_id(a);
    }
    for (size_t i = h.count / 2; i-- > 0;) {
        sink(&h, i);
    }
    return h;
}

static void reverse(struct timeline_ids *ids)
{
    for (size_t i = 0; i < ids->count / 2; i++) {
        uint64_t kept = ids->ids[i];
        ids->ids[i] = ids->ids[ids->count - 1 - i];
        ids->ids[ids->count - 1 - i] = kept;
    }
}

struct timeline_ids merge_take(struct visit *v, const struct store_batch *b, const struct merge *m, bool *whole)
{
    for (size_t i = 0; i < author_count(m) && !m->plain; i++) {
        remember(v, merge_author(m, i), store_reply(b, m->first_reply + i), store_batch_marked(b));
    }
    struct timeline_ids out = {.ids = arena_alloc(v->arena, (m->most + 1) * sizeof(uint64_t))};
    struct heap h = heap_of(v, b, m);
    bool cut = false;
    while (h.count > 0 && out.count < m->most && !cut) {
        struct author_answer *first = &h.items[0];
        if (out.count == 0 || out.ids[out.count - 1] != first->id) {
            out.ids[out.count++] = first->id;
        }
        if (!next_id(first)) {
            cut = first->is_cut;
            *first = h.items[--h.count];
        }
        sink(&h, 0);
    }
    *whole = h.count == 0 && !cut;
    if (h.forward) {
        reverse(&out);
    }
    return out;
}
