/* test_social_boosts.c - boosts and pins: both sides alike whatever comes in between, one boost of a post by each, nothing left of posts
 * and people that are gone; a home shows a post once, with who boosted it; and what `retwis check` says and mends.
 */
#include "home_case.h"

#include "social/core/event.h"
#include "social/people/follow.h"
#include "social/posts/boost.h"
#include "social/posts/marks.h"
#include "social/posts/publish.h"
#include "social/posts/react.h"
#include "social/posts/delivery.h"
#include "social/timelines/fanout.h"
#include "social/timelines/list.h"
#include "social/timelines/once.h"
#include "social/timelines/reacted.h"

static uint64_t dave, post;

/* Alice reads Bob and Carol; Dave, whose posts these boost, nobody. */
static int begin_boosts(void **state)
{
    begin(state);
    dave = person(name_in(10, 0));
    follow(alice, bob);
    follow(alice, carol);
    ask(7, "ZADD", key_id(arena, KEY_FOLLOWING, alice), "2", id_text(arena, carol)); /* each of its own time */
    post = put_post(dave, clock_site_ms() - 60000);
    return 0;
}

static enum err boost_as(const struct actor *by, uint64_t id, bool on)
{
    struct fanout_wave *wave;
    enum err e = post_boost(social, arena, by, id, on, &wave, none());
    fanout_wait(wave);
    return e;
}

static void boost(uint64_t uid, uint64_t id, bool on)
{
    assert_int_equal(boost_as(as(uid), id, on), ERR_OK);
}

/* Somebody's boost of a post; 0: none. Both sides say the same. */
static uint64_t boost_of(uint64_t uid, uint64_t id)
{
    struct store_batch *b = new_batch();
    marks_boost_add(b, arena, uid, id);
    store_command(b, id_bucket(id), "ZSCORE", key_id(arena, KEY_BOOSTS, id), id_text(arena, uid), NULL);
    assert_int_equal(store_run(b), ERR_OK);
    uint64_t boost = marks_boost_take(store_reply(b, 0));
    assert_int_equal(boost != 0, store_reply(b, 1)->type != STORE_NIL);
    return boost;
}

static int64_t count(enum key key, uint64_t id)
{
    return store_integer(ask(id_bucket(id), "ZCARD", key_id(arena, key, id), NULL, NULL));
}

static bool exists(uint64_t id)
{
    return store_integer(ask(id_bucket(id), "EXISTS", key_id(arena, KEY_POST, id), NULL, NULL)) == 1;
}

