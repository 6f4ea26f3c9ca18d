/* test_social_ids.c - ids that two processes give away at once: of jobs, posts, users, lists. Nobody's work gets lost,
 * and a call that is repeated after a lost reply is still known.
 */
#include "social_case.h"

#include <sys/wait.h>

#include "social/people/follow.h"
#include "social/posts/post.h"
#include "social/timelines/fanout.h"
#include "social/timelines/list.h"
#include "social/posts/publish.h"
#include "social/people/sign_up.h"
#include "social/people/purge.h"

#define BUCKET 7
#define MOMENTS 100 /* ms */
#define SECONDS_AT_FULL_RATE 2
/* A machine so busy that each id is drawn in another ms finds all ten taken now and then. */
#define TRIES 8

/* --- the same id at the same moment -------------------------------------------------------------------------------- */

static uint64_t moment;

/* Three of eight sequences are free: two neighbours wherever one begins. */
static bool is_free(unsigned sequence)
{
    return sequence % 8 >= 2 && sequence % 8 <= 4;
}

/* All ids of the next moments but the free ones are another process's. A machine so busy that the moments pass tests
 * less. */
static void occupy(enum key k, const char *owner)
{
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < MOMENTS * 64; i++) {
        if (!is_free(i % 64)) {
            store_command(b, BUCKET, "HSET", key_id(arena, k, id_of_ms(moment + i / 64) | BUCKET << 6 | i % 64), "name",
                          "other", "author", owner, "owner", owner, NULL);
        }
    }
    assert_int_equal(store_run(b), ERR_OK);
}

static void assert_untouched(enum key k)
{
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < MOMENTS * 64; i++) {
        if (!is_free(i % 64)) {
            store_command(b, BUCKET, "HGETALL", key_id(arena, k, id_of_ms(moment + i / 64) | BUCKET << 6 | i % 64),
                          NULL);
        }
    }
    assert_int_equal(store_run(b), ERR_OK);
    for (size_t i = 0; i < store_batch_count(b); i++) {
        assert_int_equal(store_reply(b, i)->count, 6);
        assert_string_equal(store_text(store_field(store_reply(b, i), "name")), "other");
    }
}

static void choose_moment(void)
{
    /* later than all ids of this process, and far less ahead of the engine's clock than ids may be */
    moment = id_ms(id_new(BUCKET, 0)) + 100;
}

/* The moment begins. */
static void begin_moment(void)
{
    set_clock(moment);
}

static void follow(uint64_t uid, const char *name, bool on, enum follow_result expected)
{
    struct follow_item item = {.name = name};
    assert_int_equal(follow_many(social, arena, as(uid), on, &item, 1, none()), ERR_OK);
    assert_int_equal(item.result, expected);
}

static uint64_t post(uint64_t author, const char *text, const char *key)
{
    struct post_draft draft = {.text = text, .request_key = key};
    struct problems problems = {.count = 0};
    struct fanout_wave *wave;
    uint64_t id = 0;
    enum err e;
    unsigned tries = TRIES;
    do {
        e = post_create(social, arena, as(author), &draft, &id, &wave, &problems);
    } while (e == ERR_CONFLICT && --tries);
    assert_int_equal(e, ERR_OK);
    fanout_wait(wave);
    return id;
}

static const char *text_of(uint64_t id)
{
    return store_text(ask(id_bucket(id), "HGET", key_id(arena, KEY_POST, id), "text", NULL));
}

static void test_follow(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(BUCKET, 0)), bob = person(name_in(8, 0));
    choose_moment();
    occupy(KEY_JOB, "x");
    begin_moment();
    follow(alice, name_in(8, 0), true, FOLLOW_CHANGED);
    assert_true(follows(alice, bob));
    assert_untouched(KEY_JOB);
    follow(alice, name_in(8, 0), false, FOLLOW_CHANGED);
    assert_false(follows(alice, bob));
    assert_untouched(KEY_JOB);
}

static void test_post(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(BUCKET, 0));
    choose_moment();
    occupy(KEY_POST, id_text(arena, alice)); /* her own, by way of another process */
    occupy(KEY_JOB, "x");
    begin_moment();
    uint64_t first = post(alice, "first", NULL), second = post(alice, "second", "a key");
    assert_int_not_equal(first, second);
    assert_string_equal(text_of(first), "first");
    assert_string_equal(text_of(second), "second");
    assert_int_equal(post(alice, "second", "a key"), second);
    assert_int_equal(post_delete(social, arena, as(alice), first, none()), ERR_OK);
    finish_jobs();
    assert_string_equal(text_of(first), "");
    assert_untouched(KEY_POST);
    assert_untouched(KEY_JOB);
}

