/* test_turn.c - in which order those who wait are let in, and who finds no place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/turn.h"

#define MOST 64

static struct turn line;
static pthread_t threads[MOST];
static struct arrival {
    struct turn_claim claim;
    char name[4];
} arrivals[MOST];
static unsigned count;
static _Atomic unsigned away;
static char order[MOST * 4]; /* of those who came in: one is in at a time, so nobody else writes */

static void *come(void *argument)
{
    struct arrival *a = argument;
    if (turn_enter(&line, &a->claim)) {
        strcat(strcat(order, *order ? " " : ""), a->name);
        turn_leave(&line);
    } else {
        away++;
    }
    return NULL;
}

/* These come one after the other: "a1 b1 A1" are two strangers and somebody known; the letter says who it is. */
static void arrive(const char *names)
{
    static const char *const who[] = {"a", "b", "c", "d", "e", "f"};
    for (const char *p = names; *p; p += strspn(p, " ")) {
        struct arrival *a = &arrivals[count];
        size_t length = strcspn(p, " ");
        snprintf(a->name, sizeof(a->name), "%.*s", (int)length, p);
        a->claim = (struct turn_claim){who[(*p | 0x20) - 'a'], *p < 'a'};
        unsigned before = turn_waiting(&line), away_before = away;
        assert_int_equal(pthread_create(&threads[count++], NULL, come, a), 0);
        while (turn_waiting(&line) == before && away == away_before) { /* one who takes a place sends somebody away */
            clock_sleep_ms(1);
        }
        p += length;
    }
}

/* Who is in leaves; the order in which the others came in. */
static const char *then(void)
{
    turn_leave(&line);
    for (unsigned i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    return order;
}

static int setup(void **state)
{
    (void)state;
    line = (struct turn)TURN_INIT(1, 4);
    count = 0;
    away = 0;
    *order = '\0';
    return turn_enter(&line, NULL) ? 0 : -1;
}

static void lets_each_in_turn(void **state)
{
    (void)state;
    line.places = 16;
    arrive("a1 a2 a3 a4 b1 b2 c1");
    assert_string_equal(then(), "a1 b1 c1 a2 b2 a3 a4");
    assert_int_equal(away, 0);
}

static void lets_the_known_go_first(void **state)
{
    (void)state;
    line.places = 16;
    arrive("a1 b1 c1 A1 A2 B1 A3 C1 D1");
    assert_string_equal(then(), "A1 B1 C1 a1 D1 A2 A3 b1 c1");
}

static void keeps_nobody_out_for_one(void **state)
{
    (void)state;
    arrive("a1 a2 a3 a4 a5 a6");
    assert_int_equal(away, 2);
    arrive("b1 c1 d1");
    assert_int_equal(away, 5);
    arrive("e1 a7 b2"); /* all four are others now, and have the next round */
    assert_int_equal(away, 8);
    arrive("A1 A2");
    assert_string_equal(then(), "A1 A2 a1 b1 c1 d1");
    assert_int_equal(away, 8);
}

/* Who comes later does not go before the second turn of those who wait already. */
static void lets_nobody_wait_for_ever(void **state)
{
    (void)state;
    line.places = 16;
    arrive("a1 a2 b1");
    struct turn_claim me = {"f", true};
    assert_int_equal(turn_waiting(&line), 3);
    line.lines[false].round = 1; /* as if the first round had begun */
    arrive("c1 d1");
    assert_string_equal(then(), "a1 b1 a2 c1 d1");
    assert_true(turn_enter(&line, &me));
    turn_leave(&line);
}

static void lets_several_in(void **state)
{
    (void)state;
    struct turn two = TURN_INIT(2, 0);
    const struct turn_claim me = {"a", false}, known = {"b", true};
    assert_true(turn_enter(&two, &me));
    assert_true(turn_enter(&two, &me));
    assert_false(turn_enter(&two, &me));
    assert_false(turn_enter(&two, &known));
    turn_leave(&two);
    assert_true(turn_enter(&two, &known));
    assert_false(turn_enter(&two, NULL));
    turn_leave(&two);
    turn_leave(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(lets_each_in_turn, setup),
        cmocka_unit_test_setup(lets_the_known_go_first, setup),
        cmocka_unit_test_setup(keeps_nobody_out_for_one, setup),
        cmocka_unit_test_setup(lets_nobody_wait_for_ever, setup),
        cmocka_unit_test(lets_several_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
