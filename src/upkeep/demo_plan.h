/* demo_plan.h - internal to demo*.c: plans the people, who follows whom, and who writes when.
 *
 * Threads: made by one; read by all.
 */
#ifndef UPKEEP_DEMO_PLAN_H
#define UPKEEP_DEMO_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/people/user.h"
#include "upkeep/demo_options.h"

struct demo_user {
    uint64_t id;
    uint64_t name_number; /* of his language */
    uint64_t newest;      /* time of his newest post, ms */
    uint8_t language;
    uint8_t sequence; /* last bits of his ids: those of a bucket differ */
    char name[USER_NAME_MAX + 1];
};

struct demo_post {
    uint64_t id, number;
    uint64_t parent, thread; /* 0: no answer */
    uint32_t author, parent_author;
    uint32_t mentioned; /* UINT32_MAX: nobody */
};

#define DEMO_RECENT 4096 /* posts that may be answered */

struct demo_plan {
    const struct demo_options *options;
    uint64_t from_ms, now_ms;
    struct demo_user *users;
    /* whom user i follows: targets[first[i]] to targets[first[i + 1] - 1] */
    size_t *first;
    uint32_t *targets;
    /* the newest posts that are stored */
    struct demo_post recent[DEMO_RECENT];
    uint64_t stored; /* posts of finished chunks */
};

/* Users with names and times; relations. The caller frees it. */
struct demo_plan *demo_plan_new(const struct demo_options *o);
void demo_plan_free(struct demo_plan *p);

/* Gives a user another name and id: his is taken. */
void demo_plan_rename(struct demo_plan *p, size_t user, unsigned attempt);

/* The next posts, oldest first. They may answer posts that are stored (demo_plan_stored). */
void demo_plan_posts(struct demo_plan *p, struct demo_post *out, size_t count);
void demo_plan_stored(struct demo_plan *p, const struct demo_post *posts, size_t count);

/* Whether one follows the other, or is him. */
bool demo_plan_follows(const struct demo_plan *p, size_t user, size_t target);

size_t demo_plan_relations(const struct demo_plan *p);

/* A time between this one's sign-up and now, in us: when he followed somebody. */
uint64_t demo_plan_follow_us(const struct demo_plan *p, size_t user, size_t target);

#endif
