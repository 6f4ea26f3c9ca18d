/* conversation.c - see conversation.h. Any thread. */
#include "social/timelines/conversation.h"

#include <limits.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/people/visit_read.h"
#include "social/posts/post_read.h"
#include "social/posts/thread.h"
#include "social/timelines/timeline.h"
#include "store/keys.h"
#include "store/store.h"

#define OLD_ANSWERS_MOST 1000 /* of versions that knew no conversations */

/* How much of it is read. */
struct extent {
    unsigned above, below, depth, loads; /* loads: of those below; 0: until the page is full */
};

static const struct extent of_members = {4096, 4096, UINT_MAX, THREAD_MOST + OLD_ANSWERS_MOST},
                           of_others = {THREAD_ANCESTORS_MOST, 60, 20, 180};

struct conversation_read {
    struct conversation out;
    struct timeline_query query;
    struct extent extent;
    bool is_whole; /* the extent is that of the visitor */
    struct post_load load;
    uint64_t root;     /* whose shape was asked for */
    size_t shape, old; /* replies */
    struct thread thread;
    struct post_load *above;
    size_t above_count;
    struct thread_place *places; /* all below the post, as they are read */
    size_t place_count;
    size_t from, to;         /* of the places: those loaded */
    struct post_load *below; /* one for each place; only those loaded are filled */
};

static enum err take_below(struct visit *v, void *self);

/* --- the shape -----------------------------------------------------------------------------------------------------
 * */

static void ask_shape(struct visit *v, struct conversation_read *r, uint64_t root)
{
    r->root = root;
    r->shape = store_command(v->reads.batch, id_bucket(root), "ZRANGE", key_id(v->arena, KEY_THREAD, root), "-", "+",
                             "BYLEX", "LIMIT", "0", arena_printf(v->arena, "%d", THREAD_MOST), NULL);
}

/* Where the page begins: behind min_id, or so far before max_id that it ends there. An id that is gone from the
 * conversation stands before the first one that is newer. */
static size_t find_place(const struct conversation_read *r, uint64_t id)
{
    size_t newer = r->place_count;
    for (size_t i = 0; i < r->place_count; i++) {
        if (r->places[i].id == id) {
            return i;
        }
        if (r->places[i].id > id && newer == r->place_count) {
            newer = i;
        }
    }
    return newer;
}

static bool is_backwards(const struct conversation_read *r)
{
    return r->query.max_id && !r->query.min_id;
}

static void place_page(struct conversation_read *r)
{
    size_t at = 0;
    if (r->query.min_id) {
        at = find_place(r, r->query.min_id);
        at += at < r->place_count && r->places[at].id == r->query.min_id;
    } else if (r->query.max_id) {
        at = find_place(r, r->query.max_id);
    }
    r->from = r->to = at;
}

/* --- posts ---------------------------------------------------------------------------------------------------------
 * */

static size_t count_visible(const struct conversation_read *r)
{
    return timeline_visible(r->below + r->from, r->to - r->from);
}

/* Asks for the next places of the page. False: there are none. */
static bool ask_below(struct visit *v, struct conversation_read *r, size_t want)
{
    size_t left = is_backwards(r) ? r->from : r->place_count - r->to;
    size_t n = want < left ? want : left, first = is_backwards(r) ? r->from - n : r->to;
    if (!n) {
        return false;
    }
    r->from = is_backwards(r) ? first : r->from;
    r->to = is_backwards(r) ? r->to : first + n;
    post_ask(v, r->below + first, n, SEE_THREAD);
    return true;
}

static void ask_above(struct visit *v, struct conversation_read *r)
{
    uint64_t *ids = arena_alloc(v->arena, r->extent.above * sizeof(*ids));
    r->above_count = thread_ancestors(v->arena, &r->thread, r->load.post.reply_to, r->extent.above, ids);
    r->out.is_cut = r->above_count == r->extent.above;
    r->above = timeline_loads(v->arena, &(struct timeline_ids){ids, r->above_count});
    post_ask(v, r->above, r->above_count, SEE_THREAD);
}

/* All places below the post that are not too deep. */
static void find_places(struct visit *v, struct conversation_read *r)
{
    size_t count;
    r->places = thread_descendants(v->arena, &r->thread, r->load.id, &count);
    for (size_t i = 0; i < count; i++) {
        if (r->places[i].depth <= r->extent.depth) {
            r->places[r->place_count++] = r->places[i];
        }
    }
}

/* The shape is known, and who asks: asks for the posts of the page. */
static void ask_posts(struct visit *v, struct conversation_read *r)
{
    if (r->is_whole) {
        r->extent = v->viewer.id ? of_members : of_others;
        r->query.limit = r->extent.below;
    }
    find_places(v, r);
    r->below = arena_zero(v->arena, (r->place_count + 1) * sizeof(*r->below));
    for (size_t i = 0; i < r->place_count; i++) {
        r->below[i].id = r->places[i].id;
    }
    post_ask(v, &r->load, 1, SEE_POST); /* it may have been forgotten since; and who may see it is known now */
    ask_above(v, r);
    place_page(r);
    ask_below(v, r, r->extent.loads ? r->extent.loads : r->query.limit + 1);
    visit_then(v, take_below, r);
}

