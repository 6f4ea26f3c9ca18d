/* test_store.c - the store on a healthy engine: replies, pipelines, scripts, many threads. */
#include "store_case.h"

#include "base/id.h"

/* --- replies ------------------------------------------------------------------------------------------------------ */

static void test_types(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    store_command(b, 0, "SET", "{0}:s", "a\r\nb", NULL);
    store_command(b, 0, "GET", "{0}:s", NULL);
    store_command(b, 0, "INCRBY", "{0}:n", "41", NULL);
    store_command(b, 0, "GET", "{0}:n", NULL);
    store_command(b, 0, "GET", "{0}:none", NULL);
    store_command(b, 0, "HSET", "{0}:h", "f", "1", "g", "", NULL);
    store_command(b, 0, "HGETALL", "{0}:h", NULL);
    store_command(b, 0, "LRANGE", "{0}:none", "0", "-1", NULL);
    assert_int_equal(store_batch_count(b), 8);
    assert_int_equal(store_run(b), ERR_OK);
    assert_string_equal(store_text(store_reply(b, 0)), "OK");
    assert_string_equal(store_text(store_reply(b, 1)), "a\r\nb");
    assert_int_equal(store_reply(b, 1)->length, 4);
    assert_int_equal(store_reply(b, 2)->type, STORE_INTEGER);
    assert_int_equal(store_integer(store_reply(b, 2)), 41);
    assert_int_equal(store_integer(store_reply(b, 3)), 41);
    assert_int_equal(store_reply(b, 4)->type, STORE_NIL);
    assert_string_equal(store_text(store_reply(b, 4)), "");
    const struct store_reply *h = store_reply(b, 6);
    assert_int_equal(h->type, STORE_ARRAY);
    assert_int_equal(h->count, 4);
    assert_int_equal(store_integer(store_field(h, "f")), 1);
    assert_string_equal(store_text(store_field(h, "g")), "");
    assert_int_equal(store_field(h, "x")->type, STORE_NIL);
    assert_int_equal(store_item(h, 4)->type, STORE_NIL);
    assert_int_equal(store_item(store_reply(b, 0), 0)->type, STORE_NIL);
    assert_int_equal(store_reply(b, 7)->count, 0);
}

static void test_errors_in_order(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    store_command(b, 0, "SET", "{0}:s", "x", NULL);
    store_command(b, 0, "LPUSH", "{0}:s", "x", NULL);
    store_command(b, 0, "GET", "{0}:s", NULL);
    assert_int_equal(store_run(b), ERR_PROTOCOL);
    assert_int_equal(store_reply(b, 1)->type, STORE_ERROR);
    assert_int_equal(store_reply(b, 1)->err, ERR_PROTOCOL);
    assert_string_equal(store_text(store_reply(b, 2)), "x");
}

static void test_empty(void **state)
{
    (void)state;
    store_trips_reset();
    assert_int_equal(store_run(new_batch()), ERR_OK);
    assert_int_equal(store_trips(), 0);
}

