/* test_social_known.c - a busy home, whose first ids do not say what stands behind them: what the process remembers of the
 * rest, and when it must read the whole list again (home_known.h).
 */
#include "home_case.h"

#include "social/core/cache.h"

#define MORE 70 /* a delivery each, later than all posts */

static uint64_t more[MORE]; /* oldest first */

static const char *reads(void)
{
    const char *text = store_text(ask(7, "INFO", "commandstats", NULL, NULL));
    const char *at = strstr(text, "cmdstat_lrange:calls=");
    return at ? at + strlen("cmdstat_lrange:calls=") : "0";
}

/* The first page, and how often a part of the list was read for it. */
static unsigned long look(struct timeline_page *page)
{
    unsigned long before = strtoul(reads(), NULL, 10);
    *page = read_home(0, 0);
    return strtoul(reads(), NULL, 10) - before;
}

static void push(uint64_t id)
{
    ask(7, "LPUSH", home, id_text(arena, id), NULL);
}

/* Alice's home has all posts, in the order of their ids, and the process has read it. */
static void begin_busy(void)
{
    uint64_t newest_ms = clock_site_ms() - HOUR_MS;
    cache_trust(social->cache, UINT64_MAX);
    follow(alice, bob);
    for (unsigned k = POSTS; k-- > 0;) {
        posts[k] = put_post(bob, newest_ms - k * APART_MS);
    }
    for (unsigned k = 0; k < MORE; k++) {
        more[k] = put_post(bob, newest_ms + (k + 1) * APART_MS);
        ask(8, "ZREM", key_id(arena, KEY_POSTS, bob), id_text(arena, more[k]), NULL); /* not delivered yet */
    }
    read_home(0, 0);
    wait_for_home(posts[0]);
    assert_page(read_home(0, 0), 0);
}

/* The page begins with the newest of the deliveries up to this one, and goes on with the posts. */
static void assert_busy_page(struct timeline_page page, unsigned delivered)
{
    assert_int_equal(page.count, PAGE);
    for (unsigned i = 0; i < PAGE; i++) {
        assert_int_equal(page.posts[i].id, i < delivered ? more[delivered - 1 - i] : posts[i - delivered]);
    }
}

/* What comes in front is read, and no more; however much came in since the whole was read. */
static void test_part_is_enough(void **state)
{
    (void)state;
    struct timeline_page page;
    begin_busy();
    for (unsigned k = 0; k < MORE; k++) {
        push(more[k]);
        assert_int_equal(look(&page), 1);
        assert_busy_page(page, k + 1);
    }
}

/* So much came in that nothing in the part was there before. */
static void test_too_much_at_once(void **state)
{
    (void)state;
    struct timeline_page page;
    begin_busy();
    uint64_t other = id_ms(more[MORE - 1]);
    for (unsigned k = 0; k < MORE; k++) {
        push(more[k]);
    }
    for (unsigned k = 0; k < MORE; k++) {
        push(posts[k] = put_post(bob, other + (k + 1) * APART_MS));
    }
    assert_int_equal(look(&page), 2);
    for (unsigned i = 0; i < PAGE; i++) {
        assert_int_equal(page.posts[i].id, posts[MORE - 1 - i]);
    }
    assert_int_equal(look(&page), 1);
}

/* A post that was there is delivered once more, with many new ones behind it: the list does not go on behind it as before. */
static void test_delivered_twice(void **state)
{
    (void)state;
    struct timeline_page page;
    begin_busy();
    uint64_t other = id_ms(more[MORE - 1]);
    for (unsigned k = 0; k < MORE; k++) {
        push(more[k]);
    }
    for (unsigned k = 0; k < MORE; k++) {
        push(put_post(bob, other + (k + 1) * APART_MS));
    }
    push(posts[0]);
    assert_int_equal(look(&page), 2);
}

/* Something came in behind the part. */
static void test_late_delivery_is_noticed(void **state)
{
    (void)state;
    struct timeline_page page;
    begin_busy();
    ask(7, "LREM", home, "0", id_text(arena, posts[POSTS - 10]));
    struct store_batch *b = new_batch();
    script_home_late_add(b, &(struct script_home_late){alice, posts[POSTS - 10], 800});
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(look(&page), 2);
    assert_busy_page(page, 0);
    assert_int_equal(look(&page), 1);
}

/* The list was stored by somebody else since then. */
static void test_other_list_is_noticed(void **state)
{
    (void)state;
    struct timeline_page page;
    begin_busy();
    ask(7, "HSET", homestate, "stamp", "5");
    assert_int_equal(look(&page), 2);
    assert_busy_page(page, 0);
}

/* What is remembered and gone does not show, and does not end the page. */
static void test_posts_that_are_gone(void **state)
{
    (void)state;
    struct timeline_page page;
    begin_busy();
    for (unsigned k = 0; k < 2 * PAGE; k++) {
        ask(8, "DEL", key_id(arena, KEY_POST, posts[k]), NULL, NULL);
        ask(7, "LREM", home, "0", id_text(arena, posts[k]));
        cache_forget(social->cache, CACHE_POST, posts[k]);
    }
    push(more[0]);
    look(&page);
    assert_int_equal(page.count, PAGE);
    assert_int_equal(page.posts[0].id, more[0]);
    for (unsigned i = 1; i < PAGE; i++) {
        assert_int_equal(page.posts[i].id, posts[2 * PAGE + i - 1]);
    }
}

static const struct CMUnitTest tests[] = {
    timeline(test_part_is_enough),           timeline(test_too_much_at_once),      timeline(test_delivered_twice),
    timeline(test_late_delivery_is_noticed), timeline(test_other_list_is_noticed), timeline(test_posts_that_are_gone),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
