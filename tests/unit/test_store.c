/* test_store.c - the store against a real engine, a dead one, a stopped one, and ones that lie. */
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
#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/secret.h"
#include "private_redis.h"
#include "store/engine.h"
#include "store/store.h"
#include "store/url.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MS 1000

static struct private_redis redis;
static struct store *store;
static struct arena *arena;

static const char *const plain[] = {"--enable-debug-command", "yes", NULL};

static struct store *open_at(const char *url)
{
    struct config c = private_redis_config(url);
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    return s;
}

static int setup(void **state)
{
    (void)state;
    private_redis_start(&redis, plain);
    store = open_at(redis.url);
    arena = arena_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    store_close(store);
    arena_free(arena);
    private_redis_stop(&redis);
    return 0;
}

/* For tests with an engine of another kind. */
static int setup_arena(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int teardown_arena(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static struct store_batch *new_batch(void)
{
    return store_batch_new(store, arena);
}

/* One command of up to three words. */
static enum err run_on(struct store *s, const struct store_reply **reply, const char *a, const char *b, const char *c)
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

static enum err run(const char *a, const char *b, const char *c)
{
    return run_on(store, NULL, a, b, c);
}

static uint64_t elapsed_us(uint64_t since)
{
    return clock_monotonic_us() - since;
}

static void add_rate_limit(struct store_batch *b)
{
    const char *key = "{0}:rate:x";
    const char *arguments[] = {"1000", "60", "1"};
    store_script(b, 0, SCRIPT_RATE_LIMIT, 1, &key, 3, arguments);
}

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

static void test_integers(void **state)
{
    (void)state;
    /* clang-format off */
    static const struct { const char *text; int64_t value; } cases[] = {
        {"0", 0}, {"-5", -5}, {"123456789012345678", 123456789012345678}, {"", 0}, {"12x", 0}, {" 12", 0}, {"+1", 0},
        {"9223372036854775807", INT64_MAX}, {"99999999999999999999999", 0},
    };
    /* clang-format on */
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct store_reply r = {.type = STORE_STRING, .text = cases[i].text, .length = strlen(cases[i].text)};
        assert_int_equal(store_integer(&r), cases[i].value);
    }
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
    assert_int_equal(store_integer(store_item(store_reply(b, 0), 0)), 1);
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
    assert_int_equal(store_integer(store_item(store_reply(b, 1), 0)), 1);
    assert_string_equal(store_text(store_reply(b, 2)), "between");
    assert_int_equal(store_integer(store_item(store_reply(b, 3), 0)), 1);
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

/* --- broken connections ------------------------------------------------------------------------------------------- */

/* As if the network had cut all of them: the caller does not notice. */
static void test_killed_connections(void **state)
{
    (void)state;
    struct store *other = open_at(redis.url);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(run("PING", NULL, NULL), ERR_OK);
        struct store_batch *b = store_batch_new(other, arena);
        store_command(b, 0, "CLIENT", "KILL", "TYPE", "normal", NULL);
        assert_int_equal(store_run(b), ERR_OK);
        b = new_batch();
        store_command(b, 0, "INCR", "{0}:count", NULL);
        if (i % 2) {
            store_batch_once(b); /* nothing was sent on the dead one, so this works too */
        }
        assert_int_equal(store_run(b), ERR_OK);
        assert_int_equal(store_integer(store_reply(b, 0)), i + 1);
    }
    store_close(other);
}

static void test_engine_dies_and_returns(void **state)
{
    (void)state;
    assert_int_equal(run("SET", "{0}:x", "1"), ERR_OK);
    private_redis_kill(&redis);
    for (int i = 0; i < 200; i++) {
        uint64_t start = clock_monotonic_us();
        assert_int_equal(run("GET", "{0}:x", NULL), ERR_UNAVAILABLE);
        assert_true(elapsed_us(start) < 50 * MS);
    }
    assert_int_equal(store_health(store), ERR_UNAVAILABLE);
    private_redis_again(&redis, plain);
    uint64_t start = clock_monotonic_us();
    while (run("PING", NULL, NULL) != ERR_OK) {
        assert_true(elapsed_us(start) < 5500 * MS);
        clock_sleep_ms(10);
    }
    private_redis_kill(&redis);
    assert_int_equal(run("PING", NULL, NULL), ERR_UNAVAILABLE);
    private_redis_again(&redis, plain);
    store_reset(store);
    assert_int_equal(run("PING", NULL, NULL), ERR_OK); /* at once */
}

static void test_wait_ready(void **state)
{
    (void)state;
    private_redis_kill(&redis);
    uint64_t start = clock_monotonic_us();
    assert_int_equal(store_wait_ready(store, 300), ERR_UNAVAILABLE);
    assert_in_range(elapsed_us(start), 300 * MS, 800 * MS);
    private_redis_again(&redis, plain);
    assert_int_equal(store_wait_ready(store, 300), ERR_OK);
}

/* A silent engine: the first callers wait for the command timeout, the others are told at once, and then it is back. */
static void test_stopped_engine(void **state)
{
    (void)state;
    assert_int_equal(run("PING", NULL, NULL), ERR_OK);
    kill(redis.pid, SIGSTOP);
    uint64_t start = clock_monotonic_us();
    assert_int_equal(run("PING", NULL, NULL), ERR_UNAVAILABLE);
    assert_in_range(elapsed_us(start), 900 * MS, 1500 * MS);
    start = clock_monotonic_us();
    for (int i = 0; i < 20; i++) {
        assert_int_equal(run("PING", NULL, NULL), ERR_UNAVAILABLE);
    }
    assert_true(elapsed_us(start) < 3000 * MS); /* a few are probes of half a second */
    kill(redis.pid, SIGCONT);
    start = clock_monotonic_us();
    while (run("PING", NULL, NULL) != ERR_OK) {
        assert_true(elapsed_us(start) < 5500 * MS);
        clock_sleep_ms(10);
    }
}

static const char *begin_long_answer(const char *command, int nth)
{
    (void)command;
    (void)nth;
    return "$1000000\r\n";
}

static void test_deadline_holds_for_all(void **state)
{
    (void)state;
    struct fake_redis fake = {.drip = true};
    fake_redis_start(&fake, begin_long_answer);
    struct store *s = open_at(fake.url);
    uint64_t start = clock_monotonic_us();
    assert_int_equal(run_on(s, NULL, "GET", "x", NULL), ERR_UNAVAILABLE);
    assert_in_range(elapsed_us(start), 1000 * MS, 1400 * MS);
    store_close(s);
    fake_redis_stop(&fake);
}

static const char *hang_up(const char *command, int nth)
{
    (void)command;
    (void)nth;
    return NULL;
}

static void test_once(void **state)
{
    (void)state;
    struct fake_redis fake = {0};
    fake_redis_start(&fake, hang_up);
    struct store *s = open_at(fake.url);
    struct store_batch *b = store_batch_new(s, arena);
    store_batch_once(b);
    store_command(b, 0, "INCR", "x", NULL);
    store_command(b, 0, "INCR", "x", NULL);
    assert_int_equal(store_run(b), ERR_UNAVAILABLE);
    assert_int_equal(fake.commands, 1); /* sent once, whatever came of it */
    assert_int_equal(store_reply(b, 0)->type, STORE_ERROR);
    assert_int_equal(store_reply(b, 1)->err, ERR_UNAVAILABLE);
    b = store_batch_new(s, arena);
    store_command(b, 0, "INCR", "x", NULL);
    assert_int_equal(store_run(b), ERR_UNAVAILABLE);
    assert_int_equal(fake.commands, 3); /* once more than the first time, and no more */
    store_close(s);
    fake_redis_stop(&fake);
}

static const char *answer_first_then_hang_up(const char *command, int nth)
{
    (void)command;
    return nth == 0 || nth >= 2 ? "+first\r\n" : NULL;
}

/* k of n answers came: only the rest is sent again. */
static void test_resend_only_the_rest(void **state)
{
    (void)state;
    struct fake_redis fake = {0};
    fake_redis_start(&fake, answer_first_then_hang_up);
    struct store *s = open_at(fake.url);
    struct store_batch *b = store_batch_new(s, arena);
    store_command(b, 0, "A", NULL);
    store_command(b, 0, "B", NULL);
    store_command(b, 0, "C", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(fake.commands, 4); /* A, B (hung up), B, C */
    store_close(s);
    fake_redis_stop(&fake);
}

/* --- engines that refuse ------------------------------------------------------------------------------------------ */

static void test_out_of_memory(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    store_command(b, 0, "SET", "{0}:x", "1", NULL);
    store_command(b, 0, "CONFIG", "SET", "maxmemory", "1", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(run("SET", "{0}:x", "2"), ERR_READ_ONLY);
    assert_int_equal(store_health(store), ERR_READ_ONLY);
    b = new_batch();
    add_rate_limit(b);
    store_command(b, 0, "GET", "{0}:x", NULL);
    assert_int_equal(store_run(b), ERR_READ_ONLY);
    assert_int_equal(store_reply(b, 0)->err, ERR_READ_ONLY);
    assert_string_equal(store_text(store_reply(b, 1)), "1");
}

static void test_replica(void **state)
{
    (void)state;
    assert_int_equal(run("SET", "{0}:x", "1"), ERR_OK);
    assert_int_equal(run("REPLICAOF", "127.0.0.1", "1"), ERR_OK);
    const struct store_reply *r;
    assert_int_equal(run_on(store, &r, "GET", "{0}:x", NULL), ERR_OK);
    assert_string_equal(store_text(r), "1");
    store_trips_reset();
    assert_int_equal(run("SET", "{0}:x", "2"), ERR_READ_ONLY);
    assert_int_equal(store_trips(), 2);
    assert_int_equal(store_health(store), ERR_READ_ONLY);
    assert_int_equal(run("REPLICAOF", "NO", "ONE"), ERR_OK);
    assert_int_equal(run("SET", "{0}:x", "2"), ERR_OK);
}

static void test_passwords(void **state)
{
    (void)state;
    assert_int_equal(run("CONFIG", "SET", "appendonly"), ERR_PROTOCOL); /* an argument is missing: just an error */
    struct store_batch *b = new_batch();
    store_command(b, 0, "CONFIG", "SET", "requirepass", "p@ss:/w%rd", NULL);
    store_command(b, 0, "ACL", "SETUSER", "reader", "on", ">abc", "~*", "+@read", "+hello", "+script", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    char url[256];
    struct store *s = open_at(redis.url);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_CONFIG);
    assert_int_equal(store_wait_ready(s, 5000), ERR_CONFIG);
    store_close(s);
    snprintf(url, sizeof(url), "unix://:wrong@%s", redis.socket);
    s = open_at(url);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_CONFIG);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_CONFIG);
    store_close(s);
    snprintf(url, sizeof(url), "unix://:p@ss:%%2Fw%%25rd@%s", redis.socket);
    s = open_at(url);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    store_close(s);
    snprintf(url, sizeof(url), "unix://reader:abc@%s", redis.socket);
    s = open_at(url);
    assert_int_equal(run_on(s, NULL, "GET", "{0}:x", NULL), ERR_OK);
    assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_CONFIG);
    assert_int_equal(run_on(s, NULL, "GET", "{0}:x", NULL), ERR_OK);
    store_close(s);
}

