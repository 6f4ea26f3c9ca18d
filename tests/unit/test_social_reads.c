/* test_social_reads.c - reads and their rounds: who is asked when, in how many round trips, and the parts of a home:
 * windows that are cut and united, answers that are merged, the states that a home goes through.
 */
#include "social_case.h"

#include "social/core/cache.h"
#include "social/people/people.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/timelines/home.h"
#include "social/timelines/home_plan.h"
#include "social/timelines/list.h"

#define PAGE 5

static uint64_t alice, bob, carol;

static int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    carol = person(name_in(9, 0));
    return 0;
}

#define reads(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

/* --- rounds -------------------------------------------------------------------------------------------------------- */

/* What the steps of a test wrote: a letter for each. */
static char said[20];

static void say(char c)
{
    size_t n = strlen(said);
    assert_true(n + 1 < sizeof(said));
    said[n] = c;
    said[n + 1] = '\0';
}

/* A read that echoes its name in each of `left` rounds, or only waits. */
struct echo {
    char name[2];
    unsigned left;
    bool silent;
    enum err fails;
    size_t reply;
};

static enum err step_echo(struct visit *v, void *self);

static void ask_echo(struct visit *v, struct echo *e)
{
    if (!e->silent) {
        e->reply = store_command(v->reads.batch, 0, "ECHO", e->name, NULL);
    }
    visit_then(v, step_echo, e);
}

static enum err step_echo(struct visit *v, void *self)
{
    struct echo *e = self;
    say(e->name[0]);
    if (!e->silent) {
        assert_string_equal(store_text(visit_reply(v, e->reply)), e->name);
    }
    if (--e->left) {
        ask_echo(v, e);
    }
    return e->left ? ERR_OK : e->fails;
}

static struct visit *visit_of(uint64_t uid)
{
    said[0] = '\0';
    struct visit *v = visit_begin_as(social, arena, uid);
    store_trips_reset();
    return v;
}

static void test_rounds_are_shared(void **state)
{
    (void)state;
    struct visit *v = visit_of(alice);
    struct echo a = {.name = "a", .left = 3}, b = {.name = "b", .left = 1}, c = {.name = "c", .left = 2};
    ask_echo(v, &a);
    ask_echo(v, &b);
    ask_echo(v, &c);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_string_equal(said, "abcaca"); /* in the order of asking; who has enough is not asked again */
    assert_int_equal(store_trips(), 3);  /* of the slowest */
    assert_int_equal(visit_viewer(v)->id, alice);
    a.left = 1;
    ask_echo(v, &a);
    assert_int_equal(visit_read(v), ERR_OK); /* one more, without the session's reads */
    assert_int_equal(store_trips(), 4);
    assert_int_equal(visit_read(v), ERR_OK); /* nobody wants one */
    assert_int_equal(store_trips(), 4);
}

static void test_waiting_costs_nothing(void **state)
{
    (void)state;
    struct visit *v = visit_of(alice);
    struct echo a = {.name = "a", .left = 5, .silent = true}, b = {.name = "b", .left = 2};
    ask_echo(v, &a);
    ask_echo(v, &b);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_string_equal(said, "ababaaa");
    assert_int_equal(store_trips(), 2);
}

static void test_first_error_ends_all(void **state)
{
    (void)state;
    struct visit *v = visit_of(alice);
    struct echo a = {.name = "a", .left = 2}, b = {.name = "b", .left = 1, .fails = ERR_NOT_FOUND};
    struct echo c = {.name = "c", .left = 2};
    ask_echo(v, &a);
    ask_echo(v, &b);
    ask_echo(v, &c);
    assert_int_equal(visit_read(v), ERR_NOT_FOUND);
    assert_string_equal(said, "ab");
    assert_int_equal(store_trips(), 1);
    assert_true(visit_is_known(v));
}

/* --- who may go on ------------------------------------------------------------------------------------------------- */

