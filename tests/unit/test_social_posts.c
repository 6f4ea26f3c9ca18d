/* test_social_posts.c - writing posts: which request is the same as an earlier one and for how long, which times an id
 * may have, what its job knows, what is remembered of it, and from how many followers on an author is a celebrity.
 */
#include "social_case.h"

#include "social/people/follow.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/posts/post.h"
#include "social/timelines/conversation.h"
#include "social/timelines/fanout.h"
#include "social/timelines/timeline.h"
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

/* For how many seconds the engine remembers the only request of a bucket. */
static int64_t remembered(unsigned bucket)
{
    const struct store_reply *keys = ask(bucket, "KEYS", arena_printf(arena, "{%u}:request:*", bucket), NULL, NULL);
    assert_int_equal(keys->count, 1);
    return store_integer(ask(bucket, "TTL", store_text(store_item(keys, 0)), NULL, NULL));
}

static void test_request_is_remembered(void **state)
{
    (void)state;
    const int64_t some = 60; /* seconds that a test may take */
    write_post(person(name_in(7, 0)), &(struct post_draft){.text = "Yes!", .request_key = "a key"});
    assert_in_range(remembered(7), CLOCK_DAY_SECONDS - some, CLOCK_DAY_SECONDS);
    write_post(person(name_in(8, 0)),
               &(struct post_draft){.text = "Yes!"}); /* that may be sent again after a lost reply */
    assert_in_range(remembered(8), 300 - some, 300);
}

/* --- what is remembered -------------------------------------------------------------------------------------------- */

/* Whether it comes out of the memory of who wrote it, of the engine, or of who has read it, a post is the same. */
static void test_post_is_remembered_whole(void **state)
{
    (void)state;
    const char *names[] = {name_in(8, 0), name_in(9, 0)};
    uint64_t alice = person(name_in(7, 0)), others[] = {person(names[0]), person(names[1])};
    uint64_t parent = write_post(others[1], &(struct post_draft){.text = "a question"});
    const char *text = arena_printf(arena, "@%s and @%s: Yes!", names[0], names[1]);
    uint64_t id = write_post(alice, &(struct post_draft){.text = text, .reply_to = parent});
    for (unsigned time = 0; time < 3; time++) {
        struct post_load l = {.id = id};
        if (time == 1) {
            cache_forget(social->cache, CACHE_POST, id);
        }
        struct store_batch *b = social_batch(social, arena);
        post_load_add(social, b, arena, &l, 1);
        assert_int_equal(l.cached, time != 1);
        assert_int_equal(store_run(b), ERR_OK);
        post_load_take(social, b, arena, &l, 1);
        assert_int_equal(l.post.author.id, alice);
        assert_string_equal(l.post.text, text);
        assert_int_equal(l.post.reply_to, parent);
        assert_int_equal(l.post.reply_author, others[1]);
        assert_string_equal(l.post.reply_name, names[1]);
        assert_int_equal(l.post.mention_count, COUNT(others));
        for (size_t i = 0; i < COUNT(others); i++) {
            assert_int_equal(l.post.mentions[i].uid, others[i]);
            assert_string_equal(l.post.mentions[i].name, names[i]);
        }
    }
}

static struct post load_post(uint64_t id)
{
    struct post_load l = {.id = id};
    struct store_batch *b = social_batch(social, arena);
    post_load_add(social, b, arena, &l, 1);
    assert_int_equal(store_run(b), ERR_OK);
    post_load_take(social, b, arena, &l, 1);
    return l.post;
}

/* Whom a post mentions is asked once; who is gone since is mentioned no more. */
static void test_mentioned_people_are_remembered(void **state)
{
    (void)state;
    const char *name = name_in(8, 0);
    uint64_t alice = person(name_in(7, 0)), bob = person(name);
    const char *text = arena_printf(arena, "hello @%s", name);
    for (unsigned time = 0; time < 3; time++) {
        if (time == 2) {
            struct user gone;
            assert_int_equal(user_delete(social, arena, as_command(), bob), ERR_OK);
            struct store_batch *b = social_batch(social, arena);
            size_t reply = user_add(b, bob);
            assert_int_equal(store_run(b), ERR_OK);
            user_take(social, b, reply, bob, &gone); /* remembered, as somebody who is gone */
        }
        unsigned before = store_trips();
        uint64_t id = write_post(alice, &(struct post_draft){.text = text});
        assert_int_equal(store_trips() - before, time == 1 ? 2 : 3);
        struct post p = load_post(id);
        assert_int_equal(p.mention_count, time < 2);
        assert_true(time == 2 || p.mentions[0].uid == bob);
    }
}