static void test_password_file(void **state)
{
    (void)state;
    assert_int_equal(run("PING", NULL, NULL), ERR_OK);
    struct store_batch *b = new_batch();
    store_command(b, 0, "CONFIG", "SET", "requirepass", "from a file", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    char file[128];
    snprintf(file, sizeof(file), "%s/password", redis.dir);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs("from a file\n", f);
    fclose(f);
    struct config c = private_redis_config(redis.url);
    c.redis.password_file = file;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    store_close(s);
}

static void test_databases(void **state)
{
    (void)state;
    char url[256];
    snprintf(url, sizeof(url), "%s?db=3", redis.url);
    struct store *s = open_at(url);
    assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_OK);
    const struct store_reply *r;
    assert_int_equal(run_on(store, &r, "EXISTS", "{0}:x", NULL), ERR_OK);
    assert_int_equal(store_integer(r), 0);
    store_close(s);
    snprintf(url, sizeof(url), "%s?db=999", redis.url);
    s = open_at(url);
    assert_int_not_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    store_close(s);
}

static const char *_Atomic class_text; /* read by the threads of the fake */

static const char *say_class(const char *command, int nth)
{
    (void)command;
    (void)nth;
    return class_text;
}

static void test_classes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum err err;
    } cases[] = {
        {"-LOADING Redis is loading the dataset in memory\r\n", ERR_UNAVAILABLE},
        {"-MASTERDOWN Link with MASTER is down\r\n", ERR_UNAVAILABLE},
        {"-CLUSTERDOWN The cluster is down\r\n", ERR_UNAVAILABLE},
        {"-TRYAGAIN Multiple keys request during rehashing of slot\r\n", ERR_UNAVAILABLE},
        {"-BUSY Redis is busy running a script\r\n", ERR_UNAVAILABLE},
        {"-BUSYKEY Target key name already exists.\r\n", ERR_PROTOCOL},
        {"-OOM command not allowed when used memory > 'maxmemory'.\r\n", ERR_READ_ONLY},
        {"-MISCONF Errors writing to the AOF file: No space left on device\r\n", ERR_READ_ONLY},
        {"-NOREPLICAS Not enough good replicas to write.\r\n", ERR_READ_ONLY},
        {"-READONLY You can't write against a read only replica.\r\n", ERR_READ_ONLY},
        {"-NOAUTH Authentication required.\r\n", ERR_CONFIG},
        {"-NOPERM User x has no permissions\r\n", ERR_CONFIG},
        {"-MOVED 3999 127.0.0.1:6381\r\n", ERR_PROTOCOL},
        {"-ASK 3999 127.0.0.1:6381\r\n", ERR_PROTOCOL},
        {"-CROSSSLOT Keys in request don't hash to the same slot\r\n", ERR_PROTOCOL},
        {"-ERR whatever\r\n", ERR_PROTOCOL},
        {"-NOSCRIPT No matching script\r\n", ERR_PROTOCOL},
        {"-\r\n", ERR_PROTOCOL},
    };
    struct fake_redis fake = {0};
    fake_redis_start(&fake, say_class);
    struct store *s = open_at(fake.url);
    for (size_t i = 0; i < COUNT(cases); i++) {
        class_text = cases[i].text;
        assert_int_equal(run_on(s, NULL, "X", NULL, NULL), cases[i].err);
    }
    store_close(s);
    fake_redis_stop(&fake);
}

