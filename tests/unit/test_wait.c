/* test_wait.c - threads that wait for a condition whose signal is lost, as glibc before 2.41 can lose it: here nobody gives one.
 * Ours (base/mutex.h) and those of civetweb (packaging/deps/civetweb_guard.h). And how civetweb waits for sockets. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../packaging/deps/civetweb_guard.h"
#include "base/clock.h"
#include "base/mutex.h"

#define THREADS 40
#define LATE_US 60000000 /* for a busy machine: a few seconds are meant */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t condition;
    bool civetwebs;
    bool there; /* what they wait for */
    unsigned waiting;
    _Atomic unsigned waits; /* that have ended */
    _Atomic unsigned gone;
} line;

static void *wait_for_it(void *unused)
{
    mutex_lock(&line.lock);
    line.waiting++;
    while (!line.there) {
        if (line.civetwebs) {
            assert_int_equal(pthread_cond_wait(&line.condition, &line.lock), 0);
        } else {
            mutex_wait(&line.condition, &line.lock);
        }
        line.waits++;
    }
    mutex_unlock(&line.lock);
    line.gone++;
    return unused;
}

static void until(const _Atomic unsigned *number, unsigned least)
{
    for (uint64_t begin = clock_monotonic_us(); *number < least; clock_sleep_ms(10)) {
        assert_true(clock_monotonic_us() - begin < LATE_US);
    }
}

static void begin(bool civetwebs, pthread_t threads[THREADS])
{
    line.civetwebs = civetwebs;
    line.there = false;
    line.waiting = line.waits = line.gone = 0;
    pthread_mutex_init(&line.lock, NULL);
    if (civetwebs) {
        pthread_cond_init(&line.condition, NULL); /* as civetweb does */
    } else {
        clock_condition(&line.condition);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, wait_for_it, NULL), 0);
    }
    for (bool all = false; !all; clock_sleep_ms(1)) {
        mutex_lock(&line.lock);
        all = line.waiting == THREADS;
        mutex_unlock(&line.lock);
    }
}

static void see_it_without_a_signal(bool civetwebs)
{
    pthread_t threads[THREADS];
    begin(civetwebs, threads);
    mutex_lock(&line.lock);
    line.there = true;
    mutex_unlock(&line.lock);
    until(&line.gone, THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void test_ours(void **state)
{
    (void)state;
    see_it_without_a_signal(false);
}

static void test_civetwebs(void **state)
{
    (void)state;
    see_it_without_a_signal(true);
}

/* One that looks too often would cost an idle server its processor; and a signal is no slower than it was. */
static void test_they_wait(void **state)
{
    (void)state;
    for (unsigned civetwebs = 0; civetwebs < 2; civetwebs++) {
        pthread_t threads[THREADS];
        uint64_t start = clock_monotonic_us();
        begin(civetwebs, threads);
        clock_sleep_ms(1000);
        unsigned waits = line.waits;
        uint64_t told = clock_monotonic_us();
        assert_true(waits <= THREADS * ((told - start) / (MUTEX_WAIT_MS * 1000)));
        mutex_lock(&line.lock);
        line.there = true;
        pthread_cond_broadcast(&line.condition);
        mutex_unlock(&line.lock);
        until(&line.gone, THREADS);
        print_message("all were told within %u us\n", (unsigned)(clock_monotonic_us() - told));
        for (unsigned i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
        }
    }
}

/* civetweb asks errno when two are ready. */
static void test_two_sockets_are_ready(void **state)
{
    (void)state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    struct pollfd both[] = {{.fd = pair[0], .events = POLLOUT}, {.fd = pair[1], .events = POLLOUT}};
    errno = EAGAIN;
    assert_int_equal(poll(both, 2, 1000), 2);
    assert_int_equal(errno, 0);
    close(pair[0]);
    close(pair[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ours),
        cmocka_unit_test(test_civetwebs),
        cmocka_unit_test(test_they_wait),
        cmocka_unit_test(test_two_sockets_are_ready),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
