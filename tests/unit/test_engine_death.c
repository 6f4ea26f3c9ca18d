/* test_engine_death.c - the embedded engine: what survives when server, tool or engine die. */
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

/* Killed again and again it comes back as quickly as the first time. */
static void test_engine_killed(void **state)
{
    (void)state;
    struct peer s = start_server();
    long last = order(&s, "+");
    for (int i = 0; i < 8; i++) {
        long pid = order(&s, "p");
        kill((pid_t)pid, SIGKILL);
        uint64_t start = clock_monotonic_us();
        long value;
        while ((value = order(&s, "+")) < 0) {
            assert_true(clock_monotonic_us() - start < 4000 * MS);
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

static void list_of_files(char path[256])
{
    snprintf(path, 256, "%s/engine/appendonlydir/appendonly.aof.manifest", directory);
}

static void make_data(void);
static void assert_next(long expected);

/* Without the list of its files the engine would begin with nothing, whatever they hold. */
static void test_list_of_files_is_missing(void **state)
{
    (void)state;
    char path[256], kept[300], *text = NULL;
    size_t size;
    list_of_files(path);
    snprintf(kept, sizeof(kept), "%s.kept", path);
    make_data();
    assert_int_equal(rename(path, kept), 0);
    text = refusal(engine_start, directory, "embedded");
    assert_non_null(strstr(text, "appendonly.aof.manifest is missing"));
    assert_non_null(strstr(text, "appendonly.aof.1.incr.aof"));
    assert_non_null(strstr(text, "backup"));
    free(text);
    struct config c = config_for(directory);
    FILE *report = open_memstream(&text, &size);
    assert_false(engine_check(&c, true, report));
    fclose(report);
    assert_non_null(strstr(text, "is missing"));
    free(text);
    assert_int_equal(rename(kept, path), 0);
    assert_next(4);
}

/* The same for one that is started again because it died. */
static void test_list_of_files_goes_missing(void **state)
{
    (void)state;
    char path[256], kept[300];
    list_of_files(path);
    snprintf(kept, sizeof(kept), "%s.kept", path);
    struct peer s = start_server();
    assert_int_equal(order(&s, "+"), 1);
    long pid = order(&s, "p");
    assert_int_equal(rename(path, kept), 0);
    kill((pid_t)pid, SIGKILL);
    for (int i = 0; i < 20; i++) { /* far longer than a start takes */
        assert_int_equal(order(&s, "+"), -1);
        clock_sleep_ms(30);
    }
    assert_int_equal(rename(kept, path), 0);
    long value;
    uint64_t end = clock_monotonic_us() + 30000 * MS;
    while ((value = order(&s, "+")) < 0) {
        assert_true(clock_monotonic_us() < end);
        clock_sleep_ms(10);
    }
    assert_int_equal(value, 2);
    assert_int_equal(end_peer(&s), 0);
}

/* --- files that are damaged ---------------------------------------------------------------------------------------- */

/* A directory with data: a counter at 3. */
static void make_data(void)
{
    struct peer s = start_server();
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(order(&s, "+"), i);
    }
    assert_int_equal(end_peer(&s), 0);
}

static FILE *open_log(const char *mode)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/engine/appendonlydir/appendonly.aof.1.incr.aof", directory);
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    return f;
}

static void assert_next(long expected)
{
    struct peer s = start_server();
    assert_int_equal(order(&s, "+"), expected);
    assert_int_equal(end_peer(&s), 0);
}

/* What a power cut leaves does not keep the engine from starting, and nothing whole is lost by it. */
static void test_torn_tail(void **state)
{
    (void)state;
    static const char zeros[4096];
    make_data();
    FILE *f = open_log("a");
    assert_int_equal(fwrite(zeros, 1, sizeof(zeros), f), sizeof(zeros));
    fclose(f);
    assert_next(4);
    f = open_log("a");
    for (int i = 0; i < 100; i++) {
        fputc(i * 167 % 256, f);
    }
    fclose(f);
    assert_next(5);
    f = open_log("a");
    fputs("*1\r\n$5\r\nMULTI\r\n*2\r\n$4\r\nINCR\r\n$9\r\n{0}:count\r\n", f);
    fclose(f);
    assert_next(6);
    f = open_log("r+");
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    assert_int_equal(ftruncate(fileno(f), ftell(f) - 3), 0); /* into the last command */
    fclose(f);
    assert_next(6);
}

/* Damage with whole commands behind it: a person decides, and then all but the damaged command is there. */
static void test_damage_in_the_middle(void **state)
{
    (void)state;
    char bytes[4096];
    make_data();
    FILE *f = open_log("r+");
    size_t n = fread(bytes, 1, sizeof(bytes), f);
    char *found = memmem(bytes, n, "incr", 4);
    found = found ? found : memmem(bytes, n, "INCR", 4);
    assert_non_null(found);
    assert_int_equal(fseek(f, found - bytes, SEEK_SET), 0);
    assert_int_equal(fwrite("\0\0\0", 1, 3, f), 3);
    fclose(f);
    char *text = refusal(engine_start, directory, "embedded");
    assert_non_null(strstr(text, "2 whole commands follow"));
    assert_non_null(strstr(text, "engine-check --fix"));
    free(text);
    struct config c = config_for(directory);
    FILE *report = fopen("/dev/null", "w");
    assert_non_null(report);
    assert_false(engine_check(&c, false, report));
    assert_true(engine_check(&c, true, report));
    assert_true(engine_check(&c, false, report));
    fclose(report);
    assert_next(3);
}

/* The snapshot that a log begins with: the engine's own tool says that it is damaged. */
static void test_damaged_snapshot(void **state)
{
    (void)state;
    char path[256], *text = NULL;
    size_t size;
    make_data();
    snprintf(path, sizeof(path), "%s/engine/appendonlydir/appendonly.aof.1.base.rdb", directory);
    FILE *f = fopen(path, "r+");
    assert_non_null(f);
    assert_int_equal(fseek(f, 12, SEEK_SET), 0);
    fputs("xxxxxxxx", f);
    fclose(f);
    struct config c = config_for(directory);
    FILE *report = open_memstream(&text, &size);
    assert_false(engine_check(&c, true, report));
    fclose(report);
    assert_non_null(strstr(text, "restore a backup"));
    free(text);
}

static void test_check_leaves_a_running_server_alone(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    struct peer s = start_server();
    struct config c = config_for(directory);
    FILE *report = open_memstream(&text, &size);
    assert_false(engine_check(&c, true, report));
    fclose(report);
    assert_non_null(strstr(text, "another retwis server"));
    free(text);
    assert_int_equal(order(&s, "+"), 1);
    assert_int_equal(end_peer(&s), 0);
}

/* --- engines that hang --------------------------------------------------------------------------------------------- */

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
    with_directory(test_server_killed),
    with_directory(test_engine_killed),
    with_directory(test_tool_killed),
    with_directory(test_damaged_data),
    with_directory(test_list_of_files_is_missing),
    with_directory(test_list_of_files_goes_missing),
    with_directory(test_leftover_hangs),
    with_directory(test_torn_tail),
    with_directory(test_damage_in_the_middle),
    with_directory(test_damaged_snapshot),
    with_directory(test_check_leaves_a_running_server_alone),
};

int main(int argc, char **argv)
{
    int status;
    if (engine_case_role(argc, argv, &status)) {
        return status;
    }
    return cmocka_run_group_tests_name("engine_death", tests, NULL, NULL);
}
