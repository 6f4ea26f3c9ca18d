/* sieve.c - see sieve.h. Threads: one lock around everything but the loading of posts. */
#include "social/streaming/sieve.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "base/sleeper.h"
#include "social/core/social.h"
#include "social/streaming/match.h"
#include "social/streaming/sift.h"

#define WAIT_MS 500
#define RETRY_MS 200
#define GIVEN 256 /* posts of which a listener is told when they are deleted */

struct sieve_listener {
    struct sieve *sieve;
    struct sieve_listener *before, *behind;
    struct match_listener *match;
    struct sieve_who who;
    int fd;
    bool is_woken, is_late;
    uint64_t first, end;                 /* of the queue */
    uint64_t given[GIVEN];               /* each at its place by id */
    struct hub_entry queue[SIEVE_QUEUE]; /* entry n lies at n % SIEVE_QUEUE; the texts are the listener's */
};

struct sieve {
    pthread_mutex_t lock;
    struct social *social;
    struct match_index *index;
    struct sieve_listener *listeners;
    struct hub_listener *hub; /* NULL: nobody has listened yet */
    struct hub_place at;
    struct sleeper *thread;
    _Atomic bool is_over;
};

struct sieve *sieve_open(void)
{
    struct sieve *s = mem_zero(1, sizeof(*s));
    pthread_mutex_init(&s->lock, NULL);
    s->index = match_new();
    return s;
}

void sieve_close(struct sieve *s)
{
    require(!s->listeners);
    atomic_store(&s->is_over, true);
    sleeper_end(s->thread);
    if (s->hub) {
        hub_leave(s->hub);
    }
    match_free(s->index);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* --- handing out: with the lock ------------------------------------------------------------------------------------ */

static void sieve_wake(struct sieve_listener *l)
{
    static const uint64_t one = 1;
    if (!l->is_woken) {
        l->is_woken = write(l->fd, &one, sizeof(one)) == sizeof(one);
    }
}

static void sieve_hand(struct sieve_listener *l, const struct hub_entry *e)
{
    l->is_late |= l->end - l->first == SIEVE_QUEUE;
    if (!l->is_late) {
        l->queue[l->end % SIEVE_QUEUE] = *e;
        l->queue[l->end++ % SIEVE_QUEUE].text = mem_dup(e->text);
    }
    sieve_wake(l);
}

static uint64_t *given_place(struct sieve_listener *l, uint64_t id)
{
    return &l->given[id * 0x9E3779B97F4A7C15u >> 56];
}

static void hand_wanted(void *entry, void *listener)
{
    const struct hub_entry *e = entry;
    *given_place(listener, e->id) = e->id;
    sieve_hand(listener, e);
}

/* What concerns people, and posts that are gone: those are known by their numbers alone. */
static void hand_to_all(struct sieve *s, const struct hub_entry *e)
{
    bool is_of_person = e->kind == EVENT_SESSIONS || e->kind == EVENT_USER;
    for (struct sieve_listener *l = s->listeners; l; l = l->behind) {
        bool is_his = is_of_person ? e->id == l->who.account || e->id == l->who.app : *given_place(l, e->id) == e->id;
        if (e->number == 0 || is_his) {
            sieve_hand(l, e);
        }
    }
}

static void hand_out(struct sieve *s, struct arena *a, const struct hub_entry *entries, size_t count,
                     const struct sift_entry *sifted, size_t sifted_count)
{
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_post = next < sifted_count && sifted[next].entry == &entries[i];
        if (is_post && sifted[next].post) {
            sift_match(a, s->index, &sifted[next], hand_wanted, (void *)&entries[i]);
        } else if (is_post || entries[i].kind == EVENT_SESSIONS || entries[i].kind == EVENT_USER ||
                   entries[i].number == 0) {
            hand_to_all(s, &entries[i]);
        }
        next += is_post;
        s->at.numbers[entries[i].partition] =
            entries[i].number ? entries[i].number : s->at.numbers[entries[i].partition];
    }
}

/* --- hearing ------------------------------------------------------------------------------------------------------- */

static const struct hub_limits no_limits = {UINT_MAX, UINT_MAX, UINT_MAX};

/* This thread fell behind what the hub keeps. False: not now. */
static bool sieve_begin_anew(struct sieve *s)
{
    struct hub_place now;
    struct hub_listener *hub = hub_join(s->social, &no_limits, 0, "", &now);
    if (hub) {
        hub_leave(s->hub);
        s->hub = hub;
    }
    return hub != NULL;
}

