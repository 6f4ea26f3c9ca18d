/* test_social_reactions.c - favourites and bookmarks: both sides alike whatever comes in between, nothing counted twice, nothing left of
 * posts and people that are gone, and what a page knows of them without asking.
 */
#include "social_case.h"

#include "social/people/follow.h"
#include "social/people/visit.h"
#include "social/posts/boost.h"
#include "social/posts/post.h"
#include "social/posts/post_read.h"
#include "social/timelines/fanout.h"
#include "social/posts/publish.h"
#include "social/posts/marks.h"
#include "social/posts/quiet.h"
#include "social/posts/react.h"
#include "social/timelines/reacted.h"

static uint64_t alice, bob, carol, post;

static int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    carol = person(name_in(9, 0));
    post = put_post(bob, clock_site_ms() - 1000);
    return 0;
}

static void favourite(uint64_t uid, uint64_t id, bool on)
{
    assert_int_equal(post_favourite(social, arena, as(uid), id, on, none()), ERR_OK);
}

static void bookmark(uint64_t uid, uint64_t id, bool on)
{
    assert_int_equal(post_bookmark(social, arena, as(uid), id, on, none()), ERR_OK);
}

static bool has(enum key set, uint64_t id, uint64_t member)
{
    return ask(id_bucket(id), "ZSCORE", key_id(arena, set, id), id_text(arena, member), NULL)->type != STORE_NIL;
}

/* Whether somebody has favourited a post. Both sides say the same. */
static bool has_favourited(uint64_t uid, uint64_t id)
{
    assert_int_equal(has(KEY_FAVOURITED, uid, id), has(KEY_FAVOURITES, id, uid));
    return has(KEY_FAVOURITED, uid, id);
}

static int64_t marks_version(uint64_t uid)
{
    return store_integer(ask(id_bucket(uid), "HGET", key_id(arena, KEY_HOMESTATE, uid), "marks", NULL));
}

static size_t jobs_waiting(uint64_t uid)
{
    return (size_t)store_integer(ask(id_bucket(uid), "ZCARD", key_plain(arena, KEY_JOBS, id_bucket(uid)), NULL, NULL));
}

/* A post as somebody sees it who is signed in. */
static struct post seen(uint64_t uid, uint64_t id)
{
    struct follow_query q = {.limit = 20};
    struct visit *v = visit_begin_as(social, arena, uid);
    const struct reacted_people *r = favourites_ask(v, id, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    return r->post;
}

/* The same of one that is not to be seen. */
static void seen_gone(uint64_t uid, uint64_t id)
{
    struct follow_query q = {.limit = 20};
    struct visit *v = visit_begin_as(social, arena, uid);
    favourites_ask(v, id, &q);
    assert_int_equal(visit_read(v), ERR_NOT_FOUND);
}

/* --- changes ------------------------------------------------------------------------------------------------------- */

static void test_again_changes_nothing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        favourite(alice, post, true);
        bookmark(alice, post, true);
        assert_true(has_favourited(alice, post));
        assert_true(has(KEY_BOOKMARKS, alice, post));
        assert_int_equal(marks_version(alice), 2);
    }
    for (unsigned i = 0; i < 2; i++) {
        favourite(alice, post, false);
        bookmark(alice, post, false);
        assert_false(has_favourited(alice, post));
        assert_false(has(KEY_BOOKMARKS, alice, post));
        assert_int_equal(marks_version(alice), 4);
    }
    assert_int_equal(jobs_waiting(alice), 0);
    assert_clean();
}

static void test_what_is_not_there(void **state)
{
    (void)state;
    uint64_t nothing = put_post(bob, clock_site_ms() - 5000) + 1;
    assert_int_equal(post_favourite(social, arena, as(alice), nothing, true, none()), ERR_NOT_FOUND);
    assert_int_equal(post_bookmark(social, arena, as(alice), nothing, true, none()), ERR_NOT_FOUND);
    favourite(alice, nothing, false);
    bookmark(alice, nothing, false);
    assert_int_equal(marks_version(alice), 0);
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    assert_int_equal(post_favourite(social, arena, as(alice), post, true, none()), ERR_NOT_FOUND);
    assert_int_equal(post_bookmark(social, arena, as(alice), post, true, none()), ERR_NOT_FOUND);
    assert_false(has(KEY_FAVOURITED, alice, post));
    assert_false(has(KEY_BOOKMARKS, alice, post));
}