static struct post seen(uint64_t uid, uint64_t id)
{
    struct visit *v = visit_begin_as(social, arena, uid);
    struct follow_query q = {.limit = 20};
    const struct reacted_people *r = boosts_ask(v, id, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    return r->post;
}

static void set_visibility(uint64_t id, const char *word)
{
    ask(id_bucket(id), "HSET", key_id(arena, KEY_POST, id), "visibility", word);
}

/* --- changes ------------------------------------------------------------------------------------------------------- */

static void test_boost_again_changes_nothing(void **state)
{
    (void)state;
    boost(bob, post, true);
    uint64_t first = boost_of(bob, post);
    assert_int_not_equal(first, 0);
    boost(bob, post, true);
    boost(bob, first, true); /* of his own boost */
    assert_int_equal(boost_of(bob, post), first);
    assert_int_equal(count(KEY_POSTS, bob), 1);
    assert_int_equal(count(KEY_BOOSTS, post), 1);
    assert_int_equal(seen(alice, post).boost_count, 1);
    assert_true(seen(bob, post).marks.is_boosted);
    assert_false(seen(alice, post).marks.is_boosted);
    for (unsigned i = 0; i < 2; i++) {
        boost(bob, i ? post : first, false); /* by either id */
        assert_int_equal(boost_of(bob, post), 0);
        assert_int_equal(count(KEY_POSTS, bob), 0);
        assert_int_equal(seen(bob, post).boost_count, 0);
        assert_false(seen(bob, post).marks.is_boosted);
    }
    finish_jobs();
    assert_false(exists(first));
    assert_clean();
}

static void test_boost_of_a_boost(void **state)
{
    (void)state;
    boost(bob, post, true);
    boost(carol, boost_of(bob, post), true);
    assert_int_not_equal(boost_of(carol, post), 0);
    assert_int_equal(count(KEY_BOOSTS, post), 2);
    assert_int_equal(count(KEY_BOOSTED, carol), 1);
    assert_int_equal(post_favourite(social, arena, as(carol), boost_of(bob, post), true, none()), ERR_OK);
    assert_int_equal(seen(carol, post).favourite_count, 1); /* all else is done with the post, too */
    assert_clean();
}

static void test_who_may_boost(void **state)
{
    (void)state;
    set_visibility(post, "private");
    assert_int_equal(boost_as(as(bob), post, true), ERR_NOT_FOUND);
    follow(bob, dave);
    ask(id_bucket(bob), "HINCRBY", key_id(arena, KEY_HOMESTATE, bob), "version", "1");
    assert_int_equal(boost_as(as(bob), post, true), ERR_FORBIDDEN);
    boost(dave, post, true); /* his own, for the same people */
    const char *key = key_id(arena, KEY_POST, boost_of(dave, post));
    assert_string_equal(store_text(ask(id_bucket(dave), "HGET", key, "visibility", NULL)), "private");
    uint64_t direct = put_post(dave, clock_site_ms() - 50000);
    set_visibility(direct, "direct");
    assert_int_equal(boost_as(as(dave), direct, true), ERR_FORBIDDEN);
    uint64_t open = put_post(dave, clock_site_ms() - 40000);
    ask(id_bucket(bob), "HSET", key_id(arena, KEY_APART, bob), id_text(arena, dave), "B");
    ask(id_bucket(bob), "HINCRBY", key_id(arena, KEY_HOMESTATE, bob), "apart", "1");
    assert_int_equal(boost_as(as(bob), open, true), ERR_NOT_FOUND);
    assert_int_equal(boost_as(as(bob), open + 1, true), ERR_NOT_FOUND);
    assert_int_equal(boost_as(as(bob), open + 1, false), ERR_OK);
    assert_int_equal(user_delete(social, arena, as_command(), carol), ERR_OK);
    assert_int_equal(boost_as(as(carol), open, true), ERR_NOT_FOUND);
    assert_int_equal(count(KEY_BOOSTS, open), 0);
}

/* His own side is written, as by a process that dies then. */
static uint64_t begin_boost(uint64_t uid, uint64_t id)
{
    struct delivery_work *work = job_new(arena, &fanout_job, uid);
    char author[ID_SIZE];
    const struct record_post record = {
        .author = uid, .text = "", .boost = id, .boost_author = arena_printf(arena, "%s:x", id_write(dave, author))};
    const struct script_post_create in = {.job = job_call(&work->job),
                                          .limit = {.uid = uid, .name = ""},
                                          .uid = uid,
                                          .id = id_new(id_bucket(uid), 0),
                                          .boost = id,
                                          .request = "",
                                          .mode = "push",
                                          .kept = 100,
                                          .late = 60000,
                                          .ahead = 60000,
                                          .post = &record};
    struct store_batch *b = new_batch();
    script_post_create_add(b, &in);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(script_answer(store_reply(b, 0)), ANSWER_OK);
    return in.id;
}

static void begin_unboost(uint64_t uid, uint64_t boost)
{
    struct delivery_end_work *work = job_new(arena, &unpost_job, uid);
    const struct script_post_delete in = {.job = job_call(&work->job),
                                          .limit = {.uid = uid, .name = ""},
                                          .uid = uid,
                                          .id = boost,
                                          .tags = "",
                                          .people = ""};
    struct store_batch *b = new_batch();
    script_post_delete_add(b, &in);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(script_answer(store_reply(b, 0)), ANSWER_OK);
}

static void test_other_side_comes_after(void **state)
{
    (void)state;
    uint64_t id = begin_boost(bob, post);
    assert_int_equal(count(KEY_BOOSTS, post), 0);
    assert_clean(); /* a job waits */
    finish_jobs();
    assert_int_equal(boost_of(bob, post), id);
    assert_clean();
    begin_unboost(bob, id);
    assert_int_equal(count(KEY_BOOSTS, post), 1);
    assert_clean();
    finish_jobs();
    assert_int_equal(boost_of(bob, post), 0);
    assert_clean();
}

/* What two processes began stands in any order, and their jobs, repeated, leave what was wanted last. */
static void test_contrary_boosts(void **state)
{
    (void)state;
    uint64_t first = begin_boost(bob, post);
    boost(bob, post, false);
    finish_jobs();
    assert_int_equal(boost_of(bob, post), 0);
    first = begin_boost(bob, post);
    begin_unboost(bob, first);
    uint64_t second = begin_boost(bob, post);
    assert_int_not_equal(second, first);
    finish_jobs();
    assert_int_equal(boost_of(bob, post), second);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(boost_mend(social, arena, bob, post), ERR_OK);
        assert_int_equal(boost_of(bob, post), second);
    }
    assert_clean();
}

