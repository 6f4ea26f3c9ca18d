/* social_case.h - what the tests of the product share: an engine with a site on it, people, and a clock that can be
 * moved.
 *
 * The names of the people say in which bucket they are: name_in(7, 0) is the first name that belongs to bucket 7.
 */
#ifndef TESTS_SOCIAL_CASE_H
#define TESTS_SOCIAL_CASE_H

#include "store_case.h"

#include "base/id.h"
#include "config/settings.h"
#include "social/core/actor.h"
#include "social/core/cache.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/people/user.h"
#include "social/people/user_index.h"
#include "social/posts/index.h"
#include "social/posts/post.h"
#include "store/calls.h"
#include "store/keys.h"
#include "upkeep/check.h"
#include "social/product.h"

#define KNOWN_PASSWORD "a password for tests"

static struct config config;
static struct settings_store *settings;
static struct social *social;

/* --- the clock ----------------------------------------------------------------------------------------------------- */

/* From this moment on the site's clock shows this time, and goes. */
static inline void set_clock(uint64_t ms)
{
    uint64_t now_us = clock_monotonic_us();
    clock_site_set(ms, now_us, now_us);
}

/* --- the site ------------------------------------------------------------------------------------------------------ */

static inline void site_open(const char *url)
{
    config = private_redis_config(url);
    config.posts.cache = 4;
    config.timeline.mode = CONFIG_PUSH;
    config.timeline.size = 800;
    config.timeline.page = 20;
    config.timeline.inline_followers = 1000;
    config.timeline.celebrity_followers = 1000;
    config.timeline.inactive_days = 30;
    config.timeline.pull_per_author = 20;
    config.search.enabled = true;
    config.search.words = 400;
    config.search.posts = 400;
    settings = settings_open(redis.dir, stderr);
    assert_non_null(settings);
    social = product_open(&config, settings, store);
    assert_int_equal(product_enter(social, true), ERR_OK);
    event_listen(social);
    while (!cache_is_trusted(social->cache)) {
        clock_sleep_ms(1);
    }
}

static inline void site_close(void)
{
    job_stop(social);
    event_listen_end(social);
    product_close(social);
    settings_close(settings);
}

static inline int site_setup(void **state)
{
    setup(state);
    site_open(redis.url);
    return 0;
}

static inline int site_teardown(void **state)
{
    set_clock(clock_wall_ms());
    site_close();
    return teardown(state);
}

#define site(f) cmocka_unit_test_setup_teardown(f, site_setup, site_teardown)

/* A store and a site of this process's own, after a fork. */
static inline void site_again(void)
{
    store = open_at(redis.url);
    arena = arena_new();
    social = product_open(&config, settings, store);
    assert_int_equal(product_enter(social, false), ERR_OK);
}

/* --- the data ------------------------------------------------------------------------------------------------------ */

static inline const struct store_reply *ask(unsigned bucket, const char *a, const char *b, const char *c, const char *d)
{
    const char *words[] = {a, b, c, d};
    struct store_batch *batch = new_batch();
    store_command_v(batch, bucket, d ? 4 : c ? 3 : b ? 2 : 1, words);
    assert_int_equal(store_run(batch), ERR_OK);
    return store_reply(batch, 0);
}

static inline const char *name_in(unsigned bucket, unsigned number)
{
    for (unsigned i = 0;; i++) {
        char *name = arena_printf(arena, "user_%u", i);
        if (user_bucket(name) == bucket && number-- == 0) {
            return name;
        }
    }
}

/* As signing up leaves him, without the work for his password. */
static inline uint64_t person(const char *name)
{
    uint64_t uid = id_new(user_bucket(name), 0);
    unsigned bucket = id_bucket(uid);
    const char *digits = id_text(arena, uid);
    ask(bucket, "SET", key_text(arena, KEY_NAME, name), digits, NULL);
    struct store_batch *b = new_batch();
    store_command(b, bucket, "HSET", key_id(arena, KEY_USER, uid), "name", name, "password", "-", "display", "", "bio",
                  "", "role", "", NULL);
    store_command(b, bucket, "ZADD", key_plain(arena, KEY_USERS, bucket), "0", digits, NULL);
    store_command(b, bucket, "SET", key_id(arena, KEY_NEWEST, uid), "0", NULL);
    store_command(b, KEY_GLOBAL_BUCKET, "LPUSH", key_plain(arena, KEY_LATEST, KEY_GLOBAL_BUCKET), digits, NULL);
    social->parts->user_index->add(b, arena, &(struct user){.id = uid, .name = name, .display = ""});
    assert_int_equal(store_run(b), ERR_OK);
    return uid;
}

