/* demo_choices.c - see demo_write.h: what some people have chosen for themselves: lists of people, some of them exclusive,
 * conversations of their own that they have muted, and tags that they follow. They are few, and made as people make them. Nobody is on a list of
 * somebody who follows him, so homes stay those of the plan.
 *
 * Threads: see demo_write.h.
 */
#include "upkeep/demo_write.h"

#include "base/arena.h"
#include "social/core/actor.h"
#include "social/core/problem.h"
#include "social/people/interest.h"
#include "social/posts/quiet.h"
#include "social/timelines/list.h"
#include "upkeep/demo_text.h"
#include "upkeep/demo_words.h"

#define LIST_OF 12      /* users has a list: one, of the first */
#define LIST_USERS 4096 /* of them */
#define LIST_MEMBERS 5  /* on it, at most */
#define TAG_OF 6        /* users follows tags: some, of their language, of the first */
#define MUTE_OF 48      /* of the newest posts has a conversation that its author has muted */

static enum err demo_list(struct demo_work *w, struct arena *a, size_t user, struct demo_random *r)
{
    const struct demo_plan *p = w->plan;
    const struct actor by = actor_system(p->users[user].id);
    const char *title = demo_languages[p->users[user].language].things[0];
    struct problems none = {.count = 0};
    struct follow_item items[LIST_MEMBERS];
    size_t count = 0;
    for (unsigned i = 0; i < LIST_MEMBERS; i++) {
        size_t other = (size_t)demo_random_below(r, p->options->users);
        if (!demo_plan_follows(p, user, other)) {
            items[count++] = (struct follow_item){.name = p->users[other].name};
        }
    }
    uint64_t id = 0;
    enum err e = list_create(w->social, a, &by, title, &id, &none);
    e = e == ERR_OK && count ? list_change_members(w->social, a, &by, id, true, items, count, &none) : e;
    bool is_exclusive = demo_random_below(r, 2) == 0;
    enum list_replies replies = (enum list_replies)demo_random_below(r, LIST_REPLIES_COUNT);
    e = e == ERR_OK ? list_set(w->social, a, &by, id, is_exclusive, replies, &none) : e;
    return demo_let_pass(e);
}

static enum err demo_lists(struct demo_work *w, struct arena *a, unsigned share)
{
    const struct demo_plan *p = w->plan;
    enum err e = ERR_OK;
    for (size_t user = share; e == ERR_OK && user < p->options->users && user < LIST_USERS; user += w->shares) {
        struct demo_random r = demo_random_at(p->options->seed, DEMO_CHOICE, user);
        if (demo_random_below(&r, LIST_OF) == 0) {
            arena_reset(a);
            e = demo_list(w, a, user, &r);
        }
    }
    return e;
}

static enum err demo_follow_tags(struct demo_work *w, struct arena *a, size_t user, struct demo_random *r)
{
    const struct demo_plan *p = w->plan;
    const struct actor by = actor_system(p->users[user].id);
    const char *const *tags = demo_languages[p->users[user].language].tags;
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && tags[i]; i++) {
        if (demo_random_below(r, 3) == 0) {
            e = demo_let_pass(interest_change(w->social, a, &by, tags[i], true, &(struct problems){.count = 0}));
        }
    }
    return e;
}

static enum err demo_tags(struct demo_work *w, struct arena *a, unsigned share)
{
    const struct demo_plan *p = w->plan;
    enum err e = ERR_OK;
    for (size_t user = share; e == ERR_OK && user < p->options->users && user < LIST_USERS; user += w->shares) {
        struct demo_random r = demo_random_at(p->options->seed, DEMO_TAGS, user);
        if (demo_random_below(&r, TAG_OF) == 0) {
            arena_reset(a);
            e = demo_follow_tags(w, a, user, &r);
        }
    }
    return e;
}

static enum err demo_mutes(struct demo_work *w, struct arena *a, unsigned share)
{
    const struct demo_plan *p = w->plan;
    uint64_t first = p->stored > DEMO_RECENT ? p->stored - DEMO_RECENT : 0;
    enum err e = ERR_OK;
    for (uint64_t n = first; e == ERR_OK && n < p->stored; n++) {
        const struct demo_post *post = &p->recent[n % DEMO_RECENT];
        struct demo_random r = demo_random_at(p->options->seed, DEMO_CHOICE, LIST_USERS + post->number);
        if (post->id && post->author % w->shares == share && demo_random_below(&r, MUTE_OF) == 0) {
            const struct actor by = actor_system(p->users[post->author].id);
            arena_reset(a);
            e = demo_let_pass(post_mute(w->social, a, &by, post->id, true, &(struct problems){.count = 0}));
        }
    }
    return e;
}

enum err demo_write_choices(struct demo_work *w, unsigned share)
{
    struct arena *a = arena_new();
    enum err e = demo_lists(w, a, share);
    e = e == ERR_OK ? demo_mutes(w, a, share) : e;
    e = e == ERR_OK ? demo_tags(w, a, share) : e;
    arena_free(a);
    return e;
}
