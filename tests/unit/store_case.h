/* store_case.h - what the tests of the store share: an engine, a store on it, an arena, and one-line commands. */
#ifndef TESTS_STORE_CASE_H
#define TESTS_STORE_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/secret.h"
#include "engine/engine.h"
#include "private_redis.h"
#include "store/calls.h"
#include "store/store.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MS 1000

static struct private_redis redis;
static struct store *store;
static struct arena *arena;

static const char *const plain[] = {"--enable-debug-command", "yes", NULL};

static inline struct store *open_at(const char *url)
{
    struct config c = private_redis_config(url);
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    return s;
}

/* One that gives up soon: half a second to connect, one second for an answer. */
/* A store that gives up after so many ms. */
static inline struct store *open_within(const char *url, int connect, int command)
{
    struct config c = private_redis_config(url);
    c.redis.connect_timeout = connect;
    c.redis.command_timeout = command;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    return s;
}

static inline struct store *open_impatient(const char *url)
{
    return open_within(url, 500, 1000);
}

static inline int setup(void **state)
{
    (void)state;
    private_redis_start(&redis, plain);
    store = open_at(redis.url);
    arena = arena_new();
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    store_close(store);
    arena_free(arena);
    private_redis_stop(&redis);
    return 0;
}

/* For tests with an engine of another kind. */
static inline int setup_arena(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static inline int teardown_arena(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static inline struct store_batch *new_batch(void)
{
    return store_batch_new(store, arena);
}

/* One command of up to three words. */
static inline enum err run_on(struct store *s, const struct store_reply **reply, const char *a, const char *b,
                              const char *c)
{
    struct store_batch *batch = store_batch_new(s, arena);
    const char *words[] = {a, b, c};
    store_command_v(batch, 0, c ? 3 : b ? 2 : 1, words);
    enum err e = store_run(batch);
    if (reply) {
        *reply = store_reply(batch, 0);
    }
    return e;
}

static inline enum err run(const char *a, const char *b, const char *c)
{
    return run_on(store, NULL, a, b, c);
}

/* What store_health answers, if what it says holds this (NULL: anything). */
static inline enum err health_of(struct store *s, const char *expected)
{
    struct buffer say = buffer_make(arena);
    enum err e = store_health(s, &say);
    if (expected && !strstr(buffer_string(&say), expected)) {
        print_error("\"%s\" does not hold \"%s\"\n", buffer_string(&say), expected);
        return ERR_COUNT;
    }
    return e;
}

static inline uint64_t elapsed_us(uint64_t since)
{
    return clock_monotonic_us() - since;
}

static inline void add_rate_limit(struct store_batch *b)
{
    const struct script_rate_limit_row limit = {"x", 1000};
    script_rate_limit_add(b, &(struct script_rate_limit){0, 1, 60, &limit, 1});
}

#define live(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
#define bare(f) cmocka_unit_test_setup_teardown(f, setup_arena, teardown_arena)

/* What main begins with; true if this process is to be an engine, whose exit status is then in *status. */
static inline bool begin_tests(int argc, char **argv, int *status)
{
    secret_setup();
    log_setup(getenv("VERBOSE") ? LOG_DEBUG : LOG_ERROR, false);
    if (argc > 1 && strcmp(argv[1], "engine") == 0) {
        *status = engine_main(argc - 1, argv + 1);
        return true;
    }
    return false;
}

static inline bool have_redis_server(void)
{
    return system("command -v redis-server >/dev/null") == 0;
}

#endif
