/* tag_ids.c - see tag_ids.h. One thread at a time per visit. */
#include "social/timelines/tag_ids.h"

#include <string.h>

#include "base/arena.h"
#include "social/people/visit_read.h"
#include "store/store.h"

size_t tag_ids_add(struct visit *v, const char *const *tags, size_t count, const struct timeline_query *q, size_t each)
{
    size_t first = store_batch_count(v->reads.batch);
    for (size_t i = 0; i < count; i++) {
        timeline_tag_add(v, tags[i], q, each);
    }
    return first;
}

uint64_t tag_ids_last(const struct timeline_ids *ids, const struct timeline_query *q)
{
    return ids->ids[q->min_id ? 0 : ids->count - 1];
}

/* Which of two edges comes first in the direction of reading; 0: none. */
static uint64_t nearest(const struct timeline_query *q, uint64_t a, uint64_t b)
{
    bool takes_a = !b || (a && (q->min_id ? a < b : a > b));
    return takes_a ? a : b;
}

void tag_ids_cut(struct timeline_ids *ids, const struct timeline_query *q, uint64_t edge)
{
    const struct timeline_query reach = {.max_id = q->min_id ? edge + 1 : 0, .min_id = q->min_id ? 0 : edge - 1};
    if (edge) {
        *ids = timeline_cut(ids, &reach, ids->count);
    }
}

void tag_ids_append(struct timeline_ids *to, const struct timeline_ids *more)
{
    if (more->count) { /* else there may be no array */
        memcpy(to->ids + to->count, more->ids, more->count * sizeof(uint64_t));
        to->count += more->count;
    }
}

struct timeline_ids tag_ids_take(struct visit *v, const struct timeline_query *q, size_t first_reply, size_t count,
                                 size_t each, uint64_t *edge)
{
    struct timeline_ids all = {.ids = arena_alloc(v->arena, (count * each + 1) * sizeof(uint64_t))};
    *edge = 0;
    for (size_t i = 0; i < count; i++) {
        const struct timeline_ids one = timeline_ids_of(v->arena, visit_reply(v, first_reply + i));
        if (one.count >= each) {
            *edge = nearest(q, *edge, tag_ids_last(&one, q));
        }
        tag_ids_append(&all, &one);
    }
    timeline_sort(&all);
    return all;
}
