/* test_store_audit.c - engines that are set up so that they lose data: refused with what to change, used as soon as it
 * is. */
#include "store_case.h"

#include "base/metric.h"

/* What store_case.h starts keeps no file and evicts nothing; here each test says what its engine is like. */
static struct private_redis engine;
static struct store *boss; /* takes engines as they are, to change their settings */

static const char *const good[] = {"--appendonly", "yes", NULL};

static void begin(const char *const *options)
{
    private_redis_start(&engine, options);
    boss = open_at(engine.url);
}

static void end(void)
{
    store_close(boss);
    private_redis_stop(&engine);
}

static struct store *open_strict(enum config_durability durability)
{
    struct config c = private_redis_config(engine.url);
    c.redis.accept_loss = false;
    c.redis.durability = durability;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    return s;
}

static void configure(const char *name, const char *value)
{
    struct store_batch *b = store_batch_new(boss, arena);
    store_command(b, 0, "CONFIG", "SET", name, value, NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* The same store, without being opened again, within the seconds that the README promises (and the machine's
 * slowness). */
static void wait_for(struct store *s, enum err e)
{
    uint64_t start = clock_monotonic_us();
    while (store_look(s) != e) {
        assert_true(elapsed_us(start) < 20000 * MS);
        clock_sleep_ms(20);
    }
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), e);
}

/* Each at the start, with its remedy at run time; and then at run time, where it is noticed by the next look. */
static void test_settings_that_lose_data(void **state)
{
    (void)state;
    static const struct {
        const char *name, *bad, *good, *said;
    } cases[] = {
        {"maxmemory-policy", "allkeys-lru", "noeviction",
         "maxmemory-policy is allkeys-lru): set maxmemory-policy noeviction"},
        {"maxmemory-policy", "volatile-ttl", "noeviction", "maxmemory-policy is volatile-ttl"},
        {"appendonly", "no", "yes", "appendonly is no): set appendonly yes"},
        {"appendfsync", "no", "everysec", "appendfsync is no): set appendfsync everysec or always"},
    };
    begin(good);
    for (size_t i = 0; i < COUNT(cases); i++) {
        configure(cases[i].name, cases[i].bad);
        struct store *s = open_strict(CONFIG_EVERYSEC);
        assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_CONFIG);
        assert_int_equal(run_on(s, NULL, "GET", "{0}:x", NULL), ERR_CONFIG);
        assert_int_equal(health_of(s, cases[i].said), ERR_CONFIG);
        assert_int_equal(health_of(s, "error: "), ERR_CONFIG);
        assert_int_equal(metric_get(METRIC_ENGINE_REFUSED), 1);
        configure(cases[i].name, cases[i].good);
        wait_for(s, ERR_OK);
        assert_int_equal(metric_get(METRIC_ENGINE_REFUSED), 0);
        configure(cases[i].name, cases[i].bad);
        assert_int_equal(store_look(s), ERR_CONFIG);
        assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_CONFIG);
        assert_int_equal(health_of(s, cases[i].said), ERR_CONFIG);
        configure(cases[i].name, cases[i].good);
        wait_for(s, ERR_OK);
        assert_int_equal(health_of(s, NULL), ERR_OK);
        store_close(s);
    }
    end();
}

/* Told to accept it, the store works and says the same as a warning. */
static void test_accepted(void **state)
{
    (void)state;
    static const char *const options[] = {"--maxmemory-policy", "allkeys-lru", NULL};
    begin(options);
    assert_int_equal(run_on(boss, NULL, "SET", "{0}:x", "1"), ERR_OK);
    assert_int_equal(health_of(boss, "warning: the engine throws data away"), ERR_OK);
    assert_int_equal(health_of(boss, "warning: the engine keeps no append-only file"), ERR_OK);
    assert_int_equal(metric_get(METRIC_ENGINE_WARNINGS), 2);
    assert_int_equal(metric_get(METRIC_ENGINE_REFUSED), 0);
    end();
}

/* It was fine, ended, and came back with another configuration: the next connection notices. */
static void test_worse_after_restart(void **state)
{
    (void)state;
    static const char *const worse[] = {"--appendonly", "no", NULL};
    begin(good);
    struct store *s = open_strict(CONFIG_EVERYSEC);
    assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_OK);
    private_redis_kill(&engine);
    private_redis_again(&engine, worse);
    uint64_t start = clock_monotonic_us();
    enum err e;
    while ((e = run_on(s, NULL, "SET", "{0}:x", "2")) == ERR_UNAVAILABLE) {
        assert_true(elapsed_us(start) < 20000 * MS);
        clock_sleep_ms(20);
    }
    assert_int_equal(e, ERR_CONFIG);
    store_close(s);
    end();
}