/* An engine that is loading when we come is out of reach, not broken. */
static void test_loading_at_once(void **state)
{
    (void)state;
    struct fake_redis fake = {.raw = true};
    class_text = "-LOADING Redis is loading the dataset in memory\r\n";
    fake_redis_start(&fake, say_class);
    struct store *s = open_at(fake.url);
    assert_int_equal(run_on(s, NULL, "X", NULL, NULL), ERR_UNAVAILABLE);
    assert_int_equal(store_wait_ready(s, 100), ERR_UNAVAILABLE);
    store_close(s);
    fake_redis_stop(&fake);
}

static void test_garbage(void **state)
{
    (void)state;
    static const char *const garbage[] = {
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "*1000000000\r\n",
        "*1048576\r\n*1048576\r\n*1048576\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
        "$-2\r\n",
        "$99999999999999999999\r\n",
        ":notanumber\r\n",
        ":99999999999999999999\r\n",
        "%1\r\n+a\r\n+b\r\n",
        ">1\r\n+message\r\n",
        ",1.5\r\n",
        "#t\r\n",
        "+OK\r\n+OK\r\n",
    };
    for (int raw = 0; raw < 2; raw++) {
        for (size_t i = 0; i < COUNT(garbage); i++) {
            bool stray = i == COUNT(garbage) - 1;
            struct fake_redis fake = {.raw = raw};
            class_text = garbage[i];
            fake_redis_start(&fake, say_class);
            struct store *s = open_at(fake.url);
            assert_int_equal(run_on(s, NULL, "X", NULL, NULL), stray ? ERR_OK : ERR_PROTOCOL);
            if (stray && !raw) { /* the answer too many is never taken for the next one's */
                assert_int_equal(run_on(s, NULL, "X", NULL, NULL), ERR_OK);
                assert_int_equal(fake.connections, 2);
            }
            store_close(s);
            fake_redis_stop(&fake);
        }
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
    assert_int_equal(store_health(store), ERR_OK);
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
    c.redis.command_timeout = 4000;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, sleep_in_engine, s);
    clock_sleep_ms(100);
    uint64_t start = clock_monotonic_us();
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_BUSY);
    assert_in_range(elapsed_us(start), 900 * MS, 1500 * MS);
    pthread_join(thread, &result);
    assert_int_equal((uintptr_t)result, ERR_OK);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    store_close(s);
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