/* Takes what there is. An engine that does not answer is asked again; what is lost meanwhile, the hub says. */
static void sieve_hear(struct sieve *s, struct sleeper *thread)
{
    struct hub_entry entries[SIFT_ENTRIES];
    size_t count = 1;
    while (count && !atomic_load(&s->is_over)) {
        struct arena *a = arena_new();
        struct sift_entry *sifted;
        size_t n;
        bool keeps_up = hub_take(s->hub, a, &s->at, entries, SIFT_ENTRIES, &count);
        if (!keeps_up && !sieve_begin_anew(s)) {
            count = 0;
        } else if (!keeps_up) { /* as when the process lost its place */
            entries[0] = (struct hub_entry){.kind = EVENT_ALL, .text = ""};
            count = 1;
        }
        while (sift_load(s->social, a, entries, count, &sifted, &n) != ERR_OK && sleeper_sleep(thread, RETRY_MS)) {
        }
        mutex_lock(&s->lock);
        hand_out(s, a, entries, count, sifted, n);
        if (count && !entries[count - 1].number) {
            s->at = hub_at(s->social);
        }
        mutex_unlock(&s->lock);
        arena_free(a);
    }
}

static void sieve_run(struct sleeper *thread, void *sieve)
{
    struct sieve *s = sieve;
    while (!atomic_load(&s->is_over) && !hub_is_ending(s->hub)) {
        struct pollfd news = {.fd = hub_fd(s->hub), .events = POLLIN};
        if (poll(&news, 1, WAIT_MS) > 0) {
            sieve_hear(s, thread);
        }
    }
    mutex_lock(&s->lock);
    for (struct sieve_listener *l = s->listeners; l; l = l->behind) {
        sieve_wake(l);
    }
    mutex_unlock(&s->lock);
}

/* With the lock. Begins with the first listener. */
static bool sieve_begin(struct sieve *s, struct social *social)
{
    if (!s->hub) {
        s->social = social;
        s->hub = hub_join(social, &no_limits, 0, "", &s->at);
        s->thread = s->hub ? sleeper_start(sieve_run, s) : NULL;
    }
    return s->hub != NULL;
}

/* --- listening ----------------------------------------------------------------------------------------------------- */

struct sieve_listener *sieve_join(struct social *social, const struct match_query *q, const struct sieve_who *who,
                                  struct hub_place *at)
{
    struct sieve *s = social->sieve;
    struct sieve_listener *l = mem_zero(1, sizeof(*l));
    *l = (struct sieve_listener){.sieve = s, .who = *who, .fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    mutex_lock(&s->lock);
    bool may = l->fd >= 0 && sieve_begin(s, social);
    if (may) {
        l->match = match_add(s->index, q, l);
        l->behind = s->listeners;
        if (l->behind) {
            l->behind->before = l;
        }
        s->listeners = l;
        *at = s->at;
    }
    mutex_unlock(&s->lock);
    if (!may) {
        if (l->fd >= 0) {
            close(l->fd);
        }
        free(l);
    }
    return may ? l : NULL;
}

void sieve_leave(struct sieve_listener *l)
{
    struct sieve *s = l->sieve;
    mutex_lock(&s->lock);
    match_remove(s->index, l->match);
    *(l->before ? &l->before->behind : &s->listeners) = l->behind;
    if (l->behind) {
        l->behind->before = l->before;
    }
    mutex_unlock(&s->lock);
    for (uint64_t i = l->first; i < l->end; i++) {
        free((char *)l->queue[i % SIEVE_QUEUE].text);
    }
    close(l->fd);
    free(l);
}

int sieve_fd(const struct sieve_listener *l)
{
    return l->fd;
}

bool sieve_take(struct sieve_listener *l, struct arena *a, struct hub_entry *out, size_t most, size_t *count,
                struct hub_place *at)
{
    uint64_t scrap;
    bool is_lost = false;
    *count = 0;
    mutex_lock(&l->sieve->lock);
    while (!is_lost && *count < most && l->first < l->end) {
        struct hub_entry *e = &l->queue[l->first++ % SIEVE_QUEUE];
        is_lost = e->number == 0;
        out[*count] = *e;
        out[(*count)++].text = arena_dup(a, e->text);
        at->numbers[e->partition] = e->number ? e->number : at->numbers[e->partition];
        free((char *)e->text);
    }
    if (l->first == l->end) {
        if (!is_lost) {
            *at = l->sieve->at;
        }
        l->is_woken = l->is_woken && read(l->fd, &scrap, sizeof(scrap)) != sizeof(scrap);
    }
    bool keeps_up = !l->is_late;
    mutex_unlock(&l->sieve->lock);
    return keeps_up;
}
