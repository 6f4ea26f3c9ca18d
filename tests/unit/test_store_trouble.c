/* test_store_trouble.c - engines that die, hang, are full, replicas, or want a password; and engines behind a
 * network. */
#include "store_case.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "store/breaker.h"

/* --- broken connections ------------------------------------------------------------------------------------------- */

/* As if the network had cut all of them: the caller does not notice. */
static void test_killed_connections(void **state)
{
    (void)state;
    struct store *other = open_at(redis.url);
    for (int i = 0; i < 20; i++) {
        struct store_batch *several[3]; /* connections at once: when one is lost, the others are not tried */
        for (unsigned k = 0; k < COUNT(several); k++) {
            several[k] = new_batch();
            store_command(several[k], 0, "PING", NULL);
            store_start(several[k]);
        }
        for (unsigned k = 0; k < COUNT(several); k++) {
            assert_int_equal(store_run(several[k]), ERR_OK);
        }
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

/* Nor is anything lost whose answer nobody waits for. */
static void test_killed_before_a_write_is_sent(void **state)
{
    (void)state;
    struct store *other = open_at(redis.url);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(run("PING", NULL, NULL), ERR_OK);
        struct store_batch *b = store_batch_new(other, arena);
        store_command(b, 0, "CLIENT", "KILL", "TYPE", "normal", NULL);
        assert_int_equal(store_run(b), ERR_OK);
        b = new_batch();
        store_command(b, 0, "INCR", "{0}:count", NULL);
        store_send(b);
        const struct store_reply *r;
        assert_int_equal(run_on(store, &r, "GET", "{0}:count", NULL), ERR_OK); /* behind it, on the same connection */
        assert_int_equal(store_integer(r), i + 1);
    }
    store_close(other);
}

/* The back-off is five seconds at most. */
static void wait_for_ping(struct store *s)
{
    uint64_t start = clock_monotonic_us();
    while (run_on(s, NULL, "PING", NULL, NULL) != ERR_OK) {
        assert_true(elapsed_us(start) < 60000 * MS);
        clock_sleep_ms(10);
    }
}

static void test_engine_dies_and_returns(void **state)
{
    (void)state;
    assert_int_equal(run("SET", "{0}:x", "1"), ERR_OK);
    private_redis_kill(&redis);
    uint64_t start = clock_monotonic_us();
    for (int i = 0; i < 200; i++) {
        assert_int_equal(run("GET", "{0}:x", NULL), ERR_UNAVAILABLE);
    }
    assert_true(elapsed_us(start) < 20000 * MS); /* one wait for each would be minutes */
    assert_int_equal(health_of(store, "cannot be reached"), ERR_UNAVAILABLE);
    private_redis_again(&redis, plain);
    wait_for_ping(store);
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
    assert_in_range(elapsed_us(start), 300 * MS, 10000 * MS);
    private_redis_again(&redis, plain);
    assert_int_equal(store_wait_ready(store, 5000), ERR_OK);
}

/* A silent engine: the first callers wait for the command timeout, the others are told at once, and then it is back. */
static void test_stopped_engine(void **state)
{
    (void)state;
    struct store *s = open_impatient(redis.url);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    kill(redis.pid, SIGSTOP);
    uint64_t start = clock_monotonic_us();
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_UNAVAILABLE);
    assert_in_range(elapsed_us(start), 900 * MS, 15000 * MS);
    start = clock_monotonic_us();
    for (int i = 0; i < 20; i++) {
        assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_UNAVAILABLE);
    }
    assert_true(elapsed_us(start) <
                10000 * MS); /* a few are probes of half a second, or wait a moment for the next one */
    kill(redis.pid, SIGCONT);
    wait_for_ping(s);
    store_close(s);
}

static void *ping_once(void *argument)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(argument, a);
    store_command(b, 0, "PING", NULL);
    enum err e = store_run(b);
    arena_free(a);
    return (void *)(uintptr_t)e;
}

/* The program ends while the engine hangs: who waits for it is told at once, and so is who comes later. */
static void test_end_does_not_wait(void **state)
{
    (void)state;
    struct config c = private_redis_config(redis.url);
    c.redis.connect_timeout = c.redis.command_timeout = 600 * 1000;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    pthread_t crowd[20]; /* more than there are connections */
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_OK);
    kill(redis.pid, SIGSTOP);
    for (size_t i = 0; i < COUNT(crowd); i++) {
        assert_int_equal(pthread_create(&crowd[i], NULL, ping_once, s), 0);
    }
    clock_sleep_ms(100);
    uint64_t start = clock_monotonic_us();
    store_end(s);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_UNAVAILABLE);
    for (size_t i = 0; i < COUNT(crowd); i++) {
        void *e;
        pthread_join(crowd[i], &e);
        assert_int_equal((uintptr_t)e, ERR_UNAVAILABLE);
    }
    assert_true(elapsed_us(start) < 60000 * MS); /* the time limits are ten minutes */
    kill(redis.pid, SIGCONT);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_UNAVAILABLE); /* it stays so */
    store_close(s);
}