/* The first delivery says whether the other side stands. */
static void test_first_delivery_compares(void **state)
{
    (void)state;
    const struct post p = {.id = begin_boost(bob, post), .author = {.id = bob}, .boost = post, .boost_author = dave};
    const struct post taken_back = {.id = p.id - 1, .author = {.id = bob}, .boost = post, .boost_author = dave};
    const struct post of_gone = {.id = p.id, .author = {.id = bob}, .boost = post + 1, .boost_author = dave};
    const struct post *boosts[] = {&p, &taken_back, &of_gone};
    for (unsigned i = 0; i < COUNT(boosts); i++) {
        struct store_batch *b = new_batch();
        size_t reply = boost_other_add(social, b, arena, boosts[i]);
        assert_int_equal(store_run(b), ERR_OK);
        int64_t people;
        assert_int_equal(boost_other_take(b, reply, boosts[i], &people), i == 0);
    }
}

static bool is_told(uint64_t uid, uint64_t id)
{
    const char *group = arena_printf(arena, "b:%s", id_text(arena, id));
    return ask(id_bucket(uid), "ZSCORE", key_id(arena, KEY_NOTICES, uid), group, NULL)->type != STORE_NIL;
}

static void test_author_hears_of_boosts(void **state)
{
    (void)state;
    boost(dave, post, true);
    assert_false(is_told(dave, post));
    boost(bob, post, true);
    boost(carol, post, true);
    assert_true(is_told(dave, post));
    boost(bob, post, false);
    boost(carol, post, false);
    assert_true(is_told(dave, post)); /* his own boost is left */
    boost(dave, post, false);
    assert_false(is_told(dave, post));
    assert_clean();
}

static void test_boosts_are_limited(void **state)
{
    (void)state;
    config.limits.enabled = true;
    config.limits.react = (struct config_limit){.count = 1, .seconds = 3600};
    boost(bob, post, true);
    boost(bob, post, true); /* was so, and costs nothing */
    assert_int_equal(boost_as(as(bob), post, false), ERR_TOO_MANY);
    assert_int_not_equal(boost_of(bob, post), 0);
    uint64_t own = put_post(carol, clock_site_ms() - 1000);
    assert_int_equal(post_pin(social, arena, as(carol), own, true, none()), ERR_OK);
    assert_int_equal(post_pin(social, arena, as(carol), own, true, none()), ERR_OK);
    assert_int_equal(post_pin(social, arena, as(carol), own, false, none()), ERR_TOO_MANY);
}

/* --- what goes with others ----------------------------------------------------------------------------------------- */