/* A user who is signed in. */
static inline const struct actor *as(uint64_t uid)
{
    struct actor *by = arena_alloc(arena, sizeof(*by));
    *by = (struct actor){.kind = ACTOR_USER, .uid = uid, .name = "", .credential = ACTOR_BY_SESSION, .request = ""};
    return by;
}

/* The command line. */
static inline const struct actor *as_command(void)
{
    struct actor *by = arena_alloc(arena, sizeof(*by));
    *by = actor_command("test", 0);
    return by;
}

/* A visitor who is not signed in. */
static inline const struct actor *as_nobody(const char *const *networks)
{
    struct actor *by = arena_alloc(arena, sizeof(*by));
    *by = actor_nobody(networks, "");
    return by;
}

/* For what is wrong with an input, where nobody looks at it. */
static inline struct problems *none(void)
{
    return arena_zero(arena, sizeof(struct problems));
}

/* A post of that time, as it lies there when it is stored; delivered to nobody. */
static inline uint64_t put_post(uint64_t author, uint64_t ms)
{
    unsigned bucket = id_bucket(author);
    uint64_t id = id_of_ms(ms) | bucket << 6;
    const char *digits = id_text(arena, id), *newest = key_id(arena, KEY_NEWEST, author);
    struct store_batch *b = new_batch();
    store_command(b, bucket, "HSET", key_id(arena, KEY_POST, id), "author", id_text(arena, author), "text", "a post",
                  NULL);
    store_command(b, bucket, "ZADD", key_id(arena, KEY_POSTS, author), "0", digits, NULL);
    size_t before = store_command(b, bucket, "GET", newest, NULL);
    const struct post post = {.id = id, .author = {.id = author}, .text = "a post", .spoiler = ""};
    social->parts->index->posts_add(social, b, arena, &post, 1);
    assert_int_equal(store_run(b), ERR_OK);
    if (strcmp(store_text(store_reply(b, before)), digits) < 0) {
        ask(bucket, "SET", newest, digits, NULL);
    }
    return id;
}

/* Whether one follows the other. Both sides say the same. */
static inline bool follows(uint64_t uid, uint64_t other)
{
    bool there = ask(id_bucket(uid), "ZSCORE", key_id(arena, KEY_FOLLOWING, uid), id_text(arena, other), NULL)->type !=
                 STORE_NIL;
    bool here = ask(id_bucket(other), "ZSCORE", key_id(arena, KEY_FOLLOWERS, other), id_text(arena, uid), NULL)->type !=
                STORE_NIL;
    assert_int_equal(there, here);
    return there;
}

/* Does all jobs, whether their leases are over or not; bounded. */
static inline void finish_jobs(void)
{
    unsigned found = 1;
    for (unsigned i = 0; found && i < 20; i++) {
        struct store_batch *b = new_batch();
        for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
            store_command(b, bucket, "ZRANGE", key_plain(arena, KEY_JOBS, bucket), "0", "-1", NULL);
        }
        assert_int_equal(store_run(b), ERR_OK);
        for (unsigned bucket = 0; bucket < ID_BUCKETS; bucket++) {
            const struct store_reply *ids = store_reply(b, bucket);
            for (size_t k = 0; k < ids->count; k++) {
                ask(bucket, "ZADD", key_plain(arena, KEY_JOBS, bucket), "1", store_text(&ids->items[k]));
            }
        }
        assert_int_equal(job_sweep(social, &found), ERR_OK);
    }
    assert_int_equal(found, 0);
}

/* `retwis check --homes` finds nothing. */
static inline void assert_clean(void)
{
    struct check_options o = {.homes = true};
    struct check_report report;
    assert_int_equal(check_run(social, arena, &o, &report), ERR_OK);
    for (unsigned k = 1; k < CHECK_KINDS; k++) {
        if (report.kinds[k].count && check_info((enum check_kind)k)->class != CHECK_NOTE) {
            fail_msg("%llu times %s: %s", (unsigned long long)report.kinds[k].count,
                     check_info((enum check_kind)k)->what, report.kinds[k].examples[0]);
        }
    }
}

/* What main is. */
static inline int site_main(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    int status = 0;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    private_redis_embedded = !have_redis_server();
    return _cmocka_run_group_tests("tests", tests, count, NULL, NULL);
}

#endif
