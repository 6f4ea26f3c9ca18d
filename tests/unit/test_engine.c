/* test_engine.c - the embedded engine: who may start it, and whose files its data are. Deaths: test_engine_death.c. */
#include "engine_case.h"

static void test_data_stay(void **state)
{
    (void)state;
    for (long i = 1; i <= 3; i++) {
        struct peer s = start_server();
        long pid = order(&s, "p");
        assert_true(is_running(pid));
        assert_int_equal(order(&s, "+"), i);
        assert_int_equal(end_peer(&s), 0);
        assert_false(is_running(pid));
    }
}

static mode_t mode_of(const char *name)
{
    char path[128];
    struct stat s;
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    assert_int_equal(stat(path, &s), 0);
    return s.st_mode & 07777;
}

static void test_private(void **state)
{
    (void)state;
    struct peer s = start_server();
    assert_int_equal(mode_of("engine/sock") & 077, 0);
    assert_int_equal(mode_of("engine.conf"), 0600);
    assert_int_equal(mode_of("engine"), 0700);
    assert_int_equal(mode_of("lock"), 0600);
    assert_int_equal(end_peer(&s), 0);
}

static void test_second_server(void **state)
{
    (void)state;
    char pid[32];
    struct peer one = start_server();
    struct peer two = start_peer("server", NULL);
    snprintf(pid, sizeof(pid), "(pid %d)", (int)one.pid);
    next_line(&two);
    assert_non_null(strstr(two.line, directory));
    assert_non_null(strstr(two.line, pid));
    assert_int_equal(end_peer(&two), 1);
    assert_int_equal(order(&one, "+"), 1);
    assert_int_equal(end_peer(&one), 0);
}

static void test_tools(void **state)
{
    (void)state;
    struct peer tools[4];
    bool seen[8] = {false};
    for (int i = 0; i < 4; i++) {
        tools[i] = start_peer("tool", "50");
    }
    for (int i = 0; i < 4; i++) {
        long value = atol(next_line(&tools[i]));
        assert_in_range(value, 1, 4);
        assert_false(seen[value]);
        seen[value] = true;
        assert_int_equal(end_peer(&tools[i]), 0);
    }
    struct peer s = start_server();
    long pid = order(&s, "p");
    for (int i = 0; i < 2; i++) {
        tools[i] = start_peer("tool", "50");
    }
    for (int i = 0; i < 2; i++) {
        assert_in_range(atol(next_line(&tools[i])), 5, 6);
        assert_int_equal(end_peer(&tools[i]), 0);
    }
    assert_int_equal(order(&s, "p"), pid);
    assert_int_equal(order(&s, "+"), 7);
    assert_int_equal(end_peer(&s), 0);
}

static void test_server_waits_for_tool(void **state)
{
    (void)state;
    struct peer tool = start_peer("tool", "700");
    assert_string_equal(next_line(&tool), "1");
    struct peer s = start_server();
    assert_int_equal(order(&s, "+"), 2);
    assert_int_equal(end_peer(&tool), 0);
    assert_int_equal(end_peer(&s), 0);
}

static void test_owner(void **state)
{
    (void)state;
    char path[128];
    struct stat s;
    if (geteuid() != 0) {
        skip();
    }
    assert_int_equal(chown(directory, 65534, 65534), 0);
    struct peer tool = start_peer("tool", "0");
    assert_string_equal(next_line(&tool), "1");
    assert_int_equal(end_peer(&tool), 0);
    static const char *const made[] = {"lock", "engine.conf", "engine", "engine/appendonlydir"};
    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", directory, made[i]);
        assert_int_equal(stat(path, &s), 0);
        assert_int_equal(s.st_uid, 65534);
    }
}

static void test_unusable_directories(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof(path), "%s/%0100d", directory, 7);
    char *text = refusal(engine_start, path, "embedded");
    assert_non_null(strstr(text, "too long for a Unix socket"));
    free(text);
    text = refusal(engine_borrow, "/proc/nonexistent/x", "embedded");
    assert_non_null(strstr(text, "state.directory: /proc/nonexistent/x: "));
    free(text);
}

/* With another engine only the directory is locked. */
static void test_external(void **state)
{
    (void)state;
    struct config c = config_for(directory);
    c.redis.url = "redis://127.0.0.1:1";
    struct engine *e = engine_start(&c, stderr);
    assert_non_null(e);
    struct peer two = start_peer("server", NULL);
    assert_non_null(strstr(next_line(&two), "another retwis server"));
    assert_int_equal(end_peer(&two), 1);
    engine_attach(e, NULL, NULL);
    engine_stop(e);
    e = engine_borrow(&c, stderr);
    assert_non_null(e);
    engine_stop(e);
}

static const struct CMUnitTest tests[] = {
    with_directory(test_data_stay),
    with_directory(test_private),
    with_directory(test_second_server),
    with_directory(test_tools),
    with_directory(test_server_waits_for_tool),
    with_directory(test_owner),
    with_directory(test_unusable_directories),
    with_directory(test_external),
};

int main(int argc, char **argv)
{
    int status;
    if (engine_case_role(argc, argv, &status)) {
        return status;
    }
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
