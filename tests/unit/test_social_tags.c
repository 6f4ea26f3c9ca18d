/* test_social_tags.c - tags that somebody follows: their posts in his home, in all modes; following and its bounds. */
#include "home_case.h"

#include "social/people/apart.h"
#include "social/people/filter.h"
#include "social/people/follow.h"
#include "social/people/interest.h"
#include "social/people/visit_interests.h"
#include "social/posts/publish.h"
#include "social/timelines/fanout.h"
#include "social/timelines/list.h"
#include "social/timelines/tag_trends.h"

#define TAG "tea"

static enum err interest(uint64_t uid, const char *tag, bool on)
{
    return interest_change(social, arena, as(uid), tag, on, none());
}

/* A post as the fan-out leaves it. */
static uint64_t put_tagged(uint64_t author, uint64_t ms, const char *tag, const char *field, const char *value)
{
    uint64_t id = put_post(author, ms);
    const char *text = arena_printf(arena, "a post with #%s", tag);
    struct store_batch *b = new_batch();
    store_command(b, id_bucket(id), "HSET", key_id(arena, KEY_POST, id), "text", text, field, value, NULL);
    store_command(b, key_text_bucket(tag), "ZADD", key_text(arena, KEY_TAG, tag), "0", id_text(arena, id), NULL);
    const struct post post = {.id = id, .author = {.id = author}, .text = text, .spoiler = ""};
    social->parts->index->posts_add(social, b, arena, &post, 1);
    assert_int_equal(store_run(b), ERR_OK);
    return id;
}

static uint64_t put_tea(uint64_t author, uint64_t ms)
{
    return put_tagged(author, ms, TAG, "language", "");
}

static void use_mode(enum config_mode mode)
{
    config.timeline.mode = mode;
    assert_int_equal(product_enter(social, true), ERR_OK);
}

#define MODES 3
static const enum config_mode modes[MODES] = {CONFIG_PUSH, CONFIG_PULL, CONFIG_HYBRID};

/* Alice's home by pages of `limit`: the whole of it, downwards. */
static size_t walk_down(uint64_t *ids, size_t most, unsigned limit)
{
    struct timeline_query q = {.limit = limit};
    size_t n = 0;
    for (bool more = true; more;) {
        struct visit *v = visit_begin_as(social, arena, alice);
        const struct timeline_page *page = &home_ask(v, &q)->page;
        assert_int_equal(visit_read(v), ERR_OK);
        for (size_t i = 0; i < page->count; i++) {
            assert_true(n < most);
            ids[n++] = q.max_id = page->posts[i].id;
        }
        more = page->has_older && page->count;
    }
    return n;
}

/* Upwards from below all: the same posts. */
static void assert_walk_up(const uint64_t *ids, size_t count, unsigned limit)
{
    struct timeline_query q = {.limit = limit, .min_id = 1};
    size_t left = count;
    for (bool more = true; more;) {
        struct visit *v = visit_begin_as(social, arena, alice);
        const struct timeline_page *page = &home_ask(v, &q)->page;
        assert_int_equal(visit_read(v), ERR_OK);
        for (size_t i = page->count; i-- > 0;) {
            assert_true(left > 0);
            assert_int_equal(page->posts[i].id, ids[--left]);
            q.min_id = page->posts[i].id;
        }
        more = page->has_newer && page->count;
    }
    assert_int_equal(left, 0);
}

static void assert_home(const uint64_t *expected, size_t count)
{
    uint64_t ids[4 * POSTS];
    for (unsigned limit = 3; limit <= 40; limit += 9) {
        assert_int_equal(walk_down(ids, COUNT(ids), limit), count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(ids[i], expected[i]);
        }
        assert_walk_up(expected, count, limit);
    }
}

/* --- home ---------------------------------------------------------------------------------------------------------- */

/* Posts of whom she follows, of others with the tag, and of the former with it: each once, in order, whatever the mode,
 * the size of the window and that of the page; before, all of the time and after. */
