/* test_store_pool.c - connections that are waited for, that have gone silent while nobody used them, that are lent when
 * the program ends, and how often an engine that is away is tried.
 */
#include "asleep.h"
#include "shifted_clock.h"
#include "store_case.h"

#include "store/breaker.h"
#include "store/connection.h"
#include "store/loan.h"
#include "store/waiters.h"

#define SECOND_US INT64_C(1000000)

/* --- the breaker --------------------------------------------------------------------------------------------------- */

/* How far away the next try is when so many have failed, in us; at most, of many cases. */
static uint64_t longest_wait(unsigned failures, bool healed)
{
    struct breaker b;
    uint64_t longest = 0;
    for (unsigned seed = 0; seed < 50; seed++) {
        breaker_setup(&b, seed);
        for (unsigned i = 0; i < failures; i++) {
            breaker_trip(&b, ERR_UNAVAILABLE);
        }
        if (healed) {
            breaker_heal(&b);
            assert_int_equal(breaker_ask(&b), BREAKER_CLOSED);
            breaker_trip(&b, ERR_UNAVAILABLE);
        }
        uint64_t now = clock_monotonic_us(), wait = b.next_try_us > now ? b.next_try_us - now : 0;
        longest = wait > longest ? wait : longest;
    }
    return longest;
}

/* An outage, the engine is back, another outage: the first is forgotten. */
static void test_back_off_begins_anew(void **state)
{
    (void)state;
    assert_true(longest_wait(1, false) <= SECOND_US / 10);
    assert_in_range(longest_wait(12, false), SECOND_US, 5 * SECOND_US);
    assert_true(longest_wait(12, true) <= SECOND_US / 10);
}

/* The log has a line for the beginning of an outage, and one for its end, however often the engine was tried. */
static void test_outage_is_told_once(void **state)
{
    (void)state;
    struct breaker b;
    breaker_setup(&b, 1);
    for (unsigned outage = 0; outage < 2; outage++) {
        assert_true(breaker_trip(&b, ERR_UNAVAILABLE));
        assert_false(breaker_trip(&b, ERR_UNAVAILABLE));
        breaker_reset(&b);
        assert_false(breaker_trip(&b, ERR_UNAVAILABLE));
        assert_true(breaker_heal(&b));
        assert_false(breaker_heal(&b));
    }
}

/* --- a pool of one ------------------------------------------------------------------------------------------------- */

static _Atomic bool held;
static const char *_Atomic ending;

static const char *hold(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "HOLD") != 0) {
        return "+OK\r\n";
    }
    while (held) {
        clock_sleep_ms(1);
    }
    return ending;
}

static void *hold_it(void *argument)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(argument, a);
    store_batch_once(b); /* does not come back for the connection */
    store_command(b, 0, "HOLD", NULL);
    store_run(b);
    arena_free(a);
    return NULL;
}

static void *wait_for_it(void *argument)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(argument, a);
    store_command(b, 0, "PING", NULL);
    require(store_run(b) == ERR_OK);
    arena_free(a);
    return NULL;
}

/* Us from the moment when the only connection is free, or lost, until who waited so long for it has his answer. */
static uint64_t time_of_waiter(const char *answer, int64_t waited_ms)
{
    struct fake_redis fake = {0};
    pthread_t holder, waiter;
    held = true;
    ending = answer;
    fake_redis_start(&fake, hold);
    struct config c = private_redis_config(fake.url);
    c.redis.connections = 1;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    assert_int_equal(pthread_create(&holder, NULL, hold_it, s), 0);
    while (fake.commands == 0) {
        clock_sleep_ms(1);
    }
    assert_int_equal(pthread_create(&waiter, NULL, wait_for_it, s), 0);
    clock_sleep_ms(waited_ms);
    uint64_t start = clock_monotonic_us();
    held = false;
    pthread_join(waiter, NULL);
    uint64_t time = elapsed_us(start);
    pthread_join(holder, NULL);
    store_close(s);
    fake_redis_stop(&fake);
    return time;
}

/* He is woken. Else he would look by himself, a second after he came. */
static void test_waiter_is_woken(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        int64_t waited_ms; /* it is handed to who has waited long; another is woken, and finds it himself */
    } endings[] = {{"+OK\r\n", 50}, {"+OK\r\n", 5}, {NULL, 50}, {"+OK\r\n+and more\r\n", 50}};
    for (size_t i = 0; i < COUNT(endings); i++) {
        uint64_t best = UINT64_MAX;
        for (unsigned tries = 0; tries < 5 && best > SECOND_US / 2; tries++) { /* the machine may be busy */
            uint64_t time = time_of_waiter(endings[i].answer, endings[i].waited_ms);
            best = time < best ? time : best;
        }
        assert_true(best <= SECOND_US / 2);
    }
}

/* --- whose turn it is ---------------------------------------------------------------------------------------------- */

static char order[8]; /* of commands: their first letters */

static const char *note_order(const char *command, int nth)
{
    order[nth < (int)sizeof(order) - 2 ? nth : (int)sizeof(order) - 2] = command[0];
    return "+OK\r\n";
}

static _Atomic int waiter_id;

static void *wait_in_line(void *argument)
{
    waiter_id = asleep_id();
    return wait_for_it(argument);
}