static void take_page(struct visit *v, struct conversation_read *r)
{
    struct conversation *out = &r->out;
    size_t visible = count_visible(r), limit = r->query.limit, n = 0;
    size_t skip = is_backwards(r) && visible > limit ? visible - limit : 0;
    size_t room = visible < limit ? visible : limit;
    out->replies = arena_alloc(v->arena, (room + 1) * sizeof(*out->replies));
    out->depths = arena_alloc(v->arena, (room + 1) * sizeof(*out->depths));
    for (size_t i = r->from; i < r->to && out->reply_count < limit; i++) {
        if (r->below[i].post.id && n++ >= skip) {
            out->replies[out->reply_count] = r->below[i].post;
            unsigned depth = r->places[i].depth;
            out->depths[out->reply_count++] = depth < CONVERSATION_DEPTH_MOST ? depth : CONVERSATION_DEPTH_MOST;
        }
    }
    out->has_more = is_backwards(r) ? r->to < r->place_count : visible > limit;
    out->has_earlier = is_backwards(r) ? skip > 0 : r->from > 0;
}

static void take_above(struct visit *v, struct conversation_read *r)
{
    struct conversation *out = &r->out;
    out->ancestors = arena_alloc(v->arena, (r->above_count + 1) * sizeof(*out->ancestors));
    for (size_t i = 0; i < r->above_count; i++) {
        if (r->above[i].post.id) {
            out->ancestors[out->ancestor_count++] = r->above[i].post;
        }
    }
    out->parent_gone = r->above_count && !r->above[r->above_count - 1].post.id;
}

/* Who take part, if the whole conversation and its first post are in hand. */
static void count_people(struct visit *v, struct conversation_read *r)
{
    const struct post *first = r->above_count ? &r->above[0].post : &r->load.post;
    if (r->thread.count < THREAD_MOST && first->id == r->root) {
        r->out.people = thread_people(v->arena, &r->thread, first->author.id);
    }
}

/* The posts have come; more are asked for when hidden ones left the page short. */
static enum err take_below(struct visit *v, void *self)
{
    struct conversation_read *r = self;
    if (!r->load.post.id) {
        return ERR_NOT_FOUND;
    }
    size_t visible = count_visible(r);
    if (!r->extent.loads && visible <= r->query.limit && ask_below(v, r, r->query.limit + 1 - visible)) {
        visit_then(v, take_below, r);
        return ERR_OK;
    }
    r->out.post = r->load.post;
    take_above(v, r);
    take_page(v, r);
    count_people(v, r);
    return ERR_OK;
}

/* --- the first rounds ----------------------------------------------------------------------------------------------
 * */

static enum err take_old_answers(struct visit *v, void *self)
{
    struct conversation_read *r = self;
    struct timeline_ids ids = timeline_ids_of(v->arena, visit_reply(v, r->old));
    thread_add(v->arena, &r->thread, r->load.id, ids.ids, ids.count);
    ask_posts(v, r);
    return ERR_OK;
}

static enum err take_shape(struct visit *v, void *self)
{
    struct conversation_read *r = self;
    const struct store_reply *members = visit_reply(v, r->shape);
    if (members->type != STORE_ARRAY) {
        return members->type == STORE_ERROR ? members->err : ERR_PROTOCOL;
    }
    r->thread = thread_of(v->arena, members);
    if (r->load.post.reply_count > (int64_t)thread_answers(&r->thread, r->load.id)) {
        r->old =
            store_command(v->reads.batch, id_bucket(r->load.id), "ZRANGE", key_id(v->arena, KEY_REPLIES, r->load.id),
                          "0", arena_printf(v->arena, "%d", OLD_ANSWERS_MOST - 1), NULL);
        visit_then(v, take_old_answers, r);
    } else {
        ask_posts(v, r);
    }
    return ERR_OK;
}

static enum err take_conversation_post(struct visit *v, void *self)
{
    struct conversation_read *r = self;
    if (!r->load.post.author.id) { /* not post.id: who may see it may be known after the next round only */
        return ERR_NOT_FOUND;
    }
    uint64_t root = thread_root(&r->load.post);
    if (root == r->root) {
        return take_shape(v, r);
    }
    ask_shape(v, r, root);
    visit_then(v, take_shape, r);
    return ERR_OK;
}

static struct conversation_read *read_ask(struct visit *v, uint64_t id)
{
    struct conversation_read *r = arena_zero(v->arena, sizeof(*r));
    r->load.id = id;
    post_ask(v, &r->load, 1, SEE_POST);
    ask_shape(v, r, r->load.cached && r->load.post.thread ? r->load.post.thread : id);
    visit_then(v, take_conversation_post, r);
    return r;
}

const struct conversation *conversation_ask(struct visit *v, uint64_t id, const struct timeline_query *q)
{
    struct conversation_read *r = read_ask(v, id);
    r->query = *q;
    r->extent = (struct extent){.above = THREAD_ANCESTORS_MOST, .depth = UINT_MAX};
    return &r->out;
}

const struct conversation *conversation_whole_ask(struct visit *v, uint64_t id)
{
    struct conversation_read *r = read_ask(v, id);
    r->is_whole = true;
    return &r->out;
}