static void test_tag_in_all_modes(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms();
    size_t of_others = 0;
    config.timeline.size = 30;
    follow(alice, bob);
    for (unsigned k = POSTS; k-- > 0;) { /* a third by carol, with the tag; a third by bob with it, a third without */
        uint64_t ms = now - HOUR_MS - k * 1000;
        posts[k] = k % 3 == 0 ? put_tea(carol, ms) : k % 3 == 1 ? put_tea(bob, ms) : put_post(bob, ms);
    }
    for (unsigned k = 0; k < POSTS; k++) {
        if (k % 3 == 0) {
            of_others++;
        }
    }
    for (unsigned m = 0; m < MODES; m++) {
        use_mode(modes[m]);
        uint64_t ids[POSTS + 1];
        assert_int_equal(walk_down(ids, COUNT(ids), PAGE), POSTS - of_others);
        assert_int_equal(interest(alice, "Tea", true), ERR_OK);
        assert_home(posts, POSTS);
        assert_int_equal(interest(alice, TAG, false), ERR_OK);
        assert_int_equal(walk_down(ids, COUNT(ids), PAGE), POSTS - of_others);
    }
    assert_clean();
}

/* Hybrid: a celebrity among those whom she follows. */
static void test_tag_and_celebrity(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms();
    use_mode(CONFIG_HYBRID);
    follow(alice, bob);
    follow(alice, carol);
    ask(0, "ZADD", key_plain(arena, KEY_CELEBRITIES, 0), "1", id_text(arena, bob));
    ask(id_bucket(bob), "HSET", key_id(arena, KEY_USER, bob), "celebrity", "1");
    assert_int_equal(product_enter(social, true), ERR_OK);
    uint64_t stranger = person(name_in(10, 0));
    for (unsigned k = POSTS; k-- > 0;) {
        uint64_t ms = now - HOUR_MS - k * 1000;
        posts[k] = k % 4 == 0 ? put_tea(stranger, ms) : put_post(k % 2 ? bob : carol, ms);
    }
    assert_int_equal(interest(alice, TAG, true), ERR_OK);
    assert_home(posts, POSTS);
}

/* Somebody who follows nobody has a home of tags; of several tags a post stands there once. */
static void test_tags_alone(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms();
    for (unsigned k = 70; k-- > 0;) {
        posts[k] = put_tagged(k % 2 ? bob : carol, now - HOUR_MS - k * 1000, k % 5 ? TAG : "rain", "language", "");
        if (k % 7 == 0) {
            ask(key_text_bucket("rain"), "ZADD", key_text(arena, KEY_TAG, "rain"), "0", id_text(arena, posts[k]));
        }
    }
    assert_int_equal(interest(alice, TAG, true), ERR_OK);
    assert_int_equal(interest(alice, "rain", true), ERR_OK);
    assert_home(posts, 70);
}

/* Most of what a tag has is hidden: further ids are asked for, and nothing else reaches beyond it meanwhile. */
static void test_tag_that_is_mostly_hidden(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), stranger = person(name_in(10, 0));
    follow(alice, bob);
    posts[0] = put_tea(bob, now - 1000);
    for (unsigned k = 0; k < 300; k++) {
        put_tea(carol, now - HOUR_MS - k * 1000);
    }
    for (unsigned k = 1; k < 90; k++) {
        uint64_t ms = now - 2 * HOUR_MS - k * 1000;
        const char *tag = k % 3 == 0 ? "rain" : TAG;
        posts[k] = k % 3 == 2 ? put_post(bob, ms) : put_tagged(stranger, ms, tag, "language", "");
    }
    struct follow_item item = {.name = name_in(9, 0)};
    assert_int_equal(apart_mute(social, arena, as(alice), &item, &(struct apart_mute){.seconds = 0}, none()), ERR_OK);
    assert_int_equal(interest(alice, TAG, true), ERR_OK);
    assert_int_equal(interest(alice, "rain", true), ERR_OK);
    for (unsigned m = 0; m < MODES; m++) {
        use_mode(modes[m]);
        assert_home(posts, 90);
    }
}

/* All of the window is hidden: what tags have below it waits for what authors have there. */
static void test_window_that_is_hidden(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), stranger = person(name_in(10, 0));
    config.timeline.size = PAGE + PAGE / 2;
    follow(alice, bob);
    follow(alice, carol);
    for (unsigned k = 0; k < 60; k++) {
        put_post(carol, now - HOUR_MS - k * 1000);
        uint64_t below = now - 2 * HOUR_MS - k * 1000;
        posts[k] = k % 2 ? put_tea(stranger, below) : put_post(bob, below);
    }
    struct follow_item item = {.name = name_in(9, 0)};
    assert_int_equal(apart_mute(social, arena, as(alice), &item, &(struct apart_mute){.seconds = 0}, none()), ERR_OK);
    assert_int_equal(interest(alice, TAG, true), ERR_OK);
    for (unsigned m = 0; m < MODES; m++) {
        use_mode(modes[m]);
        assert_home(posts, 60);
    }
}

