/* test_social_changes.c - the change log and the cache: threads that overtake each other, and a log that goes back. */
#include "store_case.h"

#include "config/settings.h"
#include "social/core/cache.h"
#include "social/core/social.h"
#include "social/product.h"

#define USER_ID UINT64_C(117657670766635999)

static char state_directory[64];
static struct config config;
static struct settings_store *settings;
static struct social *social;

static int begin(void **state)
{
    setup(state);
    config = private_redis_config(redis.url);
    config.posts.cache = 4;
    snprintf(state_directory, sizeof(state_directory), "/tmp/retwis-test-XXXXXX");
    assert_non_null(mkdtemp(state_directory));
    settings = settings_open(state_directory, stderr);
    assert_non_null(settings);
    social = product_open(&config, settings, store);
    return 0;
}

static int end(void **state)
{
    char command[128];
    product_close(social);
    settings_close(settings);
    snprintf(command, sizeof(command), "rm -rf '%s'", state_directory);
    assert_int_equal(system(command), 0);
    return teardown(state);
}

/* A page's first round trip, sent and answered, with the log not taken yet. */
struct reading {
    struct store_batch *batch;
    struct social_changes changes;
    const char *record;
};

static struct reading read_record(struct arena *a)
{
    struct reading r = {.batch = social_batch(social, a)};
    r.changes = social_changes_add(social, r.batch, a);
    size_t reply = store_command(r.batch, 0, "GET", "{0}:record", NULL);
    assert_int_equal(store_run(r.batch), ERR_OK);
    r.record = store_text(store_reply(r.batch, reply));
    return r;
}

static void take(const struct reading *r)
{
    social_changes_take(social, r->batch, &r->changes);
}

/* What the cache has for the user; "" for nothing. */
static const char *cached(void)
{
    size_t size = 0;
    const char *value = cache_get(social->cache, CACHE_USER, USER_ID, arena, &size);
    return value ? value : "";
}

static void remember(const struct reading *r)
{
    cache_put(social->cache, CACHE_USER, USER_ID, r->record, strlen(r->record) + 1, store_batch_marked(r->batch));
}

static void change(const char *record)
{
    struct store_batch *b = store_batch_new(store, arena);
    store_command(b, 0, "SET", "{0}:record", record, NULL);
    social_announce(b, arena, 'u', USER_ID);
    assert_int_equal(store_run(b), ERR_OK);
}

/* A whole page of another thread. */
static void *page(void *nothing)
{
    struct arena *a = arena_new();
    struct reading r = read_record(a);
    take(&r);
    arena_free(a);
    return nothing;
}

static void page_elsewhere(void)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, page, NULL), 0);
    pthread_join(thread, NULL);
}

/* What was read before a change stays out of the cache, whoever has applied the change meanwhile. */
static void nobody_is_credited_with_what_others_read(void **state)
{
    (void)state;
    change("a member");
    change("an administrator");
    struct reading r = read_record(arena);
    assert_string_equal(r.record, "an administrator");
    change("a member again");
    page_elsewhere();
    take(&r);
    remember(&r);
    assert_string_equal(cached(), "");
    r = read_record(arena);
    take(&r);
    remember(&r);
    assert_string_equal(cached(), "a member again");
}

/* The same when this thread's reply brings entries of its own that are older than what was applied. */
static void an_older_reply_is_no_news(void **state)
{
    (void)state;
    change("one");
    page_elsewhere();
    change("two");
    struct reading r = read_record(arena); /* knows 1, reads 2 */
    change("three");
    page_elsewhere();
    take(&r);
    remember(&r);
    assert_string_equal(cached(), "");
}

/* As a failover does it: the log of an older moment, which then goes on with numbers that were in use already. */
static void go_back_and_on(const char *copy, unsigned more)
{
    assert_int_equal(run("DEL", "{0}:changes", NULL), ERR_OK);
    assert_int_equal(run("COPY", copy, "{0}:changes"), ERR_OK);
    for (unsigned i = 0; i < more; i++) {
        change("another life");
    }
}

