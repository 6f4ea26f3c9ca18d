/* post_read.c - see post_read.h. One thread at a time per visit. */
#include "social/posts/post_read.h"

#include "base/arena.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"

struct post_read {
    struct post_load *loads;
    size_t count;
    enum see_place place;
    bool by_following; /* whom the visitor follows decides who sees some of them, or may decide it */
    bool has_waited;
    struct post_mark *marks; /* of each */
};

/* Before: those that are there have an author who was not deleted. */
static enum err judge_posts(struct visit *v, void *self)
{
    struct post_read *r = self;
    bool is_ready = see_is_ready(v, r->by_following);
    for (size_t i = 0; i < r->count; i++) {
        struct post *p = &r->loads[i].post;
        bool is_there = p->author.id && !p->author.is_deleted;
        p->id = is_there && is_ready && post_sight(v, p, r->place) == SIGHT_FULL ? r->loads[i].id : 0;
    }
    if (!is_ready && !r->has_waited) {
        r->has_waited = true;
        visit_then(v, judge_posts, r);
    }
    return ERR_OK;
}

static enum err take_posts_asked(struct visit *v, void *self)
{
    struct post_read *r = self;
    post_load_take(v->social, v->reads.answers, v->arena, r->loads, r->count);
    for (size_t i = 0; i < r->count; i++) {
        r->loads[i].post.is_favourited = r->marks[i].is_favourited;
        r->loads[i].post.is_bookmarked = r->marks[i].is_bookmarked;
    }
    return judge_posts(v, r);
}

/* Whether among them are, or may be, posts for followers alone. */
static bool may_have_private(const struct post_load *loads, size_t count)
{
    bool may = false;
    for (size_t i = 0; i < count; i++) {
        may |= !loads[i].cached || loads[i].post.visibility == VISIBILITY_PRIVATE;
    }
    return may;
}

void post_ask(struct visit *v, struct post_load *loads, size_t count, enum see_place place)
{
    struct post_read *r = arena_zero(v->arena, sizeof(*r));
    r->loads = loads;
    r->count = count;
    r->place = place;
    r->marks = arena_zero(v->arena, (count + 1) * sizeof(*r->marks));
    for (size_t i = 0; i < count; i++) {
        r->marks[i].post = loads[i].id;
    }
    marks_ask(v, r->marks, count); /* first, so that they are there when the posts are taken */
    post_load_add(v->social, v->reads.batch, v->arena, loads, count);
    r->by_following = place == SEE_HOME || may_have_private(loads, count);
    see_want(v, r->by_following);
    visit_then(v, take_posts_asked, r);
}
