/* demo_relations.c - see demo_write.h: relations. Each reader's side is the script of follow.c with its job; the other sides
 * are written many at once, those of one bucket together. What is interrupted has its job in the engine.
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
    uint64_t uid = p->users[f->user].id, us = demo_plan_follow_us(p, f->user, f->targets[0]);
    unsigned bucket = id_bucket(uid);
    const char *keys[] = {key_id(a, KEY_USER, uid),       key_id(a, KEY_FOLLOWING, uid),
                          key_id(a, KEY_HOME, uid),       key_id(a, KEY_HOMESTATE, uid),
                          key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, f->job->id)};
    const char **arguments = arena_alloc(a, (7 + f->count) * sizeof(*arguments));
    arguments[0] = id_text(a, uid);
    arguments[1] = "on";
    arguments[2] = id_text(a, us);
    arguments[3] = FOLLOW_LIMIT;
    job_words(a, f->job, &arguments[4]);
    for (size_t i = 0; i < f->count; i++) {
        arguments[7 + i] = id_text(a, p->users[f->targets[i]].id);
    }
    store_script(b, bucket, SCRIPT_FOLLOW, 6, keys, 7 + f->count, arguments);
}

/* Stores what the readers follow, with the jobs for the other sides. Who cannot follow (any more) is left with nobody to follow. */
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
            const struct store_reply *answer = store_reply(b, i);
            if (job_is_stale(left[i]->job, answer)) {
                left[stale++] = left[i];
            } else if (strcmp(store_text(store_item(answer, 0)), "ok") != 0) {
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

static void follower_add(struct demo_work *w, struct arena *a, struct pair pair, const char **keys,
                         const char **arguments)
{
    const struct demo_user *users = w->plan->users;
    uint64_t target = users[pair.target].id, us = demo_plan_follow_us(w->plan, pair.user, pair.target);
    keys[0] = key_id(a, KEY_USER, target);
    keys[1] = key_id(a, KEY_FOLLOWERS, target);
    arguments[0] = id_text(a, users[pair.user].id);
    arguments[1] = id_text(a, us);
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
    const char *keys[2 * RELATIONS_PER_SCRIPT], *arguments[2 * RELATIONS_PER_SCRIPT];
    for (size_t i = 0; i < n; i++) {
        unsigned bucket = buckets[order[i]];
        follower_add(w, a, pairs[order[i]], keys + 2 * in_hand, arguments + 2 * in_hand);
        in_hand++;
        if (in_hand == RELATIONS_PER_SCRIPT || i + 1 == n || buckets[order[i + 1]] != bucket) {
            store_script(b, bucket, SCRIPT_FOLLOWERS_IMPORT, 2 * in_hand, keys, 2 * in_hand, arguments);
            in_hand = 0;
        }
    }
    enum err e = store_run(b);
    *gone = false;
    for (size_t i = 0; e == ERR_OK && i < store_batch_count(b); i++) {
        *gone = *gone || strcmp(store_text(store_item(store_reply(b, i), 0)), "gone") == 0;
    }
    return e;
}

static void follow_done_add(struct demo_work *w, struct store_batch *b, struct arena *a, const struct follow *f)
{
    uint64_t uid = w->plan->users[f->user].id;
    unsigned bucket = id_bucket(uid);
    const char *keys[] = {key_id(a, KEY_FOLLOWING, uid), key_id(a, KEY_HOME, uid), key_id(a, KEY_HOMESTATE, uid),
                          key_plain(a, KEY_JOBS, bucket), key_id(a, KEY_JOB, f->job->id)};
    const char **arguments = arena_alloc(a, (2 + 2 * f->count) * sizeof(*arguments));
    arguments[0] = job_id_text(a, f->job);
    arguments[1] = job_nonce_text(a, f->job);
    for (size_t i = 0; i < f->count; i++) {
        arguments[2 + 2 * i] = id_text(a, w->plan->users[f->targets[i]].id);
        arguments[3 + 2 * i] = "1";
    }
    store_script(b, bucket, SCRIPT_FOLLOW_DONE, 5, keys, 2 + 2 * f->count, arguments);
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
