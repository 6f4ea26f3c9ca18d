/* test_social_sessions.c - how long somebody stays signed in: from a sign-in on, from visit to visit, and at the
 * longest. The times are read off the engine; nobody waits for one.
 */
#include "social_case.h"

#include "social/people/session.h"
#include "social/people/visit.h"

#define HOUR_MS INT64_C(3600000)
#define DAY_MS (24 * HOUR_MS)
#define IDLE_DAYS 14
#define LIFETIME_DAYS 90

static uint64_t alice;
static struct session_cookies cookies;
static const char *session; /* key */

static int begin(void **state)
{
    const struct session_origin browser = {"a browser", "192.0.2.1", NULL, NULL};
    char hash[SECRET_HASH_SIZE];
    uint64_t uid;
    site_setup(state);
    config.session.idle_days = IDLE_DAYS;
    config.session.lifetime_days = LIFETIME_DAYS;
    config.session.per_user = 10;
    alice = person(name_in(7, 0));
    assert_int_equal(session_create(social, arena, alice, NULL, &browser, &cookies), ERR_OK);
    assert_true(session_parse(cookies.session, &uid, hash));
    session = key_id_text(arena, KEY_SESSION, alice, hash);
    return 0;
}

static int64_t time_left(void)
{
    return store_integer(ask(7, "PTTL", session, NULL, NULL));
}

/* The session as it would stand there if it had been made, and last used, so long ago, and ended in a minute. */
static void set_back(int64_t created_ms, int64_t seen_ms)
{
    uint64_t now = clock_site_ms();
    struct store_batch *b = new_batch();
    store_command(b, 7, "HSET", session, "created",
                  arena_printf(arena, "%llu", (unsigned long long)now - (unsigned long long)created_ms), "seen",
                  arena_printf(arena, "%llu", (unsigned long long)now - (unsigned long long)seen_ms), NULL);
    store_command(b, 7, "PEXPIRE", session, "60000", NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* Whose page it is. */
static uint64_t visitor(void)
{
    struct visit *v = visit_begin(social, arena, cookies.session);
    assert_int_equal(visit_read(v), ERR_OK);
    return visit_viewer(v)->id;
}

/* A visit prolongs without waiting for the answer. */
static int64_t time_left_after_visit(void)
{
    assert_int_equal(visitor(), alice);
    for (unsigned i = 0; i < 5000 && time_left() <= 60000; i++) {
        clock_sleep_ms(2);
    }
    return time_left();
}

#define assert_nearly(ms, expected) assert_in_range(ms, (expected)-HOUR_MS, expected)

static void test_sign_in(void **state)
{
    (void)state;
    assert_nearly(time_left(), IDLE_DAYS * DAY_MS);
}

static void test_visit_prolongs(void **state)
{
    (void)state;
    set_back(3 * DAY_MS, 2 * HOUR_MS);
    assert_nearly(time_left_after_visit(), IDLE_DAYS * DAY_MS);
    uint64_t seen = (uint64_t)store_integer(ask(7, "HGET", session, "seen", NULL));
    assert_in_range(seen, clock_site_ms() - (uint64_t)HOUR_MS, clock_site_ms());
}

/* Not at every visit: that would be a write for each page. */
static void test_next_visit_writes_nothing(void **state)
{
    (void)state;
    set_back(3 * DAY_MS, HOUR_MS / 2);
    assert_int_equal(visitor(), alice);
    assert_in_range(time_left(), 1, 60000);
}

static void test_no_visit_goes_beyond_the_lifetime(void **state)
{
    (void)state;
    set_back((LIFETIME_DAYS - 1) * DAY_MS, 2 * HOUR_MS);
    assert_nearly(time_left_after_visit(), DAY_MS);
    set_back((LIFETIME_DAYS + 1) * DAY_MS, 2 * HOUR_MS);
    assert_int_equal(visitor(), 0);
    assert_in_range(time_left(), 1, 60000);
}

/* One that has ended, or that never was. */
static void test_session_that_is_not_there(void **state)
{
    (void)state;
    assert_int_equal(visitor(), alice);
    ask(7, "DEL", session, NULL, NULL);
    assert_int_equal(visitor(), 0);
}

/* Nothing of it is left. */
static void test_sign_out(void **state)
{
    (void)state;
    char hash[SECRET_HASH_SIZE];
    uint64_t uid;
    size_t ended = 0;
    assert_true(session_parse(cookies.session, &uid, hash));
    assert_int_equal(session_end(social, arena, as(alice), hash, &ended), ERR_OK);
    assert_int_equal(ended, 1);
    assert_int_equal(store_integer(ask(7, "EXISTS", session, NULL, NULL)), 0);
    assert_int_equal(store_integer(ask(7, "ZCARD", key_id(arena, KEY_SESSIONS, alice), NULL, NULL)), 0);
}

static void test_deleted_user(void **state)
{
    (void)state;
    const struct session_origin another = {"another", "192.0.2.2", NULL, NULL};
    struct session_cookies more;
    assert_int_equal(session_create(social, arena, alice, NULL, &another, &more), ERR_OK);
    const char *sessions = key_id(arena, KEY_SESSIONS, alice);
    const struct store_reply *hashes = ask(7, "ZRANGE", sessions, "0", "-1");
    assert_int_equal(hashes->count, 2);
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    for (size_t i = 0; i < hashes->count; i++) {
        const char *key = key_id_text(arena, KEY_SESSION, alice, store_text(&hashes->items[i]));
        assert_int_equal(store_integer(ask(7, "EXISTS", key, NULL, NULL)), 0);
    }
    assert_int_equal(store_integer(ask(7, "EXISTS", sessions, NULL, NULL)), 0);
    assert_int_equal(store_integer(ask(7, "HEXISTS", key_id(arena, KEY_USER, alice), "password", NULL)), 0);
    assert_int_equal(visitor(), 0);
    assert_int_equal(session_create(social, arena, alice, NULL, &another, &more), ERR_NOT_FOUND);
    struct visit *v = visit_begin_as(social, arena, alice); /* who needs no session */
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(visit_viewer(v)->id, 0);
}

/* Entries of the stream in which what ends his sessions is told. */
static size_t told(void)
{
    return (size_t)store_integer(ask(7, "XLEN", key_plain(arena, KEY_EVENTS, 7), NULL, NULL));
}

/* Whatever ends sessions before their time says so, and nothing else does. */
static void test_ends_are_told(void **state)
{
    (void)state;
    const struct session_origin another = {"another", "192.0.2.2", NULL, NULL};
    struct session_cookies more;
    config.session.per_user = 2;
    clock_sleep_ms(2); /* the oldest goes, so they are not of one ms */
    assert_int_equal(session_create(social, arena, alice, NULL, &another, &more), ERR_OK);
    assert_int_equal(told(), 0);
    assert_int_equal(session_create(social, arena, alice, NULL, &another, &more), ERR_OK); /* one too many */
    assert_int_equal(told(), 1);
    assert_int_equal(visitor(), 0);
    assert_int_equal(session_sign_out(social, arena, as_command(), more.session), ERR_OK);
    assert_int_equal(told(), 2);
}

#define signed_in(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static const struct CMUnitTest tests[] = {
    signed_in(test_ends_are_told),
    signed_in(test_sign_in),
    signed_in(test_visit_prolongs),
    signed_in(test_next_visit_writes_nothing),
    signed_in(test_no_visit_goes_beyond_the_lifetime),
    signed_in(test_session_that_is_not_there),
    signed_in(test_sign_out),
    signed_in(test_deleted_user),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
