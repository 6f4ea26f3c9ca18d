/* test_social_notices.c - what people are told: who is, of what, once, and of what they are not.
 */
#include "notice_case.h"

#include "social/people/apart.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/posts/quiet.h"
#include "social/posts/react.h"

#define DAY_US (INT64_C(86400) * 1000000)
#define NOW_MS UINT64_C(1763812800000) /* in the middle of a day */

/* --- groups -------------------------------------------------------------------------------------------------------- */

static void test_groups_have_names(void **state)
{
    (void)state;
    enum notice_kind k;
    uint64_t number;
    for (int i = 0; i < NOTICE_KINDS; i++) {
        const uint64_t given = i == NOTICE_FOLLOW ? 20414 : alice;
        assert_true(notice_group_parse(notice_group(arena, (enum notice_kind)i, given), &k, &number));
        assert_int_equal(k, i);
        assert_int_equal(number, given);
    }
    static const char *const none[] = {
        "",    "f",    "f:",   "x:117657670766635999",  "f:20414",   "F:117657670766635999",
        "F:0", "F:1x", "F:-1", "f:117657670766635999 ", "F:1234567", "f117657670766635999"};
    for (size_t i = 0; i < COUNT(none); i++) {
        assert_false(notice_group_parse(none[i], &k, &number));
    }
}

/* --- telling ------------------------------------------------------------------------------------------------------- */

static void test_told_once(void **state)
{
    (void)state;
    assert_int_equal(tell(alice, bob, "f:1", 1000), ANSWER_OK);
    assert_string_equal(time_of(alice, "f:1"), "1000");
    int64_t first = changed(alice);
    assert_true(first > 0);
    assert_int_equal(tell(alice, bob, "f:1", 1000), ANSWER_OK); /* again after a crash */
    assert_int_equal(tell(alice, carol, "f:1", 900), ANSWER_OK);
    assert_string_equal(time_of(alice, "f:1"), "1000");
    assert_int_equal(changed(alice), first);
    assert_int_equal(tell(alice, carol, "f:1", 1001), ANSWER_OK);
    assert_string_equal(time_of(alice, "f:1"), "1001");
    assert_true(changed(alice) > first);
    assert_string_equal(told(alice), "f:1");
}

static void test_nobody_is_told_of_himself(void **state)
{
    (void)state;
    assert_int_equal(tell(alice, alice, "f:1", 1000), ANSWER_OK);
    assert_string_equal(told(alice), "");
    assert_int_equal(changed(alice), 0);
}

static void test_the_deleted_are_told_nothing(void **state)
{
    (void)state;
    ask(7, "HSET", key_id(arena, KEY_USER, alice), "deleted", "1");
    assert_int_equal(tell(alice, bob, "f:1", 1000), ANSWER_GONE);
    assert_string_equal(told(alice), "");
}

/* Each notice has a time of its own, so that pages skip none. */
static void test_times_differ(void **state)
{
    (void)state;
    tell(alice, bob, "f:1", 1000);
    tell(alice, bob, "f:2", 1001);
    tell(alice, bob, "f:3", 1000);
    assert_string_equal(time_of(alice, "f:3"), "1002");
    int64_t before = changed(alice);
    tell(alice, bob, "f:3", 1000);
    assert_string_equal(time_of(alice, "f:3"), "1002");
    assert_int_equal(changed(alice), before);
}

static void test_the_newest_thousand_stay(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    for (int i = 0; i < NOTICE_MOST; i++) {
        script_notice_add_add(
            b, &(struct script_notice_add){
                   .uid = alice, .from = bob, .group = arena_printf(arena, "f:%d", i), .time = 5000 + i});
    }
    assert_int_equal(store_run(b), ERR_OK);
    const char *key = key_id(arena, KEY_NOTICES, alice);
    assert_int_equal(store_integer(ask(7, "ZCARD", key, NULL, NULL)), NOTICE_MOST);
    tell(alice, bob, "f:new", 9000);
    assert_int_equal(store_integer(ask(7, "ZCARD", key, NULL, NULL)), NOTICE_MOST);
    assert_string_equal(time_of(alice, "f:0"), "");
    assert_string_equal(time_of(alice, "f:new"), "9000");
}