/* His own side is written, as by a process that dies then; the job that is left. */
static struct job *begin_favourite(uint64_t uid, uint64_t id, bool on)
{
    struct job *job = job_new(arena, &favourite_job, uid);
    *(uint64_t *)((char *)job + favourite_job.fields->offset) = id; /* JOB_POST */
    const struct script_favourite in = {
        .job = job_call(job), .limit = {.uid = uid, .name = ""}, .uid = uid, .post = id, .on = on, .now = 5};
    struct store_batch *b = new_batch();
    if (on) {
        script_favourite_add(b, &in);
    } else {
        script_unfavourite_add(b, &in);
    }
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(script_answer(store_reply(b, 0)), ANSWER_OK);
    return job;
}

static void test_the_other_side_comes_after(void **state)
{
    (void)state;
    begin_favourite(alice, post, true);
    assert_false(has(KEY_FAVOURITES, post, alice));
    assert_clean(); /* a job waits */
    finish_jobs();
    assert_true(has_favourited(alice, post));
    begin_favourite(alice, post, false);
    assert_true(has(KEY_FAVOURITES, post, alice));
    assert_clean();
    finish_jobs();
    assert_false(has_favourited(alice, post));
    assert_int_equal(jobs_waiting(alice), 0);
    assert_clean();
}

/* Two processes want the contrary: the job of the first comes to the other side when the second has done everything. */
static void test_contrary_jobs(void **state)
{
    (void)state;
    begin_favourite(alice, post, true);
    favourite(alice, post, false);
    finish_jobs();
    assert_false(has_favourited(alice, post));
    begin_favourite(alice, post, true);
    begin_favourite(alice, post, false);
    begin_favourite(alice, post, true);
    finish_jobs();
    assert_true(has_favourited(alice, post));
    assert_clean();
}

/* A job that has written the other side finds his own changed since: it must not end. */
static void test_end_compares(void **state)
{
    (void)state;
    struct job *job = job_new(arena, &favourite_job, alice);
    favourite(alice, post, true);
    const enum script_favourite_done_other wrote[] = {FAVOURITE_DONE_OTHER_OFF, FAVOURITE_DONE_OTHER_ON,
                                                      FAVOURITE_DONE_OTHER_GONE};
    const enum answer answers[] = {ANSWER_AGAIN, ANSWER_OK, ANSWER_OK};
    for (unsigned i = 0; i < COUNT(wrote); i++) {
        struct store_batch *b = new_batch();
        script_favourite_done_add(b, &(struct script_favourite_done){job_call(job), alice, post, wrote[i]});
        assert_int_equal(store_run(b), ERR_OK);
        assert_int_equal(script_answer(store_reply(b, 0)), answers[i]);
        assert_int_equal(has(KEY_FAVOURITED, alice, post), i < 2);
    }
    assert_int_equal(marks_version(alice), 2); /* the end took it away, as the post was said to be gone */
}

/* Of a post that the process remembers nothing is asked: what it boosts is meant, and whoever was deleted has none. */
static void test_remembered_posts(void **state)
{
    (void)state;
    struct problems *p = none();
    struct fanout_wave *wave;
    assert_int_equal(post_boost(social, arena, as(carol), post, true, &wave, p), ERR_OK);
    fanout_wait(wave);
    const struct store_reply *boosted = ask(9, "ZRANDMEMBER", key_id(arena, KEY_BOOSTED, carol), NULL, NULL);
    uint64_t boost = marks_boost_parse(store_text(boosted)).boost;
    struct post out;
    struct script_see see;
    for (unsigned i = 0; i < 2; i++) {
        store_trips_reset();
        assert_int_equal(post_find_to_act(social, arena, alice, post, &out, &see), ERR_OK);
        assert_int_equal(store_trips(), 0); /* the boost has loaded it */
        assert_int_equal(out.id, post);
        assert_int_equal(see.author, bob);
        seen(alice, post);
    }
    favourite(alice, boost, true);
    favourite(carol, boost, true);
    assert_true(has_favourited(alice, post) && has_favourited(carol, post));
    assert_false(has(KEY_FAVOURITED, alice, boost) || has(KEY_FAVOURITED, carol, boost));
    uint64_t dave = person(name_in(11, 0)), his = put_post(dave, clock_site_ms() - 500);
    ask(11, "HSET", key_id(arena, KEY_USER, dave), "deleted", "1"); /* his posts go later */
    seen_gone(alice, his);
    assert_int_equal(post_find_to_act(social, arena, alice, his, &out, &see), ERR_NOT_FOUND);
    assert_int_equal(post_bookmark(social, arena, as(alice), his, true, p), ERR_NOT_FOUND);
}