static void test_sign_up_and_delete(void **state)
{
    (void)state;
    struct problems problems = {.count = 0};
    const char *name = name_in(BUCKET, 0);
    struct sign_up form = {.name = name, .password = KNOWN_PASSWORD, .password2 = KNOWN_PASSWORD};
    uint64_t uid;
    choose_moment();
    occupy(KEY_USER, "x");
    occupy(KEY_JOB, "x");
    begin_moment();
    assert_int_equal(user_sign_up(social, arena, as_command(), &form, &uid, NULL, &problems), ERR_OK);
    assert_string_equal(store_text(ask(BUCKET, "GET", key_text(arena, KEY_NAME, name), NULL, NULL)),
                        id_text(arena, uid));
    assert_string_equal(store_text(ask(BUCKET, "HGET", key_id(arena, KEY_USER, uid), "name", NULL)), name);
    assert_int_equal(user_sign_up(social, arena, as_command(), &form, &uid, NULL, &problems), ERR_TAKEN);
    uid = id_parse(store_text(ask(BUCKET, "GET", key_text(arena, KEY_NAME, name), NULL, NULL)));
    unsigned tries = TRIES;
    enum err e;
    do {
        e = user_delete(social, arena, as_command(), uid);
    } while (e == ERR_BUSY && --tries);
    assert_int_equal(e, ERR_OK);
    assert_int_equal(user_delete(social, arena, as_command(), uid), ERR_NOT_FOUND);
    finish_jobs();
    assert_untouched(KEY_USER);
    assert_untouched(KEY_JOB);
}

static void test_list(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(BUCKET, 0)), id;
    struct problems problems = {.count = 0};
    choose_moment();
    occupy(KEY_LIST, id_text(arena, alice));
    begin_moment();
    assert_int_equal(list_create(social, arena, as(alice), "friends", &id, &problems), ERR_OK);
    assert_string_equal(store_text(ask(BUCKET, "HGET", key_id(arena, KEY_LIST, id), "title", NULL)), "friends");
    assert_untouched(KEY_LIST);
}

/* --- whose job it is ----------------------------------------------------------------------------------------------- */

enum { MINE = 1, OTHER = 2 }; /* nonces */

static struct script_job job_of(uint64_t id, uint64_t nonce)
{
    return (struct script_job){.id = id, .lease = 1, .nonce = nonce, .type = "a type", .uid = id};
}

/* Runs a script, and says what it answers. */
#define CALL(name, in)                                                                                                 \
    ({                                                                                                                 \
        struct store_batch *b_ = new_batch();                                                                          \
        script_##name##_add(b_, in);                                                                                   \
        assert_int_equal(store_run(b_), ERR_OK);                                                                       \
        (int)script_answer(store_reply(b_, 0));                                                                        \
    })

static int follow_call(uint64_t uid, uint64_t target, bool on, struct script_job job)
{
    const struct script_follow in = {.job = job,
                                     .limit = limit_ask_user(social, LIMIT_NONE, uid, 0),
                                     .uid = uid,
                                     .on = on,
                                     .now = INT64_C(1700000000000000),
                                     .most = 5000,
                                     .locked = "",
                                     .languages = "",
                                     .targets = &target,
                                     .targets_count = 1};
    return on ? CALL(follow, &in) : CALL(unfollow, &in);
}

static int unpost_call(uint64_t uid, uint64_t id, struct script_job job)
{
    /* once an hour: the same call again is not counted again */
    const struct script_limit limit = {uid, "delete_post", 1, 3600, 1};
    return CALL(post_delete, (&(struct script_post_delete){
                                 .job = job, .limit = limit, .uid = uid, .id = id, .tags = "", .people = ""}));
}

static int delete_call(uint64_t uid, struct script_job job)
{
    return CALL(user_delete, (&(struct script_user_delete){job, uid}));
}

static int create_call(const char *name, uint64_t uid, const char *hash, struct script_job job)
{
    const struct record_user record = {.name = name};
    return CALL(user_create, (&(struct script_user_create){job, name, uid, hash, &record}));
}

