/* test_social_fanout.c - deliveries: a late post stands at its place, no home gets a post twice, and a deleted one is
 * nowhere; all homes can be dropped.
 */
#include "home_case.h"

#include "social/posts/delivery.h"
#include "social/posts/publish.h"
#include "social/timelines/fanout.h"
#include "social/timelines/fanout_parts.h"
#include "social/timelines/rebuild.h"

/* The home of a reader holds these ids and nothing else; 0 ends them. */
static void assert_home(uint64_t reader, const uint64_t *ids)
{
    const struct store_reply *r = ask(id_bucket(reader), "LRANGE", key_id(arena, KEY_HOME, reader), "0", "-1");
    size_t n = 0;
    do {
        assert_true(n < r->count);
        assert_string_equal(store_text(store_item(r, n)), ids[n] ? id_text(arena, ids[n]) : "0");
    } while (ids[n++]);
    assert_int_equal(r->count, n);
}

static void begin_home(uint64_t reader, uint64_t newest)
{
    const char *key = key_id(arena, KEY_HOME, reader);
    ask(id_bucket(reader), "RPUSH", key, "0", NULL);
    if (newest) {
        ask(id_bucket(reader), "LPUSH", key, id_text(arena, newest), NULL);
    }
}

/* This server's clock says that it is early enough; the engine's, when the deliveries have come there, that it was not:
 * a newer post came first. */
static void test_late_post_is_put_at_its_place(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), late = put_post(bob, now - HOUR_MS), newer = put_post(carol, now);
    follow(alice, bob);
    begin_home(alice, newer);
    struct delivery_work *work = job_new(arena, &fanout_job, bob);
    work->post = late;
    work->delivers = true;
    assert_int_equal(job_store(social, arena, &work->job), ERR_OK);
    set_clock(id_ms(late));
    assert_int_equal(job_run(social, arena, &work->job), ERR_OK);
    assert_home(alice, (const uint64_t[]){newer, late, 0});
}

static uint64_t publish_draft(uint64_t author, struct post_draft draft)
{
    struct problems problems = {.count = 0};
    struct fanout_wave *wave;
    uint64_t id;
    assert_int_equal(post_create(social, arena, as(author), &draft, &id, &wave, &problems), ERR_OK);
    fanout_wait(wave);
    return id;
}

static uint64_t publish(uint64_t author)
{
    return publish_draft(author, (struct post_draft){.text = "news"});
}

/* The engine's clock was set back while no server ran. One that starts finds it by the ids, and until the clock has
 * caught up what is written now stands behind what was written before. */
static void test_start_finds_ids_ahead_of_the_clock(void **state)
{
    (void)state;
    uint64_t ahead = put_post(carol, clock_site_ms() + HOUR_MS);
    ask(KEY_GLOBAL_BUCKET, "LPUSH", key_plain(arena, KEY_TIMELINE, KEY_GLOBAL_BUCKET), id_text(arena, ahead), NULL);
    follow(alice, bob);
    begin_home(alice, ahead);
    assert_false(social_is_ahead(social));
    assert_int_equal(product_enter(social, true), ERR_OK);
    assert_true(social_is_ahead(social));
    uint64_t id = publish(bob);
    assert_home(alice, (const uint64_t[]){ahead, id, 0});
}

#define READERS 5

/* The author's request delivers to the first ones, and the workers begin behind them. */
static void test_workers_begin_where_the_request_ended(void **state)
{
    (void)state;
    uint64_t readers[READERS];
    config.timeline.inline_followers = READERS / 2;
    for (unsigned i = 0; i < READERS; i++) {
        readers[i] = person(name_in(10 + i, 0));
        begin_home(readers[i], 0);
        ask(id_bucket(bob), "ZADD", key_id(arena, KEY_FOLLOWERS, bob), arena_printf(arena, "%u", i + 5),
            id_text(arena, readers[i]));
    }
    uint64_t id = publish(bob);
    for (unsigned i = 0; i < READERS; i++) {
        assert_home(readers[i], (const uint64_t[]){id, 0});
    }
}

