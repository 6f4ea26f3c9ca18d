/* test_social_races.c - somebody is faster: between two steps of one request another one has done all of its own. Which
 * step it meets is not left to chance (tap.h).
 */
#include "social_case.h"

#include "social/people/follow.h"
#include "social/people/invite.h"
#include "social/posts/post.h"
#include "social/timelines/fanout.h"
#include "store/script.h"
#include "tap.h"
#include "social/posts/boost.h"
#include "social/posts/publish.h"
#include "social/people/sign_up.h"

static struct tap tap;

static int begin(void **state)
{
    (void)state;
    private_redis_start(&redis, plain);
    tap_start(&tap, redis.socket);
    store = open_at(tap.server.url);
    arena = arena_new();
    site_open(tap.server.url);
    return 0;
}

static int end(void **state)
{
    (void)state;
    site_close();
    store_close(store);
    tap_stop(&tap);
    arena_free(arena);
    private_redis_stop(&redis);
    return 0;
}

static const char *name_of_script(enum script s)
{
    return script_info(s)->sha1;
}

static enum err follow(struct arena *a, uint64_t uid, const char *name, bool on)
{
    struct follow_item item = {.name = name};
    const struct actor himself = actor_system(uid);
    enum err e = follow_many(social, a, &himself, on, &item, 1, none());
    return e == ERR_OK && item.result != FOLLOW_CHANGED ? ERR_CONFLICT : e;
}

/* --- invitations --------------------------------------------------------------------------------------------------- */

static const char *wanted;

static void take_name(void)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(store, a);
    store_command(b, user_bucket(wanted), "SET", key_text(a, KEY_NAME, wanted), "117657670766635999", NULL);
    require(store_run(b) == ERR_OK);
    arena_free(a);
}

static enum err sign_up(const char *name, const char *code)
{
    static const char *const networks[] = {"192.0.2.1", NULL};
    struct sign_up form = {.name = name, .password = KNOWN_PASSWORD, .password2 = KNOWN_PASSWORD, .invite = code};
    struct problems problems = {.count = 0};
    uint64_t uid;
    return user_sign_up(social, arena, as_nobody(networks), &form, &uid, NULL, &problems);
}

/* Somebody gets the name in the moment before; who was invited chooses another, with the same code. */
static void test_invited_and_name_taken(void **state)
{
    (void)state;
    char code[SECRET_TOKEN_SIZE], why[200];
    wanted = name_in(7, 0);
    assert_int_equal(settings_set(settings, "registration", "invite", "test", why, sizeof(why)), ERR_OK);
    assert_int_equal(invite_create(social, arena, as_command(), 1, 14, code), ERR_OK);
    tap_before(&tap, name_of_script(SCRIPT_USER_CREATE), take_name);
    assert_int_equal(sign_up(wanted, code), ERR_TAKEN);
    assert_true(tap_was_called(&tap));
    assert_int_equal(sign_up(name_in(7, 1), code), ERR_OK);
    assert_int_equal(sign_up(name_in(7, 2), code), ERR_INVALID);
}

/* --- following ----------------------------------------------------------------------------------------------------- */

static uint64_t alice;

static void unfollow(void)
{
    struct arena *a = arena_new();
    require(follow(a, alice, wanted, false) == ERR_OK);
    arena_free(a);
}

/* The other side is being written when the reader changes her mind: both end alike, and at once. */
static void test_unfollowed_while_following(void **state)
{
    (void)state;
    wanted = name_in(8, 0);
    alice = person(name_in(7, 0));
    uint64_t bob = person(wanted);
    tap_before(&tap, name_of_script(SCRIPT_FOLLOWER), unfollow);
    assert_int_equal(follow(arena, alice, wanted, true), ERR_OK);
    assert_true(tap_was_called(&tap));
    assert_false(follows(alice, bob));
    assert_clean();
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

#define READERS 5

static uint64_t author;

static void take_post_back(void)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(store, a);
    store_command(b, 9, "ZRANGE", key_id(a, KEY_POSTS, author), "0", "-1", NULL);
    require(store_run(b) == ERR_OK);
    uint64_t id = id_parse(store_text(store_item(store_reply(b, 0), 0)));
    const struct actor himself = actor_system(author);
    require(post_delete(social, a, &himself, id, none()) == ERR_OK);
    arena_free(a);
}

/* Nobody waits for the end of a job. */
static void wait_for_jobs(unsigned bucket)
{
    const char *jobs = key_plain(arena, KEY_JOBS, bucket);
    for (unsigned i = 0; i < 5000 && store_integer(ask(bucket, "ZCARD", jobs, NULL, NULL)) > 0; i++) {
        clock_sleep_ms(2);
    }
    assert_int_equal(store_integer(ask(bucket, "ZCARD", jobs, NULL, NULL)), 0);
}

