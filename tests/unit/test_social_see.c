/* test_social_see.c - who may see a post: every relation between two people, against every visibility, in every place; and in how many
 * round trips that is known.
 */
#include "social_case.h"

#include "social/people/people.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "social/posts/post_read.h"
#include "store/record.h"

#define PLACES 7
#define HOUR_MS 3600000

static uint64_t alice, bob;

static int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    return 0;
}

#define sees(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

/* --- what stands between alice, who looks, and bob, who writes ------------------------------------------------------- */

static void keep_apart(const char *letters)
{
    ask(7, "DEL", key_id(arena, KEY_APART, alice), NULL, NULL);
    if (*letters) {
        ask(7, "HSET", key_id(arena, KEY_APART, alice), id_text(arena, bob), letters);
    }
    ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "apart", "1");
}

static void follow(bool on)
{
    ask(7, on ? "ZADD" : "ZREM", key_id(arena, KEY_FOLLOWING, alice), on ? "1" : id_text(arena, bob),
        on ? id_text(arena, bob) : NULL);
    ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "version", "1");
}

/* A post of the author's; `fields` is what it has besides. */
static uint64_t write_post(uint64_t author, enum visibility visibility, const struct record_post *fields)
{
    static uint64_t at;
    uint64_t id = put_post(author, clock_site_ms() - HOUR_MS + at++);
    struct record_post r = *fields;
    r.text = "a post";
    r.visibility = visibility == VISIBILITY_PUBLIC ? NULL : post_visibility_word(visibility);
    struct store_batch *b = new_batch();
    record_put(b, RECORD_POST, id, &r);
    assert_int_equal(store_run(b), ERR_OK);
    return id;
}

/* How a visitor sees it, asked for in his second round, as most pages do. */
struct look {
    struct post_load load;
    enum see_place place;
};

static enum err step_look(struct visit *v, void *self)
{
    struct look *l = self;
    post_ask(v, &l->load, 1, l->place);
    return ERR_OK;
}

static bool is_seen(uint64_t viewer, uint64_t post, enum see_place place, bool at_once)
{
    struct visit *v = viewer ? visit_begin_as(social, arena, viewer) : visit_begin(social, arena, NULL);
    struct look l = {.load = {.id = post}, .place = place};
    if (at_once) {
        step_look(v, &l);
    } else {
        visit_then(v, step_look, &l);
    }
    assert_int_equal(visit_read(v), ERR_OK);
    return l.load.post.id != 0;
}

/* Rows are visibilities (public, unlisted, private, direct), columns places (home, public, profile, thread, post, list, search). */
static void assert_grid(const char *relation, uint64_t viewer, uint64_t author, const struct record_post *fields,
                        const char *const grid[VISIBILITIES])
{
    for (enum visibility v = 0; v < VISIBILITIES; v++) {
        uint64_t post = write_post(author, v, fields);
        for (unsigned place = 0; place < PLACES; place++) {
            for (unsigned at_once = 0; at_once < 3; at_once++) { /* twice: the second time the process knows the post */
                bool seen = is_seen(viewer, post, (enum see_place)place, at_once > 0);
                if (seen != (grid[v][place] == 'x')) {
                    fail_msg("%s, %s, place %u: %s", relation, post_visibility_word(v), place,
                             seen ? "seen" : "hidden");
                }
            }
        }
    }
}

static const struct record_post bare;
#define GRID(...)                                                                                                      \
    (const char *const[VISIBILITIES])                                                                                  \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define NOTHING GRID(".......", ".......", ".......", ".......")
#define STRANGER GRID("xxxxxxx", "x.xxxx.", ".......", ".......")
#define FOLLOWER GRID("xxxxxxx", "x.xxxx.", "x.xxxx.", ".......")
#define ADDRESSED GRID("xxxxxxx", "x.xxxx.", "x.xxxx.", "..xxx..")

/* --- the matrix ---------------------------------------------------------------------------------------------------- */

