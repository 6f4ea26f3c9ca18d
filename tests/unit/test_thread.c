/* test_thread.c - the shape of conversations (posts/thread.h): the order in which they are read, damaged and old data included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "social/posts/thread.h"
#include "store/store.h"

static struct arena *arena;

static int begin(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

#define BASE 100000000000000000u /* an id has 18 digits; those of the tests are small numbers on top of that */

/* Of pairs (id, parent); every author is id % 10 + 1. */
static struct thread shape(const uint64_t (*pairs)[2], size_t count)
{
    struct store_reply members = {.type = STORE_ARRAY, .count = count};
    members.items = arena_zero(arena, (count + 1) * sizeof(*members.items));
    for (size_t i = 0; i < count; i++) {
        const struct thread_entry e = {BASE + pairs[i][0], BASE + pairs[i][1], BASE + pairs[i][0] % 10 + 1, false};
        const char *text = thread_member(arena, &e);
        members.items[i] = (struct store_reply){.type = STORE_STRING, .text = text, .length = strlen(text)};
    }
    return thread_of(arena, &members);
}

#define SHAPE(pairs) shape(pairs, sizeof(pairs) / sizeof((pairs)[0]))

static void assert_places(const struct thread *t, uint64_t id, const char *expected)
{
    size_t count;
    const struct thread_place *places = thread_descendants(arena, t, BASE + id, &count);
    const char *found = "";
    for (size_t i = 0; i < count; i++) {
        found = arena_printf(arena, "%s%s%llu/%u", found, i ? " " : "", (unsigned long long)(places[i].id - BASE),
                             places[i].depth);
    }
    assert_string_equal(found, expected);
}

static const uint64_t tree[][2] = {{20, 10}, {30, 10}, {21, 20}, {22, 20}, {31, 30}, {40, 10}, {23, 21}, {32, 31}};

static void descendants_are_read_depth_first(void **state)
{
    (void)state;
    const struct thread t = SHAPE(tree);
    assert_places(&t, 10, "20/1 21/2 23/3 22/2 30/1 31/2 32/3 40/1");
    assert_places(&t, 20, "21/1 23/2 22/1");
    assert_places(&t, 40, "");
    assert_places(&t, 99, "");
    assert_int_equal(thread_answers(&t, BASE + 10), 3);
    assert_int_equal(thread_answers(&t, BASE + 40), 0);
    assert_int_equal(t.newest, BASE + 40);
}

static void ancestors_begin_with_the_first(void **state)
{
    (void)state;
    uint64_t out[THREAD_ANCESTORS_MOST];
    const struct thread t = SHAPE(tree);
    assert_int_equal(thread_ancestors(arena, &t, BASE + 31, THREAD_ANCESTORS_MOST, out), 3);
    assert_int_equal(out[0], BASE + 10);
    assert_int_equal(out[1], BASE + 30);
    assert_int_equal(out[2], BASE + 31);
    assert_int_equal(thread_ancestors(arena, &t, BASE + 10, THREAD_ANCESTORS_MOST, out),
                     1); /* the first of all is no entry */
    assert_int_equal(thread_ancestors(arena, &t, 0, THREAD_ANCESTORS_MOST, out), 0);
    assert_int_equal(thread_ancestors(arena, &t, BASE + 77, THREAD_ANCESTORS_MOST, out),
                     1); /* of an older version, or gone */
}

/* A long chain: the nearest ancestors, or all. */
static void chains_are_bounded(void **state)
{
    (void)state;
    enum { LENGTH = THREAD_ANCESTORS_MOST + 30 };
    uint64_t pairs[LENGTH][2], out[THREAD_ANCESTORS_MOST];
    for (size_t i = 0; i < LENGTH; i++) {
        pairs[i][0] = i + 2;
        pairs[i][1] = i + 1;
    }
    const struct thread t = shape((const uint64_t(*)[2])pairs, LENGTH);
    assert_int_equal(thread_ancestors(arena, &t, BASE + LENGTH, THREAD_ANCESTORS_MOST, out), THREAD_ANCESTORS_MOST);
    assert_int_equal(out[THREAD_ANCESTORS_MOST - 1], BASE + LENGTH);
    assert_int_equal(out[0], BASE + LENGTH - THREAD_ANCESTORS_MOST + 1);
    uint64_t whole[LENGTH + 1];
    assert_int_equal(thread_ancestors(arena, &t, BASE + LENGTH + 1, LENGTH + 1, whole), LENGTH + 1);
    assert_int_equal(whole[0], BASE + 1);
    assert_int_equal(whole[LENGTH], BASE + LENGTH + 1);
    size_t count;
    const struct thread_place *places = thread_descendants(arena, &t, BASE + 1, &count);
    assert_int_equal(count, LENGTH);
    assert_int_equal(places[LENGTH - 1].depth, LENGTH);
    assert_int_equal(places[LENGTH - 1].id, BASE + LENGTH + 1);
}

