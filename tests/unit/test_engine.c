/* test_engine.c - the embedded engine: who may start it, what survives whose death.
 *
 * Servers and tools are processes of their own here: this program again, with another first argument. What they have to say
 * comes line by line through a pipe.
 */
#define _GNU_SOURCE /* pipe2 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/secret.h"
#include "private_redis.h"
#include "store/engine.h"
#include "store/store.h"

#define MS 1000

static char directory[64];

/* --- what the other processes do ---------------------------------------------------------------------------------- */

static struct config config_for(const char *dir)
{
    struct config c = private_redis_config("embedded");
    c.state.directory = dir;
    return c;
}

/* INCR of one key; -1 when it fails. */
static int64_t increment(struct store *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    store_batch_once(b);
    store_command(b, 0, "INCR", "{0}:count", NULL);
    int64_t value = store_run(b) == ERR_OK ? store_integer(store_reply(b, 0)) : -1;
    arena_free(a);
    return value;
}

static int engine_pid(struct store *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    store_command(b, 0, "INFO", "server", NULL);
    const char *found = store_run(b) == ERR_OK ? strstr(store_text(store_reply(b, 0)), "process_id:") : NULL;
    int pid = found ? atoi(found + strlen("process_id:")) : 0;
    arena_free(a);
    return pid;
}

static void say(long value)
{
    printf("%ld\n", value);
    fflush(stdout);
}

/* Starts as a server does, then obeys lines on standard input: + increment, p pid of the engine. Ends at SIGTERM or at the
 * end of input. */
static int be_server(const char *dir)
{
    struct config c = config_for(dir);
    struct engine *e = engine_start(&c, stdout);
    fflush(stdout);
    if (!e) {
        return 1;
    }
    struct store *s = store_open(&c, stdout);
    engine_attach(e, s);
    say(store_wait_ready(s, 5000));
    for (int order; (order = getchar()) != EOF;) {
        if (order == '+') {
            say((long)increment(s));
        } else if (order == 'p') {
            say(engine_pid(s));
        }
    }
    engine_attach(e, NULL);
    store_close(s);
    engine_stop(e);
    return 0;
}

static int be_tool(const char *dir, const char *pause_ms)
{
    struct config c = config_for(dir);
    struct engine *e = engine_borrow(&c, stdout);
    if (!e) {
        fflush(stdout);
        return 1;
    }
    struct store *s = store_open(&c, stdout);
    say((long)increment(s));
    clock_sleep_ms((uint64_t)atoi(pause_ms));
    store_close(s);
    engine_stop(e);
    return 0;
}

/* --- talking with them -------------------------------------------------------------------------------------------- */

struct peer {
    pid_t pid;
    FILE *in; /* what it says */
    int orders;
    char line[512];
};

static struct peer start_peer(const char *role, const char *argument)
{
    int from[2], to[2];
    assert_int_equal(pipe2(from, O_CLOEXEC), 0);
    assert_int_equal(pipe2(to, O_CLOEXEC), 0);
    fflush(NULL);
    struct peer p = {.pid = fork(), .orders = to[1]};
    if (p.pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        execl("/proc/self/exe", "test", role, directory, argument, (char *)NULL);
        _exit(99);
    }
    close(to[0]);
    close(from[1]);
    p.in = fdopen(from[0], "r");
    assert_non_null(p.in);
    return p;
}

static const char *next_line(struct peer *p)
{
    if (!fgets(p->line, sizeof(p->line), p->in)) {
        p->line[0] = '\0';
    }
    p->line[strcspn(p->line, "\n")] = '\0';
    return p->line;
}

static long order(struct peer *p, const char *what)
{
    assert_int_equal(write(p->orders, what, 1), 1);
    return atol(next_line(p));
}

/* Exit status, or the negative number of the signal. */
static int end_peer(struct peer *p)
{
    int status;
    close(p->orders);
    while (*next_line(p)) { /* so that it never waits for us */
    }
    waitpid(p->pid, &status, 0);
    fclose(p->in);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static struct peer start_server(void)
{
    struct peer p = start_peer("server", NULL);
    assert_string_equal(next_line(&p), "0");
    return p;
}

/* Whether the process is there and no zombie. */
static bool is_running(long pid)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof(path), "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f) {
        return false;
    }
    size_t n = fread(text, 1, sizeof(text) - 1, f);
    fclose(f);
    const char *end = n ? strrchr(text, ')') : NULL;
    return end && end[2] != 'Z' && end[2] != 'X';
}

static bool wait_gone(long pid, uint64_t ms)
{
    uint64_t end = clock_monotonic_us() + ms * MS;
    while (is_running(pid)) {
        if (clock_monotonic_us() > end) {
            return false;
        }
        clock_sleep_ms(5);
    }
    return true;
}

static int setup(void **state)
{
    (void)state;
    snprintf(directory, sizeof(directory), "/tmp/retwis-test-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", directory);
    return system(command);
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

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
    assert_int_equal(mode_of("engine.sock") & 077, 0);
    assert_int_equal(mode_of("engine.conf"), 0600);
    assert_int_equal(mode_of("engine"), 0700);
    assert_int_equal(mode_of("lock"), 0600);
    assert_int_equal(end_peer(&s), 0);
}

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

/* Calls one of the two and returns what it reported; it must refuse. */
static char *refusal(struct engine *start(const struct config *, FILE *), const char *dir, const char *url)
{
    char *text = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&text, &size);
    struct config c = config_for(dir);
    c.redis.url = url;
    assert_null(start(&c, report));
    fclose(report);
    return text;
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
    engine_attach(e, NULL);
    engine_stop(e);
    e = engine_borrow(&c, stderr);
    assert_non_null(e);
    engine_stop(e);
}

#define with_directory(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
    with_directory(test_data_stay),
    with_directory(test_private),
    with_directory(test_server_killed),
    with_directory(test_engine_killed),
    with_directory(test_second_server),
    with_directory(test_tools),
    with_directory(test_server_waits_for_tool),
    with_directory(test_tool_killed),
    with_directory(test_owner),
    with_directory(test_unusable_directories),
    with_directory(test_damaged_data),
    with_directory(test_external),
    with_directory(test_leftover_hangs),
};

int main(int argc, char **argv)
{
    secret_setup();
    log_setup(getenv("VERBOSE") ? LOG_DEBUG : LOG_ERROR, false);
    if (argc > 1 && strcmp(argv[1], "engine") == 0) {
        return engine_main(argc - 1, argv + 1);
    }
    if (argc > 2 && strcmp(argv[1], "server") == 0) {
        return be_server(argv[2]);
    }
    if (argc > 3 && strcmp(argv[1], "tool") == 0) {
        return be_tool(argv[2], argv[3]);
    }
    /* For the engines, which the sanitizers do not see into; this process has read its own options already. */
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    setenv("TSAN_OPTIONS", "report_bugs=0", 1);
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
