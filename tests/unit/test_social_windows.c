/* test_social_windows.c - where the part of a timeline in hand ends, what lies beyond it, and which of its posts must
 * not be shown.
 */
#include "home_case.h"

/* Bob's, which alice follows: so many ms apart. */
static void write_posts(uint64_t newest_ms, uint64_t apart_ms)
{
    for (unsigned k = POSTS; k-- > 0;) {
        posts[k] = put_post(bob, newest_ms - k * apart_ms);
    }
}

/* Alice's home: these of the posts, and nothing behind them that the list knows of. */
static void set_home(unsigned count)
{
    const char *words[POSTS + 2] = {"RPUSH", home};
    for (unsigned k = 0; k < count; k++) {
        words[k + 2] = id_text(arena, posts[k]);
    }
    struct store_batch *b = new_batch();
    store_command(b, 7, "DEL", home, NULL);
    store_command_v(b, 7, count + 2, words);
    assert_int_equal(store_run(b), ERR_OK);
}

static void assert_all_pages(void)
{
    assert_page(read_home(0, 0), 0);
    for (unsigned k = PAGE; k + PAGE <= POSTS; k += PAGE) {
        assert_page(read_home(posts[k - 1], 0), k);
    }
}

/* The visit that makes the home shows its first page, and from what it stored all others follow. */
static void assert_stored_home_goes_on(void)
{
    assert_page(read_home(0, 0), 0);
    wait_for_home(posts[0]);
    assert_all_pages();
}

/* --- the ends of a window ------------------------------------------------------------------------------------------ */

/* All that came since the last visit is more than an author is asked for: what is stored then ends there, and what lies
 * between that and the old part is no hole. */
static void test_many_new_posts_leave_no_hole(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms();
    config.timeline.mode = CONFIG_PULL;
    assert_int_equal(product_enter(social, true), ERR_OK);
    follow(alice, bob);
    for (unsigned k = 2 * PAGE; k-- > 0;) { /* more than a page, so that the old part could pass for one */
        put_post(bob, now - HOUR_MS - k * 1000);
    }
    assert_int_equal(read_home(0, 0).count, PAGE);
    assert_int_equal(read_home(0, 0).count, PAGE);
    write_posts(now - HOUR_MS / 2, 1000);
    assert_stored_home_goes_on();
}

/* Nor does a home that was made anew end where its window does. */
static void test_new_home_goes_on_below(void **state)
{
    (void)state;
    config.timeline.size = PAGE + PAGE / 2;
    follow(alice, bob);
    write_posts(clock_site_ms() - HOUR_MS, 1000);
    assert_stored_home_goes_on();
}

/* Nor does one that is made of several people's posts go on where the busiest had more to say. */
static void test_new_home_of_several(void **state)
{
    (void)state;
    config.timeline.size = 3 * PAGE;
    uint64_t now = clock_site_ms();
    follow(alice, bob);
    write_posts(now - HOUR_MS, 1000);
    for (unsigned i = 0; i < 7; i++) {
        uint64_t other = person(name_in(20 + i, 0));
        follow(alice, other);
        for (unsigned k = 0; k < PAGE / 2; k++) {
            put_post(other, now - 2 * HOUR_MS - (k * 7 + i) * 1000);
        }
    }
    assert_stored_home_goes_on();
}

/* A page that begins in the window and ends below it takes the rest from the truth, in the round trip that loads it. */
static void test_page_at_the_end_of_a_window(void **state)
{
    (void)state;
    config.timeline.size = PAGE + PAGE / 2;
    follow(alice, bob);
    write_posts(clock_site_ms() - HOUR_MS, 1000);
    read_home(0, 0);
    set_home(PAGE + PAGE / 2);
    assert_page(read_home(0, 0), 0);
    store_trips_reset();
    assert_page(read_home(posts[PAGE - 1], 0), PAGE);
    assert_int_equal(store_trips(), 2);
}

/* Of the window so much is gone that no page is left: the rest comes from below. */
static void test_window_that_is_mostly_gone(void **state)
{
    (void)state;
    const unsigned gone = PAGE / 2;
    config.timeline.size = PAGE + PAGE / 4;
    follow(alice, bob);
    write_posts(clock_site_ms() - HOUR_MS, 1000);
    for (unsigned k = 0; k < gone; k++) {
        ask(8, "DEL", key_id(arena, KEY_POST, posts[k]), NULL, NULL);
        ask(8, "ZREM", key_id(arena, KEY_POSTS, bob), id_text(arena, posts[k]), NULL);
    }
    read_home(0, 0);
    wait_for_home(posts[gone]);
    set_home(PAGE + PAGE / 4);
    assert_page(read_home(0, 0), gone);
}

/* --- what stands in a home, and what does not ---------------------------------------------------------------------- */

static void test_home_to_be_built_is_not_believed(void **state)
{
    (void)state;
    follow(alice, bob);
    uint64_t post = put_post(bob, clock_site_ms() - 1000);
    assert_int_equal(read_home(0, 0).count, 1);
    wait_for_home(post);
    struct store_batch *b = new_batch();
    store_command(b, 7, "DEL", home, NULL);
    store_command(b, 7, "RPUSH", home, "0", NULL);
    store_command(b, 7, "HSET", homestate, "build", "1", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(read_home(0, 0).count, 1);
}

/* A delivery that comes after she has followed the author no more. */
static void test_post_of_a_stranger_is_hidden(void **state)
{
    (void)state;
    follow(alice, bob);
    uint64_t post = put_post(bob, clock_site_ms() - 2000), foreign = put_post(carol, clock_site_ms() - 1000);
    assert_int_equal(read_home(0, 0).count, 1);
    wait_for_home(post);
    ask(7, "LPUSH", home, id_text(arena, foreign), NULL);
    struct timeline_page page = read_home(0, 0);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.posts[0].id, post);
}

