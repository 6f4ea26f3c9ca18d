/* test_store_fake.c - servers that drip, hang up, lie and refuse on demand; and tests that need no server at all. */
#include "store_case.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "store/connection.h"
#include "store/handshake.h"
#include "store/url.h"

/* --- fake engines ------------------------------------------------------------------------------------------------- */

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
    struct store *s = open_impatient(fake.url);
    uint64_t start = clock_monotonic_us();
    assert_int_equal(run_on(s, NULL, "GET", "x", NULL), ERR_UNAVAILABLE);
    assert_in_range(elapsed_us(start), 1000 * MS, 15000 * MS);
    store_close(s);
    fake_redis_stop(&fake);
}

static _Atomic int hellos;
static _Atomic bool is_busy;

/* The first connection is welcome, and slow; the others wait for their welcome, longer than anybody waits. Slow is until
 * another has come, so that it does not matter who is quick. */
static const char *ignore_newcomers(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "HELLO") == 0) {
        clock_sleep_ms(atomic_fetch_add(&hellos, 1) ? 3000 : 0);
        return "*0\r\n";
    }
    if (strcmp(command, "SLOW") == 0) {
        is_busy = true;
        for (int i = 0; i < 500 && (hellos < 2 || i < 5); i++) {
            clock_sleep_ms(10);
        }
    }
    return "+OK\r\n";
}

static void *keep_busy(void *argument)
{
    struct store *s = argument;
    struct arena *a = arena_new();
    for (int i = 0; i < 40; i++) {
        struct store_batch *b = store_batch_new(s, a);
        store_command(b, 0, "SLOW", NULL);
        require(store_run(b) == ERR_OK);
    }
    arena_free(a);
    return NULL;
}

/* A connection that does not come about is no reason to tell anybody that the engine is away while it answers
 * others. */
static void test_late_connection(void **state)
{
    (void)state;
    struct fake_redis fake = {.raw = true};
    fake_redis_start(&fake, ignore_newcomers);
    struct store *s = open_within(fake.url, 1000, 20000);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    uint64_t start = clock_monotonic_us();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, keep_busy, s), 0);
    while (!is_busy) {
        clock_sleep_ms(1);
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    }
    pthread_join(thread, NULL);
    assert_in_range(hellos, 2, 8 + elapsed_us(start) / (1000 * MS));
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
        {"-MOVED 3999 127.0.0.1:6381\r\n", ERR_CONFIG},
        {"-ASK 3999 127.0.0.1:6381\r\n", ERR_CONFIG},
        {"-CROSSSLOT Keys in request don't hash to the same slot\r\n", ERR_CONFIG},
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

static const char *fail_in_turn(const char *command, int nth)
{
    (void)command;
    static const char *const answers[] = {"+OK\r\n", "-OOM no room\r\n", "-ERR whatever\r\n", "+OK\r\n"};
    return answers[nth % 4];
}

/* What a batch says is its first error. */
static void test_first_error(void **state)
{
    (void)state;
    struct fake_redis fake = {0};
    fake_redis_start(&fake, fail_in_turn);
    struct store *s = open_at(fake.url);
    struct store_batch *b = store_batch_new(s, arena);
    for (int i = 0; i < 4; i++) {
        store_command(b, 0, "X", NULL);
    }
    assert_int_equal(store_run(b), ERR_READ_ONLY);
    assert_int_equal(store_reply(b, 2)->err, ERR_PROTOCOL);
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
                assert_int_equal(fake.server.connections, 2);
            }
            store_close(s);
            fake_redis_stop(&fake);
        }
    }
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

/* --- what the log is told ------------------------------------------------------------------------------------------ */

static enum err refusal_of(const char *path, char why[CONNECTION_WHY_SIZE])
{
    enum err e = ERR_OK;
    const struct connection_target t = {.url.path = (char *)path, .connect_us = 200 * MS, .command_us = 2000 * MS};
    errno = EAGAIN;
    struct connection *c = connection_dial(&t, &e, why);
    if (c) {
        e = handshake_introduce(c, why);
    }
    connection_free(c);
    assert_int_not_equal(e, ERR_OK);
    return e;
}

/* Somebody listens, but never answers. */
static int listen_only(const char *path)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof(a)) == 0 && listen(fd, 5) == 0);
    return fd;
}

static void test_reasons(void **state)
{
    (void)state;
    char why[CONNECTION_WHY_SIZE], path[64], dir[] = "/tmp/retwis-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/socket", dir);
    assert_int_equal(refusal_of(path, why), ERR_UNAVAILABLE);
    assert_string_equal(why, "No such file or directory");
    int fd = listen_only(path);
    assert_int_equal(refusal_of(path, why), ERR_UNAVAILABLE);
    assert_string_equal(why, "no answer in time");
    close(fd);
    assert_int_equal(refusal_of(path, why), ERR_UNAVAILABLE);
    assert_string_equal(why, "Connection refused");
    remove(path);
    rmdir(dir);
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

#define STRING(s)                                                                                                      \
    {                                                                                                                  \
        .type = STORE_STRING, .text = (s), .length = sizeof(s) - 1                                                     \
    }

/* A value that looks like the name of a field is none. */
static void test_fields(void **state)
{
    (void)state;
    struct store_reply items[] = {STRING("a"), STRING("b"), STRING("b"), STRING("2")};
    const struct store_reply r = {.type = STORE_ARRAY, .items = items, .count = COUNT(items)};
    assert_string_equal(store_text(store_field(&r, "a")), "b");
    assert_string_equal(store_text(store_field(&r, "b")), "2");
    assert_int_equal(store_field(&r, "2")->type, STORE_NIL);
}

static void test_time(void **state)
{
    (void)state;
    struct store_reply items[] = {STRING("1700000000"), STRING("123999")};
    const struct store_reply r = {.type = STORE_ARRAY, .items = items, .count = COUNT(items)},
                             none = {.type = STORE_NIL};
    assert_int_equal(store_time_ms(&r), 1700000000123);
    assert_int_equal(store_time_ms(&none), 0);
}

static const struct CMUnitTest tests[] = {
    bare(test_deadline_holds_for_all),
    bare(test_late_connection),
    bare(test_once),
    bare(test_resend_only_the_rest),
    bare(test_classes),
    bare(test_first_error),
    bare(test_loading_at_once),
    bare(test_garbage),
    bare(test_urls),
    bare(test_unusable),
    bare(test_reasons),
    bare(test_integers),
    bare(test_fields),
    bare(test_time),
};

int main(int argc, char **argv)
{
    int failed = 0;
    if (begin_tests(argc, argv, &failed)) {
        return failed;
    }
    return cmocka_run_group_tests_name("store, fake engines", tests, NULL, NULL);
}
