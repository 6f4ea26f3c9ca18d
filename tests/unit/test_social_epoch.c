/* test_social_epoch.c - the epoch of the homes: what begins a new one, whose mode is the site's, and what becomes of both when the
 * engine is set back to older data or its clock to an earlier time. Two servers of two modes share an engine.
 */
#include "social_case.h"

#include "social/posts/post.h"
#include "social/posts/publish.h"
#include "social/timelines/fanout.h"

#define HOUR_MS 3600000

static struct config other_config;
static struct social *other; /* serves the site in pull mode, when it begins; the first one in push mode */
static const char *record;   /* key of the site's */

static int begin(void **state)
{
    site_setup(state);
    event_listen_end(social); /* what it hears of comes at a time of its own */
    other_config = config;
    other_config.timeline.mode = CONFIG_PULL;
    other = product_open(&other_config, settings, store);
    record = key_plain(arena, KEY_SITE, KEY_GLOBAL_BUCKET);
    return 0;
}

static int end(void **state)
{
    product_close(other);
    return site_teardown(state);
}

static const char *site_word(const char *field)
{
    return store_text(ask(KEY_GLOBAL_BUCKET, "HGET", record, field, NULL));
}

static void assert_site(uint64_t epoch, const char *mode)
{
    assert_string_equal(site_word("epoch"), arena_printf(arena, "%llu", (unsigned long long)epoch));
    assert_string_equal(site_word("mode"), mode);
}

static enum err try_post(struct social *s)
{
    struct problems problems = {.count = 0};
    struct post_draft draft = {.text = "news"};
    struct fanout_wave *wave;
    uint64_t id;
    enum err e = post_create(s, arena, as(person(name_in(7, 0))), &draft, &id, &wave, &problems);
    fanout_wait(wave);
    return e;
}

static void test_start_in_the_same_mode(void **state)
{
    (void)state;
    uint64_t epoch = social->epoch;
    assert_int_equal(product_enter(social, true), ERR_OK);
    assert_site(epoch, "push");
    other_config.timeline.mode = CONFIG_PUSH;
    assert_int_equal(product_enter(other, true), ERR_OK);
    assert_site(epoch, "push");
    assert_int_equal(social_look(social), ERR_OK);
    assert_int_equal(social->epoch, epoch);
}

/* The other servers are told, and those of the version before too. */
static void test_all_are_told(void **state)
{
    (void)state;
    static const enum key streams[] = {KEY_EVENTS, KEY_CHANGES};
    int64_t before[COUNT(streams)];
    for (unsigned turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < COUNT(streams); i++) {
            const char *key = key_plain(arena, streams[i], KEY_GLOBAL_BUCKET);
            int64_t length = store_integer(ask(KEY_GLOBAL_BUCKET, "XLEN", key, NULL, NULL));
            assert_true(turn == 0 || length == before[i] + 1);
            before[i] = length;
        }
        assert_int_equal(social_move_epoch(social), ERR_OK);
    }
}

/* Who serves in the old mode takes no posts until he is started again; who begins last says the mode. */
static void test_start_in_another_mode(void **state)
{
    (void)state;
    uint64_t epoch = social->epoch;
    assert_int_equal(product_enter(other, true), ERR_OK);
    assert_site(epoch + 1, "pull");
    assert_int_equal(try_post(social),
                     ERR_OK); /* it does not know yet; what it wrote is in all homes of the next epoch */
    assert_site(epoch + 2, "pull");
    assert_int_equal(try_post(social), ERR_MODE);
    assert_int_equal(try_post(other), ERR_OK);
    social_take_epoch(social, epoch, "push"); /* an answer that comes late */
    assert_int_equal(try_post(social), ERR_MODE);
    assert_int_equal(product_enter(social, true), ERR_OK);
    assert_site(epoch + 3, "push");
    assert_int_equal(try_post(social), ERR_OK);
    assert_int_equal(social_look(other), ERR_OK);
    assert_int_equal(try_post(other), ERR_MODE);
}

/* As a copy of the data, put back, has them. */
static void restore(uint64_t epoch, const char *mode)
{
    struct store_batch *b = new_batch();
    store_command(b, KEY_GLOBAL_BUCKET, "HSET", record, "epoch", arena_printf(arena, "%llu", (unsigned long long)epoch),
                  "mode", mode, "begun", "of another engine", NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* No epoch is used twice, and the mode of then is nobody's any more. */
static void test_backup_of_another_mode(void **state)
{
    (void)state;
    assert_int_equal(social_move_epoch(social), ERR_OK);
    uint64_t epoch = social->epoch;
    restore(epoch - 1, "pull");
    assert_int_equal(social_look(social), ERR_OK);
    assert_site(epoch + 1, "push");
    assert_int_equal(social->epoch, epoch + 1);
    assert_int_equal(try_post(social), ERR_OK);
}

/* A server began in another mode before this one has looked: that one was the last to begin. */
static void test_backup_and_a_server_that_begins(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(social_move_epoch(social), ERR_OK);
    }
    uint64_t epoch = social->epoch;
    restore(epoch - 2, "push");
    assert_int_equal(product_enter(other, true), ERR_OK);
    assert_site(epoch - 1, "pull");
    assert_int_equal(social_look(social), ERR_OK);
    assert_site(epoch + 1, "pull");
    assert_int_equal(try_post(social), ERR_MODE);
}

/* Nothing is known of the order of ids until the clock has caught up: all homes are built again, once. */
static void test_clock_is_set_back(void **state)
{
    (void)state;
    uint64_t epoch = social->epoch;
    assert_int_equal(social_look(social), ERR_OK);
    assert_int_equal(social->epoch, epoch);
    assert_false(social_is_ahead(social));
    social_saw_time(social, clock_site_ms() + HOUR_MS);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(social_look(social), ERR_OK);
        assert_site(epoch + 1, "push");
        assert_true(social_is_ahead(social));
    }
    assert_int_equal(social_look(other), ERR_OK); /* the other one learns it from the data */
    assert_true(social_is_ahead(other));
}

#define epoch_case(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const struct CMUnitTest tests[] = {
    epoch_case(test_start_in_the_same_mode),          epoch_case(test_all_are_told),
    epoch_case(test_start_in_another_mode),           epoch_case(test_backup_of_another_mode),
    epoch_case(test_backup_and_a_server_that_begins), epoch_case(test_clock_is_set_back),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
