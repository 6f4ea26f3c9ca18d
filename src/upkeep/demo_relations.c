/* demo_relations.c - see demo_write.h: relations. Each reader's side is the script of follow.c with its job; the other
 * sides are written many at once, those of one bucket together. If it is interrupted, the jobs are in the engine.
 *
 * Threads: see demo_write.h.
 */
#include "upkeep/demo_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/panic.h"
#include "social/core/job.h"
#include "social/core/limit.h"
#include "social/core/social.h"
#include "social/people/follow.h"
#include "store/keys.h"
#include "store/store.h"

#define USERS_AT_ONCE 1000
#define RELATIONS_AT_ONCE 8192 /* so many that each bucket has several */
#define RELATIONS_PER_SCRIPT 250

/* Some of the people whom one user follows: a job as in follow.c. */
struct follow {
    size_t user;
    const uint32_t *targets;
    size_t count;
    struct job *job;
};

static void follow_add(struct demo_work *w, struct store_batch *b, struct arena *a, struct follow *f)
{
    const struct demo_plan *p = w->plan;
    uint64_t *targets = arena_alloc(a, (f->count + 1) * sizeof(*targets));
    for (size_t i = 0; i < f->count; i++) {
        targets[i] = p->users[f->targets[i]].id;
    }
    const struct script_follow in = {.job = job_call(f->job),
                                     .limit = limit_ask_user(w->social, LIMIT_NONE, p->users[f->user].id, 0),
                                     .languages = "",
                                     .uid = p->users[f->user].id,
                                     .on = true,
                                     .now = (int64_t)demo_plan_follow_us(p, f->user, f->targets[0]),
                                     .most = FOLLOW_MOST,
                                     .locked = "",
                                     .targets = targets,
                                     .targets_count = f->count};
    script_follow_add(b, &in);
}

/* Stores what the readers follow, with the jobs for the other sides. A reader who cannot follow any more is left with
 * nobody to follow. */
static enum err write_following(struct demo_work *w, struct arena *a, struct follow *follows, size_t count)
{
    struct follow **left = arena_alloc(a, (count + 1) * sizeof(struct follow *));
    for (size_t i = 0; i < count; i++) {
        left[i] = &follows[i];
        follows[i].job = job_new(a, &follow_job, w->plan->users[follows[i].user].id);
    }
    while (count) {
        struct store_batch *b = store_batch_new(w->social->store, a);
        for (size_t i = 0; i < count; i++) {
            follow_add(w, b, a, left[i]);
        }
        enum err e = store_run(b);
        if (e != ERR_OK) {
            return e;
        }
        size_t stale = 0;
        for (size_t i = 0; i < count; i++) {
            enum answer answer = script_answer(store_reply(b, i));
            if (job_is_stale(left[i]->job, answer)) {
                left[stale++] = left[i];
            } else if (answer != ANSWER_OK) {
                left[i]->count = 0;
            }
        }
        count = stale;
    }
    return ERR_OK;
}

/* One relation. */
struct pair {
    size_t user, target;
};

static struct pair *pairs_of(struct arena *a, const struct follow *follows, size_t count, size_t *out)
{
    size_t all = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        all += follows[i].count;
    }
    struct pair *pairs = arena_alloc(a, (all + 1) * sizeof(*pairs));
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < follows[i].count; k++) {
            pairs[n++] = (struct pair){follows[i].user, follows[i].targets[k]};
        }
    }
    *out = n;
    return pairs;
}

static struct script_followers_import_row relation_of(struct demo_work *w, struct pair pair)
{
    const struct demo_user *users = w->plan->users;
    return (struct script_followers_import_row){.uid = users[pair.target].id,
                                                .follower = users[pair.user].id,
                                                .time = (int64_t)demo_plan_follow_us(w->plan, pair.user, pair.target)};
}

