/* test_social_notice_list.c - the page of notices: who is in it, in which order, what was seen, and what was taken away.
 */
#include "notice_case.h"

#include "social/people/visit.h"
#include "social/people/visit_numbers.h"
#include "social/people/visit_read.h"

#define DAY_US 86400000000LL

static struct notice_page read_page(uint64_t uid, struct notice_query q)
{
    struct visit *v = visit_begin_as(social, arena, uid);
    q.at.limit = q.at.limit ? q.at.limit : 20;
    const struct notice_page *page = notice_page_ask(v, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    return *page;
}

static struct notice_page read_all(uint64_t uid)
{
    return read_page(uid, (struct notice_query){.kinds = 0});
}

static int64_t unread(uint64_t uid)
{
    struct visit *v = visit_begin_as(social, arena, uid);
    const int64_t *count = &notice_unread_ask(v)->count;
    assert_int_equal(visit_read(v), ERR_OK);
    return *count;
}

/* Somebody favourites a post of alice's. */
static void favourite(uint64_t post, uint64_t uid, int64_t us)
{
    const char *time = arena_printf(arena, "%lld", (long long)us);
    ask(id_bucket(post), "ZADD", key_id(arena, KEY_FAVOURITES, post), time, id_text(arena, uid));
    tell(alice, uid, notice_group(arena, NOTICE_FAVOURITE, post), us);
}

static void take_favourite(uint64_t post, uint64_t uid)
{
    ask(id_bucket(post), "ZREM", key_id(arena, KEY_FAVOURITES, post), id_text(arena, uid), NULL);
}

static void follow_at(uint64_t follower, int64_t us)
{
    struct store_batch *b = new_batch();
    script_follower_add(
        b, &(struct script_follower){.uid = alice, .follower = follower, .state = FOLLOWER_STATE_ON, .now = us});
    assert_int_equal(store_run(b), ERR_OK);
}

static const char *groups(struct notice_page page)
{
    struct buffer out = buffer_make(arena);
    for (size_t i = 0; i < page.count; i++) {
        buffer_printf(&out, "%s%s", i ? " " : "", page.items[i].group);
    }
    return buffer_string(&out);
}

/* --- who and what -------------------------------------------------------------------------------------------------- */

static void test_grouped(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0);
    favourite(post, bob, 1000);
    favourite(post, carol, 2000);
    struct notice_page page = read_all(alice);
    assert_int_equal(page.count, 1);
    const struct notice *n = &page.items[0];
    assert_int_equal(n->kind, NOTICE_FAVOURITE);
    assert_int_equal(n->at_us, 2000);
    assert_int_equal(n->count, 2);
    assert_int_equal(n->people_count, 2);
    assert_int_equal(n->people[0].id, carol);
    assert_int_equal(n->people[1].id, bob);
    assert_int_equal(n->post.id, post);
    assert_string_equal(n->post.text, "a post");
    assert_true(n->is_unread);
    take_favourite(post, carol);
    page = read_all(alice);
    assert_int_equal(page.items[0].count, 1);
    assert_int_equal(page.items[0].people[0].id, bob);
    take_favourite(post, bob); /* nobody is left */
    assert_int_equal(read_all(alice).count, 0);
}

/* More people than are shown are counted. */
static void test_many_in_one(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0), newest = 0;
    for (unsigned i = 0; i < NOTICE_PEOPLE + 3; i++) {
        newest = person(name_in(20 + i, 0));
        favourite(post, newest, 1000 + i);
    }
    struct notice_page page = read_all(alice);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.items[0].count, NOTICE_PEOPLE + 3);
    assert_int_equal(page.items[0].people_count, NOTICE_PEOPLE);
    assert_int_equal(page.items[0].people[0].id, newest);
}

static void test_followers_by_day(void **state)
{
    (void)state;
    int64_t day = 20414 * DAY_US;
    follow_at(bob, day + 5);
    follow_at(carol, day + DAY_US); /* the first moment of the next day */
    struct notice_page page = read_all(alice);
    assert_string_equal(groups(page), "F:20415 F:20414");
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(page.items[i].count, 1);
        assert_int_equal(page.items[i].people[0].id, i ? bob : carol);
        assert_int_equal(page.items[i].post.id, 0);
    }
}

