/* test_social_lists.c - lists of people: whose they are, guesses that are out of date, and who is asked for a page.
 * Posts are put into the engine by hand, so no test waits for a time to pass.
 */
#include "social_case.h"

#include <stdlib.h>

#include "social/people/visit.h"
#include "social/timelines/home.h"
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

/* --- what home and lists show -------------------------------------------------------------------------------------- */

static void follow(uint64_t author)
{
    ask(7, "ZADD", key_id(arena, KEY_FOLLOWING, alice), "1", id_text(arena, author));
    ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "version", "1");
    ask(id_bucket(author), "ZADD", key_id(arena, KEY_FOLLOWERS, author), "1", id_text(arena, alice));
}

/* How many posts alice's home shows: twice, the second time from what is remembered. */
static size_t posts_at_home(void)
{
    size_t counts[2];
    for (unsigned i = 0; i < 2; i++) {
        struct timeline_query q = {.limit = PAGE};
        struct visit *v = visit_begin_as(social, arena, alice);
        const struct home *h = home_ask(v, &q);
        assert_int_equal(visit_read(v), ERR_OK);
        counts[i] = h->page.count;
    }
    assert_int_equal(counts[0], counts[1]);
    return counts[0];
}

static void set_list(uint64_t id, bool is_exclusive, enum list_replies replies)
{
    assert_int_equal(list_set(social, arena, as(alice), id, is_exclusive, replies, none()), ERR_OK);
}

/* Whatever changes who is on an exclusive list is seen in her home at once, in every mode. */
static void test_exclusive_lists(void **state)
{
    (void)state;
    follow(bob);
    follow(carol);
    put_post(bob, clock_site_ms() - 3000);
    put_post(carol, clock_site_ms() - 2000);
    for (enum config_mode mode = CONFIG_PUSH; mode <= CONFIG_HYBRID; mode++) {
        uint64_t id, other;
        config.timeline.mode = mode;
        assert_int_equal(product_enter(social, true), ERR_OK);
        assert_int_equal(list_create(social, arena, as(alice), "apart", &id, none()), ERR_OK);
        assert_int_equal(list_create(social, arena, as(alice), "as well", &other, none()), ERR_OK);
        change(id, name_in(8, 0), true);
        change(other, name_in(9, 0), true);
        assert_int_equal(posts_at_home(), 2);
        set_list(id, true, LIST_REPLIES_LIST);
        assert_int_equal(posts_at_home(), 1);
        assert_int_equal(posts_on(id), 1);
        change(id, name_in(8, 0), false);
        assert_int_equal(posts_at_home(), 2);
        change(id, name_in(8, 0), true);
        assert_int_equal(posts_at_home(), 1);
        set_list(other, true, LIST_REPLIES_NONE);
        assert_int_equal(posts_at_home(), 0);
        set_list(other, false, LIST_REPLIES_NONE);
        assert_int_equal(posts_at_home(), 1);
        assert_int_equal(list_delete(social, arena, as(alice), id), ERR_OK);
        assert_int_equal(posts_at_home(), 2);
        assert_int_equal(list_delete(social, arena, as(alice), other), ERR_OK);
    }
}

/* Once it is known who is on it, an exclusive list costs no round trip. */
static void test_exclusive_lists_cost_nothing(void **state)
{
    (void)state;
    uint64_t id;
    follow(bob);
    put_post(bob, clock_site_ms() - 3000);
    posts_at_home();
    store_trips_reset();
    posts_at_home();
    unsigned before = store_trips();
    assert_int_equal(list_create(social, arena, as(alice), "apart", &id, none()), ERR_OK);
    set_list(id, true, LIST_REPLIES_LIST);
    posts_at_home();
    store_trips_reset();
    posts_at_home();
    assert_int_equal(store_trips(), before);
}

static uint64_t put_answer(uint64_t author, uint64_t to)
{
    static uint64_t at;
    uint64_t id = put_post(author, clock_site_ms() - 5000 + at++);
    struct store_batch *b = new_batch();
    record_put(b, RECORD_POST, id,
               &(struct record_post){.reply_to = put_post(to, clock_site_ms() - 3600000 - at),
                                     .reply_author = arena_printf(arena, "%s:somebody", id_text(arena, to))});
    assert_int_equal(store_run(b), ERR_OK);
    return id;
}

/* Bob is on the list; he answers a stranger, somebody whom alice follows, another on the list, alice, and himself. */
static void test_which_answers_a_list_shows(void **state)
{
    (void)state;
    static const struct {
        enum list_replies replies;
        const char *shown;
    } rows[] = {{LIST_REPLIES_LIST, "..xxx"}, {LIST_REPLIES_FOLLOWED, ".x.xx"}, {LIST_REPLIES_NONE, "...xx"}};
    uint64_t id, dave = person(name_in(10, 0)), eve = person(name_in(11, 0));
    assert_int_equal(list_create(social, arena, as(alice), "them", &id, none()), ERR_OK);
    change(id, name_in(8, 0), true);
    change(id, name_in(9, 0), true);
    follow(eve);
    const uint64_t to[] = {dave, eve, carol, alice, bob};
    uint64_t answers[COUNT(to)];
    for (size_t i = 0; i < COUNT(to); i++) {
        answers[i] = put_answer(bob, to[i]);
    }
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct timeline_page page;
        set_list(id, false, rows[r].replies);
        assert_int_equal(read_list(id, &page).replies, rows[r].replies);
        for (size_t i = 0; i < COUNT(to); i++) {
            bool found = false;
            for (size_t k = 0; k < page.count; k++) {
                found = found || page.posts[k].id == answers[i];
            }
            if (found != (rows[r].shown[i] == 'x')) {
                fail_msg("%s, answer %zu: %s", list_replies_word(rows[r].replies), i, found ? "shown" : "hidden");
            }
        }
    }
    assert_int_equal(list_set(social, arena, as(alice), id, false, list_replies_of("some"), none()), ERR_INVALID);
    assert_int_equal(list_replies_of(""), LIST_REPLIES_LIST);
}

static const struct CMUnitTest tests[] = {
    list_case(test_titles),
    list_case(test_only_the_owner_changes_a_list),
    list_case(test_member_changed_for_another),
    list_case(test_only_the_newest_are_asked),
    list_case(test_newest_that_are_gone),
    list_case(test_deleted_member_is_taken_off),
    list_case(test_exclusive_lists),
    list_case(test_exclusive_lists_cost_nothing),
    list_case(test_which_answers_a_list_shows),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
