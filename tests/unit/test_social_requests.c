/* test_social_requests.c - locked accounts: asking, taking it back, letting in and rejecting, locking and opening; what each leaves on
 * both sides, whoever is faster and wherever the work was broken off.
 */
#include "social_case.h"

#include "social/people/apart.h"
#include "social/people/request.h"
#include "social/people/visit.h"
#include "store/script.h"
#include "tap.h"

static struct tap tap;

static int tapped_setup(void **state)
{
    (void)state;
    private_redis_start(&redis, plain);
    tap_start(&tap, redis.socket);
    store = open_at(tap.server.url);
    arena = arena_new();
    site_open(tap.server.url);
    return 0;
}

static int tapped_teardown(void **state)
{
    (void)state;
    site_close();
    store_close(store);
    tap_stop(&tap);
    arena_free(arena);
    private_redis_stop(&redis);
    return 0;
}

#define tapped(f) cmocka_unit_test_setup_teardown(f, tapped_setup, tapped_teardown)

/* --- alice asks bob, who is locked --------------------------------------------------------------------------------- */

static uint64_t alice, bob;
static const char *alices, *bobs; /* names */

static void lock(uint64_t uid, bool on)
{
    struct arena *a = arena_new();
    const struct actor himself = actor_system(uid);
    require(request_lock(social, a, &himself, on, none()) == ERR_OK);
    arena_free(a);
}

static enum follow_result follow_on(uint64_t uid, const char *name, bool on)
{
    struct arena *a = arena_new();
    const struct actor himself = actor_system(uid);
    struct follow_item item = {.name = name};
    require(follow_many(social, a, &himself, on, &item, 1, none()) == ERR_OK);
    arena_free(a);
    return item.result;
}

static enum follow_result answer(uint64_t uid, const char *name, bool grants)
{
    struct arena *a = arena_new();
    const struct actor himself = actor_system(uid);
    struct follow_item item = {.name = name};
    require(request_answer(social, a, &himself, grants, &item, 1, none()) == ERR_OK);
    arena_free(a);
    return item.result;
}

static void two_people(void)
{
    alice = person(alices = name_in(7, 0));
    bob = person(bobs = name_in(8, 0));
    lock(bob, true);
}

static bool is_in(enum key set, uint64_t uid, uint64_t other)
{
    return ask(id_bucket(uid), "ZSCORE", key_id(arena, set, uid), id_text(arena, other), NULL)->type == STORE_STRING;
}

/* How alice stands to bob; both sides must say the same. */
enum relation { NOTHING, ASKS, FOLLOWS, HALF };

static enum relation relation(void)
{
    bool following = is_in(KEY_FOLLOWING, alice, bob), follower = is_in(KEY_FOLLOWERS, bob, alice);
    bool asked = is_in(KEY_ASKED, alice, bob), asks = is_in(KEY_REQUESTS, bob, alice);
    if (following != follower || asked != asks || (following && asked)) {
        return HALF;
    }
    return following ? FOLLOWS : asked ? ASKS : NOTHING;
}

/* Everything has come to its end, and the check finds nothing. */
static void assert_relation(enum relation expected)
{
    finish_jobs();
    assert_int_equal(relation(), expected);
    assert_clean();
}

static bool is_told(const char *group)
{
    return ask(8, "ZSCORE", key_id(arena, KEY_NOTICES, bob), group, NULL)->type == STORE_STRING;
}

static const char *asks_group(void)
{
    return arena_printf(arena, "q:%s", id_text(arena, alice));
}

/* --- one after the other ------------------------------------------------------------------------------------------- */

static void test_ask_and_take_back(void **state)
{
    (void)state;
    two_people();
    assert_int_equal(follow_on(alice, bobs, true), FOLLOW_ASKED);
    assert_true(is_told(asks_group()));
    assert_int_equal(follow_on(alice, bobs, true), FOLLOW_ASKED);
    assert_relation(ASKS);
    assert_int_equal(follow_on(alice, bobs, false), FOLLOW_CHANGED);
    assert_false(is_told(asks_group()));
    assert_relation(NOTHING);
}

static void test_let_in(void **state)
{
    (void)state;
    two_people();
    follow_on(alice, bobs, true);
    ask(7, "RPUSH", key_id(arena, KEY_HOME, alice), "1", "0");
    assert_int_equal(answer(bob, alices, true), FOLLOW_CHANGED);
    assert_true(follows(alice, bob)); /* at once: not only when the workers have come to it */
    assert_false(is_told(asks_group()));
    assert_int_equal(ask(8, "ZCARD", key_id(arena, KEY_NOTICES, bob), NULL, NULL)->integer, 1); /* that she follows */
    const struct store_reply *home = ask(7, "LRANGE", key_id(arena, KEY_HOME, alice), "0", "-1");
    assert_int_equal(home->count, 1);
    assert_relation(FOLLOWS);
    assert_int_equal(answer(bob, alices, true), FOLLOW_UNCHANGED);
    assert_int_equal(answer(bob, alices, false), FOLLOW_UNCHANGED);
    assert_relation(FOLLOWS);
}