/* One that is taken back when the post's side is written, and before its job ends: the end finds that, and it is written again. */
static void test_taken_back_before_the_end(void **state)
{
    (void)state;
    struct job *job = begin_favourite(alice, post, true);
    bool done = false;
    assert_int_equal(favourite_job.step(social, arena, job, &done), ERR_OK);
    assert_true(has_favourited(alice, post));
    begin_favourite(alice, post, false);
    for (unsigned i = 0; i < 3; i++) { /* ends not, writes, ends */
        assert_false(done);
        assert_int_equal(favourite_job.step(social, arena, job, &done), ERR_OK);
    }
    assert_true(done);
    assert_false(has_favourited(alice, post));
    assert_int_equal(jobs_waiting(alice), 1); /* that of the second, who died */
    finish_jobs();
    assert_false(has_favourited(alice, post));
    assert_clean();
}

static uint64_t told_us(uint64_t uid, uint64_t id)
{
    const char *group = arena_printf(arena, "f:%s", id_text(arena, id));
    return (uint64_t)store_integer(ask(id_bucket(uid), "ZSCORE", key_id(arena, KEY_NOTICES, uid), group, NULL));
}

/* The author of a post hears of its favourites, once, and not of what was all taken back. */
static void test_author_is_told(void **state)
{
    (void)state;
    favourite(bob, post, true);
    assert_int_equal(told_us(bob, post), 0); /* of himself he knows */
    favourite(alice, post, true);
    uint64_t first = told_us(bob, post);
    assert_int_not_equal(first, 0);
    begin_favourite(alice, post, false);
    begin_favourite(alice, post, true);
    finish_jobs();
    assert_int_equal(told_us(bob, post), first);
    favourite(carol, post, true);
    assert_true(told_us(bob, post) > first);
    favourite(carol, post, false);
    favourite(alice, post, false);
    assert_int_not_equal(told_us(bob, post), 0);
    favourite(bob, post, false);
    assert_int_equal(told_us(bob, post), 0);
    assert_clean();
}

static void test_limits(void **state)
{
    (void)state;
    config.limits.enabled = true;
    config.limits.react = (struct config_limit){.count = 2, .seconds = 3600};
    struct problems *p = none();
    favourite(alice, post, true);
    favourite(alice, post, true); /* was so, and costs nothing */
    bookmark(alice, post, true);
    bookmark(alice, post, true);
    assert_int_equal(post_favourite(social, arena, as(alice), post, false, p), ERR_TOO_MANY);
    assert_in_range(p->retry_after, 1700, 3600);
    assert_int_equal(post_bookmark(social, arena, as(alice), post, false, p), ERR_TOO_MANY);
    assert_true(has_favourited(alice, post));
    assert_true(has(KEY_BOOKMARKS, alice, post));
    favourite(bob, post, true);
}

/* --- what goes with others ----------------------------------------------------------------------------------------- */

static void test_post_goes(void **state)
{
    (void)state;
    uint64_t other = put_post(bob, clock_site_ms() - 2000);
    favourite(alice, post, true);
    favourite(carol, post, true);
    favourite(carol, other, true);
    bookmark(carol, post, true);
    assert_int_equal(post_delete(social, arena, as(bob), post, none()), ERR_OK);
    assert_int_equal(post_favourite(social, arena, as(bob), post, true, none()), ERR_NOT_FOUND);
    finish_jobs();
    assert_false(has_favourited(alice, post));
    assert_false(has_favourited(carol, post));
    assert_true(has_favourited(carol, other));
    assert_int_equal(ask(8, "EXISTS", key_id(arena, KEY_FAVOURITES, post), NULL, NULL)->integer, 0);
    assert_clean();
}