static void test_original_goes(void **state)
{
    (void)state;
    boost(bob, post, true);
    uint64_t id = boost_of(bob, post);
    read_home(0, 0);
    assert_int_equal(read_home(0, 0).count, 1);
    uint64_t late = begin_boost(carol, post); /* and one that is on its way */
    assert_int_equal(post_delete(social, arena, as(dave), post, none()), ERR_OK);
    assert_int_equal(read_home(0, 0).count, 0);
    finish_jobs();
    assert_false(exists(id) || exists(late));
    assert_int_equal(boost_of(bob, post), 0);
    assert_int_equal(boost_of(carol, post), 0);
    assert_int_equal(count(KEY_POSTS, bob) + count(KEY_POSTS, carol), 0);
    assert_clean();
}

/* More than are taken back at once. */
static void test_famous_original_goes(void **state)
{
    (void)state;
    uint64_t people[250];
    for (unsigned i = 0; i < COUNT(people); i++) {
        people[i] = person(name_in(11 + i % 200, i / 200));
        begin_boost(people[i], post);
    }
    ask(0, "LTRIM", key_plain(arena, KEY_LATEST, 0), "0", "99");
    finish_jobs();
    assert_int_equal(count(KEY_BOOSTS, post), COUNT(people));
    assert_int_equal(post_delete(social, arena, as(dave), post, none()), ERR_OK);
    finish_jobs();
    assert_int_equal(count(KEY_BOOSTS, post), 0);
    for (unsigned i = 0; i < COUNT(people); i++) {
        assert_int_equal(boost_of(people[i], post) + (uint64_t)count(KEY_POSTS, people[i]), 0);
    }
    assert_clean();
}

static void test_booster_goes(void **state)
{
    (void)state;
    boost(bob, post, true);
    boost(carol, post, true);
    assert_int_equal(user_delete(social, arena, as_command(), bob), ERR_OK);
    finish_jobs();
    assert_int_equal(boost_of(bob, post), 0);
    assert_int_equal(store_integer(ask(8, "EXISTS", key_id(arena, KEY_BOOSTED, bob), NULL, NULL)), 0);
    assert_int_equal(seen(alice, post).boost_count, 1);
    assert_clean();
}

/* --- homes --------------------------------------------------------------------------------------------------------- */

/* A boost as it lies there, of that time. */
static uint64_t put_boost(uint64_t uid, uint64_t of, uint64_t ms)
{
    uint64_t id = put_post(uid, ms);
    struct store_batch *b = new_batch();
    record_put(b, RECORD_POST, id,
               &(struct record_post){.author = uid, .text = "", .boost = of, .boost_author = "1:x"});
    store_command(b, id_bucket(uid), "ZADD", key_id(arena, KEY_BOOSTED, uid), "0", marks_boost_entry(arena, of, id),
                  NULL);
    assert_int_equal(store_run(b), ERR_OK);
    return id;
}

static void test_home_shows_the_original(void **state)
{
    (void)state;
    uint64_t id = put_boost(bob, post, clock_site_ms() - 1000);
    put_boost(carol, post + 1, clock_site_ms() - 500); /* of what is gone */
    put_boost(carol, id, clock_site_ms() - 400);       /* of a boost: nobody can make such */
    struct timeline_page page = read_home(0, 0);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.posts[0].id, id);
    assert_int_equal(page.posts[0].author.id, bob);
    assert_int_equal(page.posts[0].boosted->id, post);
    assert_int_equal(page.posts[0].boosted->author.id, dave);
    ask(7, "HSET", key_id(arena, KEY_APART, alice), id_text(arena, dave), "m");
    ask(7, "HINCRBY", homestate, "apart", "1");
    assert_int_equal(read_home(0, 0).count, 0); /* of whom she mutes */
}

/* On one page the oldest stays, be it the post or the first boost of it. */
static void test_once_on_a_page(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), own = put_post(carol, now - 9000);
    put_boost(bob, own, now - 8000);
    uint64_t first = put_boost(carol, post, now - 7000);
    put_boost(bob, post, now - 6000);
    uint64_t last = put_post(bob, now - 5000);
    const uint64_t expected[] = {last, first, own};
    for (unsigned n = 0; n < 3; n++) { /* built, stored, remembered; and upwards */
        struct timeline_page page = n < 2 ? read_home(0, 0) : read_home(0, own - 1);
        assert_int_equal(page.count, COUNT(expected));
        for (unsigned i = 0; i < page.count; i++) {
            assert_int_equal(page.posts[i].id, expected[i]);
        }
    }
}

