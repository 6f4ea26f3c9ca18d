/* test_social_scripts.c - scripts called straight: what a stored home consists of, which posts of an author come with
 * their texts, and what following writes at the reader's side.
 */
#include "home_case.h"

/* --- homes --------------------------------------------------------------------------------------------------------- */

#define EPOCH 5

static void begin_home(void)
{
    struct store_batch *b = new_batch();
    store_command(b, 7, "DEL", home, homestate, NULL);
    script_home_begin_add(b, &(struct script_home_begin){alice, EPOCH, "mine", 60000});
    assert_int_equal(store_run(b), ERR_OK);
}

/* Stores this window of the home that was just begun. */
static enum answer store_window(int64_t epoch, int64_t size, uint64_t oldest, const uint64_t *ids, size_t count)
{
    const struct script_home_store in = {.uid = alice,
                                         .epoch = epoch,
                                         .read = "mine",
                                         .stamp = "the next",
                                         .mark = 5,
                                         .size = size,
                                         .ttl = 60000,
                                         .oldest = oldest,
                                         .window = ids,
                                         .window_count = count};
    struct store_batch *b = new_batch();
    script_home_store_add(b, &in);
    assert_int_equal(store_run(b), ERR_OK);
    return script_answer(store_reply(b, 0));
}

/* The home as the engine has it: ids with blanks between them. */
static const char *home_text(void)
{
    const struct store_reply *r = ask(7, "LRANGE", home, "0", "-1");
    const char *text = "";
    for (size_t i = 0; i < r->count; i++) {
        text = arena_printf(arena, "%s%s%s", text, i ? " " : "", store_text(store_item(r, i)));
    }
    return text;
}

static void test_home_of_another_epoch(void **state)
{
    (void)state;
    begin_home();
    assert_int_equal(store_window(EPOCH - 1, 10, 0, (const uint64_t[]){90}, 1), ANSWER_STALE);
    assert_int_equal(store_window(EPOCH + 1, 10, 0, (const uint64_t[]){90}, 1), ANSWER_STALE);
    assert_string_equal(home_text(), "0");
    assert_int_equal(store_window(EPOCH, 10, 0, (const uint64_t[]){90}, 1), ANSWER_OK);
    assert_string_equal(home_text(), "90 0");
}

/* What comes while the authors are read stands in the home, at its place and once. */
static void test_delivered_meanwhile(void **state)
{
    (void)state;
    static const char *const delivered[] = {"60", "95", "80"};
    begin_home();
    for (size_t i = 0; i < COUNT(delivered); i++) {
        ask(7, "LPUSH", home, delivered[i], NULL);
    }
    assert_int_equal(store_window(EPOCH, 10, 0, (const uint64_t[]){90, 80, 70}, 3), ANSWER_OK);
    assert_string_equal(home_text(), "95 90 80 70 60 0");
}

/* Where a home ends: at 0 only if nothing older is left out; and never more ids than there is room for. */
static void test_end_of_a_home(void **state)
{
    (void)state;
    static const uint64_t ids[] = {90, 80, 70};
    static const struct {
        int64_t size;
        uint64_t oldest;
        const char *expected;
    } cases[] = {
        {10, 0, "90 80 70 0"}, {4, 0, "90 80 70 0"}, {3, 0, "90 80 70"},
        {2, 0, "90 80"},       {10, 70, "90 80 70"}, {10, 80, "90 80"}, /* what is older than the window is not whole */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        begin_home();
        assert_int_equal(store_window(EPOCH, cases[i].size, cases[i].oldest, ids, COUNT(ids)), ANSWER_OK);
        assert_string_equal(home_text(), cases[i].expected);
    }
}

/* --- posts of an author -------------------------------------------------------------------------------------------- */

/* For how many of bob's three posts their texts come along, newest first. */
static size_t bodies_of(uint64_t known, int64_t most)
{
    const struct script_author_posts in = {
        .uid = bob, .from = "+", .to = "-", .backwards = true, .most = 10, .most_bodies = most, .known = known};
    struct script_author_posts_reply r;
    struct store_batch *b = new_batch();
    script_author_posts_add(b, &in);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(store_item(store_reply(b, 0), 0)->count, 3);
    /* each with the number of its replies; and nothing at all when there are none */
    return script_author_posts_take(store_reply(b, 0), &r) ? r.bodies->count / 2 : 0;
}

static void test_bodies_that_the_caller_has(void **state)
{
    (void)state;
    uint64_t ids[3];
    for (unsigned i = 0; i < COUNT(ids); i++) {
        ids[i] = put_post(bob, clock_site_ms() - i * 1000); /* newest first */
    }
    assert_int_equal(bodies_of(0, 10), 3);
    assert_int_equal(bodies_of(0, 2), 2);
    assert_int_equal(bodies_of(ids[1], 10), 1);
    assert_int_equal(bodies_of(ids[2], 10), 2);
    assert_int_equal(bodies_of(ids[0], 10), 0);
}