/* More than are taken away at once. */
static void test_famous_post_goes(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    uint64_t first = person(name_in(10, 0)), last = 0;
    for (unsigned i = 0; i < 2500; i++) {
        last = first + 64 * 1024 * (i + 1);
        store_command(b, 8, "ZADD", key_id(arena, KEY_FAVOURITES, post), arena_printf(arena, "%u", i),
                      id_text(arena, last), NULL);
        store_command(b, 10, "ZADD", key_id(arena, KEY_FAVOURITED, last), "5", id_text(arena, post), NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(post_delete(social, arena, as(bob), post, none()), ERR_OK);
    finish_jobs();
    assert_false(has_favourited(last, post));
    assert_false(has_favourited(first + 64 * 1024, post));
    assert_int_equal(ask(8, "EXISTS", key_id(arena, KEY_FAVOURITES, post), NULL, NULL)->integer, 0);
    assert_clean();
}

/* The post goes, and what it had, between the two sides. */
static void test_post_goes_in_between(void **state)
{
    (void)state;
    begin_favourite(alice, post, true);
    assert_int_equal(post_delete(social, arena, as(bob), post, none()), ERR_OK);
    finish_jobs();
    assert_false(has_favourited(alice, post));
    assert_int_equal(jobs_waiting(alice), 0);
    assert_clean();
}

static void test_user_goes(void **state)
{
    (void)state;
    favourite(alice, post, true);
    bookmark(alice, post, true);
    favourite(carol, post, true);
    assert_int_equal(seen(carol, post).favourite_count, 2);
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    finish_jobs();
    assert_false(has_favourited(alice, post));
    assert_int_equal(ask(7, "EXISTS", key_id(arena, KEY_BOOKMARKS, alice), NULL, NULL)->integer, 0);
    assert_true(has_favourited(carol, post));
    assert_int_equal(seen(carol, post).favourite_count, 1);
    assert_clean();
}

/* --- what pages know ----------------------------------------------------------------------------------------------- */

static void test_marks_and_counts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) { /* asked for, and then remembered */
        assert_int_equal(seen(alice, post).favourite_count, 0);
        assert_false(seen(alice, post).marks.is_favourited || seen(alice, post).marks.is_bookmarked);
    }
    favourite(alice, post, true);
    assert_true(seen(alice, post).marks.is_favourited);
    assert_false(seen(alice, post).marks.is_bookmarked);
    assert_false(seen(carol, post).marks.is_favourited);
    assert_int_equal(seen(carol, post).favourite_count, 1);
    bookmark(carol, post, true);
    favourite(carol, post, true);
    assert_true(seen(carol, post).marks.is_favourited && seen(carol, post).marks.is_bookmarked);
    assert_int_equal(seen(alice, post).favourite_count, 2);
    favourite(alice, post, false);
    assert_false(seen(alice, post).marks.is_favourited);
    assert_int_equal(seen(alice, post).favourite_count, 1);
}

/* Another process marks: the version tells, no event does. */
/* Whichever post of it she looks at; old or new; and it costs nothing once it is known. */
static void test_muted_conversations(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), answer = put_post(carol, now - 500);
    struct store_batch *b = new_batch();
    record_put(b, RECORD_POST, answer, &(struct record_post){.reply_to = post, .thread = post});
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(post_mute(social, arena, as(alice), answer, true, none()), ERR_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(seen(alice, answer).marks.is_quiet);
        assert_true(seen(alice, post).marks.is_quiet);
        assert_false(seen(bob, post).marks.is_quiet);
    }
    assert_false(seen(alice, put_post(bob, clock_site_ms() - 100)).marks.is_quiet);
    store_trips_reset();
    seen(alice, post);
    assert_int_equal(store_trips(), 1);
    for (unsigned i = 0; i < QUIET_MOST - 1; i++) {
        uint64_t other = put_post(bob, now - 100000 - i);
        assert_int_equal(post_mute(social, arena, as(alice), other, true, none()), ERR_OK);
    }
    assert_true(seen(alice, post).marks.is_quiet);
    bookmark(alice, put_post(bob, clock_site_ms() - 200), true);
    assert_false(seen(alice, post).marks.is_bookmarked);
    assert_int_equal(post_mute(social, arena, as(alice), put_post(bob, clock_site_ms() - 50), true, none()), ERR_OK);
    assert_false(seen(alice, post).marks.is_quiet); /* the oldest mute ended */
    assert_int_equal(store_integer(ask(7, "ZCARD", key_id(arena, KEY_QUIET, alice), NULL, NULL)), QUIET_MOST);
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    finish_jobs();
    assert_int_equal(store_integer(ask(7, "EXISTS", key_id(arena, KEY_QUIET, alice), NULL, NULL)), 0);
    assert_int_equal(post_mute(social, arena, as(alice), answer, true, none()), ERR_NOT_FOUND);
}

