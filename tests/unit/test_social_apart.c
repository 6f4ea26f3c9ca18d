/* test_social_apart.c - blocking, muting, taking a follower away: what each leaves on both sides, whatever comes in between and
 * wherever the work was broken off.
 */
#include "social_case.h"

#include "social/people/apart.h"
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

/* --- people who stand apart ---------------------------------------------------------------------------------------- */

static uint64_t alice, bob;
static const char *alices, *bobs; /* names */

static void two_people(void)
{
    alice = person(alices = name_in(7, 0));
    bob = person(bobs = name_in(8, 0));
}

static const char *letters(uint64_t uid, uint64_t other)
{
    return store_text(ask(id_bucket(uid), "HGET", key_id(arena, KEY_APART, uid), id_text(arena, other), NULL));
}

/* The number of changes that every process goes by. */
static int64_t version(uint64_t uid, const char *word)
{
    return store_integer(ask(id_bucket(uid), "HGET", key_id(arena, KEY_HOMESTATE, uid), word, NULL));
}

static enum follow_result follow_as(uint64_t uid, const char *name)
{
    struct follow_item item = {.name = name};
    assert_int_equal(follow_many(social, arena, as(uid), true, &item, 1, none()), ERR_OK);
    return item.result;
}

typedef enum err apart_action(struct social *s, struct arena *a, const struct actor *by, struct follow_item *item,
                              struct problems *p);

static enum follow_result act(apart_action *what, uint64_t uid, const char *name)
{
    struct follow_item item = {.name = name};
    assert_int_equal(what(social, arena, as(uid), &item, none()), ERR_OK);
    return item.result;
}

static enum follow_result mute_for(uint64_t uid, const char *name, bool notifications, uint64_t seconds)
{
    struct follow_item item = {.name = name};
    const struct apart_mute how = {notifications, seconds};
    assert_int_equal(apart_mute(social, arena, as(uid), &item, &how, none()), ERR_OK);
    return item.result;
}

/* Both have a home that somebody has read. */
static void begin_homes(void)
{
    ask(7, "RPUSH", key_id(arena, KEY_HOME, alice), "1", "0");
    ask(8, "RPUSH", key_id(arena, KEY_HOME, bob), "1", "0");
}

static bool home_is_empty(uint64_t uid)
{
    const struct store_reply *home = ask(id_bucket(uid), "LRANGE", key_id(arena, KEY_HOME, uid), "0", "-1");
    return home->count == 1 && strcmp(store_text(&home->items[0]), "0") == 0;
}

/* --- blocks -------------------------------------------------------------------------------------------------------- */

static void test_block_ends_what_was(void **state)
{
    (void)state;
    two_people();
    assert_int_equal(follow_as(alice, bobs), FOLLOW_CHANGED);
    assert_int_equal(follow_as(bob, alices), FOLLOW_CHANGED);
    begin_homes();
    int64_t following[] = {version(alice, "version"), version(bob, "version")};
    assert_int_equal(act(apart_block, alice, bobs), FOLLOW_CHANGED);
    assert_string_equal(letters(alice, bob), "b");
    assert_string_equal(letters(bob, alice), "B");
    assert_false(follows(alice, bob));
    assert_false(follows(bob, alice));
    assert_true(home_is_empty(alice) && home_is_empty(bob));
    assert_int_equal(version(alice, "apart"), 1);
    assert_int_equal(version(bob, "apart"), 1);
    assert_true(version(alice, "version") > following[0] && version(bob, "version") > following[1]);
    assert_int_equal(act(apart_block, alice, bobs), FOLLOW_UNCHANGED);
    assert_int_equal(version(alice, "apart"), 1);
    assert_clean();
}

static void test_nobody_follows_across_a_block(void **state)
{
    (void)state;
    two_people();
    const char *carols = name_in(9, 0);
    uint64_t carol = person(carols);
    act(apart_block, alice, bobs);
    struct follow_item items[] = {{.name = alices}, {.name = carols}};
    assert_int_equal(follow_many(social, arena, as(bob), true, items, 2, none()), ERR_OK);
    assert_int_equal(items[0].result, FOLLOW_REFUSED);
    assert_int_equal(items[1].result, FOLLOW_CHANGED);
    assert_int_equal(follow_as(alice, bobs), FOLLOW_REFUSED);
    assert_false(follows(alice, bob) || follows(bob, alice));
    assert_true(follows(bob, carol));
    assert_int_equal(act(apart_unblock, bob, alices), FOLLOW_UNCHANGED); /* it is not his */
    assert_string_equal(letters(bob, alice), "B");
    assert_int_equal(act(apart_unblock, alice, bobs), FOLLOW_CHANGED);
    assert_string_equal(letters(alice, bob), "");
    assert_string_equal(letters(bob, alice), "");
    assert_int_equal(version(bob, "apart"), 2);
    assert_false(follows(alice, bob) || follows(bob, alice));
    assert_int_equal(follow_as(bob, alices), FOLLOW_CHANGED);
    assert_clean();
}