static void test_posts_of_others(void **state)
{
    (void)state;
    uint64_t mention = write_post(bob, arena_printf(arena, "@%s hello", name_of(alice)), 0);
    uint64_t question = write_post(alice, "who knows?", 0), answer = write_post(carol, "I do", question);
    struct notice_page page = read_all(alice);
    assert_int_equal(page.count, 2);
    assert_int_equal(page.items[0].kind, NOTICE_REPLY);
    assert_int_equal(page.items[0].post.id, answer);
    assert_int_equal(page.items[0].people[0].id, carol);
    assert_int_equal(page.items[0].count, 1);
    assert_int_equal(page.items[1].post.id, mention);
    assert_int_equal(post_delete(social, arena, as(bob), mention, none()), ERR_OK);
    assert_int_equal(read_all(alice).count, 1); /* at once */
}

static void test_people_who_are_gone(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0);
    favourite(post, bob, 1000);
    favourite(post, carol, 2000);
    assert_int_equal(user_delete(social, arena, as_command(), carol), ERR_OK);
    struct notice_page page = read_all(alice);
    assert_int_equal(page.items[0].people_count, 1);
    assert_int_equal(page.items[0].people[0].id, bob);
    assert_int_equal(page.items[0].count, 1);
    set_apart(alice, bob, "b"); /* and one who was blocked since */
    assert_int_equal(read_all(alice).count, 0);
}

