/* test_social_timelines.c - homes as they are read: ids that stand in a home in another order than their times,
 * windows that are stored too late, guesses that are out of date.
 */
#include "home_case.h"

#include "social/people/follow.h"
#include "social/posts/publish.h"

/* --- how long a home lasts, and how one begins --------------------------------------------------------------------- */

static int64_t time_left(void)
{
    return store_integer(ask(7, "PTTL", home, NULL, NULL));
}

static void set_time_left(int64_t ms)
{
    ask(7, "PEXPIRE", home, arena_printf(arena, "%lld", (long long)ms), NULL);
}

static void test_visit_prolongs_home(void **state)
{
    (void)state;
    const int64_t whole = config.timeline.inactive_days * DAY_MS;
    follow(alice, bob);
    put_post(bob, clock_site_ms() - 1000);
    read_home(0, 0);
    assert_in_range(time_left(), whole - DAY_MS, whole);
    set_time_left(whole - 2 * DAY_MS);
    read_home(0, 0);
    for (unsigned i = 0; i < 5000 && time_left() <= whole - DAY_MS; i++) { /* no visit waits for that */
        clock_sleep_ms(2);
    }
    assert_in_range(time_left(), whole - DAY_MS, whole);
    set_time_left(whole - DAY_MS / 2); /* once a day is enough */
    read_home(0, 0);
    assert_in_range(time_left(), whole - DAY_MS, whole - DAY_MS / 2);
}

/* Comes after the first round and what the home made of it. */
static enum err look_at_begun_home(struct visit *v, void *unused)
{
    (void)v;
    (void)unused;
    assert_int_equal(store_trips(), 2); /* the beginning was answered */
    assert_string_equal(store_text(ask(7, "LINDEX", home, "0", NULL)), "0");
    assert_string_equal(store_text(ask(7, "HGET", homestate, "build", NULL)), "1");
    return ERR_NOT_FOUND;
}

/* The list that catches deliveries stands before the authors are asked, wherever they are. */
static void test_home_begins_before_it_is_read(void **state)
{
    (void)state;
    follow(alice, bob);
    struct timeline_query q = {.limit = PAGE};
    struct visit *v = visit_begin_as(social, arena, alice);
    home_ask(v, &q);
    visit_then(v, look_at_begun_home, NULL);
    store_trips_reset();
    assert_int_equal(visit_read(v), ERR_NOT_FOUND); /* not one round more */
}

/* --- what is deleted ----------------------------------------------------------------------------------------------- */

/* The jobs wait: there is nobody who works on them. */
static void let_jobs_wait(void)
{
    config.timeline.workers = 0;
    job_start(social);
}

/* From the answer on, also where the process remembers the post, and before a job has taken anything out of a home. */
static void test_deleted_post_is_gone_at_once(void **state)
{
    (void)state;
    let_jobs_wait();
    follow(alice, bob);
    uint64_t gone = put_post(bob, clock_site_ms() - 2000), kept = put_post(bob, clock_site_ms() - 1000);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(read_home(0, 0).count, 2);
    }
    assert_int_equal(post_delete(social, arena, as(bob), gone, none()), ERR_OK);
    assert_int_equal(ask(7, "LPOS", home, id_text(arena, gone), NULL)->type, STORE_INTEGER);
    struct timeline_page page = read_home(0, 0);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.posts[0].id, kept);
}

static void test_posts_of_the_deleted_are_gone_at_once(void **state)
{
    (void)state;
    let_jobs_wait();
    follow(alice, bob);
    follow(alice, carol);
    put_post(bob, clock_site_ms() - 2000);
    uint64_t kept = put_post(carol, clock_site_ms() - 1000);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(read_home(0, 0).count, 2);
    }
    assert_int_equal(user_delete(social, arena, as_command(), bob), ERR_OK);
    struct timeline_page page = read_home(0, 0);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.posts[0].id, kept);
}

/* --- ids out of order ---------------------------------------------------------------------------------------------- */

/* A home that is a whole list of them, with one at another place: it came earlier or later than its time says. */
static void arrange(unsigned moved, unsigned place)
{
    const char *words[POSTS + 3] = {"RPUSH", home};
    size_t n = 2;
    for (unsigned k = 0; k < POSTS; k++) {
        if (n - 2 == place) {
            words[n++] = id_text(arena, posts[moved]);
        }
        if (k != moved) {
            words[n++] = id_text(arena, posts[k]);
        }
    }
    words[n++] = "0";
    struct store_batch *b = new_batch();
    store_command(b, 7, "DEL", home, NULL);
    store_command_v(b, 7, n, words);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(store_integer(store_reply(b, 1)), POSTS + 1);
}