static void test_rejected(void **state)
{
    (void)state;
    two_people();
    follow_on(alice, bobs, true);
    assert_int_equal(answer(bob, alices, false), FOLLOW_CHANGED);
    assert_relation(NOTHING);
    assert_int_equal(store_integer(ask(7, "EXISTS", key_id(arena, KEY_NOTICES, alice), NULL, NULL)), 0);
    assert_int_equal(follow_on(alice, bobs, true), FOLLOW_ASKED); /* she may ask again */
    assert_relation(ASKS);
}

static void test_who_followed_before_stays(void **state)
{
    (void)state;
    two_people();
    lock(bob, false);
    assert_int_equal(follow_on(alice, bobs, true), FOLLOW_CHANGED);
    lock(bob, true);
    assert_int_equal(follow_on(alice, bobs, true), FOLLOW_UNCHANGED);
    assert_relation(FOLLOWS);
    follow_on(alice, bobs, false);
    assert_int_equal(follow_on(alice, bobs, true), FOLLOW_ASKED);
    assert_relation(ASKS);
}

static void test_opened(void **state)
{
    (void)state;
    two_people();
    uint64_t carol = person(name_in(9, 0));
    follow_on(alice, bobs, true);
    follow_on(carol, bobs, true);
    lock(bob, false);
    assert_relation(FOLLOWS);
    assert_true(follows(carol, bob));
    assert_int_equal(store_integer(ask(8, "EXISTS", key_id(arena, KEY_REQUESTS, bob), NULL, NULL)), 0);
}

/* More than one step takes, and half of them named by nobody. */
static void test_all_at_once(void **state)
{
    (void)state;
    two_people();
    uint64_t people[230];
    for (size_t i = 0; i < COUNT(people); i++) {
        people[i] = person(name_in(20 + (unsigned)i % 200, (unsigned)i / 200));
        follow_on(people[i], bobs, true);
    }
    ask(0, "LTRIM", key_plain(arena, KEY_LATEST, 0), "0", "99"); /* person() leaves that to others */
    int64_t count;
    assert_int_equal(request_answer_all(social, arena, as(bob), true, &count, none()), ERR_OK);
    assert_int_equal(count, COUNT(people));
    finish_jobs();
    for (size_t i = 0; i < COUNT(people); i++) {
        assert_true(follows(people[i], bob));
    }
    assert_int_equal(store_integer(ask(8, "ZCARD", key_id(arena, KEY_FOLLOWERS, bob), NULL, NULL)), COUNT(people));
    assert_int_equal(request_answer_all(social, arena, as(bob), true, &count, none()), ERR_OK);
    assert_int_equal(count, 0);
    assert_clean();
}

static void test_many_names(void **state)
{
    (void)state;
    two_people();
    const char *carols = name_in(9, 0);
    uint64_t carol = person(carols);
    struct follow_item items[] = {{.name = bobs}, {.name = carols}, {.name = "nobody_here"}, {.name = alices}};
    assert_int_equal(follow_many(social, arena, as(alice), true, items, COUNT(items), none()), ERR_OK);
    const enum follow_result expected[] = {FOLLOW_ASKED, FOLLOW_CHANGED, FOLLOW_UNKNOWN, FOLLOW_SELF};
    for (size_t i = 0; i < COUNT(items); i++) {
        assert_int_equal(items[i].result, expected[i]);
    }
    assert_true(follows(alice, carol));
    assert_relation(ASKS);
}

/* The process knows whom she asks as it knows whom she follows, and learns of each change. */
static void test_known_by_visit(void **state)
{
    (void)state;
    two_people();
    for (int i = 0; i < 4; i++) {
        enum relation expected = i == 0 ? NOTHING : i == 3 ? FOLLOWS : ASKS;
        struct visit *v = visit_begin_as(social, arena, alice);
        visit_want_following(v);
        assert_int_equal(visit_read(v), ERR_OK);
        assert_int_equal(visit_asked(v, bob), expected == ASKS);
        assert_int_equal(visit_follows(v, bob), expected == FOLLOWS);
        assert_false(visit_asked(v, alice));
        if (i == 0) {
            follow_on(alice, bobs, true);
        } else if (i == 2) {
            answer(bob, alices, true);
        }
    }
}