static void assert_text(const char *found, const char *expected)
{
    if (expected) {
        assert_string_equal(found, expected);
    } else {
        assert_null(found);
    }
}

static void test_urls(void **state)
{
    (void)state;
    /* clang-format off */
    static const struct {
        const char *text, *host, *path, *user, *password;
        int port, database;
        bool tls;
    } good[] = {
        {"redis://localhost", "localhost", NULL, NULL, NULL, 6379, 0, false},
        {"redis://localhost:7000/3", "localhost", NULL, NULL, NULL, 7000, 3, false},
        {"redis://10.0.0.1/", "10.0.0.1", NULL, NULL, NULL, 6379, 0, false},
        {"redis://:secret@h", "h", NULL, NULL, "secret", 6379, 0, false},
        {"redis://me:s%40:x@h:1", "h", NULL, "me", "s@:x", 1, 0, false},
        {"redis://me@h", "h", NULL, "me", NULL, 6379, 0, false},
        {"rediss://[::1]:6380/1", "::1", NULL, NULL, NULL, 6380, 1, true},
        {"redis://[fe80::1]", "fe80::1", NULL, NULL, NULL, 6379, 0, false},
        {"unix:///run/redis.sock", NULL, "/run/redis.sock", NULL, NULL, 0, 0, false},
        {"unix://u:p@/run/a@b.sock?db=2", NULL, "/run/a@b.sock", "u", "p", 0, 2, false},
    };
    static const char *const bad[] = {
        "", "localhost", "http://localhost", "redis://", "redis://:80", "redis://h:0", "redis://h:65536", "redis://h:x",
        "redis://h/x", "redis://h/-1", "redis://[::1", "redis://[::1]x", "redis://a%zz:b@h", "redis://a%00:b@h",
        "redis://a%4:b@h", "unix://relative", "unix:///x?database=1", "unix:///x?db=", "redis://h:", "embedded",
        "unix:///aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    };
    /* clang-format on */
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    for (size_t i = 0; i < COUNT(good); i++) {
        struct url u;
        assert_true(url_parse(&u, good[i].text, stderr));
        assert_text(u.host, good[i].host);
        assert_text(u.path, good[i].path);
        assert_text(u.user, good[i].user);
        assert_text(u.password, good[i].password);
        assert_int_equal(u.port, good[i].port);
        assert_int_equal(u.database, good[i].database);
        assert_int_equal(u.tls, good[i].tls);
        url_clear(&u);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct url u;
        if (url_parse(&u, bad[i], nowhere) && strcmp(bad[i], "unix:///x?db=") != 0) {
            fail_msg("accepted: %s", bad[i]);
        }
        url_clear(&u);
    }
    fclose(nowhere);
}

static void test_unusable(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&text, &size);
    struct config c = private_redis_config("redis://:hunter2@h:99999");
    assert_null(store_open(&c, report));
    c.redis.url = "rediss://h";
    c.redis.tls_ca = "/nonexistent.pem";
    assert_null(store_open(&c, report));
    c.redis.url = "redis://h";
    c.redis.password_file = "/nonexistent.password";
    assert_null(store_open(&c, report));
    fclose(report);
    assert_non_null(strstr(text, "redis.url: "));
    assert_null(strstr(text, "hunter2"));
    assert_non_null(strstr(text, "/nonexistent.pem"));
    assert_non_null(strstr(text, "/nonexistent.password"));
    free(text);
}

