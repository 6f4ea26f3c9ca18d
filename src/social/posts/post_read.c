/* post_read.c - see post_read.h. One thread at a time per visit.
 *
 * What a boost boosts is loaded with it. That is known at once of a boost that the process remembers; of another one
 * only when it has come, and then a round trip of its own follows, before the caller's step. */
#include "social/posts/post_read.h"

#include "base/arena.h"
#include "social/people/visit.h"
#include "social/people/visit_numbers.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"
#include "social/posts/thread.h"
#include "store/store.h"

/* Posts, and what the visitor has done with them. */
struct post_set {
    struct post_load *loads;
    size_t count;
    struct post_mark *marks; /* of each */
};

struct post_read {
    struct post_set posts;
    struct post_set originals; /* of those that are boosts */
    size_t *boosts;            /* indexes of these */
    enum see_place place;
    bool by_following; /* whom the visitor follows decides who sees some of them, or may decide it */
    bool has_waited;
};

static void set_alloc(struct visit *v, struct post_set *set, size_t most)
{
    set->loads = arena_zero(v->arena, (most + 1) * sizeof(*set->loads));
    set->marks = arena_zero(v->arena, (most + 1) * sizeof(*set->marks));
}

/* --- judging -------------------------------------------------------------------------------------------------------
 * */

/* Before: those that are there have an author who was not deleted. */
static enum err judge_posts(struct visit *v, void *self)
{
    struct post_read *r = self;
    bool is_ready = see_is_ready(v, r->place, r->by_following);
    for (size_t i = 0; i < r->posts.count; i++) {
        struct post_load *l = &r->posts.loads[i];
        struct post *p = &l->post;
        bool is_there = p->author.id && !p->author.is_deleted;
        l->by_tag = l->by_tag && p->visibility == VISIBILITY_PUBLIC && !p->boost && user_is_shown_around(&p->author);
        p->id = is_there && is_ready && post_sight(v, p, l->by_tag ? SEE_TAG : r->place, &p->filtered) == SIGHT_FULL
                    ? l->id
                    : 0;
    }
    if (!is_ready && !r->has_waited) {
        r->has_waited = true;
        visit_then(v, judge_posts, r);
    }
    return ERR_OK;
}

/* --- loading -------------------------------------------------------------------------------------------------------
 * */

/* The numbers of authors whom the process knows: of the others they come with the posts. */
static void ask_numbers(struct visit *v, const struct post_set *set)
{
    uint64_t *authors = arena_alloc(v->arena, (set->count + 1) * sizeof(*authors));
    size_t n = 0;
    for (size_t i = 0; i < set->count && v->wants_numbers; i++) {
        authors[n] = set->loads[i].post.author.id;
        n += set->loads[i].cached;
    }
    visit_numbers_of_authors(v, authors, n);
}

/* Adds the questions, with the next round. */
static void set_ask(struct visit *v, struct post_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        set->marks[i].post = set->loads[i].id;
        set->loads[i].numbers = v->wants_numbers;
        set->loads[i].afresh = v->is_behind;
    }
    marks_ask(v, set->marks, set->count); /* first, so that they are there when the posts are taken */
    post_load_add(v->social, v->reads.batch, v->arena, set->loads, set->count);
    ask_numbers(v, set);
}

static void set_take(struct visit *v, struct post_set *set)
{
    post_load_take(v->social, v->reads.answers, v->arena, set->loads, set->count);
    for (size_t i = 0; i < set->count; i++) {
        struct post *p = &set->loads[i].post;
        p->marks = set->marks[i].marks;
        p->marks.is_quiet = marks_are_quiet(v, thread_root(p));
        p->author.numbers = p->author.numbers ? p->author.numbers : visit_numbers(v, p->author.id);
    }
}