/* --- blocks and mutes ---------------------------------------------------------------------------------------------- */

static void block(uint64_t uid, const char *name)
{
    struct arena *a = arena_new();
    struct follow_item item = {.name = name};
    const struct actor himself = actor_system(uid);
    require(apart_block(social, a, &himself, &item, none()) == ERR_OK);
    arena_free(a);
}

static void test_block_takes_the_request_away(void **state)
{
    (void)state;
    for (int of_bob = 0; of_bob < 2; of_bob++) {
        alice = person(alices = name_in(7, (unsigned)of_bob));
        bob = person(bobs = name_in(8, (unsigned)of_bob));
        lock(bob, true);
        follow_on(alice, bobs, true);
        block(of_bob ? bob : alice, of_bob ? alices : bobs);
        assert_false(is_told(asks_group()));
        assert_relation(NOTHING);
        assert_int_equal(follow_on(alice, bobs, true), FOLLOW_REFUSED);
        assert_int_equal(answer(bob, alices, true), FOLLOW_UNCHANGED);
        assert_relation(NOTHING);
    }
}

static void test_not_told_of_whom_he_mutes(void **state)
{
    (void)state;
    two_people();
    struct follow_item item = {.name = alices};
    const struct apart_mute how = {.notifications = true};
    assert_int_equal(apart_mute(social, arena, as(bob), &item, &how, none()), ERR_OK);
    follow_on(alice, bobs, true);
    assert_false(is_told(asks_group()));
    assert_relation(ASKS);
}

/* --- who is faster ------------------------------------------------------------------------------------------------- */

static void lock_bob(void)
{
    lock(bob, true);
}

static void open_bob(void)
{
    lock(bob, false);
}

static void take_back(void)
{
    follow_on(alice, bobs, false);
}

static void take_back_and_ask(void)
{
    follow_on(alice, bobs, false);
    follow_on(alice, bobs, true);
}

static void reject_alice(void)
{
    answer(bob, alices, false);
}

static void let_alice_in(void)
{
    answer(bob, alices, true);
}

static void block_alice(void)
{
    block(bob, alices);
}

static void delete_bob(void)
{
    struct arena *a = arena_new();
    require(user_delete(social, a, as_command(), bob) == ERR_OK);
    arena_free(a);
}

static void delete_alice(void)
{
    struct arena *a = arena_new();
    require(user_delete(social, a, as_command(), alice) == ERR_OK);
    arena_free(a);
}

enum first { HE_IS_OPEN, HE_IS_LOCKED, SHE_ASKS };
enum second { SHE_FOLLOWS, HE_LETS_IN, HE_REJECTS, HE_OPENS, SHE_TAKES_BACK };

static const struct race {
    const char *what;
    enum first first;
    enum second second;
    enum script before; /* before this script is called: */
    void (*meanwhile)(void);
    enum relation expected;
} races[] = {
    {"she follows, he locks", HE_IS_OPEN, SHE_FOLLOWS, SCRIPT_FOLLOW, lock_bob, ASKS},
    {"she has followed, he locks", HE_IS_OPEN, SHE_FOLLOWS, SCRIPT_FOLLOWER, lock_bob, ASKS},
    {"both sides have it, he locks", HE_IS_OPEN, SHE_FOLLOWS, SCRIPT_FOLLOW_DONE, lock_bob, FOLLOWS},
    {"she asks, he opens", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOW, open_bob, FOLLOWS},
    {"she has asked, he opens", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOWER, open_bob, FOLLOWS},
    {"he knows that she asks, and opens", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOW_DONE, open_bob, FOLLOWS},
    {"she has asked, and takes it back", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOWER, take_back, NOTHING},
    {"she asks, he lets her in before she is done", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOW_DONE, let_alice_in,
     FOLLOWS},
    {"she asks, he rejects before she is done", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOW_DONE, reject_alice, NOTHING},
    {"she asks, he blocks her", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOWER, block_alice, NOTHING},
    {"she asks, he is gone", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOWER, delete_bob, NOTHING},
    {"she asks, she is gone", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOWER, delete_alice, NOTHING},
    {"he lets her in, she takes it back", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUESTS_ANSWER, take_back, NOTHING},
    {"he has let her in, she takes it back", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUEST_REPLY, take_back, NOTHING},
    {"she takes it back and asks again", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUEST_REPLY, take_back_and_ask, ASKS},
    {"he has let her in, and blocks her", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUEST_REPLY, block_alice, NOTHING},
    {"he has let her in, and is gone", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUEST_REPLY, delete_bob, NOTHING},
    {"he has let her in, she is gone", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUEST_REPLY, delete_alice, NOTHING},
    {"he has let her in, and opens", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUEST_REPLY, open_bob, FOLLOWS},
    {"he rejects, she takes it back", SHE_ASKS, HE_REJECTS, SCRIPT_REQUEST_REPLY, take_back, NOTHING},
    {"he rejects both what she asks and asks again", SHE_ASKS, HE_REJECTS, SCRIPT_REQUEST_REPLY, take_back_and_ask,
     NOTHING},
    {"he rejects, and opens", SHE_ASKS, HE_REJECTS, SCRIPT_REQUEST_REPLY, open_bob, NOTHING},
    {"he opens, she takes it back", SHE_ASKS, HE_OPENS, SCRIPT_REQUESTS_NEXT, take_back, NOTHING},
    {"he opens, and rejects her", SHE_ASKS, HE_OPENS, SCRIPT_REQUESTS_NEXT, reject_alice, NOTHING},
    {"he opens and locks: who asked before is let in", SHE_ASKS, HE_OPENS, SCRIPT_REQUESTS_NEXT, lock_bob, FOLLOWS},
    {"she takes it back, he lets her in", SHE_ASKS, SHE_TAKES_BACK, SCRIPT_FOLLOWER, let_alice_in, NOTHING},
    {"she takes it back, he opens", SHE_ASKS, SHE_TAKES_BACK, SCRIPT_FOLLOWER, open_bob, NOTHING},
};

