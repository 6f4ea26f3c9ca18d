/* test_panic.c - who ends when an invariant is broken: the contained piece of work, or the process. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mutex.h"
#include "base/panic.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static _Thread_local volatile unsigned steps;
static _Thread_local int line_of_break;

static void goes_well(void *context)
{
    mutex_lock(&lock);
    (*(unsigned *)context)++;
    mutex_unlock(&lock);
    require(steps < 1000);
}

static void breaks(void *context)
{
    steps = 1;
    line_of_break = __LINE__ + 1;
    require(context == NULL);
    steps = 2;
}

static void breaks_behind_a_lock(void *context)
{
    mutex_lock(&lock);
    mutex_unlock(&lock);
    breaks(context);
}

static void only_the_work_ends(void **state)
{
    (void)state;
    struct panic_report report = {0};
    unsigned count = 0;
    assert_true(panic_contain(goes_well, &count, &report));
    assert_int_equal(count, 1);
    assert_null(report.text);
    assert_false(panic_contain(breaks_behind_a_lock, &count, &report));
    assert_int_equal(steps, 1);
    assert_string_equal(report.text, "broken invariant: context == NULL");
    assert_non_null(strstr(report.file, "test_panic.c"));
    assert_int_equal(report.line, line_of_break);
    assert_true(panic_contain(goes_well, &count, &report)); /* and again, as if nothing had been */
    assert_int_equal(count, 2);
    assert_false(panic_shared_held());
}

/* --- what ends the process ----------------------------------------------------------------------------------------- */

/* Whether a process that does this is aborted. */
static bool aborts(void (*doing)(void))
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        close(STDERR_FILENO);
        doing();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

static void contain(void (*work)(void *))
{
    struct panic_report report;
    int something;
    panic_contain(work, &something, &report);
}

static void with_lock(void *context)
{
    mutex_lock(&lock);
    breaks(context);
}

static void with_tried_lock(void *context)
{
    if (mutex_try(&lock)) {
        breaks(context);
    }
}

static void with_read_lock(void *context)
{
    mutex_read_lock(&rwlock);
    breaks(context);
}

static void with_write_lock(void *context)
{
    mutex_write_lock(&rwlock);
    breaks(context);
}

static void with_one_of_two_left(void *context)
{
    panic_shared_enter();
    breaks_behind_a_lock(context);
}

static void shared(void *context)
{
    require_shared(context == NULL);
}

static void fatal(void *context)
{
    (void)context;
    panic("on purpose");
}

static void nested(void *context)
{
    (void)context;
    contain(breaks);
}

static void do_with_lock(void)
{
    contain(with_lock);
}

static void do_with_tried_lock(void)
{
    contain(with_tried_lock);
}

static void do_with_read_lock(void)
{
    contain(with_read_lock);
}

static void do_with_write_lock(void)
{
    contain(with_write_lock);
}

static void do_with_one_left(void)
{
    contain(with_one_of_two_left);
}

static void do_shared(void)
{
    contain(shared);
}

static void do_fatal(void)
{
    contain(fatal);
}

static void do_nested(void)
{
    contain(nested);
}

static void gives_back(void *context)
{
    mutex_unlock(&lock);
    breaks(context);
}

static void do_with_lock_of_before(void)
{
    mutex_lock(&lock);
    contain(breaks);
}

static void do_with_lock_given_back(void)
{
    mutex_lock(&lock);
    contain(gives_back);
}

static void do_alone(void)
{
    breaks(&lock);
}

static void do_after_work_that_broke(void)
{
    contain(breaks);
    breaks(&lock);
}

static void do_leave_nothing(void)
{
    panic_shared_leave();
}

static void do_contained(void)
{
    contain(breaks);
}

static void the_process_ends(void **state)
{
    (void)state;
    static void (*const ending[])(void) = {do_with_lock,
                                           do_with_tried_lock,
                                           do_with_read_lock,
                                           do_with_write_lock,
                                           do_with_one_left,
                                           do_shared,
                                           do_fatal,
                                           do_nested,
                                           do_alone,
                                           do_leave_nothing,
                                           do_after_work_that_broke,
                                           do_with_lock_of_before};
    for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
        assert_true(aborts(ending[i]));
    }
    assert_false(aborts(do_contained));
    assert_false(aborts(do_with_lock_given_back));
}

/* --- threads ------------------------------------------------------------------------------------------------------- */

static void *break_often(void *context)
{
    struct panic_report report;
    for (int i = 0; i < 1000; i++) {
        *(bool *)context = *(bool *)context && !panic_contain(breaks_behind_a_lock, &report, &report);
    }
    return NULL;
}

static void threads_are_apart(void **state)
{
    (void)state;
    pthread_t threads[4];
    bool good[4] = {true, true, true, true};
    mutex_lock(&lock); /* held here: nothing to those, but that they wait for a moment */
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, break_often, &good[i]), 0);
    }
    mutex_unlock(&lock);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_true(good[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_work_ends),
        cmocka_unit_test(the_process_ends),
        cmocka_unit_test(threads_are_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