static enum err read_as(uint64_t uid, enum who who)
{
    struct visit *v = visit_of(uid);
    struct echo a = {.name = "a", .left = 1};
    ask_echo(v, &a);
    visit_require(v, who);
    enum err e = visit_read(v);
    assert_string_equal(said, e == ERR_OK ? "a" : ""); /* nothing of the page was looked at */
    assert_int_equal(store_trips(), 1);
    return e;
}

static void test_who_may_go_on(void **state)
{
    (void)state;
    const uint64_t nobody = 0;
    assert_int_equal(read_as(nobody, WHO_ANYONE), ERR_OK);
    assert_int_equal(read_as(nobody, WHO_MEMBER), ERR_UNAUTHORIZED);
    assert_int_equal(read_as(nobody, WHO_ADMINISTRATOR), ERR_UNAUTHORIZED);
    assert_int_equal(read_as(alice, WHO_MEMBER), ERR_OK);
    assert_int_equal(read_as(alice, WHO_ADMINISTRATOR), ERR_FORBIDDEN);
    ask(id_bucket(bob), "HSET", key_id(arena, KEY_USER, bob), "role", "admin");
    assert_int_equal(read_as(bob, WHO_ADMINISTRATOR), ERR_OK);
    ask(id_bucket(carol), "HSET", key_id(arena, KEY_USER, carol), "deleted", "1");
    assert_int_equal(read_as(carol, WHO_MEMBER), ERR_UNAUTHORIZED);
}

/* A visit of somebody whose record the process remembers, of two rounds; it is forgotten when the first one is under
 * way. */
static enum err read_as_changed(uint64_t uid, enum who who, const char *field, const char *value)
{
    assert_int_equal(visit_read(visit_of(uid)), ERR_OK);
    struct visit *v = visit_of(uid);
    struct echo a = {.name = "a", .left = 2};
    ask_echo(v, &a);
    visit_require(v, who);
    ask(id_bucket(uid), "HSET", key_id(arena, KEY_USER, uid), field, value);
    cache_forget(social->cache, CACHE_USER, uid);
    store_trips_reset();
    enum err e = visit_read(v);
    assert_int_equal(store_trips(), 2); /* no round trip of its own */
    assert_string_equal(said, e == ERR_OK ? "aa" : "a");
    assert_int_equal(visit_viewer(v)->id, e == ERR_UNAUTHORIZED ? 0 : uid);
    return e;
}

/* Whoever was just made administrator, or is none any more, or is gone, is so for the request that is under way. */
static void test_viewer_who_changed_meanwhile(void **state)
{
    (void)state;
    assert_int_equal(read_as_changed(bob, WHO_ADMINISTRATOR, "role", "admin"), ERR_OK);
    assert_int_equal(read_as_changed(bob, WHO_ADMINISTRATOR, "role", ""), ERR_FORBIDDEN);
    assert_int_equal(read_as_changed(bob, WHO_MEMBER, "role", "admin"), ERR_OK);
    assert_int_equal(read_as_changed(bob, WHO_ANYONE, "deleted", "1"), ERR_UNAUTHORIZED);
    assert_int_equal(read_as_changed(alice, WHO_MEMBER, "deleted", "1"), ERR_UNAUTHORIZED);
}

/* A cookie that is nobody's: what was asked for its owner is not shown. */
static void test_reads_of_nobody(void **state)
{
    (void)state;
    uint64_t gone = person(name_in(7, 1));
    put_post(gone, clock_site_ms() - 1000);
    ask(7, "HSET", key_id(arena, KEY_USER, gone), "deleted", "1");
    struct visit *v = visit_of(gone);
    struct timeline_query q = {.limit = PAGE};
    const struct home *home = home_ask(v, &q);
    const struct user_counts *counts = viewer_counts_ask(v);
    const struct lists *lists = list_all_ask(v, NULL);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(visit_viewer(v)->id, 0);
    assert_int_equal(home->page.count, 0);
    assert_int_equal(counts->posts, 0);
    assert_int_equal(lists->count, 0);
    assert_int_equal(store_trips(), 1);
}

