/* demo_safety.c - see demo_write.h: people who keep somebody apart, have locked their account, are asked to be let follow, filter what they
 * read, or prefer something. They are few on any site, so there are never more than make a look at the pages worthwhile; and they are made as
 * people make them. Nobody keeps apart whom he follows or who follows him, and nobody asks whom he follows: relations stay those of the plan.
 *
 * Threads: see demo_write.h.
 */
#include "upkeep/demo_write.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/panic.h"
#include "social/core/actor.h"
#include "social/people/apart.h"
#include "social/people/filter.h"
#include "social/people/follow.h"
#include "social/people/preference.h"
#include "social/people/request.h"
#include "upkeep/demo_text.h"
#include "upkeep/demo_words.h"

#define SAFE_USERS 4096    /* of the first users */
#define APART_OF 12        /* keeps somebody apart */
#define FILTERS_OF 16      /* has a filter */
#define PREFERS_OF 24      /* prefers something */
#define LOCKED_OF 24       /* has locked his account, */
#define LOCKED_FOLLOWERS 8 /* if no more than so many of them follow him, */
#define LOCKED_ASKERS 4    /* and at most so many ask */
#define MUTE_SECONDS (7 * CLOCK_DAY_SECONDS)

static enum err demo_keep_apart(struct demo_work *w, struct arena *a, size_t user, struct demo_random *r)
{
    const struct demo_plan *p = w->plan;
    const struct actor by = actor_system(p->users[user].id);
    size_t target = (size_t)demo_random_below(r, p->options->users);
    struct follow_item item = {.name = p->users[target].name};
    struct problems none = {.count = 0};
    uint64_t sort = demo_random_below(r, 3);
    const struct apart_mute how = {.notifications = sort == 1, .seconds = sort == 2 ? MUTE_SECONDS : 0};
    if (demo_plan_follows(p, user, target) || demo_plan_follows(p, target, user)) {
        return ERR_OK;
    }
    return demo_let_pass(sort == 0 ? apart_block(w->social, a, &by, &item, &none)
                                   : apart_mute(w->social, a, &by, &item, &how, &none));
}

/* Behind a warning: what stands in a home is still that of the plan. */
static enum err demo_filter(struct demo_work *w, struct arena *a, size_t user, struct demo_random *r)
{
    const struct demo_user *u = &w->plan->users[user];
    const struct actor by = actor_system(u->id);
    const char *word = demo_languages[u->language].things[demo_random_below(r, 2)];
    struct filter_keyword keyword = {.whole_word = demo_random_below(r, 2) == 0, .phrase = word};
    struct filter f = {.places = (unsigned)(1 + demo_random_below(r, (1u << FILTER_PLACES) - 1)),
                       .until_ms = demo_random_below(r, 2) ? clock_site_ms() + MUTE_SECONDS * 1000 : 0,
                       .title = word,
                       .keywords = &keyword,
                       .keyword_count = 1};
    return demo_let_pass(filter_add(w->social, a, &by, &f, &(struct problems){.count = 0}));
}

static enum err demo_prefer(struct demo_work *w, struct arena *a, size_t user, struct demo_random *r)
{
    const struct actor by = actor_system(w->plan->users[user].id);
    const char *const words[PREFERENCES] = {[PREFERENCE_VISIBILITY] = demo_random_below(r, 2) ? "unlisted" : NULL,
                                            [PREFERENCE_THEME] = demo_random_below(r, 2) ? "dark" : "light"};
    return demo_let_pass(user_prefer(w->social, a, &by, words, &(struct problems){.count = 0}));
}

/* Locks, and then some ask. */
static enum err demo_lock(struct demo_work *w, struct arena *a, size_t user, struct demo_random *r)
{
    const struct demo_plan *p = w->plan;
    const struct actor by = actor_system(p->users[user].id);
    struct problems none = {.count = 0};
    enum err e = demo_let_pass(request_lock(w->social, a, &by, true, &none));
    for (unsigned i = 0; e == ERR_OK && i < LOCKED_ASKERS; i++) {
        size_t other = (size_t)demo_random_below(r, p->options->users);
        const struct actor asker = actor_system(p->users[other].id);
        struct follow_item item = {.name = p->users[user].name};
        if (!demo_plan_follows(p, other, user)) {
            e = demo_let_pass(follow_many(w->social, a, &asker, true, &item, 1, &none));
        }
    }
    return e;
}

/* How many follow each of the first users, up to LOCKED_FOLLOWERS and one more. The caller frees it. */
static unsigned char *small_followers_of(const struct demo_plan *p)
{
    unsigned char *out = mem_zero(SAFE_USERS, 1);
    for (size_t i = 0; i < p->first[p->options->users]; i++) {
        uint32_t target = p->targets[i];
        if (target < SAFE_USERS && out[target] <= LOCKED_FOLLOWERS) {
            out[target]++;
        }
    }
    return out;
}

static enum err demo_safe(struct demo_work *w, struct arena *a, size_t user, bool is_small)
{
    struct demo_random r = demo_random_at(w->plan->options->seed, DEMO_SAFETY, user);
    bool is_apart = demo_random_below(&r, APART_OF) == 0, filters = demo_random_below(&r, FILTERS_OF) == 0;
    bool prefers = demo_random_below(&r, PREFERS_OF) == 0, is_locked = demo_random_below(&r, LOCKED_OF) == 0;
    enum err e = is_apart ? demo_keep_apart(w, a, user, &r) : ERR_OK;
    e = e == ERR_OK && filters ? demo_filter(w, a, user, &r) : e;
    e = e == ERR_OK && prefers ? demo_prefer(w, a, user, &r) : e;
    return e == ERR_OK && is_locked && is_small ? demo_lock(w, a, user, &r) : e;
}

enum err demo_write_safety(struct demo_work *w, unsigned share)
{
    const struct demo_plan *p = w->plan;
    struct arena *a = arena_new();
    unsigned char *followers = small_followers_of(p);
    enum err e = ERR_OK;
    for (size_t user = share; e == ERR_OK && user < p->options->users && user < SAFE_USERS; user += w->shares) {
        arena_reset(a);
        e = demo_safe(w, a, user, followers[user] <= LOCKED_FOLLOWERS);
    }
    free(followers);
    arena_free(a);
    return e;
}