/* Says whether it was answered, or waited as long as a caller does for one who tries. */
static void *ping_patiently(void *argument)
{
    uint64_t start = clock_monotonic_us();
    bool answered = !ping_once(argument);
    return (void *)(uintptr_t)(answered || elapsed_us(start) >= BREAKER_PATIENCE_US);
}

/* The engine is back: nobody who comes at that moment is refused at once, though only one of them tries. */
static void test_crowd_at_recovery(void **state)
{
    (void)state;
    struct store *s = open_impatient(redis.url);
    pthread_t crowd[24];
    for (int round = 0; round < 3; round++) {
        wait_for_ping(s);
        kill(redis.pid, SIGSTOP);
        assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_UNAVAILABLE);
        kill(redis.pid, SIGCONT);
        for (size_t i = 0; i < COUNT(crowd); i++) {
            assert_int_equal(pthread_create(&crowd[i], NULL, ping_patiently, s), 0);
        }
        for (size_t i = 0; i < COUNT(crowd); i++) {
            void *waited;
            pthread_join(crowd[i], &waited);
            assert_true(waited);
        }
    }
    store_close(s);
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
    assert_int_equal(health_of(store, "memory limit is reached"), ERR_READ_ONLY);
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
    assert_int_equal(health_of(store, "is a replica of 127.0.0.1:1:"), ERR_READ_ONLY);
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

static void write_file(const char *file, const char *text)
{
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* A corrected password file is enough: the next attempt reads it. And one that is taken away afterwards does no
 * harm. */
static void test_password_file_is_read_again(void **state)
{
    (void)state;
    char file[128];
    snprintf(file, sizeof(file), "%s/password", redis.dir);
    assert_int_equal(run("PING", NULL, NULL), ERR_OK);
    struct store_batch *b = new_batch();
    store_command(b, 0, "CONFIG", "SET", "requirepass", "right", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    write_file(file, "wrong\n");
    struct config c = private_redis_config(redis.url);
    c.redis.password_file = file;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_CONFIG);
    write_file(file, "right\n");
    wait_for_ping(s);
    remove(file);
    store_reset(s);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_CONFIG); /* what it was at the start is wrong */
    write_file(file, "right\n");
    wait_for_ping(s);
    store_close(s);
    s = store_open(&c, stderr); /* this time it was right at the start */
    remove(file);
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

/* --- over the network --------------------------------------------------------------------------------------------- */

/* A port that was free a moment ago. */
static int free_port(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(a);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof(a)) == 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &size), 0);
    close(fd);
    return ntohs(a.sin_port);
}

static void test_tcp(void **state)
{
    (void)state;
    struct private_redis r;
    char port[16], url[64];
    snprintf(port, sizeof(port), "%d", free_port());
    const char *options[] = {"--port", port, "--bind", "127.0.0.1", NULL};
    private_redis_start(&r, options);
    snprintf(url, sizeof(url), "redis://localhost:%s", port);
    struct store *s = open_at(url);
    assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_OK);
    private_redis_kill(&r);
    assert_int_equal(run_on(s, NULL, "GET", "{0}:x", NULL), ERR_UNAVAILABLE);
    private_redis_again(&r, options);
    assert_int_equal(store_wait_ready(s, 5000), ERR_OK);
    store_close(s);
    private_redis_stop(&r);
}

/* Makes cert.pem and key.pem for a name in the directory; false where there is no openssl program. */
static bool make_certificate(const char *dir, const char *name)
{
    char command[512];
    snprintf(command, sizeof(command),
             "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test"
             " -addext subjectAltName=%s -keyout %s/key.pem -out %s/cert.pem 2>/dev/null",
             name, dir, dir);
    return system(command) == 0;
}