/* Who was muted since is heard of no more, but only if his notifications are muted too; who blocks is not seen either. */
static void test_apart_since(void **state)
{
    (void)state;
    write_post(bob, arena_printf(arena, "@%s hello", name_of(alice)), 0);
    assert_int_equal(read_all(alice).count, 1);
    const struct {
        const char *marks;
        size_t count;
    } cases[] = {{"m", 1}, {"mn", 0}, {"mn:1", 1}, {"b", 0}, {"B", 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        set_apart(alice, bob, cases[i].marks);
        assert_int_equal(read_all(alice).count, cases[i].count);
    }
}

static void test_nobody_sees_those_of_others(void **state)
{
    (void)state;
    favourite(write_post(alice, "a post", 0), bob, 1000);
    char cookie[100];
    snprintf(cookie, sizeof(cookie), "%llu.%s", (unsigned long long)alice,
             "not_a_session_of_hers_but_as_long_as_one_00");
    struct visit *v = visit_begin(social, arena, cookie);
    const struct notice_page *page = notice_page_ask(v, &(struct notice_query){.at.limit = 20, .sees = true});
    const int64_t *count = &notice_unread_ask(v)->count;
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(page->count, 0);
    assert_int_equal(*count, 0);
    assert_int_equal(unread(alice), 1);
}

/* --- pages --------------------------------------------------------------------------------------------------------- */

static void test_kinds(void **state)
{
    (void)state;
    favourite(write_post(alice, "a post", 0), bob, 1000);
    follow_at(bob, 20414 * DAY_US);
    write_post(bob, arena_printf(arena, "@%s hello", name_of(alice)), 0);
    assert_int_equal(read_all(alice).count, 3);
    struct notice_page page = read_page(alice, (struct notice_query){.kinds = 1 << NOTICE_FOLLOW});
    assert_string_equal(groups(page), "F:20414");
    page = read_page(alice, (struct notice_query){.kinds = 1 << NOTICE_FAVOURITE | 1 << NOTICE_MENTION});
    assert_int_equal(page.count, 2);
    assert_int_equal(page.items[0].kind, NOTICE_MENTION);
    assert_int_equal(page.items[1].kind, NOTICE_FAVOURITE);
    assert_int_equal(read_page(alice, (struct notice_query){.kinds = 1 << NOTICE_BOOST}).count, 0);
}

/* Down and up again through more notices than the script reads at once, of which most are of another kind. */
static void test_paging(void **state)
{
    (void)state;
    const char *notices = key_id(arena, KEY_NOTICES, alice), *followers = key_id(arena, KEY_FOLLOWERS, alice);
    for (unsigned day = 1; day <= 250; day++) {
        const char *group = arena_printf(arena, "m:%llu", (unsigned long long)id_of_ms(clock_wall_ms()) + day);
        if (day % 5 == 0) {
            uint64_t follower = person(name_in(30 + day, 0));
            ask(7, "ZADD", followers, arena_printf(arena, "%lld", day * DAY_US + 1), id_text(arena, follower));
            group = arena_printf(arena, "F:%u", day);
        }
        ask(7, "ZADD", notices, arena_printf(arena, "%u", 1000 + day), group);
    }
    struct notice_query q = {.kinds = 1 << NOTICE_FOLLOW, .at.limit = 20};
    struct notice_page page = read_page(alice, q);
    assert_int_equal(page.count, 20);
    assert_string_equal(page.items[0].group, "F:250");
    assert_int_equal(page.newer_us, 0);
    q.at.max_us = page.older_us;
    page = read_page(alice, q);
    assert_string_equal(page.items[0].group, "F:150");
    assert_string_equal(page.items[19].group, "F:55");
    uint64_t newer = page.newer_us;
    q.at.max_us = page.older_us;
    page = read_page(alice, q);
    assert_int_equal(page.count, 10);
    assert_int_equal(page.older_us, 0);
    assert_true(page.newer_us != 0);
    q.at = (struct follow_query){.min_us = newer, .limit = 20};
    page = read_page(alice, q);
    assert_string_equal(page.items[0].group, "F:250");
    assert_string_equal(page.items[19].group, "F:155");
    assert_int_equal(page.newer_us, 0);
    assert_int_equal(page.newest_us, 1250);
}

/* --- one by one ---------------------------------------------------------------------------------------------------- */

#define ONE_BY_ONE(...)                                                                                                \
    (struct notice_query)                                                                                              \
    {                                                                                                                  \
        .single = NOTICE_GROUPED, __VA_ARGS__                                                                          \
    }

/* As the job of a favourite says it. */
static void set_favourite(uint64_t post, uint64_t uid, bool on, int64_t us)
{
    struct store_batch *b = new_batch();
    script_favourited_add(b, &(struct script_reacted){.uid = alice, .post = post, .from = uid, .on = on, .now = us});
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(script_answer(store_reply(b, 0)), ANSWER_OK);
}

static const char *people_of(struct notice_page page)
{
    struct buffer out = buffer_make(arena);
    for (size_t i = 0; i < page.count; i++) {
        assert_int_equal(page.items[i].people_count, 1);
        uint64_t id = page.items[i].people[0].id;
        buffer_printf(&out, "%s%s", i ? " " : "", id == bob ? "bob" : id == carol ? "carol" : "?");
    }
    return buffer_string(&out);
}

/* Each has a time that nothing had before, whatever was taken back meanwhile and however late it is told. */
static void test_times_are_never_given_twice(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0), other = write_post(alice, "another", 0);
    set_favourite(post, bob, true, 5000);
    set_favourite(other, bob, true, 5000);
    set_favourite(other, carol, true, 3000);
    struct notice_page page = read_page(alice, ONE_BY_ONE(.kinds = 0));
    assert_string_equal(people_of(page), "carol bob bob");
    assert_int_equal(page.items[0].at_us, 5002);
    assert_int_equal(page.items[1].at_us, 5001);
    assert_int_equal(page.items[2].at_us, 5000);
    set_favourite(other, carol, false, 0);
    set_favourite(other, bob, false, 0);
    set_favourite(other, bob, true, 4000);
    set_favourite(other, bob, true, 9000); /* the job once more */
    page = read_page(alice, ONE_BY_ONE(.kinds = 0));
    assert_string_equal(people_of(page), "bob bob");
    assert_int_equal(page.items[0].at_us, 5003);
    assert_int_equal(page.items[1].at_us, 5000);
    page = read_page(alice, ONE_BY_ONE(.at.min_us = 5000));
    assert_int_equal(page.count, 1);
}

#define STORM 130

