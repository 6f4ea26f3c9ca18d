/* post_pick.c - see post_pick.h. One thread at a time per visit. */
#include "social/posts/post_pick.h"

#include "base/arena.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"
#include "social/posts/post_read.h"
#include "social/posts/thread.h"

struct pick_read {
    struct post_picked out;
    struct post_load *loads;
    size_t count;
};

static enum err take_picked(struct visit *v, void *self)
{
    struct pick_read *r = self;
    r->out.posts = arena_alloc(v->arena, (r->count + 1) * sizeof(*r->out.posts));
    for (size_t i = 0; i < r->count; i++) {
        if (r->loads[i].post.id) {
            struct post *p = &r->out.posts[r->out.count++];
            *p = r->loads[i].post;
            p->marks.is_quiet = marks_are_quiet(v, thread_root(p)); /* may have come with the last round alone */
        }
    }
    return ERR_OK;
}

/* The posts have come with the first round. Who may see them may be known only with the next one (post_read.h). */
static enum err wait_for_judgement(struct visit *v, void *self)
{
    visit_then(v, take_picked, self);
    return ERR_OK;
}

const struct post_picked *post_pick_ask(struct visit *v, const uint64_t *ids, size_t count)
{
    struct pick_read *r = arena_zero(v->arena, sizeof(*r));
    r->loads = arena_zero(v->arena, (count + 1) * sizeof(*r->loads));
    for (size_t i = 0; i < count; i++) {
        r->loads[i].id = ids[i];
    }
    r->count = count;
    marks_want(v);
    post_ask(v, r->loads, count, SEE_POST);
    visit_then(v, wait_for_judgement, r);
    return &r->out;
}