static void fill(const char *what)
{
    struct reading r = read_record(arena);
    take(&r);
    cache_put(social->cache, CACHE_USER, USER_ID, what, strlen(what) + 1, cache_token(social->cache));
    assert_string_equal(cached(), what);
}

static void log_that_goes_back_is_noticed(void **state)
{
    (void)state;
    for (unsigned more = 0; more < 5; more++) { /* behind, as long as before, ahead */
        run("DEL", "{0}:older", NULL);
        change("begins");
        assert_int_equal(run("COPY", "{0}:changes", "{0}:older"), ERR_OK);
        change("life");
        change("life");
        fill("remembered");
        go_back_and_on("{0}:older", more);
        struct reading r = read_record(arena);
        take(&r);
        assert_string_equal(cached(), "");
        fill("remembered anew");
        change("seen");
        r = read_record(arena);
        take(&r);
        assert_string_equal(cached(), "");
    }
}

static void log_that_is_gone_is_noticed(void **state)
{
    (void)state;
    change("life");
    fill("remembered");
    assert_int_equal(run("DEL", "{0}:changes", NULL), ERR_OK);
    struct reading r = read_record(arena);
    take(&r);
    assert_string_equal(cached(), "");
    fill("remembered anew");
    change("life");
    r = read_record(arena);
    take(&r);
    assert_string_equal(cached(), "");
}

/* Whoever read in the life before brings nothing into this one, though its number is the greater. */
static void nothing_crosses_over(void **state)
{
    (void)state;
    change("begins");
    assert_int_equal(run("COPY", "{0}:changes", "{0}:older"), ERR_OK);
    for (unsigned i = 0; i < 5; i++) {
        change("a life that was lost");
    }
    page_elsewhere();
    struct reading r = read_record(arena);
    go_back_and_on("{0}:older", 0);
    page_elsewhere();
    fill("this life");
    change("this life");
    page_elsewhere();
    take(&r);
    remember(&r);
    assert_string_equal(cached(), "");
}

/* More changes than are read at once. */
static void gap_forgets_all(void **state)
{
    (void)state;
    change("one");
    fill("remembered");
    for (unsigned i = 0; i < 300; i++) {
        struct store_batch *b = new_batch();
        social_announce(b, arena, 'p', USER_ID + 1 + i);
        assert_int_equal(store_run(b), ERR_OK);
    }
    struct reading r = read_record(arena);
    uint64_t life = social->change >> 40;
    take(&r);
    assert_string_equal(cached(), "");
    assert_int_equal(social->change >> 40, life); /* the log is the same */
    remember(&r);
    assert_string_equal(cached(), "one");
}

/* What each entry takes out of the cache, and what it leaves. */
static void each_kind_forgets_its_own(void **state)
{
    (void)state;
    static const struct {
        char kind;
        enum cache_kind forgotten, kept;
    } cases[] = {{'p', CACHE_POST, CACHE_REPLIES}, {'r', CACHE_REPLIES, CACHE_POST}, {'u', CACHE_USER, CACHE_POST}};
    for (unsigned i = 0; i < COUNT(cases); i++) {
        struct reading before = read_record(arena);
        take(&before);
        cache_put(social->cache, cases[i].forgotten, USER_ID, "x", 2, cache_token(social->cache));
        cache_put(social->cache, cases[i].kept, USER_ID, "x", 2, cache_token(social->cache));
        struct store_batch *b = new_batch();
        social_announce(b, arena, cases[i].kind, USER_ID);
        assert_int_equal(store_run(b), ERR_OK);
        struct reading r = read_record(arena);
        take(&r);
        size_t size;
        assert_null(cache_get(social->cache, cases[i].forgotten, USER_ID, arena, &size));
        assert_non_null(cache_get(social->cache, cases[i].kept, USER_ID, arena, &size));
    }
}

/* --- the cache alone ----------------------------------------------------------------------------------------------- */

static void put(struct cache *c, uint64_t id, const char *value, uint64_t token)
{
    cache_put(c, CACHE_USER, id, value, strlen(value) + 1, token);
}