static void test_marks_of_another_process(void **state)
{
    (void)state;
    assert_false(seen(alice, post).marks.is_favourited);
    assert_false(seen(alice, post).marks.is_favourited);
    begin_favourite(alice, post, true);
    assert_true(seen(alice, post).marks.is_favourited);
    assert_true(seen(alice, post).marks.is_favourited);
}

static unsigned trips_of_own_page(uint64_t uid)
{
    struct timeline_query q = {.limit = 20};
    store_trips_reset();
    struct visit *v = visit_begin_as(social, arena, uid);
    const struct timeline_page *page = timeline_public_ask(v, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(page->count, 1);
    return store_trips();
}

/* Marks that are remembered cost no round trip. */
static void test_marks_cost_nothing_again(void **state)
{
    (void)state;
    ask(0, "LPUSH", key_plain(arena, KEY_TIMELINE, 0), id_text(arena, post), NULL);
    assert_int_equal(trips_of_own_page(alice), 2);
    assert_int_equal(trips_of_own_page(alice), 1);
    bookmark(alice, post, true);
    assert_int_equal(trips_of_own_page(alice), 2);
    assert_int_equal(trips_of_own_page(alice), 1);
}

/* Who marks much: of posts that are newer than his newest marks nothing is asked, of older ones what he did long ago is still known. */
static void test_marks_of_long_ago(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), old = put_post(bob, now - 100000), unmarked = put_post(bob, now - 99000);
    favourite(alice, old, true);
    ask(7, "ZADD", key_id(arena, KEY_FAVOURITED, alice),
        arena_printf(arena, "%llu000", (unsigned long long)now - 90000), id_text(arena, old));
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < 150; i++) {
        uint64_t id = put_post(carol, now - 80000 + i);
        store_command(b, 7, "ZADD", key_id(arena, KEY_FAVOURITED, alice),
                      arena_printf(arena, "%llu000", (unsigned long long)now - 50000 + i), id_text(arena, id), NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    bookmark(alice, old, true);
    for (unsigned i = 0; i < 2; i++) {
        assert_true(seen(alice, old).marks.is_favourited && seen(alice, old).marks.is_bookmarked);
        assert_false(seen(alice, unmarked).marks.is_favourited);
        assert_false(seen(alice, post).marks.is_favourited);
    }
    favourite(alice, old, false);
    favourite(alice, post, true);
    assert_false(seen(alice, old).marks.is_favourited);
    assert_true(seen(alice, post).marks.is_favourited);
}

static struct reacted bookmarks_of(uint64_t uid, uint64_t max_us, uint64_t min_us)
{
    struct follow_query q = {.limit = 20, .max_us = max_us, .min_us = min_us};
    struct visit *v = visit_begin_as(social, arena, uid);
    const struct reacted *r = bookmarked_ask(v, &q);
    store_trips_reset();
    assert_int_equal(visit_read(v), ERR_OK);
    assert_in_range(store_trips(), 1, 2); /* however many posts are gone */
    return *r;
}

/* Pages go by the time of the mark, not by that of the post; they are full though many posts are gone, and lead there and back. */
static void test_pages_of_marks(void **state)
{
    (void)state;
    uint64_t own[60], now = clock_site_ms();
    for (unsigned i = 0; i < COUNT(own); i++) {
        own[i] = put_post(bob, now - 10000 - 10 * (i % 7) * 60 - i);
        ask(7, "ZADD", key_id(arena, KEY_BOOKMARKS, alice), arena_printf(arena, "%u", 1000 + 2 * i),
            id_text(arena, own[i]));
        ask(7, "ZADD", key_id(arena, KEY_BOOKMARKS, alice), arena_printf(arena, "%u", 1001 + 2 * i),
            id_text(arena, own[i] + 1)); /* gone */
    }
    struct reacted first = bookmarks_of(alice, 0, 0);
    assert_int_equal(first.page.count, 20);
    assert_int_equal(first.page.posts[0].id, own[59]);
    assert_int_equal(first.page.posts[19].id, own[40]);
    assert_int_equal(first.older_us, 1080);
    assert_int_equal(first.newer_us, 0);
    struct reacted last = bookmarks_of(alice, 1040, 0);
    assert_int_equal(last.page.count, 20);
    assert_int_equal(last.page.posts[0].id, own[19]);
    assert_int_equal(last.page.posts[19].id, own[0]);
    assert_int_equal(last.older_us, 0);
    assert_int_equal(last.newer_us, 1038);
    struct reacted back = bookmarks_of(alice, 0, 1038);
    assert_int_equal(back.page.count, 20);
    assert_int_equal(back.page.posts[0].id, own[39]);
    assert_int_equal(back.page.posts[19].id, own[20]);
    assert_int_equal(back.older_us, 1040);
    assert_int_equal(back.newer_us, 1078);
    assert_int_equal(bookmarks_of(carol, 0, 0).page.count, 0);
}

/* The newest, but only those behind a mark: there may be others between them and it. */
static void test_pages_since(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms() - 1000;
    for (unsigned i = 0; i < 30; i++) {
        ask(7, "ZADD", key_id(arena, KEY_BOOKMARKS, alice), arena_printf(arena, "%u", 1000 + i),
            id_text(arena, put_post(bob, now - i)));
    }
    static const struct {
        struct follow_query q;
        size_t count;
        uint64_t older_us, newest_us;
    } cases[] = {
        {{.since_us = 1019, .limit = 20}, 10, 0, 1029},
        {{.since_us = 1005, .limit = 20}, 20, 1010, 1029},
        {{.since_us = 1005, .max_us = 1009, .limit = 20}, 3, 0, 1008},
        {{.since_us = 1027, .min_us = 1003, .limit = 5}, 5, 1004, 1008},
        {{.since_us = 1029, .limit = 20}, 0, 0, 0},
        {{.limit = 7}, 7, 1023, 1029},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct visit *v = visit_begin_as(social, arena, alice);
        const struct reacted *r = bookmarked_ask(v, &cases[i].q);
        assert_int_equal(visit_read(v), ERR_OK);
        assert_int_equal(r->page.count, cases[i].count);
        assert_int_equal(r->older_us, cases[i].older_us);
        assert_int_equal(r->newest_us, cases[i].newest_us);
    }
}

/* Nearly all is gone: each page looks at some, and says where it goes on. */
static void test_page_of_what_is_gone(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < 3000; i++) {
        store_command(b, 7, "ZADD", key_id(arena, KEY_BOOKMARKS, alice), arena_printf(arena, "%u", 10 + i),
                      id_text(arena, post + 1 + i), NULL);
    }
    store_command(b, 7, "ZADD", key_id(arena, KEY_BOOKMARKS, alice), "5", id_text(arena, post), NULL);
    assert_int_equal(store_run(b), ERR_OK);
    struct reacted page = bookmarks_of(alice, 0, 0);
    unsigned pages = 1;
    for (; page.page.count == 0 && page.older_us && pages < 200; pages++) {
        struct reacted next = bookmarks_of(alice, page.older_us, 0);
        assert_true(next.older_us < page.older_us);
        page = next;
    }
    assert_int_equal(page.page.count, 1);
    assert_int_equal(page.page.posts[0].id, post);
    assert_int_equal(page.older_us, 0);
    assert_int_equal(pages, 3001 / (20 + 1 + TIMELINE_SLACK) + 1);
}