/* The other edge of what is read is always certain, because an hour lies there. */
static void test_disorder(void **state)
{
    (void)state;
    static const struct {
        unsigned max, min, first, hour, moved, place;
    } cases[] = {
        {0, 0, 0, POSTS, 10, 60}, /* of the first page, far behind what is read */
        {50, 0, 51, 80, 55, 3},   /* of a page further down, far in front */
        {50, 0, 51, 45, 60, 112}, /* and behind */
        {0, 60, 40, 65, 45, 3},   /* of a page upwards, far in front */
        {0, 60, 40, 35, 45, 110}, /* and behind */
    };
    for (unsigned i = 0; i < COUNT(cases); i++) {
        alice = person(name_in(7, i + 1));
        bob = person(name_in(10 + i, 0)); /* in a bucket of his own: his ids are not those of another case */
        home = key_id(arena, KEY_HOME, alice);
        follow(alice, bob);
        uint64_t now = clock_site_ms();
        for (unsigned k = 0; k < POSTS; k++) {
            posts[k] = put_post(bob, now - (uint64_t)k * APART_MS - (k < cases[i].hour ? 0 : HOUR_MS));
        }
        read_home(0, 0);
        arrange(cases[i].moved, cases[i].place);
        assert_page(read_home(cases[i].max ? posts[cases[i].max] : 0, cases[i].min ? posts[cases[i].min] : 0),
                    cases[i].first);
    }
}

/* A post of an earlier time than the newest that a pull has seen may be stored after it. */
static void test_disorder_in_pull_mode(void **state)
{
    (void)state;
    uint64_t seen_ms = clock_site_ms() - 20000;
    config.timeline.mode = CONFIG_PULL;
    assert_int_equal(product_enter(social, true), ERR_OK);
    follow(alice, bob);
    follow(alice, carol);
    uint64_t seen = put_post(bob, seen_ms);
    put_post(carol, seen_ms - HOUR_MS);
    assert_int_equal(read_home(0, 0).count, 2);
    assert_int_equal(read_home(0, 0).count, 2);
    assert_int_equal(store_integer(ask(7, "HGET", homestate, "mark", NULL)), seen_ms);
    uint64_t late = put_post(carol, seen_ms - 5000);
    struct timeline_page below = read_home(seen, 0), first = read_home(0, 0);
    assert_int_equal(below.count, 2);
    assert_int_equal(below.posts[0].id, late);
    assert_int_equal(first.count, 3);
    assert_int_equal(first.posts[1].id, late);
}

/* --- the scripts --------------------------------------------------------------------------------------------------- */

/* What home_range.lua gives of the list 9 8 … 0: where it begins, whether the list ends there, how many. */
static void assert_range(uint64_t cursor, int64_t before, int64_t behind, int64_t size, const int expected[3])
{
    struct script_home_range_reply r;
    struct store_batch *b = new_batch();
    script_home_range_add(b, &(struct script_home_range){alice, cursor, before, behind, size});
    assert_int_equal(store_run(b), ERR_OK);
    assert_true(script_home_range_take(store_reply(b, 0), &r));
    assert_int_equal(r.from, expected[0]);
    assert_int_equal(r.ends, expected[1]);
    assert_int_equal(r.ids->count, expected[2]);
    for (int i = 0; i < expected[2]; i++) {
        assert_int_equal(store_integer(store_item(r.ids, (size_t)i)), 9 - expected[0] - i);
    }
}

static void test_range(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    store_command(b, 7, "RPUSH", home, "9", "8", "7", "6", "5", "4", "3", "2", "1", "0", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_range(5, 2, 3, 100, (const int[]){2, 0, 6});
    assert_range(8, 2, 3, 100, (const int[]){0, 0, 5});
    assert_range(2, 2, 3, 100, (const int[]){5, 1, 5});   /* shorter than asked: it ends */
    assert_range(2, 2, 2, 100, (const int[]){5, 0, 5});   /* nobody has looked further */
    assert_range(5, 2, 3, 8, (const int[]){2, 1, 6});     /* nor may anybody */
    assert_range(1, 2, 3, 8, (const int[]){0, 1, 8});     /* the cursor lies behind that: all there is */
    assert_range(77, 2, 3, 100, (const int[]){0, 1, 10}); /* it is not there at all */
}

static enum answer insert(uint64_t id, int64_t size)
{
    struct store_batch *b = new_batch();
    script_newest_insert_add(b, &(struct script_newest_insert){7, home, id, size});
    assert_int_equal(store_run(b), ERR_OK);
    return script_answer(store_reply(b, 0));
}

/* A delivery that comes late, or a second time. */
static void test_late_delivery(void **state)
{
    (void)state;
    assert_int_equal(insert(5, 100), ANSWER_OK);
    assert_int_equal(insert(9, 100), ANSWER_OK);
    assert_int_equal(insert(3, 2), ANSWER_OLD); /* below all that is there */
    assert_int_equal(insert(3, 100), ANSWER_OK);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(insert(7, 100), ANSWER_OK);
    }
    static const char *const expected[] = {"9", "7", "5", "3"};
    const struct store_reply *r = ask(7, "LRANGE", home, "0", "-1");
    assert_int_equal(r->count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_string_equal(store_text(store_item(r, i)), expected[i]);
    }
}