static void test_post_comes_with_its_author(void **state)
{
    (void)state;
    uint64_t id = put_post(bob, clock_site_ms());
    struct script_post_read_reply r;
    ask(8, "ZADD", key_id(arena, KEY_REPLIES, id), "0", "1");
    ask(8, "ZADD", key_id(arena, KEY_REPLIES, id), "0", "2");
    struct store_batch *b = new_batch();
    script_post_read_add(b, &(struct script_post_read){.id = id});
    script_post_read_add(b, &(struct script_post_read){.id = id + 1});
    assert_int_equal(store_run(b), ERR_OK);
    assert_true(script_post_read_take(store_reply(b, 0), &r));
    assert_string_equal(r.post.text, "a post");
    assert_string_equal(r.user.name, name_in(8, 0));
    assert_int_equal(r.replies, 2);
    assert_false(script_post_read_take(store_reply(b, 1), &r)); /* nothing is there */
}

/* --- following ----------------------------------------------------------------------------------------------------- */

#define MOST 3

/* Follows so many of these. */
static enum answer follow_some(const uint64_t *targets, size_t count)
{
    const struct script_job job = {id_new(7, 0), 1, 77, "follow", alice};
    struct store_batch *b = new_batch();
    script_follow_add(b, &(struct script_follow){.job = job,
                                                 .limit = {.uid = alice, .name = ""},
                                                 .uid = alice,
                                                 .on = true,
                                                 .now = INT64_C(1700000000000000),
                                                 .most = MOST,
                                                 .locked = "",
                                                 .languages = "",
                                                 .targets = targets,
                                                 .targets_count = count});
    assert_int_equal(store_run(b), ERR_OK);
    return script_answer(store_reply(b, 0));
}

static const char *score_of(uint64_t other)
{
    return store_text(ask(7, "ZSCORE", key_id(arena, KEY_FOLLOWING, alice), id_text(arena, other), NULL));
}

static void test_most_followed(void **state)
{
    (void)state;
    const uint64_t targets[] = {bob, carol, person(name_in(10, 0)), person(name_in(11, 0))};
    assert_int_equal(follow_some(targets, MOST + 1), ANSWER_FULL);
    assert_int_equal(follow_some(targets, MOST - 1), ANSWER_OK);
    assert_int_equal(follow_some(targets + MOST - 1, 2), ANSWER_FULL); /* one of them would be too many: none */
    assert_int_equal(follow_some(targets, MOST), ANSWER_OK);           /* most of them are followed already */
    assert_int_equal(follow_some(targets + MOST, 1), ANSWER_FULL);
    assert_int_equal(store_integer(ask(7, "ZCARD", key_id(arena, KEY_FOLLOWING, alice), NULL, NULL)), MOST);
}

/* Each relation has a time of its own, by which lists are paged; and whoever remembers whom she follows sees that it has changed. */
static void test_what_following_writes(void **state)
{
    (void)state;
    const uint64_t targets[] = {bob, carol};
    begin_home();
    assert_int_equal(store_window(EPOCH, 10, 0, (const uint64_t[]){90}, 1), ANSWER_OK);
    assert_int_equal(follow_some(targets, COUNT(targets)), ANSWER_OK);
    assert_string_not_equal(score_of(bob), score_of(carol));
    assert_string_equal(store_text(ask(7, "HGET", homestate, "version", NULL)), "1");
    assert_string_equal(store_text(ask(7, "HGET", homestate, "build", NULL)), "1");
    assert_string_equal(home_text(), "0");
    assert_int_equal(store_window(EPOCH, 10, 0, (const uint64_t[]){90}, 1), ANSWER_STALE);
    assert_int_equal(follow_some(targets, COUNT(targets)), ANSWER_OK); /* nothing new */
    assert_string_equal(store_text(ask(7, "HGET", homestate, "version", NULL)), "1");
}

/* Where there is no room for anything, what frees memory goes on, and is counted. */
static void test_full_engine_counts(void **state)
{
    (void)state;
    const struct script_limit limit = {alice, "follow", 1, 3600, 1}; /* once an hour */
    ask(7, "CONFIG", "SET", "maxmemory", "1");
    struct store_batch *b = new_batch();
    script_limit_add(b, &(struct script_limit_take){limit});
    script_limit_add(b, &(struct script_limit_take){limit});
    enum err e = store_run(b);
    ask(7, "CONFIG", "SET", "maxmemory", "0");
    assert_int_equal(e, ERR_OK);
    assert_int_equal(script_answer(store_reply(b, 0)), ANSWER_OK);
    assert_int_equal(script_answer(store_reply(b, 1)), ANSWER_LIMITED);
}

static const struct CMUnitTest tests[] = {
    timeline(test_home_of_another_epoch),      timeline(test_delivered_meanwhile),        timeline(test_end_of_a_home),
    timeline(test_bodies_that_the_caller_has), timeline(test_post_comes_with_its_author), timeline(test_most_followed),
    timeline(test_full_engine_counts),         timeline(test_what_following_writes),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