/* The setting of the engine counts, whatever retwis.ini says: said, and no more. */
static void test_durability_promises_more(void **state)
{
    (void)state;
    begin(good);
    struct store *s = open_strict(CONFIG_ALWAYS);
    assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_OK);
    assert_int_equal(health_of(s, "warning: redis.durability is always"), ERR_OK);
    configure("appendfsync", "always");
    assert_int_equal(store_look(s), ERR_OK);
    struct buffer say = buffer_make(arena);
    assert_int_equal(store_health(s, &say), ERR_OK);
    assert_int_equal(say.length, 0);
    store_close(s);
    end();
}

/* Where CONFIG is not for us, INFO says what it knows, and what nobody can tell is a warning. */
static void test_not_allowed_to_ask(void **state)
{
    (void)state;
    char url[256];
    begin(good);
    struct store_batch *b = store_batch_new(boss, arena);
    store_command(b, 0, "ACL", "SETUSER", "some", "on", ">abc", "~*", "+@all", "-config", NULL);
    store_command(b, 0, "ACL", "SETUSER", "none", "on", ">abc", "~*", "+@all", "-config", "-info", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    static const char *const users[] = {"some", "none"},
                             *const unknown[] = {"warning: cannot tell: appendfsync;",
                                                 "warning: cannot tell: maxmemory-policy, appendonly, appendfsync;"};
    for (size_t i = 0; i < COUNT(users); i++) {
        snprintf(url, sizeof(url), "unix://%s:abc@%s", users[i], engine.socket);
        struct config c = private_redis_config(url);
        c.redis.accept_loss = false;
        struct store *s = store_open(&c, stderr);
        assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_OK);
        assert_int_equal(store_look(s), ERR_OK);
        assert_int_equal(health_of(s, unknown[i]), ERR_OK);
        configure("maxmemory-policy", "allkeys-lru");
        assert_int_equal(store_look(s), i == 0 ? ERR_CONFIG : ERR_OK);
        configure("maxmemory-policy", "noeviction");
        store_close(s);
    }
    end();
}

static void test_renamed_config(void **state)
{
    (void)state;
    static const char *const options[] = {"--rename-command", "CONFIG",       "",    "--maxmemory-policy",
                                          "allkeys-lfu",      "--appendonly", "yes", NULL};
    begin(options);
    struct store *s = open_strict(CONFIG_EVERYSEC);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_CONFIG);
    assert_int_equal(health_of(s, "maxmemory-policy is allkeys-lfu"), ERR_CONFIG);
    assert_int_equal(health_of(s, "cannot tell: appendfsync;"), ERR_CONFIG);
    store_close(s);
    end();
}

/* A replica that takes writes loses them; one that refuses them is for reading. */
static void test_replicas(void **state)
{
    (void)state;
    begin(good);
    struct store *s = open_strict(CONFIG_EVERYSEC);
    assert_int_equal(run_on(boss, NULL, "REPLICAOF", "127.0.0.1", "1"), ERR_OK);
    assert_int_equal(store_look(s), ERR_OK);
    assert_int_equal(run_on(s, NULL, "GET", "{0}:x", NULL), ERR_OK);
    assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_READ_ONLY);
    assert_int_equal(health_of(s, "replica of 127.0.0.1:1"), ERR_READ_ONLY);
    configure("replica-read-only", "no");
    assert_int_equal(store_look(s), ERR_CONFIG);
    assert_int_equal(health_of(s, "replica that takes writes and drops them"), ERR_CONFIG);
    assert_int_equal(run_on(boss, NULL, "REPLICAOF", "NO", "ONE"), ERR_OK);
    wait_for(s, ERR_OK);
    store_close(s);
    end();
}

/* What cannot work at all is refused also where loss is accepted. */
static void test_cluster(void **state)
{
    (void)state;
    static const char *const options[] = {"--cluster-enabled", "yes", NULL};
    begin(options);
    assert_int_equal(run_on(boss, NULL, "PING", NULL, NULL), ERR_CONFIG);
    assert_int_equal(health_of(boss, "error: the engine is part of a cluster, which is not supported yet"), ERR_CONFIG);
    end();
}

static const char *be_old(const char *command, int nth)
{
    (void)nth;
    return strcmp(command, "HELLO") == 0  ? "*0\r\n"
           : strcmp(command, "INFO") == 0 ? "$59\r\n# Server\r\nredis_version:6.2.14\r\nmaxmemory_policy:noeviction\r\n"
           : strcmp(command, "CONFIG") == 0 ? "-ERR wrong number of arguments\r\n"
                                            : "+OK\r\n";
}

static void test_old_version(void **state)
{
    (void)state;
    struct fake_redis fake = {.raw = true};
    fake_redis_start(&fake, be_old);
    struct store *s = open_at(fake.url);
    assert_int_equal(run_on(s, NULL, "PING", NULL, NULL), ERR_CONFIG);
    assert_int_equal(health_of(s, "error: the engine is too old (redis_version is 6.2.14): use Redis 7.0"), ERR_CONFIG);
    store_close(s);
    fake_redis_stop(&fake);
}

