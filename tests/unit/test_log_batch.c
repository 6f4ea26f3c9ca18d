/* test_log_batch.c - lines that may wait: how they leave, in which order, and that none is lost. Standard error is a socket that
 * keeps the writes apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/log_batch.h"

#define MOST (256 * 1024)

static int ends[2], before;
static char got[MOST + 1];
static size_t length;
static unsigned writes;

static int begin(void **state)
{
    (void)state;
    int room = 4 * MOST;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    setsockopt(ends[1], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
    before = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    log_batch_start();
    length = 0;
    writes = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    log_batch_end();
    dup2(before, STDERR_FILENO);
    close(before);
    close(ends[0]);
    close(ends[1]);
    return 0;
}

/* Takes what has been written, waiting until it ends with this. */
static void take_until(const char *last)
{
    size_t size = strlen(last);
    while (length < size || strcmp(got + length - size, last) != 0) {
        ssize_t n = recv(ends[0], got + length, MOST - length, 0);
        assert_true(n > 0);
        length += (size_t)n;
        got[length] = '\0';
        writes++;
    }
}

static void later(unsigned number)
{
    char line[64];
    int size = snprintf(line, sizeof(line), "line %u\n", number);
    log_batch_later(line, (size_t)size);
}

static void assert_lines(unsigned first, unsigned count)
{
    const char *p = got;
    for (unsigned i = first; i < first + count; i++) {
        unsigned number;
        int size;
        assert_int_equal(sscanf(p, "line %u\n%n", &number, &size), 1);
        assert_int_equal(number, i);
        p += size;
    }
    assert_string_equal(p, "");
}

/* However slow the machine: never more writes than the time that has gone by allows. */
static void many_lines_leave_in_few_writes(void **state)
{
    (void)state;
    uint64_t started = clock_monotonic_us();
    for (unsigned i = 1000; i < 6000; i++) {
        later(i);
    }
    take_until("line 5999\n"); /* nobody writes it but the thread */
    assert_lines(1000, 5000);
    uint64_t passed = clock_monotonic_us() - started;
    assert_in_range(writes, 1, passed / (LOG_BATCH_MS * 1000) + 3);
}

static void a_line_that_cannot_wait_takes_the_others_along(void **state)
{
    (void)state;
    log_batch_write("line 0\n", 7);
    take_until("line 0\n");
    for (unsigned i = 1; i < 9; i++) {
        later(i);
    }
    log_batch_write("line 9\n", 7);
    take_until("line 9\n");
    assert_lines(0, 10);
    length = 0;
    log_error("test", "whatever comes");
    take_until(" error test: whatever comes\n");
}

static void a_lone_line_comes_at_once(void **state)
{
    (void)state;
    clock_sleep_ms(LOG_BATCH_MS + 1);
    later(1);
    assert_int_equal(recv(ends[0], got, MOST, MSG_DONTWAIT), 7);
}

static void the_end_writes_what_waits(void **state)
{
    (void)state;
    log_batch_write("line 0\n", 7);
    for (unsigned i = 1; i < 100; i++) {
        later(i);
    }
    log_batch_end();
    take_until("line 99\n");
    assert_lines(0, 100);
    later(100); /* nobody is there who would write it */
    length = 0;
    take_until("line 100\n");
    log_batch_start();
}

/* More than the buffer holds, and one line that is as long as the buffer. */
static void a_full_buffer_is_written(void **state)
{
    (void)state;
    char *line = malloc(1024);
    assert_non_null(line);
    memset(line, 'x', 1024);
    line[1023] = '\n';
    for (unsigned i = 0; i < 99; i++) {
        log_batch_later(line, 1024);
    }
    memcpy(line + 1020, "end", 3);
    log_batch_later(line, 1024);
    take_until("end\n");
    assert_int_equal(length, 100 * 1024);
    free(line);
}

static void *write_some(void *start)
{
    for (unsigned i = 0; i < 500; i++) {
        later((unsigned)(uintptr_t)start + i);
    }
    return NULL;
}

static void threads_lose_nothing(void **state)
{
    (void)state;
    pthread_t threads[8];
    for (uintptr_t i = 0; i < 8; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, write_some, (void *)(10000 + i * 500)), 0);
    }
    for (size_t i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
    }
    log_batch_write("end\n", 4);
    take_until("end\n");
    bool seen[4000] = {false};
    for (const char *p = got; strcmp(p, "end\n") != 0; p = strchr(p, '\n') + 1) {
        unsigned number;
        assert_int_equal(sscanf(p, "line %u\n", &number), 1);
        assert_false(seen[number - 10000]);
        seen[number - 10000] = true;
    }
    assert_null(memchr(seen, 0, sizeof(seen)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(many_lines_leave_in_few_writes), TEST(a_line_that_cannot_wait_takes_the_others_along),
        TEST(a_lone_line_comes_at_once),      TEST(the_end_writes_what_waits),
        TEST(a_full_buffer_is_written),       TEST(threads_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