/* --- the states of a home ------------------------------------------------------------------------------------------ */

static void follow(uint64_t reader, uint64_t author)
{
    ask(id_bucket(reader), "ZADD", key_id(arena, KEY_FOLLOWING, reader), "1", id_text(arena, author));
    ask(id_bucket(author), "ZADD", key_id(arena, KEY_FOLLOWERS, author), "1", id_text(arena, reader));
    ask(id_bucket(reader), "HINCRBY", key_id(arena, KEY_HOMESTATE, reader), "version", "1");
}

static void put_posts(uint64_t author, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        put_post(author, clock_site_ms() - 3600000 - (uint64_t)i * 60000);
    }
}

/* Reads alice's home; how many round trips that took. */
static unsigned trips_of_home(uint64_t max_id, const struct home **home)
{
    struct visit *v = visit_of(alice);
    struct timeline_query q = {.max_id = max_id, .limit = PAGE};
    *home = home_ask(v, &q);
    newest_people_ask(v, 10);
    viewer_counts_ask(v);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal((*home)->page.count, PAGE);
    return store_trips();
}

static void use_mode(enum config_mode mode)
{
    config.timeline.mode = mode;
    assert_int_equal(product_enter(social, true), ERR_OK);
}

/* A window that was stored without waiting is there soon. */
static void wait_for_home(int64_t length)
{
    const char *home = key_id(arena, KEY_HOME, alice);
    for (unsigned i = 0; i < 5000 && store_integer(ask(7, "LLEN", home, NULL, NULL)) < length; i++) {
        clock_sleep_ms(2);
    }
    assert_int_equal(store_integer(ask(7, "LLEN", home, NULL, NULL)), length);
}

static void test_rounds_of_a_home(void **state)
{
    (void)state;
    const struct home *home;
    follow(alice, bob);
    put_posts(bob, 12);
    /* the list is missing: it is begun, and the authors are asked, whose answer brings the posts along */
    assert_int_equal(trips_of_home(0, &home), 3);
    assert_int_equal(home_source(home, home->page.posts[0].id), HOME_MERGED);
    wait_for_home(13);
    /* it is there, and the process knows the rest */
    assert_int_equal(trips_of_home(0, &home), 1);
    assert_int_equal(home_source(home, home->page.posts[0].id), HOME_CACHED);
    assert_true(home->page.has_older);
    uint64_t cursor = home->page.posts[PAGE - 1].id;
    assert_int_equal(trips_of_home(cursor, &home), 2); /* posts that did not come along */
    assert_int_equal(trips_of_home(cursor, &home), 1);
}

/* Whom he follows has changed since the process knew it, and nothing can be asked before it is known. */
static void test_home_waits_for_following(void **state)
{
    (void)state;
    const struct home *home;
    use_mode(CONFIG_PULL);
    follow(alice, bob);
    put_posts(bob, 12);
    assert_int_equal(trips_of_home(0, &home), 3);
    wait_for_home(13);
    assert_int_equal(trips_of_home(0, &home), 1); /* nobody has news */
    follow(alice, carol);
    uint64_t news = put_post(carol, clock_site_ms() - 1000);
    assert_int_equal(trips_of_home(0, &home), 3);
    assert_int_equal(home->page.posts[0].id, news);
    wait_for_home(14);
    assert_int_equal(trips_of_home(0, &home), 1);
}