static enum answer store_home(const char *stamp, uint64_t id)
{
    struct store_batch *b = new_batch();
    const struct script_home_store in = {.uid = alice,
                                         .epoch = 1,
                                         .read = stamp,
                                         .stamp = "the next",
                                         .mark = 5,
                                         .size = 800,
                                         .ttl = 60000,
                                         .window = &id,
                                         .window_count = 1};
    script_home_store_add(b, &in);
    assert_int_equal(store_run(b), ERR_OK);
    return script_answer(store_reply(b, 0));
}

static void begin_home(void)
{
    struct store_batch *b = new_batch();
    script_home_begin_add(b, &(struct script_home_begin){alice, 1, "mine", 60000});
    assert_int_equal(store_run(b), ERR_OK);
}

/* What was read before somebody changed the home is not stored after it. */
static void test_stale_window(void **state)
{
    (void)state;
    uint64_t id = id_new(8, 0);
    begin_home();
    assert_int_equal(store_home("of one who came later", id), ANSWER_STALE);
    assert_string_equal(store_text(ask(7, "LINDEX", home, "0", NULL)), "0");
    assert_int_equal(store_home("mine", id), ANSWER_OK);
    assert_string_equal(store_text(ask(7, "LINDEX", home, "0", NULL)), id_text(arena, id));
    assert_int_equal(store_home("mine", id), ANSWER_STALE);
}

static enum answer follow_done(enum script_follow_done_state state)
{
    const struct script_job job = {alice, 1, 1, "follow", alice};
    const struct script_follow_done_row relation = {bob, state, false, FOLLOW_DONE_BECOMES_SAME};
    struct store_batch *b = new_batch();
    script_follow_done_add(b, &(struct script_follow_done){job, alice, 0, &relation, 1});
    assert_int_equal(store_run(b), ERR_OK);
    return script_answer(store_reply(b, 0));
}

/* A follow job ends between reading the authors and storing the home. */
static void test_follow_ends_while_home_is_built(void **state)
{
    (void)state;
    uint64_t id = id_new(8, 0);
    const char *following = key_id(arena, KEY_FOLLOWING, alice);
    ask(7, "ZADD", following, "1", id_text(arena, bob));
    begin_home();
    assert_int_equal(follow_done(FOLLOW_DONE_STATE_ON), ANSWER_OK);
    assert_int_equal(store_home("mine", id), ANSWER_STALE);
    assert_string_equal(store_text(ask(7, "HGET", homestate, "build", NULL)), "1");
    /* and one that ends after it */
    begin_home();
    assert_int_equal(store_home("mine", id), ANSWER_OK);
    assert_int_equal(follow_done(FOLLOW_DONE_STATE_ON), ANSWER_OK);
    assert_string_equal(store_text(ask(7, "HGET", homestate, "build", NULL)), "1");
}

/* Whom it was about was deleted meanwhile, or the reader himself. */
static void test_follow_ends_for_the_deleted(void **state)
{
    (void)state;
    const char *following = key_id(arena, KEY_FOLLOWING, alice);
    ask(7, "ZADD", following, "1", id_text(arena, bob));
    ask(7, "HSET", homestate, "version", "5");
    assert_int_equal(follow_done(FOLLOW_DONE_STATE_GONE), ANSWER_OK);
    assert_int_equal(store_integer(ask(7, "ZCARD", following, NULL, NULL)), 0);
    assert_int_equal(store_integer(ask(7, "HGET", homestate, "version", NULL)), 6);
    ask(7, "DEL", homestate, NULL, NULL);
    assert_int_equal(follow_done(FOLLOW_DONE_STATE_GONE), ANSWER_OK);
    assert_int_equal(store_integer(ask(7, "EXISTS", homestate, NULL, NULL)), 0);
}

static void test_emptied_home_lasts_as_long(void **state)
{
    (void)state;
    struct follow_item item = {.name = name_in(8, 0)};
    begin_home(); /* of a minute */
    assert_int_equal(follow_many(social, arena, as(alice), true, &item, 1, none()), ERR_OK);
    assert_in_range(time_left(), 1, 60000);
    ask(7, "DEL", home, NULL, NULL);
    assert_int_equal(follow_many(social, arena, as(alice), false, &item, 1, none()), ERR_OK);
    assert_int_equal(store_integer(ask(7, "EXISTS", home, NULL, NULL)), 0); /* nobody reads it */
}

/* --- profiles ------------------------------------------------------------------------------------------------------ */

