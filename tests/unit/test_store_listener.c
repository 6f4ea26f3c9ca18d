/* test_store_listener.c - a connection that waits for the engine: longer than others may, and not after the end. */
#include "store_case.h"

#include "store/listener.h"

#define STREAM "{0}:said"

static struct store_listener *listener;

/* XREAD of what comes after `after`, blocking for so long. */
static enum err hear(struct store_listener *l, const char *after, unsigned ms, const struct store_reply **heard)
{
    char block[16];
    snprintf(block, sizeof(block), "%u", ms);
    struct store_batch *b = store_listener_batch(l, arena, ms);
    store_command(b, 0, "XREAD", "BLOCK", block, "STREAMS", STREAM, after, NULL);
    enum err e = store_run(b);
    *heard = store_reply(b, 0);
    return e;
}

/* How many entries a reply of XREAD holds. */
static size_t entries(const struct store_reply *heard)
{
    return store_item(store_item(heard, 0), 1)->count;
}

static void say_something(void)
{
    struct store_batch *b = new_batch();
    store_command(b, 0, "XADD", STREAM, "*", "what", "x", NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

static void *say_later(void *unused)
{
    (void)unused;
    clock_sleep_ms(200);
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(store, a);
    store_command(b, 0, "XADD", STREAM, "*", "what", "x", NULL);
    require(store_run(b) == ERR_OK);
    arena_free(a);
    return NULL;
}

static void test_hears_while_it_waits(void **state)
{
    (void)state;
    const struct store_reply *heard;
    pthread_t thread;
    listener = store_listener_new(store, 0);
    assert_int_equal(pthread_create(&thread, NULL, say_later, NULL), 0);
    uint64_t before = clock_monotonic_us();
    assert_int_equal(hear(listener, "$", 60000, &heard), ERR_OK);
    assert_int_equal(entries(heard), 1);
    assert_true(elapsed_us(before) >= 150 * MS && elapsed_us(before) < 30000 * MS);
    pthread_join(thread, NULL);
    assert_int_equal(hear(listener, "0", 60000, &heard), ERR_OK);
    assert_int_equal(entries(heard), 1);
    store_listener_free(listener);
}

/* Silence that lasts longer than others wait for an answer is no error; and a command that does not block must not take
 * so long. */
static void test_patience(void **state)
{
    (void)state;
    const struct store_reply *heard;
    struct store *s = open_impatient(redis.url);
    listener = store_listener_new(s, 0);
    uint64_t before = clock_monotonic_us();
    assert_int_equal(hear(listener, "$", 1700, &heard), ERR_OK);
    assert_int_equal(heard->type, STORE_NIL);
    assert_true(elapsed_us(before) >= 1600 * MS);
    struct store_batch *b = store_listener_batch(listener, arena, 0);
    store_command(b, 0, "XREAD", "BLOCK", "60000", "STREAMS", STREAM, "$", NULL);
    before = clock_monotonic_us();
    assert_int_equal(store_run(b), ERR_UNAVAILABLE);
    assert_true(elapsed_us(before) >= 900 * MS && elapsed_us(before) < 30000 * MS);
    assert_int_equal(hear(listener, "$", 10, &heard), ERR_OK); /* on another connection */
    store_listener_free(listener);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK); /* nobody else noticed */
    store_close(s);
}

/* Who gives commands a minute does not wait so long until a connection that says nothing is given up. */
static void test_silence_is_short(void **state)
{
    (void)state;
    struct config c = private_redis_config(redis.url);
    c.redis.command_timeout = 60000;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    listener = store_listener_new(s, 0);
    struct store_batch *b = store_listener_batch(listener, arena, 0);
    store_command(b, 0, "XREAD", "BLOCK", "120000", "STREAMS", STREAM, "$", NULL);
    uint64_t before = clock_monotonic_us();
    assert_int_equal(store_run(b), ERR_UNAVAILABLE);
    assert_true(elapsed_us(before) >= 2900 * MS && elapsed_us(before) < 50000 * MS);
    b = store_batch_new(s, arena); /* an ordinary one */
    store_command(b, 0, "XREAD", "BLOCK", "3500", "STREAMS", STREAM, "$", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    store_listener_free(listener);
    store_close(s);
}

static void *end_soon(void *whole)
{
    clock_sleep_ms(200);
    if (whole) {
        store_end(store);
    } else {
        store_listener_end(listener);
    }
    return NULL;
}

/* Ended by itself, and with the store. */
static void test_ends_while_it_waits(void **state)
{
    (void)state;
    const struct store_reply *heard;
    for (int whole = 0; whole < 2; whole++) {
        pthread_t thread;
        listener = store_listener_new(store, 0);
        assert_int_equal(hear(listener, "$", 1, &heard), ERR_OK);
        assert_int_equal(pthread_create(&thread, NULL, end_soon, whole ? &whole : NULL), 0);
        uint64_t before = clock_monotonic_us();
        assert_int_equal(hear(listener, "$", 60000, &heard), ERR_UNAVAILABLE);
        assert_true(elapsed_us(before) < 30000 * MS);
        pthread_join(thread, NULL);
        before = clock_monotonic_us();
        assert_int_equal(hear(listener, "$", 60000, &heard), ERR_UNAVAILABLE); /* and it does not begin again */
        assert_true(elapsed_us(before) < 30000 * MS);
        store_listener_free(listener);
    }
    listener = store_listener_new(store, 0);
    assert_int_equal(hear(listener, "$", 60000, &heard), ERR_UNAVAILABLE);
    store_listener_free(listener);
}

static void test_engine_starts_again(void **state)
{
    (void)state;
    const struct store_reply *heard;
    listener = store_listener_new(store, 0);
    assert_int_equal(hear(listener, "$", 1, &heard), ERR_OK);
    private_redis_kill(&redis);
    assert_int_equal(hear(listener, "$", 1, &heard), ERR_UNAVAILABLE);
    assert_int_equal(hear(listener, "$", 1, &heard), ERR_UNAVAILABLE);
    private_redis_again(&redis, plain);
    assert_int_equal(store_wait_ready(store, 10000), ERR_OK);
    say_something();
    assert_int_equal(hear(listener, "0", 60000, &heard), ERR_OK);
    assert_int_equal(entries(heard), 1);
    store_listener_free(listener);
}

/* Scripts can be called too, also when the engine has forgotten them. */
static void test_scripts(void **state)
{
    (void)state;
    listener = store_listener_new(store, 0);
    for (int i = 0; i < 2; i++) {
        struct store_batch *b = store_listener_batch(listener, arena, 0);
        add_rate_limit(b);
        assert_int_equal(store_run(b), ERR_OK);
        assert_int_equal(run("SCRIPT", "FLUSH", NULL), ERR_OK);
    }
    store_listener_free(listener);
}

int main(int argc, char **argv)
{
    int status = 0;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    private_redis_embedded = !have_redis_server();
    const struct CMUnitTest tests[] = {
        live(test_hears_while_it_waits), live(test_patience),
        live(test_silence_is_short),     live(test_ends_while_it_waits),
        live(test_engine_starts_again),  live(test_scripts),
    };
    return cmocka_run_group_tests_name("store_listener", tests, NULL, NULL);
}
