/* test_social_trends.c - posts that many people react to: who is counted, what is shown to whom, and in how many round trips; and
 * how tags were used day by day. */
#include "social_case.h"

#include "social/people/apart.h"
#include "social/people/follow.h"
#include "social/people/visit.h"
#include "social/posts/boost.h"
#include "social/posts/popular.h"
#include "social/posts/publish.h"
#include "social/posts/react.h"
#include "social/timelines/fanout.h"
#include "social/timelines/post_trends.h"
#include "social/timelines/tag_trends.h"

#define HOUR_MS (CLOCK_DAY_MS / 24)
#define SOON_MS 5000

static uint64_t alice, bob, carol, dave;

static int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    carol = person(name_in(9, 0));
    dave = person(name_in(9, 1));
    return 0;
}

static void favourite(uint64_t uid, uint64_t id, bool on)
{
    assert_int_equal(post_favourite(social, arena, as(uid), id, on, none()), ERR_OK);
}

static void boost(uint64_t uid, uint64_t id, bool on)
{
    struct fanout_wave *wave;
    assert_int_equal(post_boost(social, arena, as(uid), id, on, &wave, none()), ERR_OK);
    fanout_wait(wave);
    finish_jobs();
}

/* The posts that this visitor (0: nobody) is shown, as text: a, b, c … are their names. */
static const char *trending_of(uint64_t uid, bool may_be_old, const uint64_t *posts, size_t count)
{
    struct visit *v = uid ? visit_begin_as(social, arena, uid) : visit_begin(social, arena, NULL);
    const struct post_trends *t = post_trends_ask(v, may_be_old);
    assert_int_equal(visit_read(v), ERR_OK);
    char *out = arena_alloc(arena, t->count + 1);
    for (size_t i = 0; i < t->count; i++) {
        out[i] = '?';
        for (size_t k = 0; k < count; k++) {
            out[i] = t->posts[i].id == posts[k] ? (char)('a' + k) : out[i];
        }
    }
    out[t->count] = 0;
    return out;
}

/* The same; what is sent without waiting for it may come a little later. */
static void expect_trending(const char *expected, const uint64_t *posts, size_t count)
{
    uint64_t end = clock_monotonic_us() + SOON_MS * 1000;
    while (strcmp(trending_of(0, false, posts, count), expected) != 0 && clock_monotonic_us() < end) {
        clock_sleep_ms(5);
    }
    assert_string_equal(trending_of(0, false, posts, count), expected);
}

/* People count, whichever of both they do; not the author, nobody twice, and nobody who has taken it back. */
static void test_people_count(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms();
    const uint64_t posts[] = {put_post(alice, now - 3000), put_post(alice, now - 2000), put_post(bob, now - 1000)};
    favourite(alice, posts[0], true);
    favourite(bob, posts[0], true);
    boost(bob, posts[0], true);
    expect_trending("", posts, 3); /* one person */
    boost(carol, posts[0], true);
    expect_trending("a", posts, 3);
    for (size_t i = 1; i < 3; i++) {
        favourite(carol, posts[i], true);
        favourite(dave, posts[i], true);
    }
    expect_trending("cba", posts, 3); /* as many: the newest first */
    favourite(dave, posts[0], true);
    expect_trending("acb", posts, 3);
    boost(carol, posts[0], false);
    favourite(dave, posts[1], false);
    expect_trending("ca", posts, 3);
    favourite(bob, posts[0], false); /* he boosts it still */
    expect_trending("ca", posts, 3);
    assert_clean();
}

/* Nothing of the day before, nothing that strangers do not find, nothing that is gone. */
static void test_what_can_trend(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms();
    const uint64_t posts[] = {put_post(alice, now - 23 * HOUR_MS), put_post(alice, now - 25 * HOUR_MS),
                              put_post(alice, now - 2 * HOUR_MS), put_post(alice, now - HOUR_MS)};
    ask(id_bucket(alice), "HSET", key_id(arena, KEY_POST, posts[2]), "visibility", "unlisted");
    for (size_t i = 0; i < 4; i++) {
        favourite(bob, posts[i], true);
        favourite(carol, posts[i], true);
    }
    expect_trending("da", posts, 4);
    assert_int_equal(post_delete(social, arena, as(alice), posts[3], none()), ERR_OK);
    finish_jobs();
    expect_trending("a", posts, 4);
    const char *hour = arena_printf(arena, "%llu", (unsigned long long)(id_ms(posts[3]) / HOUR_MS));
    assert_int_equal(ask(key_text_bucket(hour), "EXISTS", key_text(arena, KEY_POPULAR, hour), NULL, NULL)->integer, 0);
    set_clock(now + 2 * HOUR_MS);
    expect_trending("", posts, 4);
}