static void test_both_block_each_other(void **state)
{
    (void)state;
    two_people();
    act(apart_block, alice, bobs);
    act(apart_block, bob, alices);
    assert_string_equal(letters(alice, bob), "bB");
    assert_string_equal(letters(bob, alice), "bB");
    act(apart_unblock, alice, bobs);
    assert_string_equal(letters(alice, bob), "B");
    assert_string_equal(letters(bob, alice), "b");
    assert_int_equal(follow_as(alice, bobs), FOLLOW_REFUSED);
    assert_clean();
}

static void test_oneself_and_nobody(void **state)
{
    (void)state;
    two_people();
    static apart_action *const all[] = {apart_block, apart_unblock, apart_unmute, apart_remove};
    for (unsigned i = 0; i < COUNT(all); i++) {
        assert_int_equal(act(all[i], alice, alices), FOLLOW_SELF);
        assert_int_equal(act(all[i], alice, name_in(11, 0)), FOLLOW_UNKNOWN);
    }
    assert_int_equal(mute_for(alice, alices, true, 0), FOLLOW_SELF);
    assert_int_equal(store_integer(ask(7, "EXISTS", key_id(arena, KEY_APART, alice), NULL, NULL)), 0);
}

/* --- broken off ---------------------------------------------------------------------------------------------------- */

/* The first step of a block alone, as by a process that dies then. Again with the same job: as after a lost answer. */
static void block_half(unsigned times)
{
    const struct job *job = job_new(arena, &apart_job, alice);
    for (unsigned i = 0; i < times; i++) {
        struct script_block_reply r;
        struct store_batch *b = new_batch();
        script_block_add(b, &(struct script_block){.job = job_call(job),
                                                   .limit = limit_ask_user(social, LIMIT_NONE, alice, 0),
                                                   .uid = alice,
                                                   .other = bob,
                                                   .now = 1,
                                                   .most = APART_MOST});
        assert_int_equal(store_run(b), ERR_OK);
        script_block_take(store_reply(b, 0), &r);
        assert_int_equal(r.answer, ANSWER_OK);
        assert_int_equal(r.changed, 1);
    }
}

static void test_broken_off(void **state)
{
    (void)state;
    two_people();
    follow_as(alice, bobs);
    follow_as(bob, alices);
    block_half(2);
    assert_int_equal(version(alice, "apart"), 1);
    assert_string_equal(letters(bob, alice), "");
    assert_clean(); /* a job waits that will do it */
    finish_jobs();
    assert_string_equal(letters(bob, alice), "B");
    assert_false(follows(alice, bob) || follows(bob, alice));
    assert_clean();
}

static void test_taken_back_before_the_other_side(void **state)
{
    (void)state;
    two_people();
    block_half(1);
    act(apart_unblock, alice, bobs);
    finish_jobs();
    assert_string_equal(letters(alice, bob), "");
    assert_string_equal(letters(bob, alice), "");
    assert_clean();
}

/* Who sends it again after a crash has both sides with the answer. */
static void test_again_after_it_was_broken_off(void **state)
{
    (void)state;
    two_people();
    follow_as(bob, alices);
    block_half(1);
    assert_int_equal(act(apart_block, alice, bobs), FOLLOW_UNCHANGED);
    assert_string_equal(letters(bob, alice), "B");
    assert_false(follows(bob, alice));
    ask(7, "HDEL", key_id(arena, KEY_APART, alice), id_text(arena, bob), NULL); /* the end of it alone */
    assert_int_equal(act(apart_unblock, alice, bobs), FOLLOW_UNCHANGED);
    assert_string_equal(letters(bob, alice), "");
    finish_jobs();
    assert_clean();
}

static unsigned losses;

/* Twice: what is lost once the store sends again by itself. */
static void lose_connections(void)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(store, a);
    store_command(b, 7, "CLIENT", "KILL", "TYPE", "normal", NULL);
    require(store_run(b) == ERR_OK);
    arena_free(a);
    if (++losses < 2) {
        tap_before(&tap, script_info(SCRIPT_BLOCKED)->sha1, lose_connections);
    }
}