/* The page is filled from below the window when what stands in it is hidden. */
static void test_home_goes_below_what_is_hidden(void **state)
{
    (void)state;
    const struct home *home;
    follow(alice, bob);
    follow(alice, carol);
    put_posts(carol, 12);
    uint64_t newest = 0;
    for (unsigned i = 0; i < 8; i++) {
        newest = put_post(bob, clock_site_ms() - 2000 + i);
    }
    trips_of_home(0, &home);
    wait_for_home(21);
    trips_of_home(0, &home);
    assert_int_equal(home->page.posts[0].id, newest);
    ask(7, "ZREM", key_id(arena, KEY_FOLLOWING, alice), id_text(arena, bob), NULL);
    ask(7, "HINCRBY", key_id(arena, KEY_HOMESTATE, alice), "version", "1");
    trips_of_home(0, &home);
    for (size_t i = 0; i < PAGE; i++) {
        assert_int_equal(home->page.posts[i].author.id, carol);
    }
    /* the whole window is of somebody whom he does not follow any more, and it does not say that it is whole */
    ask(7, "LREM", key_id(arena, KEY_HOME, alice), "0", "0");
    ask(7, "LTRIM", key_id(arena, KEY_HOME, alice), "0", "7");
    trips_of_home(0, &home);
    for (size_t i = 0; i < PAGE; i++) {
        assert_int_equal(home->page.posts[i].author.id, carol);
    }
}

/* --- the plan ------------------------------------------------------------------------------------------------------ */

static enum home_plan plan(struct visit *v, enum window_list list, size_t count, uint64_t max_id)
{
    static uint64_t ids[] = {900, 800, 700, 600, 500, 400};
    struct window w = {.query = {.max_id = max_id, .limit = PAGE}, .list = list, .ids = {ids, count}};
    return home_choose_plan(v, &w);
}

static void test_plans(void **state)
{
    (void)state;
    struct visit *v = visit_begin_as(social, arena, alice);
    v->home.epoch = atomic_load(&social->epoch);
    assert_int_equal(plan(v, WINDOW_FOUND, 6, 0), PLAN_WINDOW);
    assert_int_equal(plan(v, WINDOW_DOUBLED, 6, 0), PLAN_WINDOW);
    assert_int_equal(plan(v, WINDOW_FOUND, PAGE - 1, 0), PLAN_TRUTH);
    assert_int_equal(plan(v, WINDOW_OTHER, 6, 0), PLAN_REBUILD);
    assert_int_equal(plan(v, WINDOW_MISSING, 0, 0), PLAN_REBUILD);
    assert_int_equal(plan(v, WINDOW_MISSING, 0, 950), PLAN_TRUTH); /* only the first page makes it anew */
    config.timeline.mode = CONFIG_HYBRID;
    assert_int_equal(plan(v, WINDOW_FOUND, 6, 950), PLAN_OVERLAY);
    config.timeline.mode = CONFIG_PULL;
    assert_int_equal(plan(v, WINDOW_FOUND, 1, 0), PLAN_PULL);
    uint64_t cursor = id_of_ms(clock_site_ms());
    assert_int_equal(plan(v, WINDOW_FOUND, 6, cursor), PLAN_TRUTH); /* above its mark the window knows nothing */
    v->home.mark_ms = clock_site_ms() + SOCIAL_AHEAD_MS / 2;
    assert_int_equal(plan(v, WINDOW_FOUND, 6, id_of_ms(v->home.mark_ms - SOCIAL_DISORDER_MS)), PLAN_WINDOW);
    v->home.mark_ms += 3600000;
    assert_int_equal(plan(v, WINDOW_FOUND, 6, 0), PLAN_REBUILD); /* a mark of a time that has not come */
    v->home.mark_ms = 0;
    v->home.must_build = true;
    assert_int_equal(plan(v, WINDOW_FOUND, 6, 0), PLAN_REBUILD);
    v->home.must_build = false;
    v->home.epoch--;
    assert_int_equal(plan(v, WINDOW_FOUND, 6, 0), PLAN_REBUILD);
    atomic_store(&social->is_foreign, true);
    assert_int_equal(plan(v, WINDOW_FOUND, 6, 0), PLAN_TRUTH);
}

/* --- windows ------------------------------------------------------------------------------------------------------- */