static void test_pipeline(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    store_trips_reset();
    for (int i = 0; i < 1000; i++) {
        store_command(b, 0, "ECHO", arena_printf(arena, "%d", i), NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(store_integer(store_reply(b, (size_t)i)), i);
    }
    assert_int_equal(store_trips(), 1);
}

/* More than the buffers of the socket hold, both ways. */
static void test_large(void **state)
{
    (void)state;
    size_t size = 1 << 20;
    char *value = arena_alloc(arena, size + 1);
    memset(value, 'v', size);
    value[size] = '\0';
    struct store_batch *b = new_batch();
    for (int i = 0; i < 12; i++) {
        store_command(b, 0, "SET", "{0}:big", value, NULL);
        store_command(b, 0, "GET", "{0}:big", NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    for (size_t i = 1; i < 24; i += 2) {
        assert_int_equal(store_reply(b, i)->length, size);
    }
    assert_int_equal(run("PING", NULL, NULL), ERR_OK);
}

static void test_nested(void **state)
{
    (void)state;
    const struct store_reply *r;
    assert_int_equal(run_on(store, &r, "EVAL", "return {1,{2,{'three',{4,false}}},'five'}", "0"), ERR_OK);
    assert_int_equal(r->count, 3);
    const struct store_reply *inner = store_item(store_item(store_item(r, 1), 1), 1);
    assert_int_equal(store_integer(store_item(inner, 0)), 4);
    assert_int_equal(store_item(inner, 1)->type, STORE_NIL);
    assert_string_equal(store_text(store_item(r, 2)), "five");
}

/* --- scripts ------------------------------------------------------------------------------------------------------ */

static void test_script_forgotten(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    add_rate_limit(b);
    assert_int_equal(store_run(b), ERR_OK);
    assert_string_equal(store_text(store_item(store_reply(b, 0), 0)), "ok");
    assert_int_equal(run("SCRIPT", "FLUSH", NULL), ERR_OK);
    b = new_batch();
    store_trips_reset();
    store_command(b, 0, "ECHO", "before", NULL);
    add_rate_limit(b);
    store_command(b, 0, "ECHO", "between", NULL);
    add_rate_limit(b);
    store_command(b, 0, "ECHO", "after", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(store_trips(), 2);
    assert_string_equal(store_text(store_reply(b, 0)), "before");
    assert_string_equal(store_text(store_item(store_reply(b, 1), 0)), "ok");
    assert_string_equal(store_text(store_reply(b, 2)), "between");
    assert_string_equal(store_text(store_item(store_reply(b, 3), 0)), "ok");
    assert_string_equal(store_text(store_reply(b, 4)), "after");
}

/* Scripts that are only sent come back by themselves. */
static void test_script_forgotten_send(void **state)
{
    (void)state;
    assert_int_equal(run("SCRIPT", "FLUSH", NULL), ERR_OK);
    struct store_batch *b = new_batch();
    add_rate_limit(b);
    store_send(b);
    assert_int_equal(run("PING", NULL, NULL), ERR_OK); /* reads the NOSCRIPT */
    assert_int_equal(run("PING", NULL, NULL), ERR_OK);
    b = new_batch();
    add_rate_limit(b);
    store_send(b);
    const struct store_reply *r;
    assert_int_equal(run_on(store, &r, "EXISTS", "{0}:rate:x", NULL), ERR_OK);
    assert_int_equal(store_integer(r), 1);
}

/* --- send --------------------------------------------------------------------------------------------------------- */

static void test_send(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        struct store_batch *b = new_batch();
        store_command(b, 0, "INCR", "{0}:count", NULL);
        store_command(b, 0, "LPUSH", "{0}:count", "an error", NULL);
        store_command(b, 0, "ECHO", "forget this", NULL);
        store_send(b);
    }
    const struct store_reply *r;
    store_trips_reset();
    assert_int_equal(run_on(store, &r, "GET", "{0}:count", NULL), ERR_OK);
    assert_int_equal(store_integer(r), 3000);
    assert_int_equal(store_trips(), 1);
    for (int i = 0; i < 10; i++) {
        char text[16];
        snprintf(text, sizeof(text), "%d", i);
        assert_int_equal(run_on(store, &r, "ECHO", text, NULL), ERR_OK);
        assert_string_equal(store_text(r), text);
    }
}

static int64_t connection_id(void)
{
    const struct store_reply *r;
    assert_int_equal(run_on(store, &r, "CLIENT", "ID", NULL), ERR_OK);
    return store_integer(r);
}

/* Answers that nobody waits for do not pile up in the engine, which would break the connection: ten thousand at
 * most. */
static void test_send_without_end(void **state)
{
    (void)state;
    char word[401];
    memset(word, 'x', sizeof(word));
    word[sizeof(word) - 1] = '\0';
    struct store_batch *b = new_batch();
    store_command(b, 0, "CONFIG", "SET", "client-output-buffer-limit", "normal 8mb 0 0", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    int64_t id = connection_id();
    for (int i = 0; i < 40000; i += 100) {
        b = new_batch();
        for (int k = 0; k < 100; k++) {
            store_command(b, 0, "ECHO", word, NULL);
        }
        store_send(b);
    }
    assert_int_equal(connection_id(), id);
}

/* --- what comes afterwards ------------------------------------------------------------------------------------------- */

static char called[8];

static void call_a(void *context)
{
    strcat(called, "a");
    ++*(unsigned *)context;
}

static void call_b(void *context)
{
    strcat(called, "b");
    ++*(unsigned *)context;
}

/* Once, in order, and only when the batch has run. */
static unsigned call_count(const char *command, bool sends)
{
    unsigned count = 0;
    struct store_batch *b = new_batch();
    store_batch_then(b, call_a, &count);
    store_command(b, 0, command, "{0}:count", NULL);
    store_batch_then(b, call_b, &count);
    called[0] = '\0';
    assert_int_equal(count, 0);
    if (sends) {
        store_send(b);
    } else {
        store_start(b);
        assert_int_equal(count, 0);
        assert_int_equal(store_run(b) == ERR_OK, strcmp(command, "INCR") == 0);
    }
    assert_string_equal(called, "ab");
    return count;
}

static void test_then(void **state)
{
    (void)state;
    assert_int_equal(call_count("INCR", false), 2);
    assert_int_equal(call_count("NONSENSE", false), 2); /* whatever came of it */
    assert_int_equal(call_count("INCR", true), 2);
}

static void test_mark(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    assert_int_equal(store_batch_marked(b), 0);
    store_batch_mark(b, UINT64_MAX);
    store_command(b, 0, "PING", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(store_batch_marked(b), UINT64_MAX);
}

/* Batches that are under way while others run, and while the next one is built. */
static void test_started(void **state)
{
    (void)state;
    struct store_batch *b[3];
    store_trips_reset();
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 3; i++) {
            b[i] = new_batch();
            for (int k = 0; k < 50; k++) {
                store_command(b[i], 0, "ECHO", arena_printf(arena, "%d.%d", i, k), NULL);
            }
            store_start(b[i]);
        }
        assert_int_equal(run_on(store, NULL, "PING", NULL, NULL), ERR_OK);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(store_run(b[i]), ERR_OK);
            assert_string_equal(store_text(store_reply(b[i], 49)), arena_printf(arena, "%d.49", i));
        }
    }
    assert_int_equal(store_trips(), 400);
    struct store_batch *empty = new_batch();
    store_start(empty);
    assert_int_equal(store_run(empty), ERR_OK);
}

static void test_ids(void **state)
{
    (void)state;
    uint64_t ids[1000];
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < 1000; i++) {
        ids[i] = id_new(i, 0);
        store_command(b, i, "RPUSH", key_id(arena, KEY_HOME, ids[i]), "0", NULL);
    }
    size_t first = store_command_ids(b, "LPUSHX", KEY_HOME, ids, 1000, 1, (const char *[]){"123"});
    size_t none = store_command_ids(b, "LPUSHX", KEY_POSTS, ids, 1, 1, (const char *[]){""});
    assert_int_equal(store_command_ids(b, "LPUSHX", KEY_HOME, ids, 0, 1, (const char *[]){"123"}), none + 1);
    size_t removed = store_command_ids(b, "LREM", KEY_HOME, ids + 1, 1, 2, (const char *[]){"0", "123"});
    assert_int_equal(first, 1000);
    assert_int_equal(store_run(b), ERR_OK);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(store_integer(store_reply(b, first + i)), 2);
    }
    assert_int_equal(store_integer(store_reply(b, none)), 0);
    assert_int_equal(store_integer(store_reply(b, removed)), 1);
    const struct store_reply *r;
    assert_int_equal(run_on(store, &r, "LPOP", key_id(arena, KEY_HOME, ids[999]), NULL), ERR_OK);
    assert_string_equal(store_text(r), "123");
}