static const char *_Atomic cluster_says; /* read by the threads of the fake */

static const char *be_cluster(const char *command, int nth)
{
    (void)nth;
    return strcmp(command, "PING") == 0 ? "+PONG\r\n" : cluster_says;
}

/* How often a text stands in what was written to a file. */
static unsigned occurrences(FILE *file, const char *text)
{
    char line[1024];
    unsigned count = 0;
    rewind(file);
    while (fgets(line, sizeof(line), file)) {
        count += strstr(line, text) != NULL;
    }
    return count;
}

/* A read, with the log in a file: what a failed assertion says is not lost there. */
static enum err get_logged(struct store *s, FILE *log)
{
    int before = dup(STDERR_FILENO);
    dup2(fileno(log), STDERR_FILENO);
    enum err e = run_on(s, NULL, "GET", "{0}:x", NULL);
    dup2(before, STDERR_FILENO);
    close(before);
    return e;
}

/* A cluster that does not let us ask what it is: known by its answers, said once to the log and always by /health,
 * until it gives other answers. */
static void test_redirections(void **state)
{
    (void)state;
    static const char *const answers[] = {"MOVED 3999 127.0.0.1:6381", "ASK 3999 127.0.0.1:6381",
                                          "CROSSSLOT Keys in request don't hash to the same slot"};
    static const char what[] = "the engine is part of a cluster, which is not supported yet (it answers ";
    struct fake_redis fake = {0};
    fake_redis_start(&fake, be_cluster);
    struct store *s = open_at(fake.url);
    FILE *log = tmpfile();
    for (size_t i = 0; i < COUNT(answers); i++) {
        cluster_says = arena_printf(arena, "-%s\r\n", answers[i]);
        assert_int_equal(get_logged(s, log), ERR_CONFIG);
        const char *said = arena_printf(arena, "error: %s%s): use one without cluster-enabled", what, answers[i]);
        assert_int_equal(health_of(s, said), ERR_CONFIG);
        assert_int_equal(metric_get(METRIC_ENGINE_REFUSED), 1);
    }
    assert_int_equal(occurrences(log, what), 1);
    fclose(log);
    cluster_says = "$1\r\n1\r\n";
    assert_int_equal(store_look(s), ERR_OK);
    struct buffer say = buffer_make(arena);
    assert_false(store_findings(s, &say));
    assert_null(strstr(buffer_string(&say), "cluster"));
    assert_int_equal(metric_get(METRIC_ENGINE_REFUSED), 0);
    store_close(s);
    fake_redis_stop(&fake);
}

/* Memory that is nearly used up is worth a word before it is used up. */
static void test_nearly_full(void **state)
{
    (void)state;
    begin(good);
    struct store *s = open_strict(CONFIG_EVERYSEC);
    size_t size = 16 << 20;
    char *bulk = arena_alloc(arena, size);
    memset(bulk, 'x', size - 1);
    bulk[size - 1] = '\0';
    assert_int_equal(run_on(boss, NULL, "SET", "{0}:bulk", bulk), ERR_OK);
    uint64_t start = clock_monotonic_us();
    bool said = false;
    while (!said) { /* the buffer that the value came in is given back at some later moment */
        const struct store_reply *info;
        assert_int_equal(run_on(boss, &info, "INFO", "memory", NULL), ERR_OK);
        const char *used = strstr(store_text(info), "\nused_memory:");
        configure("maxmemory", arena_printf(arena, "%llu", strtoull(used + 13, NULL, 10) + (1 << 20)));
        assert_int_equal(store_look(s), ERR_OK);
        struct buffer say = buffer_make(arena);
        assert_int_equal(store_health(s, &say), ERR_OK);
        said = strstr(buffer_string(&say), "warning: the engine's memory is nearly full (") != NULL;
        assert_true(said || elapsed_us(start) < 20000 * MS);
        clock_sleep_ms(said ? 0 : 100);
    }
    store_close(s);
    end();
}

static const struct CMUnitTest tests[] = {
    bare(test_settings_that_lose_data),
    bare(test_accepted),
    bare(test_worse_after_restart),
    bare(test_durability_promises_more),
    bare(test_not_allowed_to_ask),
    bare(test_renamed_config),
    bare(test_replicas),
    bare(test_nearly_full),
    bare(test_cluster),
};

static const struct CMUnitTest without_engine[] = {
    bare(test_old_version),
    bare(test_redirections),
};

int main(int argc, char **argv)
{
    int failed = 0;
    if (begin_tests(argc, argv, &failed)) {
        return failed;
    }
    failed += cmocka_run_group_tests_name("a fake", without_engine, NULL, NULL);
    if (have_redis_server()) {
        failed += cmocka_run_group_tests_name("redis-server", tests, NULL, NULL);
    }
    private_redis_embedded = true;
    failed += cmocka_run_group_tests_name("the embedded engine", tests, NULL, NULL);
    return failed;
}