/* --- who sees what ------------------------------------------------------------------------------------------------- */

static bool has_home(uint64_t post)
{
    struct timeline_page page = read_home(0, 0);
    bool has = false;
    for (size_t i = 0; i < page.count; i++) {
        has |= page.posts[i].id == post;
    }
    return has;
}

/* Only what strangers may find comes by a tag, even if the list of the tag says otherwise. */
static void test_tag_brings_public_posts(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms() - HOUR_MS;
    assert_int_equal(interest(alice, TAG, true), ERR_OK);
    uint64_t seen = put_tea(carol, now), of_other = put_tagged(carol, now + 1, "rain", "language", "");
    uint64_t unlisted = put_tagged(carol, now + 2, TAG, "visibility", "unlisted");
    uint64_t private = put_tagged(carol, now + 3, TAG, "visibility", "private");
    uint64_t boost = put_tagged(carol, now + 4, TAG, "boost", id_text(arena, seen));
    assert_true(has_home(seen));
    assert_false(has_home(of_other) || has_home(unlisted) || has_home(private) || has_home(boost));
    follow(alice, carol); /* what she has chosen in another way is judged as before */
    ask(7, "HINCRBY", homestate, "version", "1");
    ask(7, "DEL", home, NULL, NULL);
    assert_true(has_home(seen) && has_home(of_other) && has_home(unlisted) && has_home(private));
}

/* An answer to a stranger comes by its tag, though it would not by its author. */
static void test_tagged_answer(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms() - HOUR_MS, stranger = person(name_in(10, 0));
    const char *to = arena_printf(arena, "%s:x", id_text(arena, stranger));
    follow(alice, bob);
    uint64_t answer = put_tagged(bob, now, TAG, "reply_author", to);
    ask(8, "HSET", key_id(arena, KEY_POST, answer), "reply_to", id_text(arena, put_post(stranger, now - 5000)));
    assert_false(has_home(answer));
    assert_int_equal(interest(alice, TAG, true), ERR_OK);
    assert_true(has_home(answer));
}

static void test_hidden_people(void **state)
{
    (void)state;
    uint64_t post = put_tea(carol, clock_site_ms() - HOUR_MS), list;
    struct follow_item item = {.name = name_in(9, 0)};
    assert_int_equal(interest(alice, TAG, true), ERR_OK);
    assert_true(has_home(post));
    assert_int_equal(apart_mute(social, arena, as(alice), &item, &(struct apart_mute){.seconds = 0}, none()), ERR_OK);
    assert_false(has_home(post));
    assert_int_equal(apart_unmute(social, arena, as(alice), &item, none()), ERR_OK);
    assert_true(has_home(post));
    struct follow_item her = {.name = name_in(7, 0)};
    assert_int_equal(apart_block(social, arena, as(carol), &her, none()), ERR_OK);
    assert_false(has_home(post));
    assert_int_equal(apart_unblock(social, arena, as(carol), &her, none()), ERR_OK);
    assert_true(has_home(post));
    assert_int_equal(list_create(social, arena, as(alice), "others", &list, none()), ERR_OK);
    assert_int_equal(list_change_members(social, arena, as(alice), list, true, &item, 1, none()), ERR_OK);
    assert_int_equal(list_set(social, arena, as(alice), list, true, LIST_REPLIES_LIST, none()), ERR_OK);
    assert_false(has_home(post));
    assert_int_equal(list_set(social, arena, as(alice), list, false, LIST_REPLIES_LIST, none()), ERR_OK);
    struct filter_keyword word = {.phrase = "a post with"};
    struct filter f = {.title = "posts",
                       .keywords = &word,
                       .keyword_count = 1,
                       .places = 1u << FILTER_PLACE_HOME,
                       .action = FILTER_HIDE};
    assert_int_equal(filter_add(social, arena, as(alice), &f, none()), ERR_OK);
    assert_false(has_home(post));
}