static struct timeline_page read_profile(enum timeline_own which, uint64_t max_id, uint64_t min_id)
{
    struct timeline_query q = {.max_id = max_id, .min_id = min_id, .limit = PAGE};
    struct visit *v = visit_begin_as(social, arena, alice);
    const struct timeline_profile *p = timeline_profile_ask(v, name_in(8, 0), which, &q);
    store_trips_reset();
    assert_int_equal(visit_read(v), ERR_OK);
    assert_in_range(store_trips(), 1, 2);
    return p->page;
}

/* One of bob's, which answers somebody. */
static uint64_t put_answer(uint64_t ms, uint64_t to)
{
    uint64_t id = put_post(bob, ms);
    ask(8, "HSET", key_id(arena, KEY_POST, id), "reply_to", id_text(arena, posts[0]));
    ask(8, "HSET", key_id(arena, KEY_POST, id), "reply_author", post_author_text(arena, to, "name"));
    return id;
}

/* Whole in both directions, whatever stands between them; answers to himself are no answers. */
static void test_profile_without_answers(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), own[45], all[90];
    posts[0] = put_post(carol, now - 200000);
    for (unsigned i = 0; i < COUNT(all); i++) {
        bool is_answer = i % 2 == 0;
        uint64_t ms = now - 1000 - i * 1000;
        all[i] = is_answer ? put_answer(ms, carol) : i % 3 == 0 ? put_answer(ms, bob) : put_post(bob, ms);
        if (!is_answer) {
            own[i / 2] = all[i];
        }
    }
    unsigned at = 0;
    for (uint64_t max = 0; at < COUNT(own);) {
        struct timeline_page page = read_profile(TIMELINE_OWN_WITHOUT_ANSWERS, max, 0);
        assert_int_equal(page.count, at + PAGE < COUNT(own) ? PAGE : COUNT(own) - at);
        assert_int_equal(page.has_older, at + page.count < COUNT(own));
        for (unsigned i = 0; i < page.count; i++) {
            assert_int_equal(page.posts[i].id, own[at++]);
        }
        max = page.posts[page.count - 1].id;
    }
    struct timeline_page up = read_profile(TIMELINE_OWN_WITHOUT_ANSWERS, 0, own[40]);
    assert_int_equal(up.count, PAGE);
    assert_int_equal(up.posts[0].id, own[20]);
    assert_int_equal(up.posts[PAGE - 1].id, own[39]);
    struct timeline_page whole = read_profile(TIMELINE_OWN_ALL, 0, 0);
    assert_int_equal(whole.posts[0].id, all[0]);
    assert_int_equal(whole.posts[PAGE - 1].id, all[PAGE - 1]);
}

/* So many of them in a row that a page gives up: it goes on behind what was looked at, in both directions. */
static void test_profile_of_who_only_answers(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), last = 0;
    uint64_t top = put_post(bob, now - 1000), bottom = put_post(bob, now - 10000000);
    posts[0] = bottom;
    for (unsigned i = 0; i < TIMELINE_LOOK; i++) {
        last = put_answer(now - 2000 - i * 10, carol);
    }
    struct timeline_page page = read_profile(TIMELINE_OWN_WITHOUT_ANSWERS, 0, 0);
    assert_int_equal(page.count, 1);
    assert_int_equal(page.posts[0].id, top);
    assert_true(page.has_older && page.older_id > last);
    struct timeline_page next = read_profile(TIMELINE_OWN_WITHOUT_ANSWERS, page.older_id, 0);
    assert_int_equal(next.count, 1);
    assert_int_equal(next.posts[0].id, bottom);
    assert_false(next.has_older);
    struct timeline_page up = read_profile(TIMELINE_OWN_WITHOUT_ANSWERS, 0, bottom);
    assert_int_equal(up.count, 0);
    assert_true(up.has_newer && up.newer_id < top && up.newer_id > last);
    up = read_profile(TIMELINE_OWN_WITHOUT_ANSWERS, 0, up.newer_id);
    assert_int_equal(up.count, 1);
    assert_int_equal(up.posts[0].id, top);
}

static const struct CMUnitTest tests[] = {
    timeline(test_profile_without_answers),
    timeline(test_profile_of_who_only_answers),
    timeline(test_visit_prolongs_home),
    timeline(test_deleted_post_is_gone_at_once),
    timeline(test_posts_of_the_deleted_are_gone_at_once),
    timeline(test_home_begins_before_it_is_read),
    timeline(test_disorder),
    timeline(test_disorder_in_pull_mode),
    timeline(test_range),
    timeline(test_late_delivery),
    timeline(test_stale_window),
    timeline(test_follow_ends_while_home_is_built),
    timeline(test_follow_ends_for_the_deleted),
    timeline(test_emptied_home_lasts_as_long),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