/* Pull: she herself is among those who are asked. */
static void test_own_posts_are_asked_for(void **state)
{
    (void)state;
    config.timeline.mode = CONFIG_PULL;
    assert_int_equal(product_enter(social, true), ERR_OK);
    follow(alice, bob);
    put_post(bob, clock_site_ms() - 2000);
    for (unsigned i = 0; i < 2; i++) { /* the second knows whom to ask in its first round */
        assert_int_equal(read_home(0, 0).count, 1);
    }
    uint64_t own = put_post(alice, clock_site_ms() - 1000);
    struct timeline_page page = read_home(0, 0);
    assert_int_equal(page.count, 2);
    assert_int_equal(page.posts[0].id, own);
}

/* Also where so many are asked that no script does it. */
static void test_own_posts_among_many(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), own = put_post(alice, now - 1000);
    for (unsigned i = 0; i < 70; i++) {
        uint64_t other = person(name_in(20 + i, 0));
        follow(alice, other);
        put_post(other, now - 2000 - i);
    }
    struct timeline_page page = read_home(0, 0);
    assert_int_equal(page.count, PAGE);
    assert_int_equal(page.posts[0].id, own);
}

/* --- the public timeline ------------------------------------------------------------------------------------------- */

/* Its newest post stands far down in the list: it came late. */
static void test_public_in_disorder(void **state)
{
    (void)state;
    const char *words[POSTS + 2] = {"RPUSH", key_plain(arena, KEY_TIMELINE, KEY_GLOBAL_BUCKET)};
    write_posts(clock_site_ms() - HOUR_MS, APART_MS);
    for (unsigned k = 0; k < POSTS; k++) {
        words[k + 2] = id_text(arena, posts[k == POSTS - 1 ? 0 : k + 1]);
    }
    struct store_batch *b = new_batch();
    store_command_v(b, KEY_GLOBAL_BUCKET, POSTS + 2, words);
    assert_int_equal(store_run(b), ERR_OK);
    struct timeline_query q = {.limit = PAGE};
    struct visit *v = visit_begin(social, arena, NULL);
    const struct timeline_page *page = timeline_public_ask(v, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_page(*page, 0);
}

/* --- answers to strangers ------------------------------------------------------------------------------------------ */

/* Every other of bob's posts answers carol, whom alice does not follow; and all of the newest twenty. */
static void write_answers(void)
{
    uint64_t answered = put_post(carol, clock_site_ms() - DAY_MS);
    write_posts(clock_site_ms() - HOUR_MS, APART_MS);
    const struct record_post answer = {.reply_to = answered, .reply_author = post_author_text(arena, carol, "carol")};
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < POSTS; i++) {
        if (i < PAGE || i % 2) {
            record_put(b, RECORD_POST, posts[i], &answer);
        }
    }
    assert_int_equal(store_run(b), ERR_OK);
}

/* The posts of a page that begins with the first-th post that is shown. */
static void assert_answers_left_out(struct timeline_page page, unsigned first)
{
    assert_int_equal(page.count, PAGE);
    for (unsigned i = 0; i < PAGE; i++) {
        assert_int_equal(page.posts[i].id, posts[PAGE + 2 * (first + i)]);
    }
}

/* Pages are full, whatever was left out; the part of the list that was read first is not enough here, and then the list
 * is, so that nobody has to be asked. */
static void test_answers_leave_full_pages(void **state)
{
    (void)state;
    write_answers();
    follow(alice, bob);
    for (enum config_mode mode = CONFIG_PUSH; mode <= CONFIG_HYBRID; mode++) {
        config.timeline.mode = mode;
        assert_int_equal(product_enter(social, true), ERR_OK);
        for (unsigned look = 0; look < 3; look++) { /* built, and from what was stored */
            struct timeline_page page = read_home(0, 0);
            assert_answers_left_out(page, 0);
            assert_true(page.has_older);
            assert_answers_left_out(read_home(page.posts[PAGE - 1].id, 0), PAGE);
            wait_for_home(posts[0]);
        }
        assert_answers_left_out(read_home(0, posts[PAGE + 2 * PAGE]), 0);
    }
}

/* With warm caches such a page takes two round trips: the part of the list, and all of it. Bob himself is not asked: he
 * would have nothing to say. */
static void test_answers_in_two_rounds(void **state)
{
    (void)state;
    write_answers();
    follow(alice, bob);
    read_home(0, 0);
    wait_for_home(posts[0]);
    read_home(0, 0);
    ask(8, "DEL", key_id(arena, KEY_POSTS, bob), NULL, NULL);
    store_trips_reset();
    assert_answers_left_out(read_home(0, 0), 0);
    assert_in_range(store_trips(), 1, 2);
}

static const struct CMUnitTest tests[] = {
    timeline(test_many_new_posts_leave_no_hole),
    timeline(test_new_home_goes_on_below),
    timeline(test_new_home_of_several),
    timeline(test_own_posts_among_many),
    timeline(test_page_at_the_end_of_a_window),
    timeline(test_window_that_is_mostly_gone),
    timeline(test_home_to_be_built_is_not_believed),
    timeline(test_post_of_a_stranger_is_hidden),
    timeline(test_own_posts_are_asked_for),
    timeline(test_public_in_disorder),
    timeline(test_answers_leave_full_pages),
    timeline(test_answers_in_two_rounds),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