/* It is deleted, and this process hears of it, between the moment when it came out of the memory and the answer of the engine. */
static void test_post_that_is_forgotten_meanwhile(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0)), id = write_post(alice, &(struct post_draft){.text = "soon gone"});
    const struct timeline_query q = {.limit = 20};
    for (unsigned time = 0; time < 3; time++) {
        struct visit *v = visit_begin_as(social, arena, alice);
        const struct conversation *c = conversation_ask(v, id, &q);
        if (time == 2) {
            ask(7, "DEL", key_id(arena, KEY_POST, id), NULL, NULL);
            cache_forget(social->cache, CACHE_POST, id);
        }
        assert_int_equal(visit_read(v), time == 2 ? ERR_NOT_FOUND : ERR_OK);
        assert_true(time == 2 || c->post.id == id);
    }
}

/* --- the script ---------------------------------------------------------------------------------------------------- */

#define LATE_MS 60000 /* far longer than a test takes, and than the next is */
#define AHEAD_MS 20000

static struct script_job job_of_post;

/* Stores a post of that time. */
static enum answer create(uint64_t author, uint64_t ms, const char *mode)
{
    const struct record_post post = {.author = author, .text = "a post"};
    uint64_t id = id_of_ms(ms) | id_bucket(author) << 6;
    job_of_post = (struct script_job){.id = id, .lease = 1, .nonce = id, .type = "fanout", .uid = author};
    const struct script_post_create in = {.job = job_of_post,
                                          .limit = {author, "post", 0, 3600, 1},
                                          .uid = author,
                                          .id = id,
                                          .request = id_text(arena, id),
                                          .remember = 300,
                                          .mode = mode,
                                          .celebrity = 100,
                                          .kept = 800,
                                          .late = LATE_MS,
                                          .ahead = AHEAD_MS,
                                          .post = &post};
    struct store_batch *b = new_batch();
    script_post_create_add(b, &in);
    assert_int_equal(store_run(b), ERR_OK);
    return script_answer(store_reply(b, 0));
}

/* All see all posts in one order, so the time of an id is the engine's, more or less. */
static void test_time_of_an_id(void **state)
{
    (void)state;
    const uint64_t hour = 3600000, now = store_time_ms(ask(0, "TIME", NULL, NULL, NULL));
    uint64_t alice = person(name_in(7, 0)), bob = person(name_in(8, 0));
    assert_int_equal(create(alice, now - hour, "push"), ANSWER_CLOCK);
    assert_int_equal(create(alice, now + hour, "push"), ANSWER_CLOCK);
    assert_int_equal(create(alice, now - LATE_MS / 2, "push"), ANSWER_OK);
    assert_int_equal(create(alice, now + hour, "push"), ANSWER_CLOCK);
    assert_int_equal(create(alice, now + AHEAD_MS / 2, "push"), ANSWER_OK);
    uint64_t ahead = put_post(bob, now + hour); /* the engine's clock was set back since: he goes on from there */
    assert_int_equal(create(bob, now, "push"), ANSWER_STALE);
    assert_int_equal(create(bob, id_ms(ahead) + 1, "push"), ANSWER_OK);
    assert_int_equal(create(bob, id_ms(ahead) + 1000, "push"), ANSWER_CLOCK);
}

static const char *job_word(const char *field)
{
    unsigned bucket = id_bucket(job_of_post.id);
    return store_text(ask(bucket, "HGET", key_id(arena, KEY_JOB, job_of_post.id), field, NULL));
}

/* Whoever takes the job up knows by which rule the post is delivered, and whether to homes at all. */
static void test_job_knows_its_mode(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"push", "1"}, {"pull", "0"}, {"hybrid", "1"}};
    const uint64_t now = store_time_ms(ask(0, "TIME", NULL, NULL, NULL));
    for (unsigned i = 0; i < COUNT(cases); i++) {
        assert_int_equal(create(person(name_in(7, i)), now + i, cases[i][0]), ANSWER_OK);
        assert_string_equal(job_word("mode"), cases[i][0]);
        assert_string_equal(job_word("delivers"), cases[i][1]);
    }
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
    site(test_request_is_remembered),
    site(test_post_is_remembered_whole),
    site(test_mentioned_people_are_remembered),
    site(test_post_that_is_forgotten_meanwhile),
    site(test_time_of_an_id),
    site(test_job_knows_its_mode),
    site(test_celebrity),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