/* A connection that is lost between the two sides does not leave the other one waiting for the job's lease to end. */
static void test_connections_are_lost(void **state)
{
    (void)state;
    two_people();
    losses = 0;
    tap_before(&tap, script_info(SCRIPT_BLOCKED)->sha1, lose_connections);
    assert_int_equal(act(apart_block, alice, bobs), FOLLOW_CHANGED);
    assert_int_equal(losses, 2);
    assert_string_equal(letters(bob, alice), "B");
    assert_clean();
}

/* --- somebody is faster -------------------------------------------------------------------------------------------- */

static void block_meanwhile(void)
{
    struct arena *a = arena_new();
    struct follow_item item = {.name = bobs};
    const struct actor herself = actor_system(alice);
    require(apart_block(social, a, &herself, &item, none()) == ERR_OK && item.result == FOLLOW_CHANGED);
    arena_free(a);
}

static void unblock_meanwhile(void)
{
    struct arena *a = arena_new();
    struct follow_item item = {.name = bobs};
    const struct actor herself = actor_system(alice);
    require(apart_unblock(social, a, &herself, &item, none()) == ERR_OK && item.result == FOLLOW_CHANGED);
    arena_free(a);
}

static void delete_meanwhile(void)
{
    struct arena *a = arena_new();
    require(user_delete(social, a, as_command(), bob) == ERR_OK);
    arena_free(a);
}

/* He has begun to follow her when she blocks him: of that nothing stays, on neither side. */
static void test_blocked_while_following(void **state)
{
    (void)state;
    two_people();
    tap_before(&tap, script_info(SCRIPT_FOLLOWER)->sha1, block_meanwhile);
    follow_as(bob, alices);
    assert_true(tap_was_called(&tap));
    assert_false(follows(bob, alice));
    assert_string_equal(letters(bob, alice), "B");
    assert_clean();
}

static void test_taken_back_while_blocking(void **state)
{
    (void)state;
    two_people();
    tap_before(&tap, script_info(SCRIPT_BLOCKED)->sha1, unblock_meanwhile);
    act(apart_block, alice, bobs);
    assert_true(tap_was_called(&tap));
    assert_string_equal(letters(alice, bob), "");
    assert_string_equal(letters(bob, alice), "");
    assert_clean();
}

static void test_deleted_while_blocking(void **state)
{
    (void)state;
    two_people();
    tap_before(&tap, script_info(SCRIPT_BLOCKED)->sha1, delete_meanwhile);
    act(apart_block, alice, bobs);
    assert_true(tap_was_called(&tap));
    finish_jobs();
    assert_string_equal(letters(alice, bob), "");
    assert_int_equal(store_integer(ask(8, "EXISTS", key_id(arena, KEY_APART, bob), NULL, NULL)), 0);
    assert_clean();
}

/* --- mutes --------------------------------------------------------------------------------------------------------- */

static void test_mute(void **state)
{
    (void)state;
    const uint64_t now = clock_wall_ms();
    two_people();
    follow_as(alice, bobs);
    assert_int_equal(mute_for(alice, bobs, true, 0), FOLLOW_CHANGED);
    assert_string_equal(letters(alice, bob), "mn");
    assert_string_equal(letters(bob, alice), ""); /* he does not learn of it */
    assert_true(follows(alice, bob));
    mute_for(alice, bobs, false, 3600);
    const char *timed = letters(alice, bob);
    assert_true(strncmp(timed, "m:", 2) == 0);
    assert_in_range(strtoull(timed + 2, NULL, 10), now + 3599000, now + 3700000);
    mute_for(alice, bobs, true, 0);
    assert_string_equal(letters(alice, bob), "mn");
    int64_t before = version(alice, "apart");
    act(apart_block, alice, bobs);
    assert_string_equal(letters(alice, bob), "bmn");
    act(apart_unblock, alice, bobs);
    assert_string_equal(letters(alice, bob), "mn");
    assert_int_equal(act(apart_unmute, alice, bobs), FOLLOW_CHANGED);
    assert_string_equal(letters(alice, bob), "");
    assert_int_equal(version(alice, "apart"), before + 3);
    assert_int_equal(act(apart_unmute, alice, bobs), FOLLOW_UNCHANGED);
    assert_int_equal(version(alice, "apart"), before + 3);
    assert_clean();
}

/* The end of a mute stays with it when something else of the two changes. */
static void test_a_block_keeps_the_end_of_a_mute(void **state)
{
    (void)state;
    two_people();
    mute_for(alice, bobs, true, 3600);
    const char *before = letters(alice, bob);
    act(apart_block, bob, alices);
    assert_string_equal(letters(alice, bob), arena_printf(arena, "B%s", before));
    act(apart_unblock, bob, alices);
    assert_string_equal(letters(alice, bob), before);
}