static const char *get(struct cache *c, uint64_t id)
{
    size_t size = 0;
    const char *value = cache_get(c, CACHE_USER, id, arena, &size);
    return value ? value : "";
}

/* Who had read before a change cannot bring back what it took away. */
static void stale_value_stays_out(void **state)
{
    (void)state;
    struct cache *c = cache_new(1 << 20);
    uint64_t before = cache_token(c);
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "as it was");
    cache_forget(c, CACHE_USER, 1);
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it is", cache_token(c));
    assert_string_equal(get(c, 1), "as it is");
    before = cache_token(c);
    put(c, 2, "another", before);
    cache_clear(c);
    put(c, 2, "another", before);
    assert_string_equal(get(c, 1), "");
    assert_string_equal(get(c, 2), "");
    put(c, 2, "another", cache_token(c));
    assert_string_equal(get(c, 2), "another");
    cache_free(c);
}

/* Nor when somebody has put the new value there meanwhile. */
static void stale_value_is_not_put_over_a_new_one(void **state)
{
    (void)state;
    struct cache *c = cache_new(1 << 20);
    uint64_t before = cache_token(c);
    cache_forget(c, CACHE_USER, 1);
    put(c, 1, "as it is", cache_token(c));
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "as it is");
    put(c, 1, "as it is, once more", cache_token(c));
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "as it is, once more");
    cache_free(c);
}

/* Nor when there is no room to remember what was forgotten. */
static void what_was_forgotten_is_not_forgotten(void **state)
{
    (void)state;
    struct cache *c = cache_new(1 << 16);
    uint64_t before = cache_token(c);
    cache_forget(c, CACHE_USER, 1);
    for (uint64_t id = 2; id < 5000; id++) {
        put(c, id, "pushes out", cache_token(c));
    }
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it is", cache_token(c));
    assert_string_equal(get(c, 1), "as it is");
    cache_free(c);
}

/* The change may stand in a value by then: it goes with it. */
static void nor_with_the_value_that_came_after_it(void **state)
{
    (void)state;
    struct cache *c = cache_new(1 << 16);
    uint64_t before = cache_token(c);
    cache_forget(c, CACHE_USER, 1);
    put(c, 1, "as it is", cache_token(c));
    for (uint64_t id = 2; id < 5000; id++) {
        put(c, id, "pushes out", cache_token(c));
    }
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "");
    cache_free(c);
}

/* Others are not kept out with it. */
static void a_change_is_of_one_id(void **state)
{
    (void)state;
    struct cache *c = cache_new(1 << 20);
    uint64_t before = cache_token(c);
    cache_forget(c, CACHE_USER, 1);
    put(c, 1, "as it is", cache_token(c));
    for (uint64_t id = 2; id < 500; id++) {
        put(c, id, "unchanged", before);
        assert_string_equal(get(c, id), "unchanged");
    }
    cache_free(c);
}

/* Whoever took no token has read nothing that may stay. */
static void nothing_comes_in_without_a_token(void **state)
{
    (void)state;
    struct cache *c = cache_new(1 << 20);
    put(c, 1, "of no time", 0);
    assert_string_equal(get(c, 1), "");
    cache_free(c);
}

#define social_case(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(int argc, char **argv)
{
    int status;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    static const struct CMUnitTest tests[] = {
        social_case(nobody_is_credited_with_what_others_read),
        social_case(an_older_reply_is_no_news),
        social_case(log_that_goes_back_is_noticed),
        social_case(log_that_is_gone_is_noticed),
        social_case(nothing_crosses_over),
        social_case(gap_forgets_all),
        social_case(each_kind_forgets_its_own),
        bare(stale_value_stays_out),
        bare(stale_value_is_not_put_over_a_new_one),
        bare(what_was_forgotten_is_not_forgotten),
        bare(nor_with_the_value_that_came_after_it),
        bare(a_change_is_of_one_id),
        bare(nothing_comes_in_without_a_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
