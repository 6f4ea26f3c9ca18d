/* engine_case.h - what the tests of the embedded engine share: servers and tools as processes of their own.
 *
 * They are the test program again, with another first argument. What they have to say comes line by line through a
 * pipe. A program includes this file first, and its main begins with engine_case_role.
 */
#ifndef TESTS_ENGINE_CASE_H
#define TESTS_ENGINE_CASE_H

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
#include "engine/engine.h"
#include "private_redis.h"
#include "store/store.h"

#define MS 1000

static char directory[64];

/* --- what the other processes do ---------------------------------------------------------------------------------- */

static inline struct config config_for(const char *dir)
{
    struct config c = private_redis_config("embedded");
    c.state.directory = dir;
    c.process.sandbox = true;
    return c;
}

/* INCR of one key; -1 when it fails. */
static inline int64_t increment(struct store *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    store_batch_once(b);
    store_command(b, 0, "INCR", "{0}:count", NULL);
    int64_t value = store_run(b) == ERR_OK ? store_integer(store_reply(b, 0)) : -1;
    arena_free(a);
    return value;
}

static inline int engine_pid(struct store *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    store_command(b, 0, "INFO", "server", NULL);
    const char *found = store_run(b) == ERR_OK ? strstr(store_text(store_reply(b, 0)), "process_id:") : NULL;
    int pid = found ? atoi(found + strlen("process_id:")) : 0;
    arena_free(a);
    return pid;
}

static inline void say(long value)
{
    printf("%ld\n", value);
    fflush(stdout);
}

static inline void engine_case_reset(void *store)
{
    store_reset(store);
}

/* Starts as a server does, then obeys lines on standard input: + increment, p pid of the engine. Ends at SIGTERM or at
 * the end of input. */
static inline int be_server(const char *dir)
{
    struct config c = config_for(dir);
    struct engine *e = engine_start(&c, stdout);
    fflush(stdout);
    if (!e) {
        return 1;
    }
    struct store *s = store_open(&c, stdout);
    engine_attach(e, engine_case_reset, s);
    say(store_wait_ready(s, 5000));
    for (int order; (order = getchar()) != EOF;) {
        if (order == '+') {
            say((long)increment(s));
        } else if (order == 'p') {
            say(engine_pid(s));
        }
    }
    engine_attach(e, NULL, NULL);
    store_close(s);
    engine_stop(e);
    return 0;
}

static inline int be_tool(const char *dir, const char *pause_ms)
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

static inline struct peer start_peer(const char *role, const char *argument)
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

static inline long order(struct peer *p, const char *what)
{
    assert_int_equal(write(p->orders, what, 1), 1);
    return atol(next_line(p));
}

/* Exit status, or the negative number of the signal. */
static inline int end_peer(struct peer *p)
{
    int status;
    close(p->orders);
    while (*next_line(p)) { /* so that it never waits for us */
    }
    waitpid(p->pid, &status, 0);
    fclose(p->in);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static inline struct peer start_server(void)
{
    struct peer p = start_peer("server", NULL);
    assert_string_equal(next_line(&p), "0");
    return p;
}

/* Whether the process is there and no zombie. */
static inline bool is_running(long pid)
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

static inline bool wait_gone(long pid, uint64_t ms)
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

static inline int setup(void **state)
{
    (void)state;
    snprintf(directory, sizeof(directory), "/tmp/retwis-test-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static inline int teardown(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", directory);
    return system(command);
}

/* Calls one of the two and returns what it reported; it must refuse. */
static inline char *refusal(struct engine *start(const struct config *, FILE *), const char *dir, const char *url)
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

#define with_directory(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* True when this process is a server, a tool or an engine of a test: it has been that, and ends with *status. */
static inline bool engine_case_role(int argc, char **argv, int *status)
{
    secret_setup();
    log_setup(getenv("VERBOSE") ? LOG_DEBUG : LOG_ERROR, false);
    if (argc > 1 && strcmp(argv[1], "engine") == 0) {
        *status = engine_main(argc - 1, argv + 1);
    } else if (argc > 2 && strcmp(argv[1], "server") == 0) {
        *status = be_server(argv[2]);
    } else if (argc > 3 && strcmp(argv[1], "tool") == 0) {
        *status = be_tool(argv[2], argv[3]);
    } else {
        /* For the engines, which the sanitizers do not see into; this process has read its own options already. */
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
        setenv("TSAN_OPTIONS", "report_bugs=0", 1);
        return false;
    }
    return true;
}

#endif