static enum err ping_tls(const char *url, const char *ca)
{
    struct config c = private_redis_config(url);
    c.redis.tls_ca = ca;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    struct store_batch *b = store_batch_new(s, arena);
    size_t size = 300 * 1000;
    char *value = arena_alloc(arena, size + 1);
    memset(value, 'v', size);
    value[size] = '\0';
    store_command(b, 0, "SET", "{0}:x", value, NULL);
    store_command(b, 0, "GET", "{0}:x", NULL);
    enum err e = store_run(b);
    if (e == ERR_OK) {
        assert_int_equal(store_reply(b, 1)->length, size);
        b = store_batch_new(s, arena);
        store_batch_once(b);
        store_command(b, 0, "PING", NULL);
        e = store_run(b);
    }
    store_close(s);
    return e;
}

/* Several at once over shared connections, with more than one piece of TLS each; every one gets his own back. */
static void *echo_tls(void *argument)
{
    struct arena *a = arena_new();
    for (int i = 0; i < 30; i++) {
        struct store_batch *b = store_batch_new(argument, a);
        char *mine = arena_printf(a, "%p %0*d", (void *)&b, 10000 + i * 500, i);
        store_command(b, 0, "ECHO", mine, NULL);
        if (store_run(b) == ERR_BUSY) { /* a slow machine: nobody is connected yet */
            i--;
            continue;
        }
        require(strcmp(store_text(store_reply(b, 0)), mine) == 0);
        arena_reset(a);
    }
    arena_free(a);
    return NULL;
}

static void share_tls(const char *url, const char *ca)
{
    struct config c = private_redis_config(url);
    c.redis.tls_ca = ca;
    c.redis.shared_connections = 1;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    pthread_t crowd[12];
    for (size_t i = 0; i < COUNT(crowd); i++) {
        assert_int_equal(pthread_create(&crowd[i], NULL, echo_tls, s), 0);
    }
    for (size_t i = 0; i < COUNT(crowd); i++) {
        pthread_join(crowd[i], NULL);
    }
    store_close(s);
}

static void test_tls(void **state)
{
    (void)state;
    struct private_redis r;
    char port[16], url[64], ca[96], key[96];
    char dir[] = "/tmp/retwis-test-XXXXXX";
    assert_non_null(mkdtemp(dir));
    snprintf(ca, sizeof(ca), "%s/cert.pem", dir);
    snprintf(key, sizeof(key), "%s/key.pem", dir);
    if (!make_certificate(dir, "DNS:localhost")) {
        skip();
    }
    snprintf(port, sizeof(port), "%d", free_port());
    const char *options[] = {"--tls-port",
                             port,
                             "--tls-cert-file",
                             ca,
                             "--tls-key-file",
                             key,
                             "--tls-ca-cert-file",
                             ca,
                             "--tls-auth-clients",
                             "no",
                             "--bind",
                             "127.0.0.1",
                             NULL};
    private_redis_start(&r, options);
    snprintf(url, sizeof(url), "rediss://localhost:%s", port);
    assert_int_equal(ping_tls(url, ca), ERR_OK);
    share_tls(url, ca);
    assert_int_equal(ping_tls(url, ""), ERR_UNAVAILABLE); /* nobody the system trusts has signed it */
    snprintf(url, sizeof(url), "rediss://127.0.0.1:%s", port);
    assert_int_equal(ping_tls(url, ca), ERR_UNAVAILABLE); /* it is for another name */
    snprintf(url, sizeof(url), "redis://localhost:%s", port);
    assert_int_not_equal(ping_tls(url, ""), ERR_OK);
    private_redis_stop(&r);
    remove(ca);
    remove(key);
    rmdir(dir);
}

static const struct CMUnitTest tests[] = {
    live(test_killed_connections),
    live(test_killed_before_a_write_is_sent),
    live(test_engine_dies_and_returns),
    live(test_wait_ready),
    live(test_stopped_engine),
    live(test_crowd_at_recovery),
    live(test_end_does_not_wait),
    live(test_out_of_memory),
    live(test_replica),
    live(test_passwords),
    live(test_password_file),
    live(test_password_file_is_read_again),
    live(test_databases),
    bare(test_tcp),
};

/* The embedded engine speaks no TLS: nobody but us can reach its socket. */
static const struct CMUnitTest with_tls[] = {
    bare(test_tls),
};

int main(int argc, char **argv)
{
    int failed = 0;
    if (begin_tests(argc, argv, &failed)) {
        return failed;
    }
    if (have_redis_server()) {
        failed += cmocka_run_group_tests_name("redis-server", tests, NULL, NULL);
        failed += cmocka_run_group_tests_name("redis-server with TLS", with_tls, NULL, NULL);
    }
    private_redis_embedded = true;
    failed += cmocka_run_group_tests_name("the embedded engine", tests, NULL, NULL);
    return failed;
}