static enum answer mute_at_most(unsigned number, int64_t ends, int64_t now, int64_t most)
{
    struct store_batch *b = new_batch();
    script_mute_add(b, &(struct script_mute){.limit = {.uid = alice, .name = ""},
                                             .uid = alice,
                                             .other = id_new(20 + number, 0),
                                             .ends = ends,
                                             .now = now,
                                             .most = most});
    assert_int_equal(store_run(b), ERR_OK);
    return script_answer(store_reply(b, 0));
}

/* Whom others have put there takes nobody's place, and a mute that is over makes room. */
static void test_room(void **state)
{
    (void)state;
    two_people();
    act(apart_block, bob, alices);
    assert_int_equal(mute_at_most(0, 1000, 1, 2), ANSWER_OK);
    assert_int_equal(mute_at_most(1, 0, 1, 2), ANSWER_OK);
    assert_int_equal(mute_at_most(2, 0, 999, 2), ANSWER_FULL);
    assert_int_equal(mute_at_most(2, 0, 1000, 2), ANSWER_OK);
    assert_int_equal(store_integer(ask(7, "HLEN", key_id(arena, KEY_APART, alice), NULL, NULL)), 3);
    struct store_batch *b = new_batch();
    const struct job *job = job_new(arena, &apart_job, alice);
    script_block_add(b, &(struct script_block){.job = job_call(job),
                                               .limit = limit_ask_user(social, LIMIT_NONE, alice, 0),
                                               .uid = alice,
                                               .other = id_new(30, 0),
                                               .now = 1000,
                                               .most = 2});
    script_block_add(b, &(struct script_block){.job = job_call(job),
                                               .limit = limit_ask_user(social, LIMIT_NONE, alice, 0),
                                               .uid = alice,
                                               .other = bob,
                                               .now = 1000,
                                               .most = 3});
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(script_answer(store_reply(b, 0)), ANSWER_FULL);
    assert_int_equal(script_answer(store_reply(b, 1)), ANSWER_OK);
}

/* --- followers, and the end ---------------------------------------------------------------------------------------- */

static void test_a_follower_is_taken_away(void **state)
{
    (void)state;
    two_people();
    follow_as(alice, bobs);
    follow_as(bob, alices);
    assert_int_equal(act(apart_remove, alice, bobs), FOLLOW_CHANGED);
    assert_false(follows(bob, alice));
    assert_true(follows(alice, bob));
    assert_int_equal(act(apart_remove, alice, bobs), FOLLOW_CHANGED);
    assert_int_equal(follow_as(bob, alices), FOLLOW_CHANGED); /* it is no block */
    assert_clean();
}

static void test_deleted_people_stand_apart_from_nobody(void **state)
{
    (void)state;
    two_people();
    const char *carols = name_in(9, 0);
    uint64_t carol = person(carols);
    act(apart_block, alice, bobs);
    act(apart_block, bob, carols);
    mute_for(bob, alices, false, 0);
    int64_t before = version(alice, "apart");
    delete_meanwhile();
    finish_jobs();
    assert_string_equal(letters(alice, bob), "");
    assert_string_equal(letters(carol, bob), "");
    assert_int_equal(store_integer(ask(8, "EXISTS", key_id(arena, KEY_APART, bob), NULL, NULL)), 0);
    assert_true(version(alice, "apart") > before);
    assert_clean();
    struct store_batch *b = new_batch(); /* nor does anybody mute from beyond */
    script_mute_add(b, &(struct script_mute){
                           .limit = limit_ask_user(social, LIMIT_NONE, bob, 0), .uid = bob, .other = alice, .most = 9});
    script_blocked_add(b, &(struct script_blocked){.uid = bob, .by = alice, .on = true, .stamp = "x"});
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(script_answer(store_reply(b, 0)), ANSWER_GONE);
    assert_int_equal(script_answer(store_reply(b, 1)), ANSWER_GONE);
}

static const struct CMUnitTest tests[] = {
    site(test_block_ends_what_was),
    site(test_nobody_follows_across_a_block),
    site(test_both_block_each_other),
    site(test_oneself_and_nobody),
    site(test_broken_off),
    site(test_taken_back_before_the_other_side),
    site(test_again_after_it_was_broken_off),
    tapped(test_connections_are_lost),
    tapped(test_blocked_while_following),
    tapped(test_taken_back_while_blocking),
    tapped(test_deleted_while_blocking),
    site(test_mute),
    site(test_a_block_keeps_the_end_of_a_mute),
    site(test_room),
    site(test_a_follower_is_taken_away),
    site(test_deleted_people_stand_apart_from_nobody),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