/* Down and up through a storm of favourites on one post, and what came between and before; each once, in the order of time. */
static void test_storm(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0), fan = 0, quiet[3];
    for (unsigned i = 0; i < 3; i++) {
        quiet[i] = write_post(alice, "quiet", 0);
        set_favourite(quiet[i], carol, true, 10 + i);
    }
    for (int i = 0; i < STORM; i++) {
        fan = person(name_in(20, 0));
        set_favourite(post, fan, true, 1000 + 10 * i);
        if (i % 50 == 0) {
            set_favourite(quiet[i / 50], bob, true, 1005 + 10 * i);
        }
    }
    for (unsigned up = 0; up < 2; up++) {
        struct notice_query q = ONE_BY_ONE(.at = {.limit = 40, .min_us = up});
        uint64_t last = 0;
        size_t seen = 0;
        for (unsigned pages = 0; pages < 4; pages++) {
            struct notice_page page = read_page(alice, q);
            assert_int_equal(page.count, pages < 3 ? 40 : STORM + 6 - 120);
            for (size_t i = 1; i < page.count; i++) {
                assert_true(page.items[i - 1].at_us > page.items[i].at_us);
            }
            uint64_t near = page.items[up ? page.count - 1 : 0].at_us;
            assert_true(!last || (up ? near > last : near < last));
            last = page.items[up ? 0 : page.count - 1].at_us;
            assert_int_equal(up ? page.newer_us : page.older_us, pages < 3 ? last : 0);
            q.at = (struct follow_query){.limit = 40, .max_us = up ? 0 : last, .min_us = up ? last : 0};
            seen += page.count;
        }
        assert_int_equal(seen, STORM + 6);
    }
    struct notice_page page = read_page(alice, ONE_BY_ONE(.who = bob, .at.limit = 2));
    assert_string_equal(people_of(page), "bob bob");
    assert_int_equal(page.items[0].post.id, quiet[2]);
    assert_string_equal(people_of(read_page(alice, ONE_BY_ONE(.who = bob, .at.max_us = page.older_us))), "bob");
    page = read_page(alice, (struct notice_query){.kinds = 0}); /* for people it is four */
    assert_int_equal(page.count, 4);
    assert_int_equal(page.items[0].count, STORM);
}

/* The people of a page with their numbers, as apps want them, cost a round trip once. */
static void test_people_are_remembered(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0);
    for (int i = 0; i < 30; i++) {
        set_favourite(post, person(name_in(20, 0)), true, 1000 + i);
    }
    for (unsigned times = 0; times < 2; times++) {
        struct visit *v = visit_begin_as(social, arena, alice);
        store_trips_reset();
        visit_want_numbers(v);
        const struct notice_page *page = notice_page_ask(v, &ONE_BY_ONE(.at.limit = 40));
        assert_int_equal(visit_read(v), ERR_OK);
        assert_int_equal(page->count, 30);
        assert_non_null(page->items[29].people[0].numbers);
        assert_int_equal(store_trips(), times ? 1 : 2);
    }
}

/* Who else writes in the bucket of whom one asks for is not in the answer; and what hides many in a row does not end it. */
static void test_of_one_person(void **state)
{
    (void)state;
    uint64_t dan = person(name_in(8, 1)); /* in bob's bucket */
    const char *text = arena_printf(arena, "@%s hello", name_of(alice));
    uint64_t first = write_post(bob, text, 0);
    for (unsigned i = 0; i < 5; i++) {
        write_post(dan, text, 0);
    }
    struct notice_page page = read_page(alice, ONE_BY_ONE(.who = bob, .at.limit = 2));
    assert_int_equal(page.count, 1);
    assert_int_equal(page.items[0].post.id, first);
    assert_int_equal(read_page(alice, ONE_BY_ONE(.who = carol)).count, 0);
    set_apart(alice, dan, "mn");
    page = read_page(alice, ONE_BY_ONE(.at.limit = 2));
    assert_int_equal(page.count, 1);
    page = read_page(alice, ONE_BY_ONE(.at = {.limit = 2, .min_us = 1}));
    assert_int_equal(page.items[page.count - 1].post.id, first);
}