static void test_values(void **state)
{
    (void)state;
    uint64_t ids[500];
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < 500; i++) {
        ids[i] = id_new(i, 0);
        if (i % 3) {
            store_command(b, i, "SET", key_id(arena, KEY_NEWEST, ids[i]), arena_printf(arena, "%u", i), NULL);
        }
    }
    size_t before = store_batch_count(b);
    struct store_values *v = store_values_add(b, KEY_NEWEST, ids, 500);
    assert_int_equal(store_batch_count(b), before + 1);
    store_values_add(b, KEY_NEWEST, ids, 0);
    assert_int_equal(store_batch_count(b), before + 1);
    assert_int_equal(store_run(b), ERR_OK);
    for (unsigned i = 0; i < 500; i++) {
        assert_int_equal(store_value(v, i)->type, i % 3 ? STORE_STRING : STORE_NIL);
        assert_int_equal(store_integer(store_value(v, i)), i % 3 ? i : 0);
    }
}

/* --- many at once ------------------------------------------------------------------------------------------------- */

static void *hammer(void *argument)
{
    uintptr_t number = (uintptr_t)argument;
    struct arena *a = arena_new();
    for (unsigned i = 0; i < 200; i++) {
        arena_reset(a);
        const char *key = arena_printf(a, "{0}:t:%u", (unsigned)number);
        const char *value = arena_printf(a, "%u", i);
        struct store_batch *b = store_batch_new(store, a);
        store_command(b, 0, "SET", key, value, NULL);
        add_rate_limit(b);
        store_command(b, 0, "GET", key, NULL);
        if (i % 50 == 7) {
            store_command(b, 0, "CLIENT", "KILL", "TYPE", "normal", NULL);
        }
        if (i % 10 == 3) {
            store_send(b);
            continue;
        }
        if (store_run(b) != ERR_OK) {
            continue; /* others kill connections all the time: twice in a row can happen */
        }
        assert_int_equal(store_integer(store_reply(b, 2)), i);
    }
    arena_free(a);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t threads[32];
    for (uintptr_t i = 0; i < COUNT(threads); i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, (void *)i), 0);
    }
    for (size_t i = 0; i < COUNT(threads); i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(store_wait_ready(store, 5000), ERR_OK);
    assert_int_equal(health_of(store, NULL), ERR_OK);
}

