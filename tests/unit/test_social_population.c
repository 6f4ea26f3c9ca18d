/* test_social_population.c - numbers of the site: people, posts, and who was here lately. */
#include "social_case.h"

#include "social/people/population.h"
#include "social/posts/boost.h"
#include "social/posts/publish.h"
#include "social/timelines/fanout.h"

static uint64_t alice, bob;

static int begin(void **state)
{
    site_setup(state);
    alice = person(name_in(7, 0));
    bob = person(name_in(8, 0));
    return 0;
}

static struct population now(void)
{
    struct population p;
    assert_int_equal(population_count(social, arena, &p), ERR_OK);
    return p;
}

static uint64_t write_post(uint64_t author, const char *visibility)
{
    struct post_draft draft = {.text = "a post", .visibility = visibility};
    struct fanout_wave *wave = NULL;
    uint64_t id;
    assert_int_equal(post_create(social, arena, as(author), &draft, &id, &wave, none()), ERR_OK);
    fanout_wait(wave);
    return id;
}

static void boost(uint64_t uid, uint64_t post, bool on)
{
    struct fanout_wave *wave;
    assert_int_equal(post_boost(social, arena, as(uid), post, on, &wave, none()), ERR_OK);
    fanout_wait(wave);
    finish_jobs();
}

/* Posts are counted once, and from then on with each change: whatever was there before, and but for direct ones. */
static void test_posts_are_counted(void **state)
{
    (void)state;
    uint64_t first = write_post(alice, NULL);
    write_post(alice, "direct");
    assert_int_equal(now().users, 2);
    assert_int_equal(now().posts, 1);
    write_post(alice, "private");
    write_post(alice, "direct");
    uint64_t second = write_post(bob, NULL);
    assert_int_equal(now().posts, 3);
    boost(bob, first, true);
    assert_int_equal(now().posts, 4);
    boost(bob, first, false);
    boost(alice, second, true);
    assert_int_equal(post_delete(social, arena, as(alice), first, none()), ERR_OK);
    assert_int_equal(post_delete(social, arena, as(alice), first, none()), ERR_NOT_FOUND);
    finish_jobs();
    assert_int_equal(now().posts, 3);
    assert_clean();
    assert_int_equal(user_delete(social, arena, as_command(), bob),
                     ERR_OK); /* and what boosts his posts goes with them */
    finish_jobs();
    assert_int_equal(now().posts, 1);
    assert_clean();
}

/* `retwis check` notices another number, and the next who asks counts anew. */
static void test_wrong_number_is_mended(void **state)
{
    (void)state;
    struct check_report report;
    write_post(alice, NULL);
    assert_int_equal(now().posts, 1);
    ask(7, "SET", key_plain(arena, KEY_POSTED, 7), "5", NULL);
    assert_int_equal(now().posts, 5);
    assert_int_equal(check_run(social, arena, &(struct check_options){.repair = true}, &report), ERR_OK);
    assert_int_equal(report.kinds[CHECK_POSTED_WRONG].count, 1);
    assert_int_equal(now().posts, 1);
    assert_clean();
}

static void seen(uint64_t uid)
{
    struct store_batch *b = new_batch();
    population_seen_add(b, arena, uid);
    assert_int_equal(store_run(b), ERR_OK);
}

/* Each person once, for as long as the spans reach back. */
static void test_who_was_here(void **state)
{
    (void)state;
    const uint64_t span_ms = UINT64_C(5) * CLOCK_DAY_MS, begun = clock_site_ms() / span_ms * span_ms;
    assert_int_equal(now().month, 0);
    static const struct {
        uint64_t spans;
        int64_t month, halfyear;
    } later[] = {{0, 2, 2}, {6, 2, 2}, {7, 0, 2}, {36, 0, 2}, {37, 0, 0}};
    set_clock(begun);
    for (unsigned i = 0; i < 3; i++) {
        seen(alice);
        seen(bob);
    }
    for (size_t i = 0; i < COUNT(later); i++) {
        set_clock(begun + later[i].spans * span_ms + CLOCK_DAY_MS);
        assert_int_equal(now().month, later[i].month);
        assert_int_equal(now().halfyear, later[i].halfyear);
    }
    set_clock(begun + 3 * span_ms);
    seen(alice);
    assert_int_equal(now().month, 2);
    set_clock(begun + 9 * span_ms);
    assert_int_equal(now().month, 1);
    assert_int_equal(now().halfyear, 2);
}

#define numbers(f) cmocka_unit_test_setup_teardown(f, begin, site_teardown)

static const struct CMUnitTest tests[] = {
    numbers(test_posts_are_counted),
    numbers(test_wrong_number_is_mended),
    numbers(test_who_was_here),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