static void test_matrix(void **state)
{
    (void)state;
    assert_grid("nobody", 0, bob, &bare, STRANGER);
    assert_grid("own", bob, bob, &bare, GRID("xxxxxxx", "x.xxxxx", "x.xxxxx", "x.xxxxx"));
    assert_grid("stranger", alice, bob, &bare, STRANGER);
    ask(8, "ZADD", key_id(arena, KEY_FOLLOWING, bob), "1", id_text(arena, alice));
    assert_grid("followed", alice, bob, &bare, STRANGER);
    follow(true);
    assert_grid("mutual", alice, bob, &bare, FOLLOWER);
    keep_apart("m");
    assert_grid("muted", alice, bob, &bare, GRID("..x.x..", "..x.x..", "..x.x..", "......."));
    keep_apart("mn");
    assert_grid("muted, and his notices", alice, bob, &bare, GRID("..x.x..", "..x.x..", "..x.x..", "......."));
    keep_apart(arena_printf(arena, "m:%llu", (unsigned long long)clock_site_ms() + HOUR_MS));
    assert_grid("muted for an hour", alice, bob, &bare, GRID("..x.x..", "..x.x..", "..x.x..", "......."));
    keep_apart(arena_printf(arena, "m:%llu", (unsigned long long)clock_site_ms() - 1));
    assert_grid("muted until now", alice, bob, &bare, FOLLOWER);
    keep_apart("b");
    assert_grid("blocked", alice, bob, &bare, NOTHING);
    keep_apart("B");
    assert_grid("blocked by him", alice, bob, &bare, NOTHING);
    keep_apart(arena_printf(arena, "Bm:%llu", (unsigned long long)clock_site_ms() - 1));
    assert_grid("blocked by him, muted until now", alice, bob, &bare, NOTHING);
    keep_apart("");
    follow(false);
    assert_grid("unblocked", alice, bob, &bare, STRANGER);
}

/* Followers alone, nowhere where strangers find posts, whomever they address; and then nobody. */
static void test_limited_and_suspended(void **state)
{
    (void)state;
    const struct record_post mentions = {.mentions = arena_printf(arena, "al:%s", id_text(arena, alice))};
    const char *const own[] = {"xxxxxxx", "x.xxxxx", "x.xxxxx", "x.xxxxx"};
    assert_int_equal(user_set_state(social, arena, as_command(), bob, USER_STATE_LIMITED), ERR_OK);
    assert_grid("nobody, of the limited", 0, bob, &bare, NOTHING);
    assert_grid("stranger, of the limited", alice, bob, &bare, NOTHING);
    assert_grid("mentioned by the limited", alice, bob, &mentions, NOTHING);
    assert_grid("limited himself", bob, bob, &bare, own);
    follow(true);
    assert_grid("follower of the limited", alice, bob, &bare, GRID("x.xxxx.", "x.xxxx.", "x.xxxx.", "......."));
    assert_grid("mentioned follower of the limited", alice, bob, &mentions,
                GRID("x.xxxx.", "x.xxxx.", "x.xxxx.", "..xxx.."));
    keep_apart("b");
    assert_grid("follower who blocks the limited", alice, bob, &bare, NOTHING);
    keep_apart("");
    assert_int_equal(user_set_state(social, arena, as_command(), bob, USER_STATE_SUSPENDED), ERR_OK);
    assert_grid("follower of the suspended", alice, bob, &mentions, NOTHING);
    assert_grid("nobody, of the suspended", 0, bob, &bare, NOTHING);
    assert_grid("suspended himself", bob, bob, &bare, own);
    ask(8, "HSET", key_id(arena, KEY_USER, bob), "state", "frozen"); /* by a later version */
    cache_clear(social->cache);
    assert_grid("follower of who is frozen", alice, bob, &bare, NOTHING);
    assert_int_equal(user_set_state(social, arena, as_command(), bob, USER_STATE_FREE), ERR_OK);
    assert_grid("follower of the restored", alice, bob, &bare, FOLLOWER);
}

