/* test_sleeper.c - a thread that sleeps until it is told to end: how long it sleeps, and how soon it ends. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/sleeper.h"

#define LONG_MS 60000
#define SOON_US 20000000 /* far less than LONG_MS, far more than a busy machine takes */

/* What a body did. */
struct diary {
    _Atomic unsigned rounds;
    _Atomic bool began, over;
    uint64_t pause_ms;
    uint64_t slept_us; /* the first time */
    bool hears;        /* some signal reaches it */
};

static void keep_diary(struct sleeper *s, void *context)
{
    struct diary *d = context;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    d->hears = !sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGHUP) || !sigismember(&blocked, SIGINT);
    d->began = true;
    uint64_t before = clock_monotonic_us();
    while (sleeper_sleep(s, d->pause_ms)) {
        d->slept_us = d->slept_us ? d->slept_us : clock_monotonic_us() - before;
        d->rounds++;
    }
    clock_sleep_ms(20);
    d->over = true;
}

static void wait_for(const _Atomic bool *flag)
{
    while (!*flag) {
        clock_sleep_ms(1);
    }
}

static void test_sleeps_and_works(void **state)
{
    (void)state;
    struct diary d = {.pause_ms = 20};
    struct sleeper *s = sleeper_start(keep_diary, &d);
    while (d.rounds < 3) {
        clock_sleep_ms(1);
    }
    sleeper_end(s);
    assert_true(d.slept_us >= 20000);
    assert_true(d.over); /* whoever ends it waits for it */
}

static void test_is_woken_to_end(void **state)
{
    (void)state;
    struct diary d = {.pause_ms = LONG_MS};
    struct sleeper *s = sleeper_start(keep_diary, &d);
    wait_for(&d.began);
    clock_sleep_ms(20); /* so that it sleeps, as a rule */
    uint64_t before = clock_monotonic_us();
    sleeper_end(s);
    assert_true(clock_monotonic_us() - before < SOON_US);
    assert_true(d.over);
    assert_int_equal(d.rounds, 0);
}

static void test_told_before_it_sleeps(void **state)
{
    (void)state;
    struct diary d = {.pause_ms = LONG_MS};
    uint64_t before = clock_monotonic_us();
    sleeper_end(sleeper_start(keep_diary, &d));
    assert_true(clock_monotonic_us() - before < SOON_US);
    assert_true(d.over);
    assert_int_equal(d.rounds, 0);
}

/* Several that are told first end side by side; telling does not wait. */
static void test_told_together(void **state)
{
    (void)state;
    struct diary d[4] = {{.pause_ms = LONG_MS}, {.pause_ms = LONG_MS}, {.pause_ms = LONG_MS}, {.pause_ms = LONG_MS}};
    struct sleeper *s[4];
    for (unsigned i = 0; i < 4; i++) {
        s[i] = sleeper_start(keep_diary, &d[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        sleeper_tell(s[i]);
    }
    wait_for(&d[3].over); /* though nobody waits for it in sleeper_end */
    for (unsigned i = 0; i < 4; i++) {
        sleeper_end(s[i]);
        assert_true(d[i].over);
    }
}

static void test_hears_no_signals(void **state)
{
    (void)state;
    struct diary d = {.pause_ms = LONG_MS};
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    struct sleeper *s = sleeper_start(keep_diary, &d);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    sleeper_end(s);
    assert_false(d.hears);
    assert_int_equal(sigismember(&before, SIGTERM), sigismember(&after, SIGTERM)); /* the caller's stay as they were */
}

static void test_nobody(void **state)
{
    (void)state;
    sleeper_end(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleeps_and_works),      cmocka_unit_test(test_is_woken_to_end),
        cmocka_unit_test(test_told_before_it_sleeps), cmocka_unit_test(test_told_together),
        cmocka_unit_test(test_hears_no_signals),      cmocka_unit_test(test_nobody),
    };
    return cmocka_run_group_tests_name("sleeper", tests, NULL, NULL);
}