/* A boost by somebody whom she follows, of what stands there by its tag: the post stays. */
static void test_boost_of_what_a_tag_brought(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms() - HOUR_MS;
    follow(alice, bob);
    assert_int_equal(interest(alice, TAG, true), ERR_OK);
    uint64_t post = put_tea(carol, now), boost = put_post(bob, now + 1000);
    ask(8, "HSET", key_id(arena, KEY_POST, boost), "text", "");
    ask(8, "HSET", key_id(arena, KEY_POST, boost), "boost", id_text(arena, post));
    for (unsigned m = 0; m < MODES; m++) {
        use_mode(modes[m]);
        assert_true(has_home(post));
        assert_false(has_home(boost));
        assert_int_equal(read_home(0, post).count, 0); /* upwards: she has just seen it */
    }
}

/* --- rounds -------------------------------------------------------------------------------------------------------- */

static unsigned trips_of_home(void)
{
    store_trips_reset();
    read_home(0, 0);
    return (unsigned)store_trips();
}

static void test_rounds_with_tags(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms() - HOUR_MS;
    follow(alice, bob);
    put_post(bob, now);
    put_tea(carol, now + 1);
    read_home(0, 0);
    wait_for_home(read_home(0, 0).posts[0].id);
    assert_int_equal(interest(alice, TAG, true), ERR_OK); /* which the process remembers at once */
    assert_int_equal(trips_of_home(), 2);                 /* a post that it did not know */
    assert_int_equal(trips_of_home(), 1);
    put_tea(carol, now + 2);
    assert_int_equal(trips_of_home(), 2);
    /* another process has changed it: found out and in hand with the first round, used in the second; the third loads what it does not
     * know */
    ask(7, "ZADD", key_id(arena, KEY_INTERESTS, alice), "9", "rain");
    ask(7, "HINCRBY", homestate, "interests", "1");
    uint64_t rain = put_tagged(carol, now + 3, "rain", "language", "");
    assert_int_equal(trips_of_home(), 3);
    assert_true(has_home(rain));
    assert_int_equal(trips_of_home(), 1);
}

/* --- following ----------------------------------------------------------------------------------------------------- */

static int64_t followed(void)
{
    return store_integer(ask(7, "ZCARD", key_id(arena, KEY_INTERESTS, alice), NULL, NULL));
}

static void test_follow_bounds(void **state)
{
    (void)state;
    assert_int_equal(interest(alice, "", true), ERR_NOT_FOUND);
    assert_int_equal(interest(alice, "two words", true), ERR_NOT_FOUND);
    assert_int_equal(interest(alice, "#tea", true), ERR_NOT_FOUND);
    for (unsigned i = 0; i < INTEREST_MOST; i++) {
        assert_int_equal(interest(alice, arena_printf(arena, "Tag%u", i), true), ERR_OK);
        assert_int_equal(interest(alice, arena_printf(arena, "tAG%u", i), true), ERR_OK); /* the same */
    }
    assert_int_equal(followed(), INTEREST_MOST);
    assert_int_equal(interest(alice, "onemore", true), ERR_CONFLICT);
    assert_int_equal(interest(alice, "tag7", true), ERR_OK); /* which she follows */
    assert_int_equal(interest(alice, "onemore", false), ERR_OK);
    assert_int_equal(interest(alice, "tag7", false), ERR_OK);
    assert_int_equal(interest(alice, "onemore", true), ERR_OK);
    assert_int_equal(followed(), INTEREST_MOST);
    assert_clean();
    ask(7, "ZADD", key_id(arena, KEY_INTERESTS, alice), "1", "No_Tag");
    struct check_report report;
    assert_int_equal(check_run(social, arena, &(struct check_options){.repair = true}, &report), ERR_OK);
    assert_int_equal(report.kinds[CHECK_INTEREST_STRANGE].count, 1);
    assert_int_equal(followed(), INTEREST_MOST);
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    finish_jobs();
    assert_int_equal(followed(), 0);
}

/* --- trends -------------------------------------------------------------------------------------------------------- */