static void set_author(const char *field, const char *value)
{
    ask(id_bucket(alice), "HSET", key_id(arena, KEY_USER, alice), field, value);
    struct store_batch *b = new_batch();
    event_add(social, b, arena, EVENT_USER, alice);
    assert_int_equal(store_run(b), ERR_OK);
    cache_forget(social->cache, CACHE_USER, alice);
}

/* Of people who do not want to be put before others, or are not to be, nothing; of whom one stands apart from neither. */
static void test_whose_posts_trend(void **state)
{
    (void)state;
    const uint64_t posts[] = {put_post(alice, clock_site_ms() - 1000)};
    favourite(bob, posts[0], true);
    favourite(carol, posts[0], true);
    expect_trending("a", posts, 1);
    static const char *const states[][2] = {{"discoverable", "no"}, {"state", "limited"}, {"state", "suspended"}};
    for (size_t i = 0; i < COUNT(states); i++) {
        set_author(states[i][0], states[i][1]);
        assert_string_equal(trending_of(0, false, posts, 1), "");
        assert_string_equal(trending_of(0, true, posts, 1), "");
        set_author(states[i][0], "");
        assert_string_equal(trending_of(0, false, posts, 1), "a");
    }
    struct follow_item item = {.name = name_in(9, 1)};
    assert_int_equal(apart_block(social, arena, as(alice), &item, none()), ERR_OK);
    finish_jobs();
    item = (struct follow_item){.name = name_in(7, 0)};
    assert_int_equal(apart_mute(social, arena, as(carol), &item, &(struct apart_mute){.seconds = 0}, none()), ERR_OK);
    for (unsigned old = 0; old < 2; old++) {
        assert_string_equal(trending_of(dave, old, posts, 1), "");
        assert_string_equal(trending_of(carol, old, posts, 1), "");
        assert_string_equal(trending_of(bob, old, posts, 1), "a");
    }
}

/* Two round trips; while it is remembered, one at most. */
static void test_rounds_of_trends(void **state)
{
    (void)state;
    uint64_t posts[POST_TRENDS_LOOK + 5];
    for (size_t i = 0; i < COUNT(posts); i++) {
        posts[i] = put_post(alice, clock_site_ms() - HOUR_MS - i * 20 * 60000);
        const char *hour = arena_printf(arena, "%llu", (unsigned long long)(id_ms(posts[i]) / HOUR_MS));
        ask(key_text_bucket(hour), "ZADD", key_text(arena, KEY_POPULAR, hour), "3", id_text(arena, posts[i]));
        ask(id_bucket(alice), "ZADD", key_id(arena, KEY_FAVOURITES, posts[i]), "1", id_text(arena, bob));
        ask(id_bucket(alice), "ZADD", key_id(arena, KEY_BOOSTS, posts[i]), "1", id_text(arena, carol));
    }
    for (unsigned old = 0; old < 2; old++) {
        struct visit *v = visit_begin_as(social, arena, dave);
        store_trips_reset();
        const struct post_trends *t = post_trends_ask(v, old != 0);
        assert_int_equal(visit_read(v), ERR_OK);
        assert_true(store_trips() <= (old ? 1 : 2));
        assert_int_equal(t->count, POST_TRENDS_LOOK);
        for (size_t i = 0; i < t->count; i++) {
            assert_int_equal(t->posts[i].id, posts[i]);
        }
    }
}

/* No more posts of an hour than are kept, and for no longer than they are needed. */
static void test_bounds_of_popular(void **state)
{
    (void)state;
    uint64_t hour = clock_site_ms() / HOUR_MS - 1;
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < POPULAR_KEPT + 10; i++) {
        popular_add(b, arena, id_of_ms(hour * HOUR_MS + i) | 7 << 6, 2 + i % 5);
    }
    popular_add(b, arena, id_of_ms(clock_site_ms() - CLOCK_DAY_MS - 1), 9);
    popular_add(b, arena, id_of_ms(clock_site_ms()), 1);
    assert_int_equal(store_run(b), ERR_OK);
    const char *text = arena_printf(arena, "%llu", (unsigned long long)hour), *key = key_text(arena, KEY_POPULAR, text);
    assert_int_equal(ask(key_text_bucket(text), "ZCARD", key, NULL, NULL)->integer, POPULAR_KEPT);
    int64_t end = ask(key_text_bucket(text), "EXPIRETIME", key, NULL, NULL)->integer;
    assert_int_equal(end, (hour + 26) * 3600);
    b = new_batch();
    size_t first = popular_ask(b, arena, 3);
    assert_int_equal(store_run(b), ERR_OK);
    size_t found = 0;
    for (unsigned i = 0; i < POPULAR_HOURS; i++) {
        found += store_reply(b, first + i)->count;
    }
    assert_int_equal(found, 6); /* of that hour alone: ids and numbers */
    assert_string_equal(store_text(&store_reply(b, first + 1)->items[1]), "6");
}