/* In how many of the places a post is to which it was delivered: the public timeline, its two tags, the post it
 * answers, a home. */
static unsigned places_of(uint64_t post, uint64_t parent)
{
    const char *digits = id_text(arena, post);
    unsigned count = 0;
    for (unsigned i = 0; i < 2; i++) {
        const char *tag = i ? "cake" : "tea";
        count += ask(key_text_bucket(tag), "ZSCORE", key_text(arena, KEY_TAG, tag), digits, NULL)->type != STORE_NIL;
    }
    count += ask(id_bucket(parent), "ZSCORE", key_id(arena, KEY_REPLIES, parent), digits, NULL)->type != STORE_NIL;
    count += ask(0, "LPOS", key_plain(arena, KEY_TIMELINE, KEY_GLOBAL_BUCKET), digits, NULL)->type != STORE_NIL;
    return count + (ask(7, "LPOS", home, digits, NULL)->type != STORE_NIL);
}

#define CROWD 4500 /* more than four chunks of a job, and not a whole number of them */

/* Everybody has it once, however many turns of the job it takes. */
static void test_crowd(void **state)
{
    (void)state;
    static uint64_t crowd[CROWD];
    struct store_batch *b = new_batch();
    config.timeline.inline_followers = 0;
    for (unsigned i = 0; i < CROWD; i++) {
        unsigned bucket = 100 + i % 50;
        crowd[i] = id_of_ms(clock_site_ms() + i) | bucket << 6;
        store_command(b, bucket, "RPUSH", key_id(arena, KEY_HOME, crowd[i]), "0", NULL);
        store_command(b, id_bucket(bob), "ZADD", key_id(arena, KEY_FOLLOWERS, bob), arena_printf(arena, "%u", i + 5),
                      id_text(arena, crowd[i]), NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    uint64_t id = publish(bob);
    b = new_batch();
    for (unsigned i = 0; i < CROWD; i++) {
        store_command(b, id_bucket(crowd[i]), "LRANGE", key_id(arena, KEY_HOME, crowd[i]), "0", "-1", NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    for (unsigned i = 0; i < CROWD; i++) {
        const struct store_reply *r = store_reply(b, i);
        assert_int_equal(r->count, 2);
        assert_string_equal(store_text(store_item(r, 0)), id_text(arena, id));
    }
}

/* What a server that died leaves: the job of a post, from its beginning on. */
static void leave_job(uint64_t author, uint64_t post, const char *mode)
{
    unsigned bucket = id_bucket(author);
    uint64_t job = id_new(bucket, 0);
    struct store_batch *b = new_batch();
    store_command(b, bucket, "HSET", key_id(arena, KEY_JOB, job), "type", "fanout", "uid", id_text(arena, author),
                  "post", id_text(arena, post), "cursor", "0", "delivers", "1", "mode", mode, "nonce", "1", NULL);
    store_command(b, bucket, "ZADD", key_plain(arena, KEY_JOBS, bucket), "1", id_text(arena, job), NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* It died after its deliveries and before it said so: whoever takes up the job does not know of them. */
static void test_what_was_delivered_is_not_delivered_twice(void **state)
{
    (void)state;
    follow(alice, bob);
    begin_home(alice, 0);
    uint64_t id = publish(bob);
    leave_job(bob, id, "push");
    finish_jobs();
    assert_home(alice, (const uint64_t[]){id, 0});
    const char *timeline_key = key_plain(arena, KEY_TIMELINE, KEY_GLOBAL_BUCKET);
    assert_int_equal(store_integer(ask(KEY_GLOBAL_BUCKET, "LLEN", timeline_key, NULL, NULL)), 1);
}

/* It died as soon as the post was stored. */
static void test_nothing_was_delivered(void **state)
{
    (void)state;
    follow(alice, bob);
    begin_home(alice, 0);
    uint64_t parent = publish(carol), id = put_post(bob, clock_site_ms());
    ask(8, "HSET", key_id(arena, KEY_POST, id), "text", "#tea and #cake");
    ask(8, "HSET", key_id(arena, KEY_POST, id), "reply_to", id_text(arena, parent));
    leave_job(bob, id, "push");
    finish_jobs();
    assert_int_equal(places_of(id, parent), 5);
}

/* What a job is about to bring is not missing. */
static void test_check_waits_for_the_job(void **state)
{
    (void)state;
    follow(alice, bob);
    put_post(bob, clock_site_ms() - HOUR_MS);
    assert_int_equal(read_home(0, 0).count, 1);
    uint64_t id = put_post(bob, clock_site_ms());
    ask(KEY_GLOBAL_BUCKET, "LPUSH", key_plain(arena, KEY_TIMELINE, KEY_GLOBAL_BUCKET), id_text(arena, id), NULL);
    leave_job(bob, id, "push");
    assert_clean();
    finish_jobs();
    assert_clean();
}

/* It had another mode than the site has: the homes that its post is missing in are built again. */
static void test_job_of_another_mode(void **state)
{
    (void)state;
    uint64_t id = publish(bob), epoch = social->epoch;
    leave_job(bob, id, "push");
    finish_jobs();
    assert_int_equal(social->epoch, epoch);
    leave_job(bob, id, "pull");
    finish_jobs();
    assert_int_equal(social->epoch, epoch + 1);
}

static void test_deleted_post_is_taken_from_everywhere(void **state)
{
    (void)state;
    follow(alice, bob);
    begin_home(alice, 0);
    begin_home(bob, 0);
    uint64_t parent = publish(carol);
    uint64_t id = publish_draft(bob, (struct post_draft){.text = "#tea and #cake", .reply_to = parent});
    assert_int_equal(places_of(id, parent), 5);
    assert_home(bob, (const uint64_t[]){id, 0});
    config.timeline.workers = 0;
    job_start(social); /* nobody works on it but who finds it in the engine */
    assert_int_equal(post_delete(social, arena, as(bob), id, none()), ERR_OK);
    assert_home(bob, (const uint64_t[]){0}); /* his own is part of the deletion */
    assert_int_equal(places_of(id, parent), 5);
    job_stop(social);
    finish_jobs();
    assert_int_equal(places_of(id, parent), 0);
}

#define CHUNK 1000 /* of rebuild.c */

static void test_all_homes_are_dropped(void **state)
{
    (void)state;
    struct store_batch *b = new_batch();
    uint64_t last = 0, done = 0;
    for (unsigned i = 0; i <= CHUNK; i++) {
        last = id_of_ms(clock_site_ms() + i) | 11u << 6;
        store_command(b, 11, "ZADD", key_plain(arena, KEY_USERS, 11), "0", id_text(arena, last), NULL);
    }
    assert_int_equal(store_run(b), ERR_OK);
    begin_home(last, 0);
    ask(11, "HSET", key_id(arena, KEY_HOMESTATE, last), "epoch", "1");
    begin_home(alice, 0);
    ask(7, "HSET", homestate, "epoch", "1");
    assert_int_equal(rebuild_all(social, NULL, NULL, &done), ERR_OK);
    assert_int_equal(done, 3 + CHUNK + 1);
    assert_int_equal(store_integer(ask(7, "EXISTS", home, NULL, NULL)), 0);
    assert_int_equal(store_integer(ask(11, "EXISTS", key_id(arena, KEY_HOME, last), NULL, NULL)), 0);
}

static const struct CMUnitTest tests[] = {
    timeline(test_late_post_is_put_at_its_place),
    timeline(test_start_finds_ids_ahead_of_the_clock),
    timeline(test_workers_begin_where_the_request_ended),
    timeline(test_crowd),
    timeline(test_nothing_was_delivered),
    timeline(test_check_waits_for_the_job),
    timeline(test_job_of_another_mode),
    timeline(test_what_was_delivered_is_not_delivered_twice),
    timeline(test_deleted_post_is_taken_from_everywhere),
    timeline(test_all_homes_are_dropped),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
