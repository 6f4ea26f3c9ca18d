/* demo.c - `retwis demo fill`: people, relations and posts for a site that has none yet. Threads: the main thread;
 * those of upkeep/demo.c. */
#include <inttypes.h>
#include <stdio.h>

#include "base/secret.h"
#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "command/progress.h"
#include "social/people/password.h"
#include "social/people/population.h"
#include "upkeep/demo.h"

#define USERS 200
#define POSTS_OF_ONE 25
#define PASSWORD "retwis demo"

static void demo_show_progress(void *context, const char *what, uint64_t done, uint64_t total)
{
    char padded[16];
    snprintf(padded, sizeof(padded), "%-10s", what);
    progress_show(context, padded, done, total);
}

static bool read_options(struct command_call *c, struct demo_options *o)
{
    int64_t users, posts, followers, seed;
    if (!command_number(c, "users", 1, DEMO_USERS_MAX, USERS, &users) ||
        !command_number(c, "posts", 0, DEMO_POSTS_MAX, users * POSTS_OF_ONE, &posts) ||
        !command_number(c, "followers-max", 0, DEMO_USERS_MAX, users / 2, &followers) ||
        !command_number(c, "seed", 0, INT64_MAX, 1, &seed)) {
        return false;
    }
    const char *password = command_option(c, "password");
    o->users = (uint64_t)users;
    o->posts = (uint64_t)posts;
    o->followers_max = (uint64_t)(followers < users ? followers : users - 1);
    o->seed = (uint64_t)seed;
    o->password = password ? password : PASSWORD;
    return true;
}

static bool check_password(const struct demo_options *o)
{
    struct problems problems = {.count = 0};
    password_check(o->password, o->password, NULL, &problems);
    if (problems.count) {
        fprintf(stderr, "retwis: this password is too short, too long or too common\n");
    }
    return problems.count == 0;
}

static int demo_report_print(enum err e, const struct demo_report *r, const struct demo_options *o, double seconds)
{
    printf("%" PRIu64 " users, %" PRIu64 " relations and %" PRIu64 " posts in %.1f s (%.0f a second)\n", r->users,
           r->relations, r->posts, seconds, (double)(r->users + r->relations + r->posts) / seconds);
    if (e != ERR_OK) {
        fflush(stdout);
        fprintf(stderr, "retwis: stopped: %s\n", err_info(e)->help);
        return COMMAND_FAILED;
    }
    printf("sign in as %s with the password \"%s\"\n", r->name, o->password);
    return COMMAND_OK;
}

static int demo_command_fill(struct context *x, const struct demo_options *wanted)
{
    struct progress bar = progress_begin();
    struct demo_report r;
    struct demo_options o = *wanted;
    o.progress = demo_show_progress;
    o.context = &bar;
    enum err e = demo_fill(x->social, &o, &r);
    progress_end(&bar);
    return demo_report_print(e, &r, &o, progress_seconds(&bar));
}

/* Whether to fill it: not if there are users, unless that is wanted. If not, *status is the exit status. */
static bool may_fill(const struct command_call *c, int64_t users, int *status)
{
    if (users && command_option(c, "if-empty")) {
        printf("the site has %" PRId64 " users already: nothing to do\n", users);
        return false;
    }
    if (users == 0 || command_option(c, "force")) {
        return true;
    }
    fprintf(stderr,
            "retwis: the site has %" PRId64 " users: invented people could not be told from real ones, nor be removed "
            "together; --force adds them all the same\n",
            users);
    *status = COMMAND_FAILED;
    return false;
}

/* Everybody can read in the manual what the usual password is: on a site with users it is a random one. */
static void choose_password(const struct command_call *c, int64_t users, struct demo_options *o,
                            char random[SECRET_TOKEN_SIZE])
{
    if (users && !command_option(c, "password")) {
        secret_token(random);
        o->password = random;
    }
}

int command_demo_fill(struct command_call *c)
{
    struct context x;
    struct demo_options options = {.users = 0};
    char random[SECRET_TOKEN_SIZE];
    if (!read_options(c, &options) || !check_password(&options)) {
        return COMMAND_USAGE;
    }
    struct population known;
    int status = context_open_patient(&x, c);
    if (status == COMMAND_OK) {
        enum err e = population_count(x.social, x.arena, &known);
        if (e != ERR_OK) {
            fprintf(stderr, "retwis: %s\n", err_info(e)->help);
            status = COMMAND_FAILED;
        } else if (may_fill(c, known.users, &status)) {
            choose_password(c, known.users, &options, random);
            status = demo_command_fill(&x, &options);
        }
    }
    context_close(&x);
    return status;
}