/* --- tags day by day ----------------------------------------------------------------------------------------------- */

static void use_tags(uint64_t uid, uint64_t ms, const char *tags)
{
    struct store_batch *b = new_batch();
    trends_add(b, arena, uid, id_of_ms(ms), tags);
    assert_int_equal(store_run(b), ERR_OK);
}

/* "uses/people " of each day, today first. */
static const char *days_of(const char *tag)
{
    struct visit *v = visit_begin(social, arena, NULL);
    const struct tag_history *h = tag_history_ask(v, tag);
    assert_int_equal(visit_read(v), ERR_OK);
    const struct tag_days *d = tag_history_of(h, tag);
    const char *out = "";
    for (unsigned i = 0; i < TAG_DAYS; i++) {
        out = arena_printf(arena, "%s%d/%d ", out, (int)d->uses[i], (int)d->people[i]);
    }
    return out;
}

/* Each use counts on the day of its post, each person once a day; what is older than a week goes. */
static void test_days_of_a_tag(void **state)
{
    (void)state;
    uint64_t noon = UINT64_C(20000) * CLOCK_DAY_MS + 12 * HOUR_MS;
    set_clock(noon);
    use_tags(alice, noon - 3000, "tea,rain");
    use_tags(alice, noon - 2000, "tea");
    use_tags(bob, noon - 1000, "tea");
    use_tags(bob, noon - 1000, "tea");          /* the same once more */
    use_tags(bob, noon - 13 * HOUR_MS, "rain"); /* yesterday, and comes late */
    assert_string_equal(days_of("tea"), "3/2 0/0 0/0 0/0 0/0 0/0 0/0 ");
    assert_string_equal(days_of("rain"), "1/1 1/1 0/0 0/0 0/0 0/0 0/0 ");
    assert_string_equal(days_of("snow"), "0/0 0/0 0/0 0/0 0/0 0/0 0/0 ");
    set_clock(noon + CLOCK_DAY_MS);
    use_tags(alice, noon + CLOCK_DAY_MS - 1, "tea");
    assert_string_equal(days_of("tea"), "1/1 3/2 0/0 0/0 0/0 0/0 0/0 ");
    struct store_batch *b = new_batch();
    trends_end_add(b, arena, alice, id_of_ms(noon + CLOCK_DAY_MS - 1), "tea");
    assert_int_equal(store_run(b), ERR_OK);
    assert_string_equal(days_of("tea"), "0/0 3/2 0/0 0/0 0/0 0/0 0/0 ");
    set_clock(noon + 6 * CLOCK_DAY_MS);
    assert_string_equal(days_of("tea"), "0/0 0/0 0/0 0/0 0/0 0/0 3/2 ");
    set_clock(noon + 7 * CLOCK_DAY_MS);
    assert_string_equal(days_of("tea"), "0/0 0/0 0/0 0/0 0/0 0/0 0/0 ");
}

static uint64_t write_tea(uint64_t author)
{
    struct post_draft draft = {.text = "#tea"};
    struct fanout_wave *wave = NULL;
    uint64_t id;
    assert_int_equal(post_create(social, arena, as(author), &draft, &id, &wave, none()), ERR_OK);
    fanout_wait(wave);
    return id;
}

/* Posts count as they are written, not what a job does once more, nor whose author is not put before people. */
static void test_who_counts_for_a_tag(void **state)
{
    (void)state;
    struct check_report report;
    write_tea(bob);
    clock_sleep_ms(2); /* two posts of a person in one millisecond would be one use */
    uint64_t post = write_tea(bob);
    assert_memory_equal(days_of("tea"), "2/1", 3);
    ask(key_text_bucket("tea"), "ZREM", key_text(arena, KEY_TAG, "tea"), id_text(arena, post), NULL);
    assert_int_equal(check_run(social, arena, &(struct check_options){.repair = true}, &report), ERR_OK);
    assert_int_equal(report.kinds[CHECK_INDEX_LACKS].count, 1);
    set_author("state", "limited");
    write_tea(alice);
    assert_memory_equal(days_of("tea"), "2/1", 3);
    set_author("state", "");
    write_tea(alice);
    assert_memory_equal(days_of("tea"), "3/2", 3);
}

#define trends(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static const struct CMUnitTest tests[] = {
    trends(test_people_count),         trends(test_what_can_trend),    trends(test_whose_posts_trend),
    trends(test_rounds_of_trends),     trends(test_bounds_of_popular), trends(test_days_of_a_tag),
    trends(test_who_counts_for_a_tag),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