/* Ids of these seconds, newest first. */
static struct timeline_ids seconds(unsigned count, const unsigned *s)
{
    struct timeline_ids ids = {arena_alloc(arena, (count + 1) * sizeof(uint64_t)), count};
    for (unsigned i = 0; i < count; i++) {
        ids.ids[i] = id_of_ms(UINT64_C(1000) * s[i]);
    }
    return ids;
}

#define SECONDS(...)                                                                                                   \
    seconds(sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned), (const unsigned[]){__VA_ARGS__})

static uint64_t second(unsigned s)
{
    return id_of_ms(UINT64_C(1000) * s);
}

static void assert_ids(const struct timeline_ids ids, const struct timeline_ids expected)
{
    assert_int_equal(ids.count, expected.count);
    for (size_t i = 0; i < ids.count; i++) {
        assert_int_equal(ids.ids[i], expected.ids[i]);
    }
}

static void test_how_far_a_window_is_certain(void **state)
{
    (void)state;
    struct window w = {.query.limit = 1, .ids = SECONDS(100, 95, 85, 84), .reaches_top = true};
    assert_false(window_is_uncertain(&w)); /* what is behind 84 is not newer than 94 */
    w.query.limit = 2;
    assert_true(window_is_uncertain(&w)); /* 85 may not be the third */
    w.reaches_bottom = true;
    assert_false(window_is_uncertain(&w));
    w.reaches_top = false;
    assert_true(window_is_uncertain(&w));
    w.query.max_id = second(90);
    assert_false(window_is_uncertain(&w)); /* what is in front of 100 is not older than 90 */
    w.query.max_id = second(91);
    assert_true(window_is_uncertain(&w));
    w.query = (struct timeline_query){.min_id = second(94), .limit = 1};
    w.reaches_top = true;
    w.reaches_bottom = false;
    assert_false(window_is_uncertain(&w));
    w.query.min_id = second(93);
    assert_true(window_is_uncertain(&w));
}

static void test_how_far_a_window_reaches(void **state)
{
    (void)state;
    struct window w = {.query.limit = 3, .ids = SECONDS(100, 95, 85)};
    assert_true(window_reaches(&w));
    w.query.max_id = second(96);
    assert_false(window_reaches(&w));
    w.is_whole = true;
    assert_true(window_reaches(&w));
    w.is_whole = false;
    w.query = (struct timeline_query){.min_id = second(85), .limit = 3};
    assert_true(window_reaches(&w));
    w.query.min_id--;
    assert_false(window_reaches(&w));
    window_empty(&w);
    assert_false(window_reaches(&w));
}

static void test_what_a_window_lacks(void **state)
{
    (void)state;
    struct window w = {.ids = SECONDS(100, 95, 85)};
    struct timeline_ids none = {0}, known = SECONDS(100, 85), between = SECONDS(100, 90), below = SECONDS(84);
    assert_false(window_lacks(&w, &none));
    assert_false(window_lacks(&w, &known));
    assert_true(window_lacks(&w, &between));
    assert_true(window_lacks(&w, &below));
}

/* A window and answers, and what is certain of both. */
static void assert_united(struct window w, struct window_answers answers, bool whole, struct timeline_ids expected)
{
    window_unite(arena, &w, &answers);
    assert_ids(w.ids, expected);
    assert_int_equal(w.is_whole, whole);
}

static void test_windows_and_answers_unite(void **state)
{
    (void)state;
    const struct timeline_ids own = SECONDS(100, 90, 80), others = SECONDS(95, 90, 70);
    const struct window part = {.ids = own}, whole = {.ids = own, .is_whole = true};
    const struct window_answers cut = {.ids = others}, all = {.ids = others, .is_whole = true};
    const struct window_answers down_to = {.ids = others, .is_whole = true, .asked_from = second(85)};
    const struct window_answers none = {.is_whole = true};
    assert_united(whole, all, true, SECONDS(100, 95, 90, 80, 70));
    assert_united(part, all, false, SECONDS(100, 95, 90, 80)); /* others may stand below 80 in the list */
    assert_united(whole, cut, false, SECONDS(100, 95, 90, 80, 70));
    assert_united(part, cut, false, SECONDS(100, 95, 90, 80));
    assert_united(whole, down_to, false, SECONDS(100, 95, 90));
    assert_united(whole, none, true, own);
    struct window upwards = {.ids = own, .query.min_id = second(75)};
    assert_united(upwards, all, false, SECONDS(100, 95, 90, 80, 70));
    assert_united(upwards, cut, false, SECONDS(95, 90, 80, 70)); /* the authors have more above 95 */
}