/* What the limited boosts, and who boosts what he wrote. */
static void test_boosts_of_the_limited(void **state)
{
    (void)state;
    uint64_t carol = person(name_in(9, 0));
    const struct record_post boost = {.boost = write_post(bob, VISIBILITY_PUBLIC, &bare),
                                      .boost_author = post_author_text(arena, bob, "bob")};
    uint64_t post = write_post(carol, VISIBILITY_PUBLIC, &boost);
    assert_true(is_seen(alice, post, SEE_LIST, false));
    assert_int_equal(user_set_state(social, arena, as_command(), bob, USER_STATE_LIMITED), ERR_OK);
    for (unsigned at_once = 0; at_once < 3; at_once++) {
        assert_false(is_seen(alice, post, SEE_LIST, at_once > 0));
    }
    follow(true);
    for (unsigned at_once = 0; at_once < 3; at_once++) {
        assert_true(is_seen(alice, post, SEE_LIST, at_once > 0));
    }
    assert_int_equal(user_set_state(social, arena, as_command(), carol, USER_STATE_LIMITED), ERR_OK);
    assert_false(is_seen(alice, post, SEE_LIST, false));
}

static void test_addressed(void **state)
{
    (void)state;
    const struct record_post mentions = {.mentions = arena_printf(arena, "al:%s", id_text(arena, alice))};
    const struct record_post answers = {.reply_to = put_post(alice, clock_site_ms() - 2 * HOUR_MS),
                                        .reply_author = arena_printf(arena, "%s:al", id_text(arena, alice))};
    assert_grid("mentioned", alice, bob, &mentions, ADDRESSED);
    assert_grid("answered", alice, bob, &answers, ADDRESSED);
    assert_grid("nobody, of a mention", 0, bob, &mentions, STRANGER);
    assert_grid("another, of a mention", person(name_in(9, 0)), bob, &mentions, STRANGER);
    keep_apart("B");
    assert_grid("mentioned by who blocks her", alice, bob, &mentions, NOTHING);
}

/* What bob answers to `to`, who is carol or somebody else. */
static void assert_answer(const char *who, uint64_t to, bool at_home)
{
    const struct record_post fields = {.reply_to = put_post(to, clock_site_ms() - 2 * HOUR_MS),
                                       .reply_author = post_author_text(arena, to, "somebody")};
    uint64_t post = write_post(bob, VISIBILITY_PUBLIC, &fields);
    for (unsigned place = 0; place < PLACES; place++) {
        for (unsigned at_once = 0; at_once < 3; at_once++) {
            bool expected = place != SEE_HOME || at_home;
            if (is_seen(alice, post, (enum see_place)place, at_once > 0) != expected) {
                fail_msg("an answer to %s, place %u: %s", who, place, expected ? "hidden" : "seen");
            }
        }
    }
}

/* Whether bob stands among the newest people of this visitor. */
static bool is_among_newest(uint64_t uid)
{
    bool is = false;
    struct visit *v = visit_begin_as(social, arena, uid);
    const struct people *newest = newest_people_ask(v, 10);
    assert_int_equal(visit_read(v), ERR_OK);
    for (size_t i = 0; i < newest->count; i++) {
        is = is || newest->users[i].id == bob;
    }
    return is;
}

/* By his words, or as somebody one might like. */
static void test_who_wants_not_to_be_found(void **state)
{
    (void)state;
    const char *const unsearched[] = {"xxxxxx.", "x.xxxx.", ".......", "......."};
    const char *const own[] = {"xxxxxxx", "x.xxxxx", "x.xxxxx", "x.xxxxx"};
    ask(KEY_GLOBAL_BUCKET, "LPUSH", key_plain(arena, KEY_LATEST, KEY_GLOBAL_BUCKET), id_text(arena, bob), NULL);
    assert_true(is_among_newest(alice));
    assert_int_equal(user_set(social, arena, bob, &(struct record_user){.indexable = "no"}), ERR_OK);
    assert_grid("stranger, of whom nobody may search", alice, bob, &bare, unsearched);
    assert_grid("nobody, of whom nobody may search", 0, bob, &bare, unsearched);
    assert_grid("himself", bob, bob, &bare, own);
    assert_true(is_among_newest(alice));
    assert_int_equal(user_set(social, arena, bob, &(struct record_user){.indexable = "yes", .discoverable = "no"}),
                     ERR_OK);
    assert_grid("stranger, of whom nobody is told", alice, bob, &bare, STRANGER);
    assert_false(is_among_newest(alice));
    assert_true(is_among_newest(bob));
}

