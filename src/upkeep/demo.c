/* demo.c - see demo.h: the steps of filling a site, in order, each by several threads. */
#include "upkeep/demo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/panic.h"
#include "base/text.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"
#include "upkeep/demo_plan.h"
#include "upkeep/demo_write.h"

#define CHUNK_MIN 256
#define CHUNK_MAX 16384
#define CHUNKS 64 /* of posts, at least: answers go to posts of earlier ones */

struct worker {
    pthread_t thread;
    struct demo_work *work;
    enum err (*step)(struct demo_work *w, unsigned share);
    unsigned share;
    enum err result;
};

static void *run_worker(void *context)
{
    struct worker *w = context;
    w->result = w->step(w->work, w->share);
    return NULL;
}

/* A step by several threads, of which this is the first. */
static enum err together(struct demo_work *w, enum err (*step)(struct demo_work *w, unsigned share))
{
    struct worker workers[DEMO_SHARES];
    for (unsigned i = 0; i < DEMO_SHARES; i++) {
        workers[i] = (struct worker){.work = w, .step = step, .share = i};
        require(i == 0 || pthread_create(&workers[i].thread, NULL, run_worker, &workers[i]) == 0);
    }
    run_worker(&workers[0]);
    enum err e = workers[0].result;
    for (unsigned i = 1; i < DEMO_SHARES; i++) {
        pthread_join(workers[i].thread, NULL);
        e = e == ERR_OK ? workers[i].result : e;
    }
    return e;
}

static void demo_step_begin(struct demo_work *w, const char *what, uint64_t total)
{
    w->what = what;
    w->total = total;
    atomic_store(&w->done, 0);
}

static enum err write_posts(struct demo_work *w)
{
    uint64_t posts = w->plan->options->posts, size = posts / CHUNKS;
    demo_step_begin(w, "posts", posts);
    size = size < CHUNK_MIN ? CHUNK_MIN : size > CHUNK_MAX ? CHUNK_MAX : size;
    w->posts = mem_alloc(size * sizeof(*w->posts));
    enum err e = ERR_OK;
    while (e == ERR_OK && w->plan->stored < posts) {
        uint64_t left = posts - w->plan->stored;
        w->post_count = (size_t)(left < size ? left : size);
        demo_plan_posts(w->plan, w->posts, w->post_count);
        e = together(w, demo_write_posts);
        demo_plan_stored(w->plan, w->posts, w->post_count);
        enum err words = demo_write_found(w, e != ERR_OK || w->plan->stored >= posts);
        e = e == ERR_OK ? words : e;
    }
    free(w->posts);
    return e;
}

static enum err demo_run(struct demo_work *w)
{
    const struct demo_options *o = w->plan->options;
    enum err e = secret_password_hash(NULL, o->password, w->hash);
    demo_step_begin(w, "users", o->users);
    e = e == ERR_OK ? together(w, demo_write_users) : e;
    demo_step_begin(w, "relations", demo_plan_relations(w->plan));
    e = e == ERR_OK ? together(w, demo_write_relations) : e;
    e = e == ERR_OK ? write_posts(w) : e;
    e = e == ERR_OK ? together(w, demo_write_boosts) : e;
    e = e == ERR_OK ? together(w, demo_write_choices) : e;
    e = e == ERR_OK ? together(w, demo_write_safety) : e;
    e = e == ERR_OK ? together(w, demo_write_reactions) : e;
    e = e == ERR_OK ? together(w, demo_write_homes) : e;
    return e == ERR_OK ? demo_write_end(w) : e;
}

enum err demo_fill(struct social *s, const struct demo_options *o, struct demo_report *out)
{
    require(o->users && o->users <= DEMO_USERS_MAX && o->posts <= DEMO_POSTS_MAX && o->followers_max < o->users);
    struct demo_work *w = mem_zero(1, sizeof(*w));
    w->social = s;
    w->plan = demo_plan_new(o);
    w->shares = DEMO_SHARES;
    enum err e = demo_run(w);
    *out = (struct demo_report){atomic_load(&w->users), atomic_load(&w->posts_written), atomic_load(&w->relations), ""};
    memcpy(out->name, w->plan->users[0].name, sizeof(out->name));
    demo_plan_free(w->plan);
    free(w);
    return e;
}
