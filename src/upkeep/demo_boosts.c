/* demo_boosts.c - see demo_write.h: boosts of some of the newest posts. They are few, and made as people make them
 * (posts/boost.c), now: so homes have some on top.
 *
 * Threads: see demo_write.h.
 */
#include "upkeep/demo_write.h"

#include "base/arena.h"
#include "social/core/actor.h"
#include "social/core/problem.h"
#include "social/core/social.h"
#include "social/posts/boost.h"
#include "social/timelines/fanout.h"
#include "upkeep/demo_text.h"

#define ONE_OF 24 /* posts is boosted */

/* Whether a post is boosted, and by whom. */
static bool demo_booster(const struct demo_plan *p, const struct demo_post *post, size_t *user)
{
    struct demo_random r = demo_random_at(p->options->seed, DEMO_BOOST, post->number);
    enum visibility v = demo_visibility(p->options->seed, post->number);
    bool is_chosen = demo_random_below(&r, ONE_OF) == 0;
    *user = (size_t)demo_random_below(&r, p->options->users);
    bool is_open = v == VISIBILITY_PUBLIC || v == VISIBILITY_UNLISTED;
    return post->id && is_open && is_chosen && *user != post->author;
}

static enum err demo_boost(struct demo_work *w, struct arena *a, uint64_t uid, uint64_t post)
{
    const struct actor by = actor_system(uid);
    struct problems none = {.count = 0};
    struct fanout_wave *wave;
    enum err e = post_boost(w->social, a, &by, post, true, &wave, &none);
    fanout_wait(wave);
    bool is_gone = e == ERR_NOT_FOUND || e == ERR_FORBIDDEN; /* somebody deleted it, or himself */
    return is_gone ? ERR_OK : e;
}

enum err demo_write_boosts(struct demo_work *w, unsigned share)
{
    const struct demo_plan *p = w->plan;
    struct arena *a = arena_new();
    uint64_t first = p->stored > DEMO_RECENT ? p->stored - DEMO_RECENT : 0;
    enum err e = ERR_OK;
    for (uint64_t n = first; e == ERR_OK && n < p->stored; n++) {
        const struct demo_post *post = &p->recent[n % DEMO_RECENT];
        size_t user;
        if (demo_booster(p, post, &user) && user % w->shares == share) { /* those of one person in turn */
            arena_reset(a);
            e = demo_boost(w, a, p->users[user].id, post->id);
        }
    }
    arena_free(a);
    return e;
}