static void *sleep_in_engine(void *argument)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(argument, a);
    store_command(b, 0, "BLPOP", "{0}:none", "2", NULL);
    enum err e = store_run(b);
    arena_free(a);
    return (void *)(uintptr_t)e;
}

static void test_pool_is_empty(void **state)
{
    (void)state;
    struct config c = private_redis_config(redis.url);
    c.redis.connections = 1;
    c.redis.command_timeout = 20000; /* longer than the engine sleeps, however busy the machine is */
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, sleep_in_engine, s);
    clock_sleep_ms(300);
    uint64_t start = clock_monotonic_us();
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_BUSY);
    assert_in_range(elapsed_us(start), 900 * MS, 10000 * MS);
    pthread_join(thread, &result);
    assert_int_equal((uintptr_t)result, ERR_OK);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    store_close(s);
}

static const struct CMUnitTest tests[] = {
    live(test_types),
    live(test_errors_in_order),
    live(test_empty),
    live(test_pipeline),
    live(test_large),
    live(test_nested),
    live(test_script_forgotten),
    live(test_script_forgotten_send),
    live(test_send),
    live(test_send_without_end),
    live(test_then),
    live(test_mark),
    live(test_started),
    live(test_ids),
    live(test_values),
    live(test_threads),
    live(test_pool_is_empty),
};

int main(int argc, char **argv)
{
    int failed = 0;
    if (begin_tests(argc, argv, &failed)) {
        return failed;
    }
    if (have_redis_server()) {
        failed += cmocka_run_group_tests_name("redis-server", tests, NULL, NULL);
    }
    private_redis_embedded = true;
    failed += cmocka_run_group_tests_name("the embedded engine", tests, NULL, NULL);
    return failed;
}
