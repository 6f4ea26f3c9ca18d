/* once.c - see once.h. One thread at a time per visit. */
#include "social/timelines/once.h"

#include "base/arena.h"
#include "social/people/tie.h"
#include "social/people/visit_read.h"
#include "social/people/visit_ties.h"
#include "social/posts/post_read.h"

/* The posts behind the cursor, in the order of `behind`. */
struct once_read {
    struct once *out;
    struct post_load *loads;
};

static bool once_has(const struct once *o, uint64_t post)
{
    bool has = false;
    for (size_t i = 0; i < o->count; i++) {
        has |= o->behind[i] == post;
    }
    return has;
}

/* Whether the reader has seen it there. What it boosts need not be judged: on this page that is, as the post that would
 * be hidden. */
static bool was_seen(const struct visit *v, const struct post_load *l)
{
    struct post own = l->post;
    const struct filter_match *met;
    bool by_tag = l->by_tag && own.visibility == VISIBILITY_PUBLIC && !own.boost;
    if (!own.id || !see_is_ready(v, SEE_HOME, true)) {
        return false;
    }
    const struct tie *tie = own.boost ? visit_tie(v, own.author.id) : NULL;
    own.boost = 0;
    return !(tie && tie->hides_boosts) && post_sight(v, &own, by_tag ? SEE_TAG : SEE_HOME, &met) == SIGHT_FULL;
}

static enum err take_behind(struct visit *v, void *self)
{
    struct once_read *r = self;
    post_load_take(v->social, v->reads.answers, v->arena, r->loads, r->out->count);
    for (size_t i = 0; i < r->out->count; i++) {
        const struct post *p = &r->loads[i].post;
        r->out->behind[i] = !was_seen(v, &r->loads[i]) ? 0 : p->boost ? p->boost : p->id;
    }
    return ERR_OK;
}

/* The ids behind the cursor that are nearest to it. */
static struct timeline_ids ids_behind(const struct timeline_ids *ids, const struct timeline_query *q)
{
    struct timeline_query other = {.min_id = q->min_id ? 0 : q->max_id - 1, .max_id = q->min_id ? q->min_id + 1 : 0};
    return timeline_cut(ids, &other, ONCE_BEHIND);
}

void once_ask(struct visit *v, const struct timeline_ids *ids, const struct timeline_ids *tagged,
              const struct timeline_query *q, struct once *out)
{
    *out = (struct once){.count = 0};
    if (!q->max_id && !q->min_id) {
        return;
    }
    struct timeline_ids behind = ids_behind(ids, q);
    if (!behind.count) {
        return;
    }
    struct once_read *r = arena_zero(v->arena, sizeof(*r));
    *r = (struct once_read){out, timeline_loads(v->arena, &behind)};
    out->count = behind.count;
    for (size_t i = 0; i < behind.count; i++) {
        struct post_recalled known = post_recall(v->social, v->arena, behind.ids[i]);
        r->loads[i].by_tag = timeline_has(tagged, behind.ids[i]);
        out->behind[i] = known.boost ? known.boost : behind.ids[i];
    }
    post_load_add(v->social, v->reads.batch, v->arena, r->loads, out->count);
    see_want(v, SEE_HOME, true);
    visit_then(v, take_behind, r);
}

size_t once_guess(struct visit *v, const struct timeline_ids *ids, const struct once *o)
{
    uint64_t *posts = arena_alloc(v->arena, (ids->count + 1) * sizeof(*posts));
    size_t twins = 0;
    for (size_t i = 0; i < ids->count; i++) {
        struct post_recalled known = post_recall(v->social, v->arena, ids->ids[i]);
        posts[i] = known.boost ? known.boost : ids->ids[i];
        bool is_twin = once_has(o, posts[i]);
        for (size_t k = 0; k < i && !is_twin; k++) {
            is_twin = posts[k] == posts[i];
        }
        twins += is_twin;
    }
    return twins;
}

static uint64_t shown_post(const struct post *p)
{
    return p->boost ? p->boost : p->id;
}

/* Downwards: an older twin takes the place of a newer one. Upwards, where `i` counts from the oldest: the older one is
 * there first. */
static size_t hide_twins(const struct timeline_query *q, struct post_load *loads, size_t first, size_t last)
{
    uint64_t post = shown_post(&loads[last].post);
    size_t step = q->min_id ? (size_t)-1 : 1, hidden = 0;
    for (size_t k = first; k != last; k += step) {
        struct post *newer = q->min_id ? &loads[last].post : &loads[k].post;
        if (loads[k].post.id && loads[last].post.id && shown_post(&loads[k].post) == post) {
            newer->id = 0;
            hidden++;
        }
    }
    return hidden;
}

void once_hide(const struct timeline_query *q, const struct once *o, struct post_load *loads, size_t count)
{
    size_t shown = 0, first = q->min_id ? count - 1 : 0;
    for (size_t n = 0; n < count && shown < q->limit; n++) {
        size_t i = q->min_id ? count - 1 - n : n;
        struct post *p = &loads[i].post;
        if (!p->id) {
            continue;
        }
        if (once_has(o, shown_post(p))) {
            p->id = 0;
            continue;
        }
        shown++;
        shown -= hide_twins(q, loads, first, i);
    }
}
