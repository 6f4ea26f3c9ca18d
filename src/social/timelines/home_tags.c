/* home_tags.c - see home_tags.h. One thread at a time per visit. */
#include "social/timelines/home_tags.h"

#include "base/arena.h"
#include "social/people/visit_interests.h"
#include "social/people/visit_read.h"
#include "social/timelines/once.h"
#include "social/timelines/tag_ids.h"
#include "store/store.h"

/* --- asking -------------------------------------------------------------------------------------------------------- */

/* On the other side of the cursor. */
static struct timeline_query query_behind(const struct timeline_query *q)
{
    return (struct timeline_query){.min_id = q->min_id ? 0 : q->max_id - 1, .max_id = q->min_id ? q->min_id + 1 : 0};
}

static bool has_cursor(const struct timeline_query *q)
{
    return q->min_id || q->max_id;
}

static void ask_tags(struct visit *v, struct home_tags *t)
{
    const struct timeline_query behind = query_behind(&t->query);
    t->tags = visit_interests(v, &t->count);
    t->first_reply = store_batch_count(v->reads.batch);
    t->is_asked = true;
    tag_ids_add(v, t->tags, t->count, &t->query, t->each);
    tag_ids_add(v, t->tags, has_cursor(&t->query) ? t->count : 0, &behind, ONCE_BEHIND);
}

void home_tags_begin(struct visit *v, struct home_tags *t, const struct timeline_query *q)
{
    size_t count;
    t->query = *q;
    t->each = q->limit + 1 + TIMELINE_SLACK;
    visit_want_interests(v);
    if (visit_interests(v, &count)) {
        ask_tags(v, t);
    }
}

void home_tags_more(struct visit *v, struct home_tags *t, size_t each)
{
    t->each = each < TIMELINE_TAG_SIZE ? each : TIMELINE_TAG_SIZE;
    t->is_ready = false;
    ask_tags(v, t);
}

/* --- answers ------------------------------------------------------------------------------------------------------- */

static void take_tags(struct visit *v, struct home_tags *t)
{
    uint64_t edge, unused;
    t->ids = tag_ids_take(v, &t->query, t->first_reply, t->count, t->each, &edge);
    tag_ids_cut(&t->ids, &t->query, edge);
    t->is_whole = !edge;
    t->behind = has_cursor(&t->query)
                    ? tag_ids_take(v, &t->query, t->first_reply + t->count, t->count, ONCE_BEHIND, &unused)
                    : (struct timeline_ids){.count = 0};
    t->is_ready = true;
}

/* Whether what was asked is what he follows. */
static bool is_current(const struct visit *v, const struct home_tags *t)
{
    size_t count;
    return visit_interests_are_known(v) && visit_interests(v, &count) == t->tags;
}

void home_tags_step(struct visit *v, struct home_tags *t)
{
    if (t->is_asked) {
        t->is_asked = false;
        if (is_current(v, t)) {
            take_tags(v, t);
        }
    }
    if (!t->is_ready && visit_interests_are_known(v)) {
        ask_tags(v, t);
        if (!t->count) {
            home_tags_step(v, t);
        }
    }
}

struct timeline_ids home_tags_unite(struct visit *v, const struct home_tags *t, const struct timeline_ids *ids,
                                    bool is_whole)
{
    bool has_nothing = t->is_whole && !t->ids.count, is_unknown = !is_whole && !ids->count;
    if (!t->is_ready || has_nothing || is_unknown) {
        return *ids;
    }
    struct timeline_ids out = {.ids = arena_alloc(v->arena, (ids->count + t->ids.count + 1) * sizeof(uint64_t))};
    tag_ids_append(&out, &t->ids);
    tag_ids_append(&out, ids);
    timeline_sort(&out);
    tag_ids_cut(&out, &t->query, is_whole ? 0 : tag_ids_last(ids, &t->query));
    tag_ids_cut(&out, &t->query, t->is_whole ? 0 : tag_ids_last(&t->ids, &t->query));
    return out;
}

struct timeline_ids home_tags_behind(struct visit *v, const struct home_tags *t, const struct timeline_ids *ids)
{
    if (!t->is_ready || !t->behind.count) {
        return *ids;
    }
    struct timeline_ids out = {.ids = arena_alloc(v->arena, (ids->count + t->behind.count) * sizeof(uint64_t))};
    tag_ids_append(&out, &t->behind);
    tag_ids_append(&out, ids);
    timeline_sort(&out);
    return out;
}

void home_tags_mark(const struct home_tags *t, struct post_load *loads, size_t count)
{
    for (size_t i = 0; t->is_ready && i < count; i++) {
        loads[i].by_tag = timeline_has(&t->ids, loads[i].id);
    }
}
