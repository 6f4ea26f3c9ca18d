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
    const char *jobs = key_plain(arena, KEY_JOBS, 9);
    for (unsigned i = 0; i < 5000 && store_integer(ask(9, "ZCARD", jobs, NULL, NULL)) > 0; i++) {
        clock_sleep_ms(2); /* nobody waits for the end of a job */
    }
    assert_int_equal(store_integer(ask(9, "ZCARD", jobs, NULL, NULL)), 0);
    assert_clean();
}

#define raced(f) cmocka_unit_test_setup_teardown(f, begin, end)

static const struct CMUnitTest tests[] = {
    raced(test_invited_and_name_taken),
    raced(test_unfollowed_while_following),
    raced(test_deleted_while_delivered),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