static void run_race(const struct race *r)
{
    if (r->first == HE_IS_OPEN) {
        lock(bob, false);
    } else if (r->first == SHE_ASKS) {
        assert_int_equal(follow_on(alice, bobs, true), FOLLOW_ASKED);
    }
    tap_before(&tap, script_info(r->before)->sha1, r->meanwhile);
    if (r->second == SHE_FOLLOWS || r->second == SHE_TAKES_BACK) {
        follow_on(alice, bobs, r->second == SHE_FOLLOWS);
    } else if (r->second == HE_OPENS) {
        lock(bob, false);
    } else {
        answer(bob, alices, r->second == HE_LETS_IN);
    }
    finish_jobs();
}

static void test_races(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(races); i++) {
        alice = person(alices = name_in(7, (unsigned)i));
        bob = person(bobs = name_in(8, (unsigned)i));
        lock(bob, true);
        run_race(&races[i]);
        if (!tap_was_called(&tap) || relation() != races[i].expected) {
            fail_msg("%s: %d (called: %d)", races[i].what, (int)relation(), (int)tap_was_called(&tap));
        }
    }
    assert_clean();
}

/* --- broken off ---------------------------------------------------------------------------------------------------- */

static const struct broken {
    const char *what;
    enum first first;
    enum second second;
    enum script at; /* this call and all after it do not come through */
    enum relation expected;
} broken[] = {
    {"she asks", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOWER, ASKS},
    {"she asks, written", HE_IS_LOCKED, SHE_FOLLOWS, SCRIPT_FOLLOW_DONE, ASKS},
    {"he lets her in", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUEST_REPLY, FOLLOWS},
    {"he lets her in, she knows", SHE_ASKS, HE_LETS_IN, SCRIPT_REQUESTS_NEXT, FOLLOWS},
    {"he rejects", SHE_ASKS, HE_REJECTS, SCRIPT_REQUEST_REPLY, NOTHING},
    {"he rejects, she knows", SHE_ASKS, HE_REJECTS, SCRIPT_REQUESTS_NEXT, NOTHING},
    {"he opens", SHE_ASKS, HE_OPENS, SCRIPT_REQUESTS_NEXT, FOLLOWS},
    {"he opens, in hand", SHE_ASKS, HE_OPENS, SCRIPT_REQUEST_REPLY, FOLLOWS},
    {"she takes it back", SHE_ASKS, SHE_TAKES_BACK, SCRIPT_FOLLOWER, NOTHING},
};

static void engine_takes_writes(bool on)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(store, a);
    store_command(b, 0, "CONFIG", "SET", "min-replicas-to-write", on ? "0" : "1", NULL);
    require(store_run(b) == ERR_OK);
    arena_free(a);
}

static void break_off(void)
{
    engine_takes_writes(false);
}