/* The same call again gets the same answer; another's does not. */
static void test_lost_replies(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(BUCKET, 0)), bob = person(name_in(8, 0));
    uint64_t post_id = post(alice, "hello", NULL), ids[4];
    for (unsigned i = 0; i < 4; i++) {
        ids[i] = id_new(BUCKET, 0);
    }
    assert_int_equal(follow_call(alice, bob, true, job_of(ids[0], MINE)), ANSWER_OK);
    assert_int_equal(follow_call(alice, bob, true, job_of(ids[0], MINE)), ANSWER_OK);
    assert_int_equal(follow_call(alice, bob, false, job_of(ids[0], OTHER)), ANSWER_STALE);

    assert_int_equal(unpost_call(alice, post_id, job_of(ids[0], OTHER)), ANSWER_STALE);
    assert_string_equal(text_of(post_id), "hello");
    assert_int_equal(unpost_call(alice, post_id, job_of(ids[1], MINE)), ANSWER_OK);
    assert_int_equal(unpost_call(alice, post_id, job_of(ids[1], MINE)), ANSWER_OK);
    assert_int_equal(unpost_call(alice, post_id, job_of(ids[1], OTHER)), ANSWER_GONE);

    assert_int_equal(delete_call(alice, job_of(ids[1], OTHER)), ANSWER_STALE);
    assert_int_equal(delete_call(alice, job_of(ids[2], MINE)), ANSWER_OK);
    assert_int_equal(delete_call(alice, job_of(ids[2], MINE)), ANSWER_OK);
    ask(BUCKET, "ZREM", key_plain(arena, KEY_JOBS, BUCKET), id_text(arena, ids[2]), NULL); /* done by another process */
    ask(BUCKET, "DEL", key_id(arena, KEY_JOB, ids[2]), NULL, NULL);
    assert_int_equal(delete_call(alice, job_of(ids[2], MINE)), ANSWER_OK);
    assert_int_equal(delete_call(alice, job_of(ids[2], OTHER)), ANSWER_GONE);

    const char *name = name_in(BUCKET, 1);
    assert_int_equal(create_call(name, ids[3], "a hash", job_of(ids[3], MINE)), ANSWER_OK);
    assert_int_equal(create_call(name, ids[3], "a hash", job_of(ids[3], MINE)), ANSWER_OK);
    /* somebody else signs up by this name and has drawn the same id */
    assert_int_equal(create_call(name, ids[3], "another hash", job_of(ids[3], OTHER)), ANSWER_TAKEN);
    assert_int_equal(create_call(name_in(BUCKET, 2), ids[3], "another hash", job_of(ids[3], OTHER)), ANSWER_STALE);
}

/* A worker who comes late does not end what has got the id of his job since. */
static void test_late_worker(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(BUCKET, 0));
    struct job *job = job_new(arena, &purge_job, alice), late = *job;
    late.nonce = job->nonce + 2;
    assert_int_equal(job_store(social, arena, job), ERR_OK);
    assert_int_equal(job_save(social, arena, &late, "far"), ERR_NOT_FOUND);
    struct store_batch *b = new_batch();
    job_done_add(b, &late);
    assert_int_equal(store_run(b), ERR_OK);
    const struct store_reply *r = ask(BUCKET, "HGETALL", key_id(arena, KEY_JOB, job->id), NULL, NULL);
    assert_string_equal(store_text(store_field(r, "cursor")), "0");
    assert_string_equal(store_text(store_field(r, "nonce")), job_nonce_text(arena, job));
    b = new_batch();
    job_done_add(b, job);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(store_integer(ask(BUCKET, "EXISTS", key_id(arena, KEY_JOB, job->id), NULL, NULL)), 0);
}

/* A job as version 0.1.0 wrote it. */
static void test_job_without_nonce(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(BUCKET, 0)), bob = person(name_in(8, 0)), id = id_new(BUCKET, 0);
    ask(BUCKET, "ZADD", key_id(arena, KEY_FOLLOWING, alice), "1700000000000000", id_text(arena, bob));
    struct store_batch *b = new_batch();
    store_command(b, BUCKET, "HSET", key_id(arena, KEY_JOB, id), "type", "follow", "uid", id_text(arena, alice),
                  "targets", id_text(arena, bob), "cursor", "0", NULL);
    store_command(b, BUCKET, "ZADD", key_plain(arena, KEY_JOBS, BUCKET), "1", id_text(arena, id), NULL);
    assert_int_equal(store_run(b), ERR_OK);
    unsigned found = 0;
    assert_int_equal(job_sweep(social, &found), ERR_OK);
    assert_int_equal(found, 1);
    assert_true(follows(alice, bob));
    assert_int_equal(store_integer(ask(BUCKET, "EXISTS", key_id(arena, KEY_JOB, id), NULL, NULL)), 0);
    assert_clean();
}