/* Thirty posts of Bob's, of which Carol boosts some above: the pages are full and the pages together have each post once. */
static void test_once_across_pages(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), all[30];
    for (unsigned i = 0; i < 30; i++) {
        all[i] = put_post(bob, now - 100000 - i * 1000);
    }
    for (unsigned i = 0; i < 25; i++) { /* every other one right above its post, the rest far above it */
        put_boost(carol, all[i], now - (i % 2 ? 100000 + i * 1000 - 500 : 50000 + i * 100));
    }
    read_home(0, 0);
    wait_for_home(id_of_ms(now - 50000) | (uint64_t)9 << 6);
    uint64_t max_id = 0, seen_before[64];
    size_t n = 0;
    for (unsigned pages = 0; pages < 5; pages++) {
        struct timeline_page page = read_home(max_id, 0);
        for (size_t i = 0; i < page.count; i++) {
            const struct post *p = &page.posts[i];
            uint64_t shown = p->boosted ? p->boosted->id : p->id;
            for (size_t k = n > ONCE_BEHIND ? n - ONCE_BEHIND : 0; k < n; k++) {
                assert_int_not_equal(seen_before[k], shown);
            }
            seen_before[n++] = shown;
        }
        if (!page.has_older) {
            break;
        }
        assert_int_equal(page.count, PAGE);
        max_id = page.posts[page.count - 1].id;
    }
    for (unsigned i = 0; i < 30; i++) { /* and none is lost */
        bool is_there = false;
        for (size_t k = 0; k < n; k++) {
            is_there |= seen_before[k] == all[i];
        }
        assert_true(is_there);
    }
}

/* What stands right behind the cursor was seen just before, downwards and upwards. */
static void test_once_behind_the_cursor(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), own = put_post(bob, now - 9000), older = put_post(bob, now - 20000);
    uint64_t boosted = put_boost(carol, own, now - 8000), newest = put_post(bob, now - 7000);
    read_home(0, 0);
    wait_for_home(newest);
    struct timeline_page page = read_home(boosted, 0);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.posts[0].id, older);
    page = read_home(0, own);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.posts[0].id, newest);
    event_apply(social,
                &(struct event){.kind = EVENT_ALL, .text = ""}); /* a process that does not remember them asks */
    page = read_home(boosted, 0);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.posts[0].id, older);
}

static void test_once_in_a_list(void **state)
{
    (void)state;
    uint64_t list, now = clock_site_ms(), own = put_post(carol, now - 9000), boosted;
    assert_int_equal(list_create(social, arena, as(alice), "both", &list, none()), ERR_OK);
    ask(7, "ZADD", key_id(arena, KEY_MEMBERS, list), "1", id_text(arena, bob));
    ask(7, "ZADD", key_id(arena, KEY_MEMBERS, list), "2", id_text(arena, carol));
    put_boost(bob, own, now - 8000);
    boosted = put_boost(bob, post, now - 7000);
    for (unsigned i = 0; i < 2; i++) {
        struct timeline_query q = {.limit = PAGE};
        struct visit *v = visit_begin_as(social, arena, alice);
        const struct list_timeline *t = list_timeline_ask(v, list, &q);
        assert_int_equal(visit_read(v), ERR_OK);
        assert_int_equal(t->page.count, 2);
        assert_int_equal(t->page.posts[0].id, boosted);
        assert_int_equal(t->page.posts[1].id, own);
    }
}

static unsigned trips_of_home(void)
{
    store_trips_reset();
    read_home(0, 0);
    return store_trips();
}