/* The other sides. *gone: some of those who were to be followed were deleted meanwhile. */
static enum err write_followers(struct demo_work *w, struct arena *a, const struct follow *follows, size_t count,
                                bool *gone)
{
    size_t n, in_hand = 0;
    struct pair *pairs = pairs_of(a, follows, count, &n);
    uint16_t *buckets = arena_alloc(a, (n + 1) * sizeof(*buckets));
    for (size_t i = 0; i < n; i++) {
        buckets[i] = (uint16_t)id_bucket(w->plan->users[pairs[i].target].id);
    }
    const size_t *order = demo_by_bucket(a, buckets, n);
    struct store_batch *b = store_batch_new(w->social->store, a);
    struct script_followers_import_row relations[RELATIONS_PER_SCRIPT];
    for (size_t i = 0; i < n; i++) {
        unsigned bucket = buckets[order[i]];
        relations[in_hand++] = relation_of(w, pairs[order[i]]);
        if (in_hand == RELATIONS_PER_SCRIPT || i + 1 == n || buckets[order[i + 1]] != bucket) {
            script_followers_import_add(b, &(struct script_followers_import){bucket, relations, in_hand});
            in_hand = 0;
        }
    }
    enum err e = store_run(b);
    *gone = false;
    for (size_t i = 0; e == ERR_OK && i < store_batch_count(b); i++) {
        *gone = *gone || script_answer(store_reply(b, i)) == ANSWER_GONE;
    }
    return e;
}

static void follow_done_add(struct demo_work *w, struct store_batch *b, struct arena *a, const struct follow *f)
{
    struct script_follow_done_row *relations = arena_alloc(a, (f->count + 1) * sizeof(*relations));
    for (size_t i = 0; i < f->count; i++) {
        relations[i] = (struct script_follow_done_row){w->plan->users[f->targets[i]].id, FOLLOW_DONE_STATE_ON, false,
                                                       FOLLOW_DONE_BECOMES_SAME};
    }
    const struct script_follow_done in = {.job = job_call(f->job),
                                          .uid = w->plan->users[f->user].id,
                                          .relations = relations,
                                          .relations_count = f->count};
    script_follow_done_add(b, &in);
}

static enum err write_follows(struct demo_work *w, struct arena *a, struct follow *follows, size_t count)
{
    struct store_batch *done = store_batch_new(w->social->store, a);
    size_t relations = 0;
    bool gone = false;
    enum err e = write_following(w, a, follows, count);
    if (e == ERR_OK) {
        e = write_followers(w, a, follows, count, &gone);
    }
    if (e != ERR_OK || gone) { /* the jobs stay queued: their own steps see who is gone */
        return e;
    }
    for (size_t i = 0; i < count; i++) {
        if (follows[i].count) {
            follow_done_add(w, done, a, &follows[i]);
            relations += follows[i].count;
        }
    }
    e = store_run(done);
    atomic_fetch_add(&w->relations, e == ERR_OK ? relations : 0);
    return e;
}

enum err demo_write_relations(struct demo_work *w, unsigned share)
{
    const struct demo_plan *p = w->plan;
    struct follow *follows = mem_alloc(USERS_AT_ONCE * sizeof(*follows));
    struct arena *a = arena_new();
    enum err e = ERR_OK;
    size_t user = share, at = p->first[share < p->options->users ? share : 0];
    while (e == ERR_OK && user < p->options->users) {
        size_t count = 0, relations = 0;
        while (count < USERS_AT_ONCE && relations < RELATIONS_AT_ONCE && user < p->options->users) {
            size_t left = p->first[user + 1] - at, n = left < FOLLOW_BATCH_MAX ? left : FOLLOW_BATCH_MAX;
            if (n) {
                follows[count] = (struct follow){.user = user, .targets = p->targets + at, .count = n};
                count++;
                relations += n;
                at += n;
            }
            if (at == p->first[user + 1]) {
                user += w->shares;
                at = user < p->options->users ? p->first[user] : 0;
            }
        }
        arena_reset(a);
        e = write_follows(w, a, follows, count);
        demo_work_did(w, share, relations);
    }
    free(follows);
    arena_free(a);
    return e;
}