#define live(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
#define bare(f) cmocka_unit_test_setup_teardown(f, setup_arena, teardown_arena)

static const struct CMUnitTest with_engine[] = {
    live(test_types),
    live(test_errors_in_order),
    live(test_empty),
    live(test_pipeline),
    live(test_large),
    live(test_nested),
    live(test_script_forgotten),
    live(test_script_forgotten_send),
    live(test_send),
    live(test_killed_connections),
    live(test_engine_dies_and_returns),
    live(test_wait_ready),
    live(test_stopped_engine),
    live(test_out_of_memory),
    live(test_replica),
    live(test_passwords),
    live(test_password_file),
    live(test_databases),
    live(test_threads),
    live(test_pool_is_empty),
};

static const struct CMUnitTest without_engine[] = {
    bare(test_integers),
    bare(test_urls),
    bare(test_unusable),
    bare(test_deadline_holds_for_all),
    bare(test_once),
    bare(test_resend_only_the_rest),
    bare(test_classes),
    bare(test_loading_at_once),
    bare(test_garbage),
};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "engine") == 0) {
        return engine_main(argc - 1, argv + 1);
    }
    secret_setup();
    log_setup(getenv("VERBOSE") ? LOG_DEBUG : LOG_ERROR, false);
    int failed = cmocka_run_group_tests_name("without an engine", without_engine, NULL, NULL);
    if (system("command -v redis-server >/dev/null") == 0) {
        failed += cmocka_run_group_tests_name("redis-server", with_engine, NULL, NULL);
    }
    private_redis_embedded = true;
    failed += cmocka_run_group_tests_name("the embedded engine", with_engine, NULL, NULL);
    return failed;
}