/* Another's new job leaves it alone, whatever its id. */
static void test_job_without_nonce_stays(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(BUCKET, 0));
    struct job *job = job_new(arena, &purge_job, alice);
    const char *taken = key_id(arena, KEY_JOB, job->id);
    ask(BUCKET, "HSET", taken, "type", "follow");
    assert_int_equal(job_store(social, arena, job), ERR_OK);
    assert_string_not_equal(key_id(arena, KEY_JOB, job->id), taken);
    assert_int_equal(store_integer(ask(BUCKET, "HLEN", taken, NULL, NULL)), 1);
}

/* --- two processes at full rate ------------------------------------------------------------------------------------ */

#define PEOPLE 64
#define BUCKETS_USED 16

static uint64_t people[PEOPLE], author;
static const char *names[PEOPLE];

/* What one of two processes does, and what went wrong of it, as its exit status: 0 nothing, else 1. */
static int hammer(unsigned process)
{
    unsigned wrong = 0, posts = 0, calls = 0;
    site_again();
    struct arena *kept = arena;
    bool on[PEOPLE] = {false};
    uint64_t end = clock_monotonic_us() + SECONDS_AT_FULL_RATE * 1000000;
    while (clock_monotonic_us() < end) {
        arena = arena_new();
        for (unsigned i = process; i < PEOPLE; i += 2, calls++) {
            struct follow_item item = {.name = names[(i + 5) % PEOPLE]};
            on[i] = !on[i];
            enum err e = follow_many(social, arena, as(people[i]), on[i], &item, 1, none());
            wrong += e != ERR_OK || item.result != FOLLOW_CHANGED;
        }
        const char *text = arena_printf(arena, "%u of %u", posts++, process);
        wrong += strcmp(text_of(post(author, text, NULL)), text) != 0;
        arena_free(arena);
    }
    arena = kept;
    for (unsigned i = process; i < PEOPLE; i += 2) {
        wrong += follows(people[i], people[(i + 5) % PEOPLE]) != on[i];
    }
    ask(BUCKET, "INCRBY", "{7}:test:posts", arena_printf(arena, "%u", posts), NULL);
    fprintf(stderr, "process %u: %u calls, %u posts, %u went wrong\n", process, calls, posts, wrong);
    return wrong != 0;
}

static void test_two_processes(void **state)
{
    setup(state);
    site_open(redis.url);
    for (unsigned i = 0; i < PEOPLE; i++) {
        names[i] = name_in(i % BUCKETS_USED, i / BUCKETS_USED);
        people[i] = person(names[i]);
    }
    author = person(name_in(BUCKET, PEOPLE));
    site_close();
    store_close(store); /* nothing that has a thread or a connection goes through the fork */
    pid_t pids[2];
    for (unsigned i = 0; i < 2; i++) {
        pids[i] = fork();
        assert_true(pids[i] >= 0);
        if (pids[i] == 0) {
            settings = settings_open(redis.dir, stderr);
            _exit(settings ? hammer(i) : 2);
        }
    }
    int results[2] = {-1, -1};
    for (unsigned i = 0; i < 2; i++) {
        waitpid(pids[i], &results[i], 0);
    }
    store = open_at(redis.url);
    site_open(redis.url);
    const char *posts = store_text(ask(BUCKET, "GET", "{7}:test:posts", NULL, NULL));
    ask(BUCKET, "DEL", "{7}:test:posts", NULL, NULL);
    assert_int_equal(results[0], 0);
    assert_int_equal(results[1], 0);
    assert_int_equal(store_integer(ask(BUCKET, "ZCARD", key_id(arena, KEY_POSTS, author), NULL, NULL)),
                     strtoll(posts, NULL, 10));
    finish_jobs();
    assert_clean();
    site_teardown(state);
}

static const struct CMUnitTest tests[] = {
    site(test_follow),
    site(test_post),
    site(test_sign_up_and_delete),
    site(test_list),
    site(test_lost_replies),
    site(test_late_worker),
    site(test_job_without_nonce),
    site(test_job_without_nonce_stays),
    cmocka_unit_test(test_two_processes),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
