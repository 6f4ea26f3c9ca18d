/* test_social_posts.c - writing posts: which request is the same as an earlier one, and from how many followers on an author is
 * a celebrity.
 */
#include "social_case.h"

#include "social/people/follow.h"
#include "social/posts/post.h"
#include "social/timelines/fanout.h"
#include "social/posts/publish.h"

#define CELEBRITY_FOLLOWERS 4
#define READERS (CELEBRITY_FOLLOWERS + 1)

static uint64_t write_post(uint64_t by, const struct post_draft *draft)
{
    struct problems problems = {.count = 0};
    struct fanout_wave *wave;
    uint64_t id = 0;
    assert_int_equal(post_create(social, arena, as(by), draft, &id, &wave, &problems), ERR_OK);
    fanout_wait(wave);
    return id;
}

/* --- the same request ---------------------------------------------------------------------------------------------- */

/* Whoever sends a form twice has one post; whoever goes back in the browser and changes any of it has another. */
static void test_request_key(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0));
    struct post_draft parent = {.text = "a question"};
    uint64_t one = write_post(alice, &parent), other = write_post(alice, &parent);
    struct post_draft draft = {.text = "Yes!", .request_key = "a key"};
    uint64_t seen[4];
    assert_int_not_equal(one, other); /* without a key each is a post of its own */
    seen[0] = write_post(alice, &draft);
    draft.reply_to = one;
    seen[1] = write_post(alice, &draft);
    draft.reply_to = other;
    seen[2] = write_post(alice, &draft);
    draft.text = "No!";
    seen[3] = write_post(alice, &draft);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < i; k++) {
            assert_int_not_equal(seen[i], seen[k]);
        }
    }
    assert_int_equal(write_post(alice, &draft), seen[3]);
    draft.text = "Yes!";
    assert_int_equal(write_post(alice, &draft), seen[2]);
    assert_int_equal(store_integer(ask(7, "ZCARD", key_id(arena, KEY_POSTS, alice), NULL, NULL)), 2 + 4);
}

/* --- celebrities --------------------------------------------------------------------------------------------------- */

static uint64_t author, readers[READERS];

static void follow(unsigned reader, bool on)
{
    struct follow_item item = {.name = name_in(7, 0)};
    assert_int_equal(follow_many(social, arena, as(readers[reader]), on, &item, 1, none()), ERR_OK);
    assert_int_equal(item.result, FOLLOW_CHANGED);
}

/* Whether a new post gets into the first reader's home, and whether the next one will. */
static void assert_delivers(bool delivers, bool celebrity)
{
    const char *home = key_id(arena, KEY_HOME, readers[0]);
    struct store_batch *b = new_batch();
    store_command(b, 10, "DEL", home, NULL);
    store_command(b, 10, "RPUSH", home, "0", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    struct post_draft draft = {.text = "news"};
    uint64_t id = write_post(author, &draft);
    assert_string_equal(store_text(ask(10, "LINDEX", home, "0", NULL)), delivers ? id_text(arena, id) : "0");
    assert_string_equal(store_text(ask(7, "HGET", key_id(arena, KEY_USER, author), "celebrity", NULL)),
                        celebrity ? "1" : "");
}

static void test_celebrity(void **state)
{
    (void)state;
    config.timeline.mode = CONFIG_HYBRID;
    config.timeline.celebrity_followers = CELEBRITY_FOLLOWERS;
    assert_int_equal(product_enter(social, true), ERR_OK);
    author = person(name_in(7, 0));
    for (unsigned i = 0; i < READERS; i++) {
        readers[i] = person(name_in(10 + i, 0));
        follow(i, true);
        assert_delivers(true, i + 1 > CELEBRITY_FOLLOWERS); /* exactly so many are still pushed to */
    }
    assert_delivers(false, true);
    for (unsigned i = READERS - 1; i >= CELEBRITY_FOLLOWERS / 2; i--) {
        follow(i, false);
        assert_delivers(false, true); /* half of them still: nobody goes to and fro */
    }
    follow(1, false);
    assert_delivers(true, false);
}

static const struct CMUnitTest tests[] = {
    site(test_request_key),
    site(test_celebrity),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