/* No member of such a set stops anything. */
static void damage_is_survived(void **state)
{
    (void)state;
    static const uint64_t circle[][2] = {{20, 30}, {30, 20}, {40, 40}};
    uint64_t out[THREAD_ANCESTORS_MOST];
    const struct thread t = SHAPE(circle);
    size_t count;
    thread_descendants(arena, &t, BASE + 20, &count);
    assert_in_range(count, 1, 3);
    thread_descendants(arena, &t, BASE + 40, &count);
    assert_in_range(count, 1, 3);
    assert_int_equal(thread_ancestors(arena, &t, BASE + 20, THREAD_ANCESTORS_MOST, out), THREAD_ANCESTORS_MOST);
#define A "100000000000000001"
#define B "100000000000000002"
#define C "100000000000000003"
    static const char *const strange[] = {
        "",  A,         A " " B,      A " " B " x",       "x " B " " C,       A "  " C,
        " ", A " 0 " C, A " " B " 0", A " " B " " C " x", A " " B " " C " - "};
    for (size_t i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
        assert_int_equal(thread_entry_of(strange[i]).id, 0);
    }
    assert_true(thread_entry_of(A " " B " " C " -").is_aside);
    assert_false(thread_entry_of(A " " B " " C).is_aside);
    assert_int_equal(thread_entry_of(A " " B " " C " -").author, BASE + 3);
    assert_int_equal(thread_entry_of(A " " B " " C).id, BASE + 1);
    assert_int_equal(thread_entry_of(A " " B " " C).parent, BASE + 2);
    assert_int_equal(thread_entry_of(A " " B " " C).author, BASE + 3);
}

/* Answers of an older version come beside those that are there, none twice. */
static void old_answers_are_added(void **state)
{
    (void)state;
    struct thread t = SHAPE(tree);
    thread_add(arena, &t, BASE + 10, (const uint64_t[]){BASE + 20, BASE + 25, BASE + 50}, 3);
    assert_places(&t, 10, "20/1 21/2 23/3 22/2 25/1 30/1 31/2 32/3 40/1 50/1");
    assert_int_equal(thread_answers(&t, BASE + 10), 5);
}

static void people_are_counted_once(void **state)
{
    (void)state;
    struct thread t = SHAPE(tree); /* authors 1, 2, 3, 4 */
    assert_int_equal(thread_people(arena, &t, BASE + 1), 4);
    assert_int_equal(thread_people(arena, &t, BASE + 9), 5);
    for (size_t i = 0; i < t.count; i++) {
        t.entries[i].is_aside = t.entries[i].id == BASE + 23; /* all that author 4 wrote */
    }
    assert_int_equal(thread_people(arena, &t, BASE + 9), 4);
    thread_add(arena, &t, BASE + 10, (const uint64_t[]){BASE + 25}, 1); /* nobody knows whose */
    assert_int_equal(thread_people(arena, &t, BASE + 9), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(descendants_are_read_depth_first, begin, end),
        cmocka_unit_test_setup_teardown(ancestors_begin_with_the_first, begin, end),
        cmocka_unit_test_setup_teardown(chains_are_bounded, begin, end),
        cmocka_unit_test_setup_teardown(damage_is_survived, begin, end),
        cmocka_unit_test_setup_teardown(old_answers_are_added, begin, end),
        cmocka_unit_test_setup_teardown(people_are_counted_once, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