static void test_dismissed_one_by_one(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0);
    set_favourite(post, bob, true, 1000);
    set_favourite(post, carol, true, 2000);
    write_post(bob, arena_printf(arena, "@%s hello", name_of(alice)), 0);
    struct notice_page page = read_page(alice, ONE_BY_ONE(.kinds = 0));
    assert_string_equal(people_of(page), "bob carol bob");
    for (unsigned times = 0; times < 2; times++) {
        assert_int_equal(notice_dismiss_one(social, arena, as(alice), &page.items[1]), ERR_OK);
        assert_string_equal(people_of(read_page(alice, ONE_BY_ONE(.kinds = 0))), "bob bob");
    }
    struct notice_page groups_left = read_all(alice);
    assert_int_equal(groups_left.items[1].count, 1);
    assert_int_equal(groups_left.items[1].people[0].id, bob);
    assert_int_equal(notice_dismiss_one(social, arena, as(alice), &page.items[0]), ERR_OK);
    assert_int_equal(notice_dismiss_one(social, arena, as(alice), &page.items[2]), ERR_OK);
    assert_int_equal(read_all(alice).count, 0);
    assert_int_equal(unread(alice), 0);
    set_favourite(post, carol, false, 0);
    set_favourite(post, carol, true, 3000); /* that is new */
    assert_string_equal(people_of(read_page(alice, ONE_BY_ONE(.kinds = 0))), "carol");
}

static size_t count_of(uint64_t uid, struct notice_query q)
{
    struct visit *v = visit_begin_as(social, arena, uid);
    const size_t *count = notice_count_ask(v, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    return *count;
}

static void test_counted(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0);
    set_favourite(post, bob, true, 1000);
    set_favourite(post, carol, true, 2000);
    follow_at(bob, 3000);
    assert_int_equal(count_of(alice, ONE_BY_ONE(.at.limit = 100)), 3);
    assert_int_equal(count_of(alice, ONE_BY_ONE(.at.limit = 2)), 2);
    assert_int_equal(count_of(alice, (struct notice_query){.at.limit = 100}), 2);
    assert_int_equal(count_of(alice, ONE_BY_ONE(.at.limit = 100, .who = carol)), 1);
    assert_int_equal(notice_read(social, arena, as(alice), 1000), ERR_OK);
    assert_int_equal(count_of(alice, ONE_BY_ONE(.at.limit = 100)), 2);
    assert_int_equal(count_of(bob, ONE_BY_ONE(.at.limit = 100)), 0);
}

/* --- seen, and taken away ------------------------------------------------------------------------------------------ */

static void test_seen(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0);
    assert_int_equal(unread(alice), 0);
    favourite(post, bob, 1000);
    follow_at(bob, 20414 * DAY_US);
    assert_int_equal(unread(alice), 2);
    assert_int_equal(unread(bob), 0);
    assert_int_equal(notice_read(social, arena, as(alice), 1000), ERR_OK);
    assert_int_equal(unread(alice), 1);
    struct notice_page page = read_all(alice);
    assert_true(page.items[0].is_unread);
    assert_false(page.items[1].is_unread);
    assert_int_equal(notice_read(social, arena, as(alice), 10), ERR_OK); /* from a page that is old: never back */
    assert_int_equal(unread(alice), 1);
    page = read_page(alice, (struct notice_query){.sees = true});
    assert_true(page.items[0].is_unread); /* it is being seen */
    for (unsigned tries = 0; unread(alice) && tries < 1000; tries++) {
        clock_sleep_ms(1); /* nobody waited for it */
    }
    assert_int_equal(unread(alice), 0);
    favourite(post, carol, 1500); /* told late, so it has a time behind what was seen */
    assert_int_equal(unread(alice), 1);
}

/* Who knows the number does not ask again until something changed. */
static void test_unread_is_remembered(void **state)
{
    (void)state;
    favourite(write_post(alice, "a post", 0), bob, 1000);
    assert_int_equal(unread(alice), 1);
    store_trips_reset();
    assert_int_equal(unread(alice), 1);
    assert_int_equal(store_trips(), 1);
    follow_at(bob, 20414 * DAY_US);
    assert_int_equal(unread(alice), 2);
}

