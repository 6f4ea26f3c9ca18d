/* test_engine_death.c - the embedded engine: what survives whose death. */
#include "engine_case.h"

/* What was acknowledged is there after kill -9 of the server, which takes its engine along. */
static void test_server_killed(void **state)
{
    (void)state;
    long last = 0;
    for (int i = 0; i < 10; i++) {
        struct peer s = start_server();
        long pid = order(&s, "p");
        for (int k = 0; k < 20; k++) {
            long value = order(&s, "+");
            assert_int_equal(value, last + 1);
            last = value;
        }
        kill(s.pid, SIGKILL);
        if (i % 2) {
            assert_true(wait_gone(pid, 10000)); /* otherwise the next one comes at once */
        }
        assert_int_equal(end_peer(&s), -SIGKILL);
    }
}

static void test_engine_killed(void **state)
{
    (void)state;
    struct peer s = start_server();
    long last = order(&s, "+");
    for (int i = 0; i < 5; i++) {
        long pid = order(&s, "p");
        kill((pid_t)pid, SIGKILL);
        uint64_t start = clock_monotonic_us();
        long value;
        while ((value = order(&s, "+")) < 0) {
            assert_true(clock_monotonic_us() - start < 20000 * MS);
            clock_sleep_ms(10);
        }
        assert_int_equal(value, last + 1);
        last = value;
    }
    assert_int_equal(end_peer(&s), 0);
}

static void test_tool_killed(void **state)
{
    (void)state;
    struct peer tool = start_peer("tool", "60000");
    assert_string_equal(next_line(&tool), "1");
    kill(tool.pid, SIGKILL);
    assert_int_equal(end_peer(&tool), -SIGKILL);
    struct peer s = start_server();
    assert_int_equal(order(&s, "+"), 2);
    assert_int_equal(end_peer(&s), 0);
}

/* Data that cannot be read end the start with the engine's own words. */
static void test_damaged_data(void **state)
{
    (void)state;
    struct peer s = start_server();
    assert_int_equal(order(&s, "+"), 1);
    assert_int_equal(end_peer(&s), 0);
    char path[256];
    snprintf(path, sizeof(path), "%s/engine/appendonlydir/appendonly.aof.manifest", directory);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("this is no manifest\n", f);
    fclose(f);
    char *text = refusal(engine_start, directory, "embedded");
    assert_non_null(strstr(text, "ended before it was ready"));
    assert_non_null(strstr(text, "manifest"));
    free(text);
}

/* An engine that does not even notice SIGTERM: neither the next start nor a stop waits for ever. */
static void test_leftover_hangs(void **state)
{
    (void)state;
    struct peer s = start_server();
    long pid = order(&s, "p");
    assert_int_equal(order(&s, "+"), 1);
    kill((pid_t)pid, SIGSTOP);
    kill(s.pid, SIGKILL);
    end_peer(&s);
    assert_true(is_running(pid));
    uint64_t start = clock_monotonic_us();
    s = start_server();
    assert_in_range(clock_monotonic_us() - start, 9000 * MS, 60000 * MS);
    assert_false(is_running(pid));
    assert_int_equal(order(&s, "+"), 2);
    pid = order(&s, "p");
    kill((pid_t)pid, SIGSTOP);
    start = clock_monotonic_us();
    assert_int_equal(end_peer(&s), 0);
    assert_in_range(clock_monotonic_us() - start, 7000 * MS, 60000 * MS);
    assert_false(is_running(pid));
}

static const struct CMUnitTest tests[] = {
    with_directory(test_server_killed), with_directory(test_engine_killed),  with_directory(test_tool_killed),
    with_directory(test_damaged_data),  with_directory(test_leftover_hangs),
};

int main(int argc, char **argv)
{
    int status;
    if (engine_case_role(argc, argv, &status)) {
        return status;
    }
    return cmocka_run_group_tests_name("engine_death", tests, NULL, NULL);
}
