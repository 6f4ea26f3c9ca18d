/* demo_plan.c - see demo_plan.h.
 *
 * The audience is a power law: the user at place r has followers_max / (r + 1)^0.9 followers and a few more. These are
 * the first ones of a random order of all users. The order is a permutation that is computed, not stored (a Feistel
 * network), so that a million followers cost nothing but their entries.
 *
 * Threads: see demo_plan.h.
 */
#include "upkeep/demo_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/panic.h"
#include "social/people/follow.h"
#include "upkeep/demo_text.h"
#include "upkeep/demo_words.h"
#include "social/people/sign_up.h"

#define SPAN_MS (400ull * CLOCK_DAY_MS) /* the site is so old */
#define MARGIN_MS 60000                 /* and its newest demo post */
#define AUDIENCE_POWER 0.9
#define FEW_FOLLOWERS 9
#define REPLIES_IN_100 28
#define MENTIONS_IN_100 15
#define CANDIDATES 4
#define NAME_ROOM 8 /* digits that a new name may need */
#define SEQUENCES 64

/* --- people --------------------------------------------------------------------------------------------------------
 * */

static void plan_set_name(struct demo_plan *p, size_t i, struct arena *a)
{
    struct demo_user *u = &p->users[i];
    struct buffer shown = buffer_make(a);
    demo_name(p->options->seed, u->language, u->name_number, u->name, &shown);
}

/* Users earlier in the list have more followers, and on average joined earlier. */
static uint64_t joined_ms(const struct demo_plan *p, size_t i)
{
    struct demo_random r = demo_random_at(p->options->seed, DEMO_PLAN, UINT64_MAX - i);
    double place = (double)i / (double)p->options->users;
    return p->from_ms + (uint64_t)(0.7 * (double)(p->now_ms - p->from_ms) * place * (0.3 + 0.7 * demo_random_unit(&r)));
}

static void set_id(struct demo_plan *p, size_t i, unsigned sequence)
{
    struct demo_user *u = &p->users[i];
    u->sequence = (uint8_t)(sequence % SEQUENCES);
    u->id = id_of_ms(joined_ms(p, i)) | (uint64_t)user_bucket(u->name) << 6 | u->sequence;
    u->newest = id_ms(u->id);
}

static void make_users(struct demo_plan *p)
{
    uint64_t names[DEMO_LANGUAGES] = {0};
    unsigned sequences[ID_BUCKETS] = {0};
    struct arena *a = arena_new();
    for (size_t i = 0; i < p->options->users; i++) {
        struct demo_user *u = &p->users[i];
        u->language = (uint8_t)demo_language_of(p->options->seed, i);
        do {
            u->name_number = names[u->language]++;
            plan_set_name(p, i, a);
        } while (user_name_is_reserved(u->name));
        set_id(p, i, sequences[user_bucket(u->name)]++);
        arena_reset(a);
    }
    arena_free(a);
}

void demo_plan_rename(struct demo_plan *p, size_t user, unsigned attempt)
{
    struct demo_user *u = &p->users[user];
    struct arena *a = arena_new();
    struct demo_random r = demo_random_at(p->options->seed, DEMO_RENAME, user + attempt * p->options->users);
    plan_set_name(p, user, a);
    u->name[USER_NAME_MAX - NAME_ROOM] = '\0';
    size_t length = strlen(u->name);
    snprintf(u->name + length, sizeof(u->name) - length, "_%u", (unsigned)demo_random_below(&r, 1000000));
    set_id(p, user, (unsigned)demo_random_below(&r, SEQUENCES));
    arena_free(a);
}

/* --- audience ------------------------------------------------------------------------------------------------------
 * */

static size_t followers_of(const struct demo_plan *p, size_t i)
{
    struct demo_random r = demo_random_at(p->options->seed, DEMO_AUDIENCE, i);
    uint64_t most = p->options->followers_max;
    uint64_t n = (uint64_t)((double)most / pow((double)i + 1, AUDIENCE_POWER)) + demo_random_below(&r, FEW_FOLLOWERS);
    return i == 0 || n > most ? (size_t)most : (size_t)n;
}

/* A permutation of 0 .. 2^(2 half) - 1. */
static uint64_t feistel(uint64_t x, unsigned half, const uint64_t keys[4])
{
    uint64_t mask = (1ull << half) - 1, left = x >> half, right = x & mask;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t h = (right + keys[i]) * 0xBF58476D1CE4E5B9u;
        uint64_t next = left ^ ((h ^ h >> 29) >> 7 & mask);
        left = right;
        right = next;
    }
    return left << half | right;
}

/* The followers of one user, in turn. */
struct crowd {
    uint64_t keys[4];
    unsigned half;
    uint64_t at, self, users;
};

static struct crowd crowd_of(const struct demo_plan *p, size_t i)
{
    struct crowd c = {.half = 1, .self = i, .users = p->options->users};
    struct demo_random r = demo_random_at(p->options->seed, DEMO_AUDIENCE, i);
    for (unsigned k = 0; k < 4; k++) {
        c.keys[k] = demo_random_next(&r);
    }
    while (1ull << 2 * c.half < c.users) {
        c.half++;
    }
    return c;
}

static uint32_t crowd_next(struct crowd *c)
{
    for (;;) {
        uint64_t x = feistel(c->at++, c->half, c->keys);
        if (x < c->users && x != c->self) {
            return (uint32_t)x;
        }
    }
}

