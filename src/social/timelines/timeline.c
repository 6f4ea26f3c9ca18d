/* timeline.c - what all timelines share: sets of ids, and pages made of them; see timeline.h. Any thread. */
#include "social/timelines/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "store/store.h"

void timeline_sort(struct timeline_ids *ids)
{
    bool sorted = true;
    for (size_t i = 1; i < ids->count && sorted; i++) {
        sorted = ids->ids[i - 1] > ids->ids[i];
    }
    if (sorted) {
        return;
    }
    qsort(ids->ids, ids->count, sizeof(*ids->ids), id_newest_first);
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
    return ids->count > 0 && bsearch(&id, ids->ids, ids->count, sizeof(id), id_newest_first) != NULL;
}

struct timeline_ids timeline_ids_in_order(struct arena *a, const struct store_reply *r)
{
    struct timeline_ids out = {.ids = arena_alloc(a, (r->count + 1) * sizeof(uint64_t))};
    for (size_t i = 0; i < r->count; i++) {
        uint64_t id = id_parse_n(r->items[i].text ? r->items[i].text : "", r->items[i].length);
        if (id) {
            out.ids[out.count++] = id;
        }
    }
    return out;
}

struct timeline_ids timeline_ids_of(struct arena *a, const struct store_reply *r)
{
    struct timeline_ids out = timeline_ids_in_order(a, r);
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

struct post_load *timeline_loads(struct arena *a, const struct timeline_ids *ids)
{
    struct post_load *loads = arena_zero(a, (ids->count + 1) * sizeof(*loads));
    for (size_t i = 0; i < ids->count; i++) {
        loads[i].id = ids->ids[i];
    }
    return loads;
}

size_t timeline_visible(const struct post_load *loads, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        n += loads[i].post.id != 0;
    }
    return n;
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
    bool goes_on = n == page->count && page->has_older && page->older_id > q->since_id; /* from where it gave up */
    page->has_older = goes_on || (n > 0 && (page->has_older || n < page->count));
    page->has_newer = page->has_newer && n > 0;
    page->count = n;
}