static uint64_t write_post(uint64_t author, const char *text, const char *visibility)
{
    struct post_draft draft = {.text = text, .visibility = visibility};
    struct fanout_wave *wave = NULL;
    uint64_t id;
    assert_int_equal(post_create(social, arena, as(author), &draft, &id, &wave, none()), ERR_OK);
    fanout_wait(wave);
    return id;
}

static struct trends trends_now(bool may_be_old)
{
    struct visit *v = visit_begin(social, arena, NULL);
    const struct trends *t = trends_ask(v, may_be_old);
    assert_int_equal(visit_read(v), ERR_OK);
    return *t;
}

static int64_t people_of(const char *tag)
{
    struct trends t = trends_now(false);
    for (size_t i = 0; i < t.count; i++) {
        if (strcmp(t.items[i].tag, tag) == 0) {
            return t.items[i].people;
        }
    }
    return 0;
}

/* People count, not posts; public ones alone; once more what was delivered changes nothing; a post that is gone, or has
 * another text, counts no more; nor does one of the day before. */
static void test_trends(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        write_post(alice, "#Tea and #rain", NULL);
    }
    assert_int_equal(trends_now(false).count, 0); /* one person */
    uint64_t of_bob = write_post(bob, "#tea", NULL);
    assert_int_equal(people_of("tea"), 2);
    assert_int_equal(people_of("rain"), 0);
    write_post(carol, "#tea #rain", "private");
    assert_int_equal(people_of("tea"), 2);
    uint64_t of_carol = write_post(carol, "#tea #rain", NULL);
    assert_int_equal(people_of("tea"), 3);
    assert_int_equal(people_of("rain"), 2);
    assert_string_equal(trends_now(false).items[0].tag, "tea");
    struct check_report report; /* does again what deliveries have done */
    ask(key_text_bucket("tea"), "ZREM", key_text(arena, KEY_TAG, "tea"), id_text(arena, of_carol), NULL);
    assert_int_equal(check_run(social, arena, &(struct check_options){.repair = true}, &report), ERR_OK);
    assert_int_equal(report.kinds[CHECK_INDEX_LACKS].count, 1);
    assert_int_equal(people_of("tea"), 3);
    assert_int_equal(post_delete(social, arena, as(bob), of_bob, none()), ERR_OK);
    finish_jobs();
    assert_int_equal(people_of("tea"), 2);
    store_trips_reset();
    assert_int_equal(trends_now(true).count, 2); /* remembered */
    assert_int_equal(store_trips(), 0);
    set_clock(clock_site_ms() + 25 * HOUR_MS);
    assert_int_equal(trends_now(false).count, 0);
    assert_clean();
}

/* The tags somebody follows, by pages: those followed last first; in both directions, and of nobody else. */
static void test_followed_by_pages(void **state)
{
    (void)state;
    static const struct {
        uint64_t max_us, min_us, since_us;
        const char *tags;
        uint64_t older_us;
    } cases[] = {
        {0, 0, 0, "t9 t8 t7 ", 17},  {17, 0, 0, "t6 t5 t4 ", 14},  {13, 0, 0, "t2 t1 t0 ", 0},
        {0, 13, 0, "t6 t5 t4 ", 14}, {0, 17, 0, "t9 t8 ", 18},     {0, 0, 17, "t9 t8 ", 0},
        {0, 0, 15, "t9 t8 t7 ", 17}, {16, 12, 0, "t5 t4 t3 ", 13}, {0, 19, 0, "", 0},
        {0, 1, 0, "t2 t1 t0 ", 10},
    };
    for (unsigned i = 0; i < 10; i++) {
        ask(7, "ZADD", key_id(arena, KEY_INTERESTS, alice), arena_printf(arena, "%u", 10 + i),
            arena_printf(arena, "t%u", i));
    }
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct follow_query q = {cases[i].max_us, cases[i].min_us, cases[i].since_us, 3};
        struct visit *v = visit_begin_as(social, arena, alice);
        const struct interest_page *page = interest_list_ask(v, &q);
        assert_int_equal(visit_read(v), ERR_OK);
        const char *tags = "";
        for (size_t k = 0; k < page->count; k++) {
            tags = arena_printf(arena, "%s%s ", tags, page->rows[k].tag);
        }
        assert_string_equal(tags, cases[i].tags);
        assert_int_equal(page->older_us, cases[i].older_us);
    }
    struct visit *v = visit_begin_as(social, arena, bob);
    const struct interest_page *page = interest_list_ask(v, &(struct follow_query){.limit = 3});
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(page->count, 0);
}

