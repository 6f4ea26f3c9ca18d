/* merge.c - see merge.h. Any thread. */
#include "social/merge.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/social.h"
#include "social/visit.h"
#include "store/keys.h"
#include "store/store.h"

static size_t author_count(const struct merge *m)
{
    return m->count + (m->self != 0);
}

static uint64_t author_at(const struct merge *m, size_t i)
{
    return i < m->count ? m->authors[i] : m->self;
}

/* Posts sent along by each author: few authors send a page each, many send one or two. */
static unsigned bodies(const struct merge *m)
{
    unsigned share = (unsigned)(4 * m->query.limit / (m->count + 1)) + 1;
    return share < m->query.limit + 1 ? share : m->query.limit + 1;
}

void merge_add(struct visit *v, struct merge *m)
{
    struct arena *a = v->arena;
    bool forward = m->query.min_id != 0;
    char high[ID_SIZE + 1] = "+", low[ID_SIZE + 1] = "-";
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
    char known[ID_SIZE];
    id_write(m->known, known);
    const char *most = arena_printf(a, "%u", m->per_author), *most_bodies = arena_printf(a, "%u", bodies(m));
    for (size_t i = 0; i < author_count(m); i++) {
        uint64_t author = author_at(m, i);
        char digits[ID_SIZE];
        const char *keys[] = {key_id(a, KEY_POSTS, author)};
        const char *arguments[] = {key_bucket_prefix(a, id_bucket(author)),
                                   forward ? low : high,
                                   forward ? high : low,
                                   forward ? "fwd" : "rev",
                                   most,
                                   most_bodies,
                                   id_write(author, digits),
                                   known};
        size_t reply = store_script(v->batch, id_bucket(author), SCRIPT_AUTHOR_POSTS, 1, keys, 8, arguments);
        if (i == 0) {
            m->first_reply = reply;
        }
    }
}

static void remember(struct visit *v, uint64_t author, const struct store_reply *r)
{
    const struct store_reply *ids = &r->items[0], *posts = &r->items[6];
    if (posts->count == 0) {
        return;
    }
    struct user u;
    user_from_items(&r->items[1], author, &u);
    user_cache_put(v->social, &u);
    for (size_t i = 0; POST_ITEMS * (i + 1) <= posts->count; i++) {
        uint64_t id = id_parse(store_text(&ids->items[i]));
        if (posts->items[POST_ITEMS * i].length) { /* without text it was deleted at this moment */
            post_remember(v->social, v->arena, id, author, &posts->items[POST_ITEMS * i]);
        }
    }
}

/* How far the answers of all authors reach: behind it, one of them was cut off. */
struct reach {
    uint64_t edge;
    bool whole;
};

static void extend(struct reach *reach, uint64_t last, bool forward)
{
    if (reach->whole || (forward ? last < reach->edge : last > reach->edge)) {
        reach->edge = last;
    }
    reach->whole = false;
}

struct timeline_ids merge_take(struct visit *v, const struct store_batch *b, const struct merge *m, bool *whole)
{
    bool forward = m->query.min_id != 0;
    size_t total = 0;
    for (size_t i = 0; i < author_count(m); i++) {
        total += store_item(store_reply(b, m->first_reply + i), 0)->count;
    }
    struct timeline_ids out = {.ids = arena_alloc(v->arena, (total + 1) * sizeof(uint64_t))};
    struct reach reach = {.whole = true};
    for (size_t i = 0; i < author_count(m); i++) {
        const struct store_reply *r = store_reply(b, m->first_reply + i);
        if (r->type != STORE_ARRAY || r->count < 7) {
            continue;
        }
        const struct store_reply *ids = &r->items[0];
        for (size_t k = 0; k < ids->count; k++) {
            out.ids[out.count++] = id_parse(store_text(&ids->items[k]));
        }
        if (ids->count >= m->per_author) {
            extend(&reach, id_parse(store_text(&ids->items[ids->count - 1])), forward);
        }
        remember(v, author_at(m, i), r);
    }
    timeline_sort(&out);
    *whole = reach.whole;
    if (!reach.whole) {
        struct timeline_query edge = {.max_id = forward ? reach.edge + 1 : 0, .min_id = forward ? 0 : reach.edge - 1};
        struct timeline_ids kept = timeline_cut(&out, &edge, out.count);
        out = kept;
    }
    return out;
}
