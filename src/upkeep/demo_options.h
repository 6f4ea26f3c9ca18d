/* demo_options.h - how much demo.h makes, and the seed that everything follows from. */
#ifndef UPKEEP_DEMO_OPTIONS_H
#define UPKEEP_DEMO_OPTIONS_H

#include <stdint.h>

#define DEMO_USERS_MAX 2000000
#define DEMO_POSTS_MAX 20000000

struct demo_options {
    uint64_t users, posts, followers_max; /* at least 1 user; followers_max < users */
    uint64_t seed;
    const char *password; /* of all of them */
    /* May be NULL. Called by the thread that called demo_fill. */
    void (*progress)(void *context, const char *what, uint64_t done, uint64_t total);
    void *context;
};

#endif