/* --- timelines of several tags ------------------------------------------------------------------------------------- */

/* The timeline by pages, downwards or upwards from its end; newest first. */
static size_t walk_tags(const struct timeline_tags *tags, bool upwards, uint64_t *out)
{
    struct timeline_query q = {.limit = 7, .min_id = upwards ? 1 : 0};
    uint64_t ids[POSTS + 1];
    size_t n = 0, count = 1;
    while (count) {
        struct visit *v = visit_begin(social, arena, NULL);
        const struct timeline_page *page = timeline_tags_ask(v, tags, &q);
        store_trips_reset();
        assert_int_equal(visit_read(v), ERR_OK);
        assert_in_range(store_trips(), 0, 2);
        count = page->count;
        for (size_t i = 0; i < count; i++) {
            ids[n++] = page->posts[upwards ? count - 1 - i : i].id;
        }
        *(upwards ? &q.min_id : &q.max_id) = ids[n - 1];
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = ids[upwards ? n - 1 - i : i];
    }
    return n;
}

/* Posts with any of some tags, all of others, none of the rest: in both directions, in two round trips a page. */
static void test_several_tags(void **state)
{
    (void)state;
    static const char *const words[] = {"two", "three", "five", "fifty"};
    static const unsigned numbers[] = {2, 3, 5, 50};
    static const struct {
        struct timeline_tags tags;
        unsigned any, all, none; /* letters of the numbers: bits */
    } cases[] = {
        {{.any = {"two", "five"}, .any_count = 2}, 5, 0, 0},
        {{.any = {"two", "three", "five"}, .any_count = 3}, 7, 0, 0},
        {{.any = {"two"}, .any_count = 1, .all = {"three"}, .all_count = 1}, 1, 2, 0},
        {{.any = {"two"}, .any_count = 1, .none = {"three", "five"}, .none_count = 2}, 1, 0, 6},
        {{.any = {"two", "three"}, .any_count = 2, .all = {"five"}, .all_count = 1}, 3, 4, 0},
        {{.any = {"two"}, .any_count = 1, .all = {"fifty"}, .all_count = 1}, 1, 8, 0},
        {{.any = {"two"}, .any_count = 1, .all = {"unused"}, .all_count = 1}, 1, 16, 0},
    };
    uint64_t now = clock_site_ms();
    for (unsigned k = 1; k < POSTS; k++) {
        posts[k] = put_post(bob, now - k * 1000);
        for (unsigned i = 0; i < COUNT(numbers); i++) {
            if (k % numbers[i] == 0) {
                ask(key_text_bucket(words[i]), "ZADD", key_text(arena, KEY_TAG, words[i]), "0",
                    id_text(arena, posts[k]));
            }
        }
    }
    for (size_t c = 0; c < COUNT(cases); c++) {
        uint64_t expected[POSTS], ids[POSTS];
        size_t n = 0;
        for (unsigned k = 1; k < POSTS; k++) {
            unsigned has = (k % 2 == 0) | (k % 3 == 0) << 1 | (k % 5 == 0) << 2 | (k % 50 == 0) << 3;
            expected[n] = posts[k];
            n += (has & cases[c].any) && (has & cases[c].all) == cases[c].all && !(has & cases[c].none);
        }
        for (unsigned upwards = 0; upwards < 2; upwards++) {
            assert_int_equal(walk_tags(&cases[c].tags, upwards, ids), n);
            assert_memory_equal(ids, expected, n * sizeof(*ids));
        }
    }
}

static const struct CMUnitTest tests[] = {
    timeline(test_tag_in_all_modes),
    timeline(test_tag_and_celebrity),
    timeline(test_tags_alone),
    timeline(test_tag_that_is_mostly_hidden),
    timeline(test_window_that_is_hidden),
    timeline(test_tag_brings_public_posts),
    timeline(test_tagged_answer),
    timeline(test_hidden_people),
    timeline(test_boost_of_what_a_tag_brought),
    timeline(test_rounds_with_tags),
    timeline(test_follow_bounds),
    timeline(test_followed_by_pages),
    timeline(test_trends),
    timeline(test_several_tags),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