static void test_who(void **state)
{
    (void)state;
    favourite(alice, post, true);
    favourite(carol, post, true);
    struct follow_query q = {.limit = 1};
    struct visit *v = visit_begin(social, arena, NULL);
    const struct reacted_people *r = favourites_ask(v, post, &q);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(r->page.count, 1);
    assert_int_equal(r->page.rows[0].user.id, carol);
    assert_int_not_equal(r->page.older_us, 0);
    assert_false(r->post.marks.is_favourited);
    v = visit_begin(social, arena, NULL);
    favourites_ask(v, post + 1, &q);
    assert_int_equal(visit_read(v), ERR_NOT_FOUND);
}

#define reactions(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static const struct CMUnitTest tests[] = {
    reactions(test_again_changes_nothing),
    reactions(test_what_is_not_there),
    reactions(test_the_other_side_comes_after),
    reactions(test_contrary_jobs),
    reactions(test_end_compares),
    reactions(test_remembered_posts),
    reactions(test_taken_back_before_the_end),
    reactions(test_author_is_told),
    reactions(test_limits),
    reactions(test_post_goes),
    reactions(test_famous_post_goes),
    reactions(test_post_goes_in_between),
    reactions(test_user_goes),
    reactions(test_marks_and_counts),
    reactions(test_muted_conversations),
    reactions(test_marks_of_another_process),
    reactions(test_marks_cost_nothing_again),
    reactions(test_marks_of_long_ago),
    reactions(test_pages_of_marks),
    reactions(test_pages_since),
    reactions(test_page_of_what_is_gone),
    reactions(test_who),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