/* Half of a conversation stays out of the home, and only out of that; unless she wants to see it. */
static void test_answers_to_strangers(void **state)
{
    (void)state;
    uint64_t carol = person(name_in(9, 0));
    follow(true);
    assert_answer("a stranger", carol, false);
    assert_answer("his own post", bob, true);
    assert_answer("her", alice, true);
    assert_int_equal(user_set(social, arena, alice, &(struct record_user){.home_replies = "all"}), ERR_OK);
    assert_answer("a stranger, who is wanted", carol, true);
    assert_int_equal(user_set(social, arena, alice, &(struct record_user){.home_replies = ""}), ERR_OK);
    assert_answer("a stranger again", carol, false);
    ask(7, "ZADD", key_id(arena, KEY_FOLLOWING, alice), "2", id_text(arena, carol));
    follow(true);
    assert_answer("somebody followed", carol, true);
}

/* What a later version writes and this one does not know. */
static void test_unknown_visibility(void **state)
{
    (void)state;
    uint64_t post = put_post(bob, clock_site_ms() - HOUR_MS);
    ask(8, "HSET", key_id(arena, KEY_POST, post), "visibility", "circle");
    follow(true);
    assert_false(is_seen(alice, post, SEE_POST, false));
    assert_true(is_seen(bob, post, SEE_POST, false));
}

static void test_deleted_author(void **state)
{
    (void)state;
    uint64_t post = write_post(bob, VISIBILITY_PUBLIC, &bare);
    ask(8, "HSET", key_id(arena, KEY_USER, bob), "deleted", "1");
    assert_false(is_seen(alice, post, SEE_POST, false));
    assert_false(is_seen(alice, post, SEE_POST, true));
}

/* Who is kept apart from many is told one from the other. */
static void test_many(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        ask(7, "HSET", key_id(arena, KEY_APART, alice), id_text(arena, bob + i * (i % 2 ? 1 : -1) * 64),
            i == 0  ? "m"
            : i % 3 ? "b"
                    : "B");
    }
    ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "apart", "1");
    struct visit *v = visit_begin_as(social, arena, alice);
    visit_want_apart(v);
    assert_int_equal(visit_read(v), ERR_OK);
    const struct apart *all = v->apart.all;
    size_t count = v->apart.count;
    assert_int_equal(count, 200);
    for (size_t i = 1; i < count; i++) {
        assert_true(all[i - 1].uid < all[i].uid);
        assert_int_equal(visit_apart(v, all[i].uid), all[i].flags);
    }
    assert_int_equal(visit_apart(v, bob), APART_MUTES);
    assert_int_equal(visit_apart(v, alice), 0);
}

/* --- how it is known ------------------------------------------------------------------------------------------------ */

static unsigned trips_of_look(uint64_t post, bool at_once)
{
    struct visit *v = visit_begin_as(social, arena, alice);
    struct look l = {.load = {.id = post}, .place = SEE_POST};
    store_trips_reset();
    if (at_once) {
        step_look(v, &l);
    } else {
        visit_then(v, step_look, &l);
    }
    assert_int_equal(visit_read(v), ERR_OK);
    return store_trips();
}

static void test_rounds(void **state)
{
    (void)state;
    uint64_t post = write_post(bob, VISIBILITY_PRIVATE, &bare);
    keep_apart("m");
    follow(true);
    assert_int_equal(trips_of_look(post, false), 2); /* post, following and whom she mutes come together */
    assert_int_equal(trips_of_look(post, false), 1); /* all that is known */
    assert_int_equal(trips_of_look(post, true), 1);
    keep_apart("");
    assert_int_equal(trips_of_look(post, true), 2); /* what was known is old */
    follow(false);
    assert_int_equal(trips_of_look(post, false), 2);
    cache_clear(social->cache);
    assert_int_equal(trips_of_look(post, true), 1); /* nothing is known, so all is asked for at once */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        sees(test_matrix),
        sees(test_limited_and_suspended),
        sees(test_who_wants_not_to_be_found),
        sees(test_boosts_of_the_limited),
        sees(test_addressed),
        sees(test_answers_to_strangers),
        sees(test_unknown_visibility),
        sees(test_deleted_author),
        sees(test_many),
        sees(test_rounds),
    };
    return site_main(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
