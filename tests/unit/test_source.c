/* test_source.c - what an answer was made of: noted, and held against later changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/source.h"

#define HOUR_US 3600000000ull
#define MANY 1000

static struct arena *arena;
static source_place places[MANY + 100];

static int source_setup(void **state)
{
    (void)state;
    arena = arena_new();
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        atomic_store(&places[i], 0);
    }
    return 0;
}

static int source_teardown(void **state)
{
    (void)state;
    sources_end();
    arena_free(arena);
    return 0;
}

static bool listens(const void *who)
{
    return *(const bool *)who;
}

static void true_until_a_place_changes(void **state)
{
    (void)state;
    sources_begin(arena);
    source_add(&places[1], 7);
    source_add(&places[2], 8);
    const struct sources *s = sources_end();
    assert_non_null(s);
    assert_true(sources_are_true(s));
    source_change(&places[1], 7); /* before it was read */
    source_change(&places[2], 8);
    source_change(&places[3], 100);
    assert_true(sources_are_true(s));
    source_change(&places[2], 9);
    assert_false(sources_are_true(s));
}

static void a_place_never_goes_back(void **state)
{
    (void)state;
    source_change(&places[0], 9);
    source_change(&places[0], 4);
    assert_int_equal(atomic_load(&places[0]), 9);
}

static void true_while_all_are_trusted(void **state)
{
    (void)state;
    bool one = true, two = true;
    sources_begin(arena);
    source_trust(listens, &one);
    source_trust(listens, &two);
    source_trust(listens, &one);
    const struct sources *s = sources_end();
    assert_true(sources_are_true(s));
    two = false;
    assert_false(sources_are_true(s));
    two = true;
    one = false;
    assert_false(sources_are_true(s));
}

static void too_many_witnesses_are_unknown(void **state)
{
    (void)state;
    const bool who[SOURCE_WITNESSES + 1] = {true, true, true, true, true};
    sources_begin(arena);
    for (size_t i = 0; i < SOURCE_WITNESSES; i++) {
        source_trust(listens, &who[i]);
    }
    assert_non_null(sources_end());
    sources_begin(arena);
    for (size_t i = 0; i <= SOURCE_WITNESSES; i++) {
        source_trust(listens, &who[i]);
    }
    assert_null(sources_end());
}

static void the_earliest_end_counts(void **state)
{
    (void)state;
    uint64_t now = clock_monotonic_us();
    sources_begin(arena);
    source_until(now + 3 * HOUR_US);
    source_until(now + HOUR_US);
    source_until(now + 2 * HOUR_US);
    const struct sources *s = sources_end();
    assert_true(s->until_us == now + HOUR_US);
    assert_true(sources_are_true(s));
    ((struct sources *)(uintptr_t)s)->until_us = now;
    assert_false(sources_are_true(s));
    sources_begin(arena);
    source_until(now); /* over before it was kept */
    assert_null(sources_end());
}

static void ends_by_the_clock_of_the_site(void **state)
{
    (void)state;
    uint64_t before = clock_monotonic_us();
    sources_begin(arena);
    source_until_site(5000, 65000);
    const struct sources *s = sources_end();
    assert_in_range(s->until_us, before + 60000000, clock_monotonic_us() + 60000000);
    sources_begin(arena);
    source_until_site(5000, UINT64_MAX / 2); /* no overflow */
    assert_non_null(sources_end());
    sources_begin(arena);
    source_until_site(5000, 4000);
    assert_null(sources_end());
}

static void what_is_unknown_stays_so(void **state)
{
    (void)state;
    sources_begin(arena);
    source_unknown();
    source_add(&places[0], 1);
    assert_null(sources_end());
    sources_begin(arena); /* but not for the next */
    source_add(&places[0], 1);
    assert_non_null(sources_end());
}

static void many_are_noted_and_too_many_unknown(void **state)
{
    (void)state;
    sources_begin(arena);
    for (size_t i = 0; i < MANY; i++) {
        source_add(&places[i], i);
    }
    const struct sources *s = sources_end();
    assert_int_equal(s->count, MANY);
    for (size_t i = 0; i < MANY; i++) { /* none was lost when there was not room enough at first */
        assert_ptr_equal(s->items[i].place, &places[i]);
        assert_int_equal(s->items[i].number, i);
    }
    sources_begin(arena);
    for (size_t i = 0; i < MANY + 100; i++) {
        source_add(&places[i], i);
    }
    assert_null(sources_end());
}

static void *note_elsewhere(void *unused)
{
    source_add(&places[5], 1); /* this thread does not note */
    source_unknown();
    return unused;
}

static void each_thread_notes_for_itself(void **state)
{
    (void)state;
    pthread_t other;
    sources_begin(arena);
    source_add(&places[4], 1);
    assert_int_equal(pthread_create(&other, NULL, note_elsewhere, NULL), 0);
    pthread_join(other, NULL);
    const struct sources *s = sources_end();
    assert_int_equal(s->count, 1);
    source_add(&places[6], 1); /* after the end */
    assert_null(sources_end());
    assert_int_equal(s->count, 1);
    assert_int_equal(sources_size(s), sizeof(*s) + sizeof(struct source_item));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, source_setup, source_teardown)
    const struct CMUnitTest tests[] = {
        TEST(true_until_a_place_changes),   TEST(a_place_never_goes_back),
        TEST(true_while_all_are_trusted),   TEST(too_many_witnesses_are_unknown),
        TEST(the_earliest_end_counts),      TEST(ends_by_the_clock_of_the_site),
        TEST(what_is_unknown_stays_so),     TEST(many_are_noted_and_too_many_unknown),
        TEST(each_thread_notes_for_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
