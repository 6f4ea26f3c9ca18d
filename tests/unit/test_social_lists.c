/* test_social_lists.c - lists of people: whose they are, guesses that are out of date, and who is asked for a page.
 * Posts are put into the engine by hand, so no test waits for a time to pass.
 */
#include "social_case.h"

#include <stdlib.h>

#include "social/people/visit.h"
#include "social/timelines/list.h"
#include "social/timelines/timeline.h"

#define PAGE 20

static uint64_t alice, bob, carol;

static int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    carol = person(name_in(9, 0));
    return 0;
}

static void change(uint64_t list, const char *name, bool on)
{
    struct follow_item item = {.name = name};
    assert_int_equal(list_change_members(social, arena, as(alice), list, on, &item, 1, none()), ERR_OK);
}

static struct list read_list(uint64_t id, struct timeline_page *page)
{
    struct timeline_query q = {.limit = PAGE};
    struct visit *v = visit_begin_as(social, arena, alice);
    const struct list_timeline *t = list_timeline_ask(v, id, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    *page = t->page;
    return t->list;
}

static size_t posts_on(uint64_t id)
{
    struct timeline_page page;
    read_list(id, &page);
    return page.count;
}

/* As many members as last time, but another. */
static void test_member_changed_for_another(void **state)
{
    (void)state;
    uint64_t id;
    struct problems problems = {.count = 0};
    assert_int_equal(list_create(social, arena, as(alice), "friends", &id, &problems), ERR_OK);
    change(id, name_in(8, 0), true);
    put_post(carol, clock_site_ms() - 1000);
    const char *since = store_text(ask(7, "ZSCORE", key_id(arena, KEY_MEMBERS, id), id_text(arena, bob), NULL));
    assert_in_range((uint64_t)(strtod(since, NULL) / 1000), clock_site_ms() - 60000, clock_site_ms());
    for (unsigned i = 0; i < 2; i++) { /* the second time there is a guess, and it is right */
        assert_int_equal(posts_on(id), 0);
    }
    change(id, name_in(8, 0), false);
    change(id, name_in(9, 0), true);
    assert_int_equal(posts_on(id), 1);
}

/* --- lists of more people than a page asks ------------------------------------------------------------------------- */

#define MEMBERS 40

static uint64_t members[MEMBERS], newest_of[MEMBERS];

/* Each has one post, the first the newest. Twenty-six of them are asked for a page (list_timeline.c). */
static uint64_t long_list(void)
{
    uint64_t id;
    struct problems problems = {.count = 0};
    assert_int_equal(list_create(social, arena, as(alice), "many", &id, &problems), ERR_OK);
    for (unsigned i = 0; i < MEMBERS; i++) {
        members[i] = person(name_in(20 + i, 0));
        newest_of[i] = put_post(members[i], clock_site_ms() - (i + 1) * 1000);
        change(id, name_in(20 + i, 0), true);
    }
    return id;
}

/* The page consists of the newest posts. Says how many round trips it took. */
static unsigned assert_newest(uint64_t id)
{
    struct timeline_page page;
    store_trips_reset();
    struct list list = read_list(id, &page);
    unsigned trips = store_trips();
    assert_int_equal(list.members, MEMBERS);
    assert_int_equal(page.count, PAGE);
    assert_true(page.has_older);
    for (unsigned i = 0; i < PAGE; i++) {
        assert_int_equal(page.posts[i].id, newest_of[i]);
    }
    return trips;
}

static void test_only_the_owner_changes_a_list(void **state)
{
    (void)state;
    uint64_t id, other = person(name_in(7, 1));
    struct problems problems = {.count = 0};
    struct follow_item item = {.name = name_in(8, 0)};
    assert_int_equal(list_create(social, arena, as(alice), "mine", &id, &problems), ERR_OK);
    assert_int_equal(list_change_members(social, arena, as(other), id, true, &item, 1, none()), ERR_NOT_FOUND);
    struct follow_item nobody = {.name = "nobody_at_all"};
    assert_int_equal(list_change_members(social, arena, as(other), id, true, &nobody, 1, none()), ERR_NOT_FOUND);
    assert_int_equal(list_change_members(social, arena, as(alice), id, true, &nobody, 1, none()), ERR_OK);
    assert_int_equal(list_rename(social, arena, as(other), id, "theirs", &problems), ERR_NOT_FOUND);
    change(id, item.name, true);
    assert_int_equal(list_change_members(social, arena, as(other), id, false, &item, 1, none()), ERR_NOT_FOUND);
    assert_int_equal(list_delete(social, arena, as(other), id), ERR_NOT_FOUND);
    const char *members_key = key_id(arena, KEY_MEMBERS, id);
    assert_int_equal(store_integer(ask(7, "ZCARD", members_key, NULL, NULL)), 1);
    assert_int_equal(list_delete(social, arena, as(alice), id), ERR_OK);
    assert_int_equal(list_delete(social, arena, as(alice), id), ERR_NOT_FOUND);
    assert_int_equal(list_delete(social, arena, as(other), id), ERR_NOT_FOUND); /* as if there had never been one */
    assert_int_equal(store_integer(ask(7, "EXISTS", members_key, NULL, NULL)), 0);
}

/* A title is one list's; its own it may be given again. */
static void test_titles(void **state)
{
    (void)state;
    uint64_t one, two;
    struct problems problems = {.count = 0};
    assert_int_equal(list_create(social, arena, as(alice), "one", &one, &problems), ERR_OK);
    assert_int_equal(list_create(social, arena, as(alice), "two", &two, &problems), ERR_OK);
    assert_int_equal(list_rename(social, arena, as(alice), one, "one", &problems), ERR_OK);
    assert_int_equal(list_rename(social, arena, as(alice), one, "two", none()), ERR_TAKEN);
    assert_int_equal(list_rename(social, arena, as(alice), one, "three", &problems), ERR_OK);
    assert_int_equal(list_rename(social, arena, as(alice), two, "one", &problems), ERR_OK);
    assert_string_equal(store_text(ask(7, "HGET", key_id(arena, KEY_LIST, one), "title", NULL)), "three");
    assert_string_equal(store_text(ask(7, "HGET", key_id(arena, KEY_LIST, two), "title", NULL)), "one");
}

static void set_newest(unsigned i, const char *post)
{
    ask(20 + i, "SET", key_id(arena, KEY_NEWEST, members[i]), post, NULL);
}

/* The second time it is known who has the newest posts. */
static void test_only_the_newest_are_asked(void **state)
{
    (void)state;
    uint64_t id = long_list();
    assert_newest(id);
    assert_int_equal(assert_newest(id), 2);
    ask(20, "DEL", key_id(arena, KEY_NEWEST, members[0]), NULL, NULL); /* nobody knows: he is asked */
    assert_int_equal(assert_newest(id), 2);
}

/* Whose newest post was deleted stands in front of others, and has only old ones. */
static void test_newest_that_are_gone(void **state)
{
    (void)state;
    uint64_t id = long_list();
    for (unsigned i = 30; i < MEMBERS; i++) {
        set_newest(i, id_text(arena, id_of_ms(clock_site_ms()) | (20 + i) << 6));
    }
    assert_newest(id);
    assert_in_range(assert_newest(id), 3, 6); /* all are asked after all */
}

static void test_deleted_member_is_taken_off(void **state)
{
    (void)state;
    uint64_t id = long_list();
    assert_int_equal(user_delete(social, arena, as_command(), members[0]), ERR_OK);
    struct follow_query q = {.limit = MEMBERS};
    struct visit *v = visit_begin_as(social, arena, alice);
    const struct list_members *m = list_members_ask(v, id, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(m->list.members, MEMBERS);
    assert_int_equal(m->page.count, MEMBERS - 1);
    const char *key = key_id(arena, KEY_MEMBERS, id);
    for (unsigned i = 0; i < 5000 && store_integer(ask(7, "ZCARD", key, NULL, NULL)) == MEMBERS; i++) {
        clock_sleep_ms(2); /* nobody waits for that */
    }
    assert_int_equal(store_integer(ask(7, "ZCARD", key, NULL, NULL)), MEMBERS - 1);
}

#define list_case(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static const struct CMUnitTest tests[] = {
    list_case(test_titles),
    list_case(test_only_the_owner_changes_a_list),
    list_case(test_member_changed_for_another),
    list_case(test_only_the_newest_are_asked),
    list_case(test_newest_that_are_gone),
    list_case(test_deleted_member_is_taken_off),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