/* Who has the only connection gives it back and wants it again at once, when another has waited a second for it. */
static void take_it_twice(void)
{
    struct fake_redis fake = {0};
    pthread_t waiter;
    memset(order, 0, sizeof(order));
    waiter_id = 0;
    fake_redis_start(&fake, note_order);
    struct config c = private_redis_config(fake.url);
    c.redis.connections = 1;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    struct store_batch *first = store_batch_new(s, arena), *second = store_batch_new(s, arena);
    store_command(first, 0, "FIRST", NULL);
    store_command(second, 0, "SECOND", NULL);
    store_start(first);
    assert_int_equal(pthread_create(&waiter, NULL, wait_in_line, s), 0);
    while (!waiter_id || !asleep_is(waiter_id)) {
        clock_sleep_ms(1);
    }
    shift_s = 1;
    assert_int_equal(store_run(first), ERR_OK);
    assert_int_equal(store_run(second), ERR_OK);
    pthread_join(waiter, NULL);
    shift_s = 0;
    store_close(s);
    fake_redis_stop(&fake);
}

/* He who has waited for long comes first: not when he happens to be quick, but every time. */
static void test_waiter_has_his_turn(void **state)
{
    (void)state;
    for (int i = 0; i < 30; i++) {
        take_it_twice();
        assert_string_equal(order, "FPS");
    }
}

/* Who waits for a line, where others wait for him, comes before those who wait for themselves; else in turn. */
static void test_order_of_waiters(void **state)
{
    (void)state;
    struct waiters all;
    struct waiter single[2], shared[2];
    waiters_setup(&all);
    waiter_enter(&all, &single[0], false);
    waiter_enter(&all, &shared[0], true);
    waiter_enter(&all, &single[1], false);
    waiter_enter(&all, &shared[1], true);
    const struct waiter *expected[] = {&shared[0], &shared[1], &single[0], &single[1]};
    const struct waiter *w = all.first;
    for (unsigned i = 0; i < COUNT(expected); i++, w = w->next) {
        assert_ptr_equal(w, expected[i]);
    }
    assert_null(w);
    waiter_leave(&all, &single[1]);
    waiter_leave(&all, &single[0]);
    waiter_leave(&all, &shared[1]);
    waiter_enter(&all, &single[0], false);
    assert_ptr_equal(shared[0].next, &single[0]);
    waiter_leave(&all, &shared[0]);
    waiter_leave(&all, &single[0]);
}

/* --- a connection that nobody used for long ------------------------------------------------------------------------ */

static const char *fall_silent(const char *command, int nth)
{
    (void)command;
    while (nth == 1 && held) {
        clock_sleep_ms(1);
    }
    return nth == 1 ? NULL : "+OK\r\n";
}

/* What stood between dropped it without a word: that is found out before anything depends on it. */
static void test_silent_connection_is_noticed(void **state)
{
    (void)state;
    struct fake_redis fake = {0};
    held = true;
    fake_redis_start(&fake, fall_silent);
    struct store *s = open_impatient(fake.url);
    shift_s = -40;
    assert_int_equal(run_on(s, NULL, "X", NULL, NULL), ERR_OK);
    shift_s = 0;
    assert_int_equal(run_on(s, NULL, "X", NULL, NULL), ERR_OK);
    assert_int_equal(fake.server.connections, 2);
    held = false;
    store_close(s);
    fake_redis_stop(&fake);
}

/* --- the end ------------------------------------------------------------------------------------------------------- */

static const char *say_ok(const char *command, int nth)
{
    (void)command;
    (void)nth;
    return "+OK\r\n";
}

/* Nobody waits on when the program ends: neither who has a connection, nor who was just opening one. */
static void test_end_breaks_what_is_lent(void **state)
{
    (void)state;
    struct fake_redis fake = {0};
    struct connection_target target = {.connect_us = 10 * SECOND_US, .command_us = 10 * SECOND_US};
    struct loans all = {.first = NULL};
    struct loan loans[2] = {0};
    struct connection *c[2];
    char why[CONNECTION_WHY_SIZE];
    enum err e = ERR_OK;
    fake_redis_start(&fake, say_ok);
    assert_true(url_parse(&target.url, fake.url, stderr));
    for (unsigned i = 0; i < COUNT(c); i++) {
        c[i] = connection_dial(&target, &e, why);
        assert_non_null(c[i]);
    }
    loans_add(&all, &loans[0], c[0], 0);
    assert_true(connection_is_alive(c[0]) && connection_is_alive(c[1]));
    loans_break(&all);
    assert_true(!connection_is_alive(c[0]) && connection_is_alive(c[1]));
    loans_add(&all, &loans[1], c[1], 0);
    assert_false(connection_is_alive(c[1]));
    for (unsigned i = 0; i < COUNT(c); i++) {
        connection_free(loans_remove(&loans[i]));
    }
    url_clear(&target.url);
    fake_redis_stop(&fake);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_back_off_begins_anew),
    cmocka_unit_test(test_outage_is_told_once),
    bare(test_waiter_is_woken),
    bare(test_waiter_has_his_turn),
    cmocka_unit_test(test_order_of_waiters),
    bare(test_silent_connection_is_noticed),
    bare(test_end_breaks_what_is_lent),
};

int main(int argc, char **argv)
{
    int status = 0;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