/* Goes through the same crowds twice: first counts how many each user follows, then writes them down. */
static void make_relations(struct demo_plan *p)
{
    size_t users = p->options->users;
    size_t limit = FOLLOW_MOST, *at = mem_zero(users + 1, sizeof(*at));
    p->first = mem_zero(users + 1, sizeof(*p->first));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < users; i++) {
            struct crowd c = crowd_of(p, i);
            for (size_t n = followers_of(p, i); n > 0; n--) {
                uint32_t follower = crowd_next(&c);
                if (at[follower] < limit && pass) {
                    p->targets[p->first[follower] + at[follower]] = (uint32_t)i;
                }
                at[follower] += at[follower] < limit;
            }
        }
        if (pass == 0) {
            for (size_t i = 0; i < users; i++) {
                p->first[i + 1] = p->first[i] + at[i];
            }
            p->targets = mem_alloc((p->first[users] + 1) * sizeof(*p->targets));
            memset(at, 0, users * sizeof(*at));
        }
    }
    free(at);
}

bool demo_plan_follows(const struct demo_plan *p, size_t user, size_t target)
{
    bool follows = user == target;
    for (size_t i = p->first[user]; i < p->first[user + 1] && !follows; i++) {
        follows = p->targets[i] == target;
    }
    return follows;
}

size_t demo_plan_relations(const struct demo_plan *p)
{
    return p->first[p->options->users];
}

uint64_t demo_plan_follow_us(const struct demo_plan *p, size_t user, size_t target)
{
    uint64_t a = id_ms(p->users[user].id), b = id_ms(p->users[target].id), since = a > b ? a : b;
    struct demo_random r = demo_random_at(p->options->seed, DEMO_PLAN, user * p->options->users + target);
    return (since + demo_random_below(&r, p->now_ms - since)) * 1000 + demo_random_below(&r, 1000);
}

/* --- posts ---------------------------------------------------------------------------------------------------------
 * */

/* Time of the n-th post of all: ever more towards now. */
static uint64_t post_ms(const struct demo_plan *p, uint64_t n, struct demo_random *r)
{
    double left = 1 - ((double)n + demo_random_unit(r)) / (double)p->options->posts;
    return p->now_ms - MARGIN_MS - (uint64_t)(left * left * left * (double)(p->now_ms - MARGIN_MS - p->from_ms));
}

/* Somebody who had already joined; people with many followers write more. */
static uint32_t plan_author(const struct demo_plan *p, uint64_t ms, struct demo_random *r)
{
    for (unsigned i = 0; i < CANDIDATES; i++) {
        double x = demo_random_unit(r);
        uint64_t author = (uint64_t)(x * sqrt(x) * (double)p->options->users);
        if (id_ms(p->users[author].id) < ms) {
            return (uint32_t)author;
        }
    }
    return 0;
}

/* A post to answer: lately stored, of the author's own language if there is one, not his own. */
static void choose_parent(const struct demo_plan *p, struct demo_post *post, struct demo_random *r)
{
    uint64_t recent = p->stored < DEMO_RECENT ? p->stored : DEMO_RECENT;
    for (unsigned i = 0; recent && i < CANDIDATES; i++) {
        double x = demo_random_unit(r);
        const struct demo_post *other = &p->recent[(p->stored - 1 - (uint64_t)(x * x * (double)recent)) % DEMO_RECENT];
        bool same = p->users[other->author].language == p->users[post->author].language;
        if (other->author != post->author && same) {
            post->parent = other->id;
            post->thread = other->thread ? other->thread : other->id;
            post->parent_author = post->mentioned = other->author;
            return;
        }
    }
}

/* Somebody whom the author follows. */
static void choose_mentioned(const struct demo_plan *p, struct demo_post *post, struct demo_random *r)
{
    size_t first = p->first[post->author], count = p->first[post->author + 1] - first;
    if (count) {
        post->mentioned = p->targets[first + demo_random_below(r, count)];
    }
}

static void plan_post(struct demo_plan *p, struct demo_post *post)
{
    struct demo_random r = demo_random_at(p->options->seed, DEMO_PLAN, post->number);
    uint64_t ms = post_ms(p, post->number, &r);
    post->author = plan_author(p, ms, &r);
    post->parent = post->thread = 0;
    post->parent_author = 0;
    post->mentioned = UINT32_MAX;
    struct demo_user *author = &p->users[post->author];
    ms = ms > author->newest ? ms : author->newest + 1;
    author->newest = ms;
    post->id = id_of_ms(ms) | (uint64_t)id_bucket(author->id) << 6 | author->sequence;
    uint64_t sort = demo_random_below(&r, 100);
    if (sort < REPLIES_IN_100) {
        choose_parent(p, post, &r);
    } else if (sort < REPLIES_IN_100 + MENTIONS_IN_100) {
        choose_mentioned(p, post, &r);
    }
}

void demo_plan_posts(struct demo_plan *p, struct demo_post *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out[i].number = p->stored + i;
        plan_post(p, &out[i]);
    }
}

void demo_plan_stored(struct demo_plan *p, const struct demo_post *posts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        p->recent[p->stored++ % DEMO_RECENT] = posts[i];
    }
}

/* --- the whole -----------------------------------------------------------------------------------------------------
 * */

struct demo_plan *demo_plan_new(const struct demo_options *o)
{
    struct demo_plan *p = mem_zero(1, sizeof(*p));
    p->options = o;
    p->now_ms = clock_site_ms();
    p->from_ms = p->now_ms - SPAN_MS > ID_FIRST_MS ? p->now_ms - SPAN_MS : ID_FIRST_MS;
    p->users = mem_zero(o->users, sizeof(*p->users));
    make_users(p);
    make_relations(p);
    return p;
}

void demo_plan_free(struct demo_plan *p)
{
    free(p->targets);
    free(p->first);
    free(p->users);
    free(p);
}