static void test_warm_home_with_boosts(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms();
    for (unsigned i = 0; i < 40; i++) {
        uint64_t of = put_post(dave, now - 200000 - i * 1000);
        put_boost(i % 2 ? bob : carol, i % 4 ? of : post, now - 1000 - i * 1000);
    }
    read_home(0, 0);
    wait_for_home(id_of_ms(now - 1000) | (uint64_t)9 << 6);
    assert_in_range(trips_of_home(), 1, 4);
    assert_int_equal(read_home(0, 0).count, PAGE);
    assert_in_range(trips_of_home(), 1, 2);
    /* and what stands on the page in place of what is shown once is not asked for afterwards */
    for (unsigned i = 1; i <= 25; i += 24) {
        uint64_t of = id_of_ms(now - 200000 - i * 1000) | (uint64_t)10 << 6;
        event_apply(social, &(struct event){.kind = EVENT_COUNTS, .id = of, .text = ""});
    }
    assert_int_equal(trips_of_home(), 2);
}

/* --- marks --------------------------------------------------------------------------------------------------------- */

/* Who boosts much: of older posts than the newest of his boosts it is asked one by one. */
static void test_boosts_of_long_ago(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), old = put_post(dave, now - 900000), other = put_post(dave, now - 899000);
    put_boost(bob, old, now - 800000);
    for (unsigned i = 0; i < 150; i++) {
        put_boost(bob, put_post(dave, now - 700000 + i * 1000), now - 400000 + i * 1000);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_true(seen(bob, old).marks.is_boosted);
        assert_false(seen(bob, other).marks.is_boosted);
        assert_false(seen(bob, post).marks.is_boosted);
        assert_true(seen(bob, id_of_ms(now - 700000 + 149000) | (uint64_t)10 << 6).marks.is_boosted);
        assert_true(seen(bob, id_of_ms(now - 700000 + 50000) | (uint64_t)10 << 6).marks.is_boosted);
        assert_true(seen(bob, id_of_ms(now - 700000 + 49000) | (uint64_t)10 << 6).marks.is_boosted);
    }
}

/* --- pins ---------------------------------------------------------------------------------------------------------- */

static enum err pin(uint64_t uid, uint64_t id, bool on)
{
    return post_pin(social, arena, as(uid), id, on, none());
}

static const struct timeline_profile *profile_of(uint64_t uid, uint64_t max_id)
{
    struct timeline_query q = {.limit = PAGE, .max_id = max_id};
    struct visit *v = visit_begin_as(social, arena, uid);
    const struct timeline_profile *p = timeline_profile_ask(v, name_in(8, 0), TIMELINE_OWN_WITHOUT_ANSWERS, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    return p;
}

static void test_pins_on_the_profile(void **state)
{
    (void)state;
    uint64_t own[6], now = clock_site_ms();
    for (unsigned i = 0; i < COUNT(own); i++) {
        own[i] = put_post(bob, now - 10000 + i * 1000);
    }
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(pin(bob, own[i], true), ERR_OK);
    }
    assert_int_equal(pin(bob, own[5], true), ERR_CONFLICT);
    assert_int_equal(pin(bob, own[0], true), ERR_OK); /* is so */
    assert_int_equal(pin(carol, own[5], true), ERR_FORBIDDEN);
    assert_int_equal(pin(bob, own[1], false), ERR_OK);
    assert_int_equal(pin(bob, own[1], false), ERR_OK);
    assert_true(seen(bob, own[0]).marks.is_pinned);
    assert_false(seen(bob, own[1]).marks.is_pinned);
    const uint64_t expected[] = {own[4], own[3], own[2], own[0]};
    const struct timeline_profile *p = profile_of(alice, 0);
    assert_int_equal(p->pins.count, COUNT(expected));
    for (unsigned i = 0; i < COUNT(expected); i++) {
        assert_int_equal(p->pins.posts[i].id, expected[i]);
    }
    assert_int_equal(p->page.count, COUNT(own));
    assert_int_equal(profile_of(alice, own[3])->pins.count, 0); /* on the first page alone */
    assert_int_equal(post_delete(social, arena, as(bob), own[4], none()), ERR_OK);
    assert_int_equal(count(KEY_PINS, bob), 3);
    set_visibility(own[5], "private");
    event_apply(social, &(struct event){.kind = EVENT_ALL, .text = ""});
    assert_int_equal(pin(bob, own[5], true), ERR_FORBIDDEN);
    ask(8, "HDEL", key_id(arena, KEY_POST, own[5]), "visibility", NULL); /* as search knows it */
    boost(bob, post, true);
    assert_int_equal(pin(bob, boost_of(bob, post), true), ERR_FORBIDDEN);
    finish_jobs();
    assert_clean();
    assert_int_equal(user_delete(social, arena, as_command(), bob), ERR_OK);
    finish_jobs();
    assert_clean();
}