static void test_dismissed(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0);
    const char *group = notice_group(arena, NOTICE_FAVOURITE, post);
    favourite(post, bob, 1000);
    follow_at(bob, 20414 * DAY_US);
    assert_int_equal(notice_dismiss(social, arena, as(alice), group, 1000), ERR_OK);
    assert_string_equal(groups(read_all(alice)), "F:20414");
    assert_int_equal(unread(alice), 1);
    favourite(post, bob, 1000); /* the job once more */
    assert_string_equal(groups(read_all(alice)), "F:20414");
    favourite(post, carol, 2000);
    struct notice_page page = read_all(alice);
    assert_int_equal(page.count, 2);
    assert_string_equal(page.items[0].group, group); /* told behind the other, whatever its time */
    assert_int_equal(page.items[0].count, 1);        /* only who came since */
    assert_int_equal(page.items[0].people[0].id, carol);
    assert_int_equal(notice_dismiss(social, arena, as(alice), "F:20414", 20415 * DAY_US), ERR_OK);
    assert_string_equal(groups(read_all(alice)), group);
    follow_at(carol, 20414 * DAY_US + 7);
    page = read_all(alice);
    assert_int_equal(page.items[0].count, 1);
    assert_int_equal(page.items[0].people[0].id, carol);
    assert_int_equal(notice_dismiss(social, arena, as(alice), "m:117657670766635999", 5000), ERR_OK); /* is not there */
    assert_int_equal(notice_dismiss(social, arena, as(alice), "x", 5000), ERR_NOT_FOUND);
}

/* What came after the page was made is not dismissed with it. */
static void test_dismissed_as_it_was_seen(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0);
    favourite(post, bob, 1000);
    favourite(post, carol, 2000);
    const char *group = notice_group(arena, NOTICE_FAVOURITE, post);
    assert_int_equal(notice_dismiss(social, arena, as(alice), group, 1000), ERR_OK);
    struct notice_page page = read_all(alice);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.items[0].count, 1);
    assert_int_equal(page.items[0].people[0].id, carol);
}

static void test_cleared(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "a post", 0), other = write_post(alice, "another", 0);
    favourite(post, bob, 1000);
    favourite(other, bob, 1001);
    follow_at(bob, 20414 * DAY_US);
    assert_int_equal(notice_clear(social, arena, as(alice), 1001), ERR_OK);
    assert_string_equal(groups(read_all(alice)), "F:20414");
    favourite(post, bob, 1000);
    assert_string_equal(groups(read_all(alice)), "F:20414");
    assert_int_equal(notice_clear(social, arena, as(alice), INT64_MAX / 2), ERR_OK);
    assert_int_equal(read_all(alice).count, 0);
    assert_int_equal(read_all(alice).newest_us, 0);
    assert_int_equal(unread(alice), 0);
}

static void test_the_deleted_do_nothing(void **state)
{
    (void)state;
    ask(7, "HSET", key_id(arena, KEY_USER, alice), "deleted", "1");
    assert_int_equal(notice_read(social, arena, as(alice), 1000), ERR_NOT_FOUND);
    assert_int_equal(notice_clear(social, arena, as(alice), 1000), ERR_NOT_FOUND);
    assert_int_equal(store_integer(ask(7, "EXISTS", key_id(arena, KEY_NOTICEREAD, alice), NULL, NULL)), 0);
}

static const struct CMUnitTest tests[] = {
    noticing(test_grouped),
    noticing(test_many_in_one),
    noticing(test_followers_by_day),
    noticing(test_posts_of_others),
    noticing(test_people_who_are_gone),
    noticing(test_apart_since),
    noticing(test_nobody_sees_those_of_others),
    noticing(test_kinds),
    noticing(test_paging),
    noticing(test_times_are_never_given_twice),
    noticing(test_storm),
    noticing(test_people_are_remembered),
    noticing(test_of_one_person),
    noticing(test_dismissed_one_by_one),
    noticing(test_counted),
    noticing(test_seen),
    noticing(test_unread_is_remembered),
    noticing(test_dismissed),
    noticing(test_dismissed_as_it_was_seen),
    noticing(test_cleared),
    noticing(test_the_deleted_do_nothing),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