static void test_broken_off(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(broken); i++) {
        const struct broken *r = &broken[i];
        alice = person(alices = name_in(7, (unsigned)i));
        bob = person(bobs = name_in(8, (unsigned)i));
        lock(bob, true);
        if (r->first == SHE_ASKS) {
            follow_on(alice, bobs, true);
        }
        tap_before(&tap, script_info(r->at)->sha1, break_off);
        if (r->second == SHE_FOLLOWS || r->second == SHE_TAKES_BACK) {
            follow_on(alice, bobs, r->second == SHE_FOLLOWS);
        } else if (r->second == HE_OPENS) {
            lock(bob, false);
        } else {
            answer(bob, alices, r->second == HE_LETS_IN);
        }
        assert_true(tap_was_called(&tap));
        engine_takes_writes(true);
        assert_clean(); /* a job waits that will do it */
        finish_jobs();
        if (relation() != r->expected) {
            fail_msg("%s: %d", r->what, (int)relation());
        }
    }
    assert_clean();
}

/* --- deletion and check -------------------------------------------------------------------------------------------- */

static void test_deleted_people_ask_nobody(void **state)
{
    (void)state;
    for (int of_bob = 0; of_bob < 2; of_bob++) {
        alice = person(alices = name_in(7, (unsigned)of_bob));
        bob = person(bobs = name_in(8, (unsigned)of_bob));
        lock(bob, true);
        follow_on(alice, bobs, true);
        (of_bob ? delete_bob : delete_alice)();
        assert_relation(NOTHING);
        assert_int_equal(store_integer(ask(8, "EXISTS", key_id(arena, KEY_REQUESTS, bob), NULL, NULL)), 0);
        assert_int_equal(store_integer(ask(7, "EXISTS", key_id(arena, KEY_ASKED, alice), NULL, NULL)), 0);
    }
}

static unsigned errors_found(bool repair)
{
    struct check_options o = {.homes = true, .repair = repair};
    struct check_report report;
    assert_int_equal(check_run(social, arena, &o, &report), ERR_OK);
    unsigned count = 0;
    for (unsigned k = 1; k < CHECK_KINDS; k++) {
        count += check_info((enum check_kind)k)->class != CHECK_NOTE ? (unsigned)report.kinds[k].count : 0;
    }
    return count;
}

/* One side was lost, or written by somebody else: the check finds it, and what it makes of it gives nobody a way in. */
static void test_check_mends(void **state)
{
    (void)state;
    static const struct {
        enum key key;
        bool of_bob, removes;
        enum relation before, after;
    } damages[] = {
        {KEY_ASKED, false, true, ASKS, NOTHING},    {KEY_REQUESTS, true, true, ASKS, ASKS},
        {KEY_FOLLOWERS, true, true, FOLLOWS, ASKS}, {KEY_FOLLOWING, false, false, NOTHING, ASKS},
        {KEY_ASKED, false, false, NOTHING, ASKS},   {KEY_REQUESTS, true, false, NOTHING, NOTHING},
    };
    for (size_t i = 0; i < COUNT(damages); i++) {
        alice = person(alices = name_in(7, (unsigned)i));
        bob = person(bobs = name_in(8, (unsigned)i));
        lock(bob, damages[i].before != FOLLOWS);
        follow_on(alice, bobs, damages[i].before != NOTHING);
        lock(bob, true);
        finish_jobs();
        const char *key = key_id(arena, damages[i].key, damages[i].of_bob ? bob : alice);
        const char *other = id_text(arena, damages[i].of_bob ? alice : bob);
        if (damages[i].removes) {
            ask(damages[i].of_bob ? 8 : 7, "ZREM", key, other, NULL);
        } else {
            struct store_batch *b = new_batch();
            store_command(b, damages[i].of_bob ? 8 : 7, "ZADD", key, "1700000000000000", other, NULL);
            assert_int_equal(store_run(b), ERR_OK);
        }
        assert_true(errors_found(false) > 0);
        errors_found(true);
        assert_int_equal(relation(), damages[i].after);
        assert_clean();
    }
}

/* The account is open and nobody lets in who waits. */
static void test_check_lets_in(void **state)
{
    (void)state;
    two_people();
    follow_on(alice, bobs, true);
    ask(8, "HDEL", key_id(arena, KEY_USER, bob), "locked", NULL);
    assert_int_equal(errors_found(false), 1);
    errors_found(true);
    assert_int_equal(relation(), FOLLOWS);
    assert_clean();
}

static const struct CMUnitTest tests[] = {
    site(test_ask_and_take_back),
    site(test_let_in),
    site(test_rejected),
    site(test_who_followed_before_stays),
    site(test_opened),
    site(test_all_at_once),
    site(test_many_names),
    site(test_known_by_visit),
    site(test_block_takes_the_request_away),
    site(test_not_told_of_whom_he_mutes),
    tapped(test_races),
    tapped(test_broken_off),
    site(test_deleted_people_ask_nobody),
    site(test_check_mends),
    site(test_check_lets_in),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