/* --- check --------------------------------------------------------------------------------------------------------- */

static void repair(enum check_kind expected)
{
    struct check_options o = {.repair = true};
    struct check_report report;
    assert_int_equal(check_run(social, arena, &o, &report), ERR_OK);
    if (!report.kinds[expected].count) {
        fail_msg("no %s", check_info(expected)->word);
    }
    assert_clean();
}

static void test_check_of_boosts(void **state)
{
    (void)state;
    boost(bob, post, true);
    finish_jobs();
    uint64_t id = boost_of(bob, post);
    const char *boosted = key_id(arena, KEY_BOOSTED, bob), *entry = marks_boost_entry(arena, post, id);
    ask(10, "ZREM", key_id(arena, KEY_BOOSTS, post), id_text(arena, bob), NULL);
    repair(CHECK_BOOST_HALF);
    assert_int_equal(boost_of(bob, post), id);
    ask(10, "ZADD", key_id(arena, KEY_BOOSTS, post), "5", id_text(arena, carol));
    repair(CHECK_BOOST_HALF);
    assert_int_equal(count(KEY_BOOSTS, post), 1);
    ask(10, "ZADD", key_id(arena, KEY_BOOSTS, post), "5", id_text(arena, bob + 64));
    repair(CHECK_BOOST_NOBODY);
    ask(8, "ZREM", boosted, entry, NULL);
    repair(CHECK_BOOST_UNLISTED);
    assert_int_equal(boost_of(bob, post), id);
    ask(8, "ZADD", boosted, "0", marks_boost_entry(arena, put_post(dave, clock_site_ms() - 1000), id));
    repair(CHECK_BOOST_STRANGER);
    uint64_t second = put_boost(bob, post, clock_site_ms() + 1);
    ask(8, "ZREM", boosted, marks_boost_entry(arena, post, second), NULL);
    repair(CHECK_BOOST_TWICE);
    assert_false(exists(second));
    assert_int_equal(boost_of(bob, post), id);
    ask(10, "DEL", key_id(arena, KEY_POST, post), NULL, NULL);
    ask(10, "ZREM", key_id(arena, KEY_POSTS, dave), id_text(arena, post), NULL);
    repair(CHECK_BOOST_GONE);
    assert_false(exists(id));
    ask(8, "ZADD", key_id(arena, KEY_PINS, bob), "5", id_text(arena, post));
    repair(CHECK_PIN_STRANGER);
}

#define boosts(f) cmocka_unit_test_setup_teardown(f, begin_boosts, site_teardown)

static const struct CMUnitTest tests[] = {
    boosts(test_boost_again_changes_nothing),
    boosts(test_boost_of_a_boost),
    boosts(test_who_may_boost),
    boosts(test_other_side_comes_after),
    boosts(test_contrary_boosts),
    boosts(test_first_delivery_compares),
    boosts(test_author_hears_of_boosts),
    boosts(test_boosts_are_limited),
    boosts(test_original_goes),
    boosts(test_famous_original_goes),
    boosts(test_booster_goes),
    boosts(test_home_shows_the_original),
    boosts(test_once_on_a_page),
    boosts(test_once_across_pages),
    boosts(test_once_behind_the_cursor),
    boosts(test_once_in_a_list),
    boosts(test_warm_home_with_boosts),
    boosts(test_boosts_of_long_ago),
    boosts(test_pins_on_the_profile),
    boosts(test_check_of_boosts),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