/* It is deleted, to the end of its job, before the deliveries come to the engine. */
static void test_deleted_while_delivered(void **state)
{
    (void)state;
    uint64_t readers[READERS], id = 0;
    struct problems problems = {.count = 0};
    struct fanout_wave *wave;
    config.timeline.inline_followers = 0; /* all by the job */
    author = person(name_in(9, 0));
    for (unsigned i = 0; i < READERS; i++) {
        readers[i] = person(name_in(10 + i, 0));
        assert_int_equal(follow(arena, readers[i], name_in(9, 0), true), ERR_OK);
        ask(10 + i, "RPUSH", key_id(arena, KEY_HOME, readers[i]), "0", NULL);
    }
    tap_before(&tap, "LPUSHX", take_post_back);
    struct post_draft draft = {.text = "what nobody is to read"};
    assert_int_equal(post_create(social, arena, as(author), &draft, &id, &wave, &problems), ERR_OK);
    fanout_wait(wave);
    assert_true(tap_was_called(&tap));
    for (unsigned i = 0; i < READERS; i++) {
        const struct store_reply *home = ask(10 + i, "LRANGE", key_id(arena, KEY_HOME, readers[i]), "0", "-1");
        assert_int_equal(home->count, 1);
        assert_string_equal(store_text(&home->items[0]), "0");
    }
    wait_for_jobs(9);
    assert_clean();
}

/* --- boosts -------------------------------------------------------------------------------------------------------- */

static uint64_t boosted_post;

static enum err boost(struct arena *a, bool on)
{
    const struct actor himself = actor_system(alice);
    struct fanout_wave *wave;
    enum err e = post_boost(social, a, &himself, boosted_post, on, &wave, none());
    fanout_wait(wave);
    return e;
}

static void boost_meanwhile(void)
{
    struct arena *a = arena_new();
    require(boost(a, true) == ERR_OK);
    arena_free(a);
}

static void unboost_meanwhile(void)
{
    struct arena *a = arena_new();
    require(boost(a, false) == ERR_OK);
    arena_free(a);
}

static void delete_boosted(void)
{
    struct arena *a = arena_new();
    const struct actor himself = actor_system(author);
    require(post_delete(social, a, &himself, boosted_post, none()) == ERR_OK);
    arena_free(a);
}

/* Whether she boosts it, as both sides say when all jobs are done. */
static bool is_boosted(void)
{
    wait_for_jobs(7);
    wait_for_jobs(9);
    int64_t there = store_integer(ask(9, "ZCARD", key_id(arena, KEY_BOOSTS, boosted_post), NULL, NULL));
    assert_int_equal(store_integer(ask(7, "ZCARD", key_id(arena, KEY_BOOSTED, alice), NULL, NULL)), there);
    assert_int_equal(store_integer(ask(7, "ZCARD", key_id(arena, KEY_POSTS, alice), NULL, NULL)), there);
    assert_clean();
    return there == 1;
}

/* She changes her mind, or the post goes, before the other side is written. */
static void test_other_side_of_boosts(void **state)
{
    (void)state;
    static const struct {
        bool on;
        void (*meanwhile)(void);
        bool expected;
    } cases[] = {
        {true, unboost_meanwhile, false},
        {true, boost_meanwhile, true},
        {false, boost_meanwhile, true},
        {true, delete_boosted, false},
    };
    alice = person(name_in(7, 0));
    author = person(name_in(9, 0));
    boosted_post = put_post(author, clock_site_ms() - 1000);
    for (unsigned i = 0; i < COUNT(cases); i++) {
        assert_int_equal(boost(arena, !cases[i].on), ERR_OK);
        tap_before(&tap, name_of_script(SCRIPT_BOOSTED), cases[i].meanwhile);
        assert_int_equal(boost(arena, cases[i].on), ERR_OK);
        assert_true(tap_was_called(&tap));
        assert_int_equal(is_boosted(), cases[i].expected);
    }
}

static void block_alice(void)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(store, a);
    store_command(b, 7, "HSET", key_id(a, KEY_APART, alice), id_text(a, author), "B", NULL);
    require(store_run(b) == ERR_OK);
    arena_free(a);
}

/* The author blocks her when she has seen the post and not yet boosted it. */
static void test_blocked_before_the_boost(void **state)
{
    (void)state;
    alice = person(name_in(7, 0));
    author = person(name_in(9, 0));
    boosted_post = put_post(author, clock_site_ms() - 1000);
    tap_before(&tap, name_of_script(SCRIPT_POST_CREATE), block_alice);
    assert_int_equal(boost(arena, true), ERR_NOT_FOUND);
    assert_true(tap_was_called(&tap));
    assert_int_equal(store_integer(ask(7, "ZCARD", key_id(arena, KEY_BOOSTED, alice), NULL, NULL)), 0);
}

#define raced(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const struct CMUnitTest tests[] = {
    raced(test_invited_and_name_taken), raced(test_unfollowed_while_following), raced(test_deleted_while_delivered),
    raced(test_other_side_of_boosts),   raced(test_blocked_before_the_boost),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