/* --- of whom nothing ----------------------------------------------------------------------------------------------- */

static void test_hushed(void **state)
{
    (void)state;
    const struct {
        const char *marks;
        bool is_hushed;
    } cases[] = {{"b", true},
                 {"B", true},
                 {"bm", true},
                 {"m", false},
                 {"mn", true},
                 {arena_printf(arena, "mn:%llu", (unsigned long long)clock_wall_ms() + 60000), true},
                 {"mn:1", false},
                 {"Bmn:1", true},
                 {"m:99999999999999", false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *group = arena_printf(arena, "f:%zu", i);
        set_apart(alice, bob, cases[i].marks);
        tell(alice, carol, "f:other", 1000 + 10 * (int64_t)i);
        tell(alice, bob, group, 1005 + 10 * (int64_t)i);
        assert_string_equal(time_of(alice, group), cases[i].is_hushed ? "" : arena_printf(arena, "%zu", 1005 + 10 * i));
        assert_string_equal(time_of(alice, "f:other"),
                            arena_printf(arena, "%zu", 1000 + 10 * i)); /* of others he is told */
    }
}

static void test_dismissed_does_not_come_back(void **state)
{
    (void)state;
    ask(7, "ZADD", key_id(arena, KEY_NOTICEGONE, alice), "1000", "f:1");
    tell(alice, bob, "f:1", 999);
    tell(alice, bob, "f:1", 1000);
    assert_string_equal(told(alice), "");
    tell(alice, bob, "f:1", 1001); /* something new */
    assert_string_equal(told(alice), "f:1");
}

static void test_end(void **state)
{
    (void)state;
    tell(alice, bob, "f:1", 1000);
    tell(alice, bob, "f:2", 1001);
    end(alice, "f:1");
    assert_string_equal(told(alice), "f:2");
    int64_t before = changed(alice);
    end(alice, "f:1");
    assert_int_equal(changed(alice), before);
    end(alice, "f:2");
    assert_true(changed(alice) > before);
}

/* --- followers ----------------------------------------------------------------------------------------------------- */

static void follow_at(uint64_t follower, uint64_t followed, bool on, int64_t us)
{
    struct store_batch *b = new_batch();
    script_follower_add(
        b, &(struct script_follower){
               .uid = followed, .follower = follower, .state = on ? FOLLOWER_STATE_ON : FOLLOWER_STATE_OFF, .now = us});
    assert_int_equal(store_run(b), ERR_OK);
}

static void test_followers_of_a_day(void **state)
{
    (void)state;
    int64_t noon = (int64_t)NOW_MS * 1000, day = noon / DAY_US;
    const char *today = arena_printf(arena, "F:%lld", (long long)day);
    const char *tomorrow = arena_printf(arena, "F:%lld", (long long)day + 1);
    follow_at(bob, alice, true, noon);
    assert_string_equal(told(alice), today);
    follow_at(bob, alice, true, noon + 5); /* the job once more */
    assert_string_equal(time_of(alice, today), arena_printf(arena, "%lld", (long long)noon));
    follow_at(carol, alice, true, noon + DAY_US);
    assert_string_equal(told(alice), arena_printf(arena, "%s %s", tomorrow, today));
    uint64_t dan = person(name_in(10, 0));
    follow_at(dan, alice, true, noon + DAY_US + 1);
    follow_at(dan, alice, false, noon + DAY_US + 2);
    assert_string_equal(told(alice), arena_printf(arena, "%s %s", tomorrow, today)); /* carol is left */
    assert_string_equal(time_of(alice, tomorrow), arena_printf(arena, "%lld", (long long)(noon + DAY_US)));
    follow_at(bob, alice, false, noon + DAY_US + 3);
    assert_string_equal(told(alice), tomorrow);
    follow_at(carol, alice, false, noon + DAY_US + 4);
    assert_string_equal(told(alice), "");
}

static void test_following_tells(void **state)
{
    (void)state;
    struct follow_item item = {.name = name_of(alice)};
    assert_int_equal(follow_many(social, arena, as(bob), true, &item, 1, none()), ERR_OK);
    assert_int_equal(strncmp(told(alice), "F:", 2), 0);
    assert_string_equal(told(bob), "");
    assert_clean();
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

static void test_posts_tell(void **state)
{
    (void)state;
    uint64_t question = write_post(bob, arena_printf(arena, "@%s what is it?", name_of(bob)), 0);
    assert_string_equal(told(bob), "");
    uint64_t answer = write_post(
        alice, arena_printf(arena, "@%s @%s @%s it is", name_of(bob), name_of(carol), name_of(alice)), question);
    assert_string_equal(told(bob), notice_group(arena, NOTICE_REPLY, answer)); /* one, though it mentions him too */
    assert_string_equal(told(carol), notice_group(arena, NOTICE_MENTION, answer));
    assert_string_equal(told(alice), "");
    assert_string_equal(time_of(carol, notice_group(arena, NOTICE_MENTION, answer)),
                        arena_printf(arena, "%llu000", (unsigned long long)id_ms(answer)));
    tell(bob, carol, notice_group(arena, NOTICE_FAVOURITE, question), 1000);
    tell(alice, carol, notice_group(arena, NOTICE_BOOST, answer), 1000);
    assert_int_equal(post_delete(social, arena, as(alice), answer, none()), ERR_OK);
    finish_jobs();
    assert_string_equal(told(alice), "");
    assert_string_equal(told(bob), notice_group(arena, NOTICE_FAVOURITE, question));
    assert_string_equal(told(carol), "");
    assert_clean();
}

/* A server that dies behind the post's first deliveries: its job tells nobody twice, and whom it had not told. */
/* Of a conversation that she has muted, alice hears nothing more, whatever post of it she muted; until she mutes it no
 * more. Others hear of it as before. */
static void test_muted_conversation(void **state)
{
    (void)state;
    uint64_t root = write_post(alice, "a question", 0), reply = write_post(bob, "an answer", root);
    const char *first = notice_group(arena, NOTICE_REPLY, reply);
    assert_string_equal(told(alice), first);
    assert_int_equal(post_mute(social, arena, as(alice), reply, true, none()), ERR_OK);
    uint64_t own = write_post(alice, "I see", reply);
    write_post(bob, "so you do", own);
    write_post(carol, arena_printf(arena, "@%s too", name_of(alice)), reply);
    assert_int_equal(post_favourite(social, arena, as(bob), own, true, none()), ERR_OK);
    assert_int_equal(post_favourite(social, arena, as(bob), root, true, none()), ERR_OK);
    assert_string_equal(told(alice), first);
    assert_int_equal(strlen(told(bob)) > 0, 1);
    uint64_t other = write_post(bob, arena_printf(arena, "@%s elsewhere", name_of(alice)), 0);
    const char *both = arena_printf(arena, "%s %s", notice_group(arena, NOTICE_MENTION, other), first);
    assert_string_equal(told(alice), both);
    assert_int_equal(post_mute(social, arena, as(alice), root, false, none()), ERR_OK);
    uint64_t last = write_post(bob, "once more", own);
    assert_string_equal(told(alice), arena_printf(arena, "%s %s", notice_group(arena, NOTICE_REPLY, last), both));
    assert_clean();
}

/* Who blocks, and who is blocked, is told nothing more of what the other wrote before; of others' posts both are, whatever bucket
 * these lie in. */
static void test_block_takes_notices_away(void **state)
{
    (void)state;
    uint64_t dan = person(name_in(8, 1)); /* in bob's bucket */
    write_post(bob, arena_printf(arena, "@%s hello", name_of(alice)), 0);
    uint64_t hello = write_post(dan, arena_printf(arena, "@%s @%s hello", name_of(alice), name_of(bob)), 0);
    uint64_t answer = write_post(alice, arena_printf(arena, "@%s hello", name_of(bob)), hello);
    struct follow_item item = {.name = name_of(bob)};
    assert_int_equal(apart_block(social, arena, as(alice), &item, none()), ERR_OK);
    assert_string_equal(told(alice), notice_group(arena, NOTICE_MENTION, hello));
    assert_string_equal(told(bob), notice_group(arena, NOTICE_MENTION, hello));
    assert_string_equal(told(dan), notice_group(arena, NOTICE_REPLY, answer));
    assert_clean();
}

/* The number in the menu leaves out whom one has begun to block, and has them again when that is over. */
static void test_number_without_the_blocked(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, "hello", 0);
    assert_int_equal(post_favourite(social, arena, as(bob), post, true, none()), ERR_OK);
    struct follow_item item = {.name = name_of(bob)};
    for (unsigned i = 0; i < 3; i++) {
        struct visit *v = visit_begin_as(social, arena, alice);
        const struct notice_unread *unread = notice_unread_ask(v);
        assert_int_equal(visit_read(v), ERR_OK);
        assert_int_equal(unread->count, i == 1 ? 0 : 1);
        enum err e = i == 0 ? apart_block(social, arena, as(alice), &item, none())
                            : apart_unblock(social, arena, as(alice), &item, none());
        assert_int_equal(e, ERR_OK);
    }
}

static void test_told_once_after_a_crash(void **state)
{
    (void)state;
    uint64_t post = write_post(alice, arena_printf(arena, "@%s @%s hello", name_of(bob), name_of(carol)), 0);
    const char *group = notice_group(arena, NOTICE_MENTION, post);
    int64_t before = changed(bob);
    end(carol, group);
    unsigned bucket = id_bucket(alice);
    const char *digits = id_text(arena, post), *job = key_id(arena, KEY_JOB, post);
    struct store_batch *b = new_batch();
    store_command(b, bucket, "HSET", job, "type", "fanout", "uid", id_text(arena, alice), "post", digits, "mode",
                  "push", "delivers", "1", "cursor", "0", "nonce", "1", NULL);
    store_command(b, bucket, "ZADD", key_plain(arena, KEY_JOBS, bucket), "1", digits, NULL);
    assert_int_equal(store_run(b), ERR_OK);
    finish_jobs();
    assert_string_equal(told(bob), group);
    assert_string_equal(told(carol), group);
    assert_int_equal(changed(bob), before);
}

static void test_deleted_leaves_nothing(void **state)
{
    (void)state;
    tell(alice, bob, "f:1", 1000);
    struct store_batch *b = new_batch();
    store_command(b, 7, "SET", key_id(arena, KEY_NOTICEREAD, alice), "1", NULL);
    store_command(b, 7, "ZADD", key_id(arena, KEY_NOTICEGONE, alice), "1", "f:2", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    finish_jobs();
    b = new_batch();
    store_command(b, 7, "EXISTS", key_id(arena, KEY_NOTICES, alice), key_id(arena, KEY_NOTICEREAD, alice),
                  key_id(arena, KEY_NOTICEGONE, alice), key_id(arena, KEY_HOMESTATE, alice), NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(store_integer(store_reply(b, 0)), 0);
    assert_clean();
}

static const struct CMUnitTest tests[] = {
    noticing(test_groups_have_names),
    noticing(test_told_once),
    noticing(test_nobody_is_told_of_himself),
    noticing(test_the_deleted_are_told_nothing),
    noticing(test_times_differ),
    noticing(test_the_newest_thousand_stay),
    noticing(test_hushed),
    noticing(test_dismissed_does_not_come_back),
    noticing(test_end),
    noticing(test_followers_of_a_day),
    noticing(test_following_tells),
    noticing(test_posts_tell),
    noticing(test_muted_conversation),
    noticing(test_block_takes_notices_away),
    noticing(test_number_without_the_blocked),
    noticing(test_told_once_after_a_crash),
    noticing(test_deleted_leaves_nothing),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