/* --- merging ------------------------------------------------------------------------------------------------------- */

struct merging {
    struct merge merge;
    struct timeline_ids ids;
    bool whole;
};

static enum err take_merging(struct visit *v, void *self)
{
    struct merging *m = self;
    m->ids = merge_take(v, v->reads.answers, &m->merge, &m->whole);
    return ERR_OK;
}

static struct merging merge(struct merge who)
{
    struct merging *m = arena_zero(arena, sizeof(*m));
    struct visit *v = visit_begin_as(social, arena, alice);
    m->merge = who;
    merge_add(v, &m->merge);
    visit_then(v, take_merging, m);
    assert_int_equal(visit_read(v), ERR_OK);
    return *m;
}

static void test_merge(void **state)
{
    (void)state;
    uint64_t of_bob[4], of_carol[2], everybody[70] = {bob, carol}, day = clock_site_ms() - 86400000;
    for (unsigned i = 0; i < 4; i++) {
        of_bob[i] = put_post(bob, day + 2000 - 200 * i);
    }
    for (unsigned i = 0; i < 2; i++) {
        of_carol[i] = put_post(carol, day + 1900 - 1000 * i);
    }
    for (unsigned i = 2; i < COUNT(everybody); i++) {
        everybody[i] = id_of_ms(day + i) | 10; /* who never wrote, and more than are asked by a script */
    }
    for (unsigned few = 0; few < 2; few++) {
        struct merge who = {
            .authors = everybody, .count = few ? 2 : COUNT(everybody), .query.limit = PAGE, .per_author = 5, .most = 9};
        struct merging all = merge(who);
        const uint64_t expected[] = {of_bob[0], of_carol[0], of_bob[1], of_bob[2], of_bob[3], of_carol[1]};
        assert_true(all.whole);
        assert_ids(all.ids, (struct timeline_ids){(uint64_t *)expected, 6});
        who.per_author = 3; /* whatever bob has below his third may be newer than carol's second */
        struct merging cut = merge(who);
        assert_false(cut.whole);
        assert_ids(cut.ids, (struct timeline_ids){(uint64_t *)expected, 4});
        who.most = 2;
        assert_ids(merge(who).ids, (struct timeline_ids){(uint64_t *)expected, 2});
        who.most = 9;
        who.query.min_id = of_carol[1]; /* upwards: the run is next to the cursor */
        who.per_author = 2;
        assert_ids(merge(who).ids, (struct timeline_ids){(uint64_t *)expected + 3, 2});
        who = (struct merge){.self = carol, .query.limit = PAGE, .per_author = 5, .most = 9, .from_ms = day + 1000};
        assert_ids(merge(who).ids, (struct timeline_ids){of_carol, 1});
    }
}

static const struct CMUnitTest tests[] = {
    reads(test_rounds_are_shared),
    reads(test_waiting_costs_nothing),
    reads(test_first_error_ends_all),
    reads(test_who_may_go_on),
    reads(test_viewer_who_changed_meanwhile),
    reads(test_reads_of_nobody),
    reads(test_rounds_of_a_home),
    reads(test_home_waits_for_following),
    reads(test_home_goes_below_what_is_hidden),
    reads(test_plans),
    bare(test_how_far_a_window_is_certain),
    bare(test_how_far_a_window_reaches),
    bare(test_what_a_window_lacks),
    bare(test_windows_and_answers_unite),
    reads(test_merge),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