/* What the boosts among the posts boost: of those that were remembered, or of the others. */
static struct post_set originals_of(struct visit *v, struct post_read *r, bool of_cached)
{
    struct post_set out = {.count = 0};
    for (size_t i = 0; i < r->posts.count; i++) {
        const struct post_load *l = &r->posts.loads[i];
        if (l->cached != of_cached || !l->post.boost) {
            continue;
        }
        if (!out.loads) {
            set_alloc(v, &out, r->posts.count);
        }
        if (!r->boosts) {
            r->boosts = arena_alloc(v->arena, r->posts.count * sizeof(*r->boosts));
        }
        r->boosts[out.count] = i;
        out.loads[out.count++].id = l->post.boost;
    }
    return out;
}

static void link_originals(struct post_read *r)
{
    for (size_t i = 0; i < r->originals.count; i++) {
        r->posts.loads[r->boosts[i]].post.boosted = &r->originals.loads[i].post;
    }
}

static enum err take_originals(struct visit *v, void *self)
{
    struct post_read *r = self;
    set_take(v, &r->originals);
    link_originals(r);
    return ERR_OK;
}

/* A round trip in between, for these alone. */
static enum err read_originals_now(struct visit *v, struct post_read *r)
{
    struct reads outer = v->reads;
    reads_begin(&v->reads, v->social, v->arena, v);
    set_ask(v, &r->originals);
    visit_then(v, take_originals, r);
    enum err e = reads_run(&v->reads);
    v->reads = outer;
    return e;
}

static enum err take_posts_asked(struct visit *v, void *self)
{
    struct post_read *r = self;
    set_take(v, &r->posts);
    if (r->originals.count) {
        take_originals(v, r);
    }
    r->originals = originals_of(v, r, false);
    enum err e = r->originals.count ? read_originals_now(v, r) : ERR_OK;
    return e == ERR_OK ? judge_posts(v, r) : e;
}

/* Whether among them are, or may be, posts for followers alone: because they say so, or because of their authors. */
static bool may_have_private(const struct post_load *loads, size_t count)
{
    bool may = false;
    for (size_t i = 0; i < count; i++) {
        const struct post_load *l = &loads[i];
        may |= !l->cached || l->post.visibility == VISIBILITY_PRIVATE || !l->author_cached ||
               l->post.author.state == USER_STATE_LIMITED;
    }
    return may;
}

void post_ask(struct visit *v, struct post_load *loads, size_t count, enum see_place place)
{
    struct post_read *r = arena_zero(v->arena, sizeof(*r));
    r->posts = (struct post_set){loads, count, arena_zero(v->arena, (count + 1) * sizeof(*r->posts.marks))};
    r->place = place;
    set_ask(v, &r->posts);
    r->originals = originals_of(v, r, true);
    if (r->originals.count) {
        set_ask(v, &r->originals);
    }
    r->by_following =
        place == SEE_HOME || may_have_private(loads, count) || may_have_private(r->originals.loads, r->originals.count);
    see_want(v, place, r->by_following);
    visit_then(v, take_posts_asked, r);
}

enum err post_find(struct social *s, struct arena *a, uint64_t uid, uint64_t id, struct post *out)
{
    struct post_load l = {.id = id};
    struct visit *v = visit_begin_as(s, a, uid);
    post_ask(v, &l, 1, SEE_POST);
    enum err e = visit_read(v);
    bool is_there = e == ERR_OK && l.post.id;
    *out = is_there && l.post.boosted ? *l.post.boosted : l.post;
    return e == ERR_OK && !is_there ? ERR_NOT_FOUND : e;
}

enum err post_refuse(struct social *s, struct arena *a, uint64_t uid, uint64_t id)
{
    struct post post;
    enum err e = post_find(s, a, uid, id, &post);
    return e == ERR_OK ? ERR_FORBIDDEN : e;
}

enum err post_find_to_act(struct social *s, struct arena *a, uint64_t uid, uint64_t id, struct post *out,
                          struct script_see *see)
{
    /* of a boost there are two authors, and the script judges one */
    if (!post_recall_whole(s, a, id, out) || out->boost) {
        enum err e = post_find(s, a, uid, id, out);
        if (e != ERR_OK) {
            return e;
        }
    }
    return !out->author.is_deleted && see_call(out, uid, see) ? ERR_OK : ERR_NOT_FOUND;
}
