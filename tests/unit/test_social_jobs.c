/* test_social_jobs.c - the queue of durable work: classes, leases, clocks that go back, a queue that is full, people
 * who are deleted meanwhile.
 */
#include "social_case.h"

#include "social/people/follow.h"
#include "social/people/sign_up.h"
#include "social/people/purge.h"
#include "social/posts/delivery.h"
#include "social/timelines/fanout.h"

#define HOUR_MS 3600000
#define LEAST_LEASE_MS 5000
#define QUEUE_LIMIT 10000 /* of job_queue.c */
#define RACES 100

static bool exists(enum key k, uint64_t id)
{
    return store_integer(ask(id_bucket(id), "EXISTS", key_id(arena, k, id), NULL, NULL)) == 1;
}

static unsigned sweep(void)
{
    unsigned found = 0;
    assert_int_equal(job_sweep(social, &found), ERR_OK);
    return found;
}

/* A lease of an hour ahead was given before the clock went back; one that is given now is left to its worker. */
static void test_clock_goes_back(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), alice = person(name_in(7, 0)), bob = person(name_in(7, 1));
    struct job *early = job_new(arena, &sign_up_job, alice), *young = job_new(arena, &sign_up_job, bob);
    set_clock(now + HOUR_MS);
    assert_int_equal(job_store(social, arena, early), ERR_OK);
    assert_int_equal(sweep(), 0);
    set_clock(now);
    assert_int_equal(job_store(social, arena, young), ERR_OK);
    assert_int_equal(sweep(), 1);
    assert_false(exists(KEY_JOB, early->id));
    assert_true(exists(KEY_JOB, young->id));
    set_clock(now + 12000);
    assert_int_equal(sweep(), 1);
    assert_false(exists(KEY_JOB, young->id));
}

/* Those that are due do not keep the others waiting for ever. */
static void test_clock_goes_back_in_a_busy_bucket(void **state)
{
    (void)state;
    uint64_t now = clock_site_ms(), alice = person(name_in(7, 0)), bob = person(name_in(7, 1));
    struct job *early = job_new(arena, &sign_up_job, alice), *due = job_new(arena, &sign_up_job, bob);
    set_clock(now + HOUR_MS);
    assert_int_equal(job_store(social, arena, early), ERR_OK);
    set_clock(now - HOUR_MS);
    assert_int_equal(job_store(social, arena, due), ERR_OK);
    set_clock(now);
    assert_int_equal(sweep(), 2);
    assert_false(exists(KEY_JOB, early->id));
    assert_false(exists(KEY_JOB, due->id));
}

static uint64_t lease_end(const struct job *job)
{
    return (uint64_t)store_integer(ask(7, "ZSCORE", key_plain(arena, KEY_JOBS, 7), job_id_text(arena, job), NULL));
}

/* A worker may be silent for seconds, at the beginning and after each step, before another one takes his job. */
static void test_lease(void **state)
{
    (void)state;
    uint64_t start = clock_site_ms(), alice = person(name_in(7, 0));
    struct job *job = job_new(arena, &purge_job, alice);
    assert_int_equal(job_store(social, arena, job), ERR_OK);
    assert_true(lease_end(job) >= start + LEAST_LEASE_MS);
    ask(7, "ZADD", key_plain(arena, KEY_JOBS, 7), "1", job_id_text(arena, job));
    assert_int_equal(job_save(social, arena, job, "a step further"), ERR_OK);
    assert_true(lease_end(job) >= start + LEAST_LEASE_MS);
}

/* A long job is interrupted often: only attempts without any progress count. */
static void test_progress_forgives_failures(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0));
    struct job *job = job_new(arena, &purge_job, alice);
    assert_int_equal(job_store(social, arena, job), ERR_OK);
    const char *key = key_id(arena, KEY_JOB, job->id);
    for (unsigned step = 0; step < 2; step++) {
        ask(7, "HSET", key, "attempts", "9");
        assert_int_equal(job_save(social, arena, job, step ? "two" : "one"), ERR_OK);
        assert_string_equal(store_text(ask(7, "HGET", key, "attempts", NULL)), "0");
        assert_string_equal(store_text(ask(7, "HGET", key, "cursor", NULL)), step ? "two" : "one");
    }
}

/* A worker that is done with a job knows it no more: should it come again, it is worked on again. */
static void test_job_comes_again(void **state)
{
    (void)state;
    config.timeline.workers = 1;
    job_start(social);
    uint64_t alice = person(name_in(7, 0));
    struct job *job = job_new(arena, &purge_job, alice);
    for (unsigned time = 0; time < 2; time++) {
        assert_int_equal(job_store(social, arena, job), ERR_OK);
        job_hand_over(social, arena, job);
        for (unsigned i = 0; i < 5000 && exists(KEY_JOB, job->id); i++) {
            clock_sleep_ms(2);
        }
        assert_false(exists(KEY_JOB, job->id));
    }
}

/* A job that was claimed and found no room has not been tried. */
static void test_full_queue(void **state)
{
    (void)state;
    config.timeline.workers = 0; /* nobody takes anything out */
    job_start(social);
    uint64_t alice = person(name_in(7, 0));
    struct job *due = job_new(arena, &sign_up_job, alice), filler = *due;
    for (unsigned i = 0; i < QUEUE_LIMIT; i++) {
        filler.id++;
        job_hand_over(social, arena, &filler);
        if (i % 1000 == 0) { /* one that waits is not taken a second time */
            job_hand_over(social, arena, &filler);
        }
        assert_int_equal(job_waiting(social), i + 1);
    }
    assert_int_equal(job_waiting(social), QUEUE_LIMIT);
    assert_int_equal(job_store(social, arena, due), ERR_OK);
    const char *job = key_id(arena, KEY_JOB, due->id);
    ask(7, "ZADD", key_plain(arena, KEY_JOBS, 7), "1", id_text(arena, due->id));
    assert_int_equal(sweep(), 1);
    const char *attempts = "1";
    for (unsigned i = 0; i < 500 && strcmp(attempts, "1") == 0; i++) { /* nobody waits for the answer of that script */
        clock_sleep_ms(2);
        attempts = store_text(ask(7, "HGET", job, "attempts", NULL));
    }
    assert_string_equal(attempts, "0");
}

/* --- following somebody who is being deleted ----------------------------------------------------------------------- */

/* The reader's side is written, then the other one is deleted and cleaned up after, then the job comes to the other
 * side. */
static void test_deleted_before_the_other_side(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0)), bob = person(name_in(8, 0)), carol = person(name_in(9, 0));
    const uint64_t targets[] = {bob, carol};
    struct job *job = job_new(arena, &follow_job, alice);
    const struct script_follow in = {.job = job_call(job),
                                     .limit = limit_ask_user(social, LIMIT_NONE, alice, 0),
                                     .uid = alice,
                                     .on = true,
                                     .now = INT64_C(1700000000000000),
                                     .most = 5000,
                                     .locked = "",
                                     .languages = "",
                                     .targets = targets,
                                     .targets_count = 2};
    struct store_batch *b = new_batch();
    script_follow_add(b, &in);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(user_delete(social, arena, as_command(), bob), ERR_OK);
    finish_jobs();
    assert_false(follows(alice, bob));
    assert_true(follows(alice, carol));
    assert_clean();
}

/* The other sides of invented relations: the script says when somebody is gone. */
static void test_import_after_a_deletion(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0)), bob = person(name_in(8, 0)), carol = person(name_in(8, 1));
    const struct script_followers_import_row rows[] = {{carol, alice, INT64_C(1700000000000000)},
                                                       {bob, alice, INT64_C(1700000000000000)}};
    for (unsigned deleted = 0; deleted < 2; deleted++) {
        struct store_batch *b = new_batch();
        script_followers_import_add(b, &(struct script_followers_import){8, rows, COUNT(rows)});
        assert_int_equal(store_run(b), ERR_OK);
        assert_int_equal(script_answer(store_reply(b, 0)), deleted ? ANSWER_GONE : ANSWER_OK);
        assert_int_equal(store_integer(ask(8, "ZCARD", key_id(arena, KEY_FOLLOWERS, bob), NULL, NULL)), !deleted);
        assert_int_equal(store_integer(ask(8, "ZCARD", key_id(arena, KEY_FOLLOWERS, carol), NULL, NULL)), 1);
        if (!deleted) {
            assert_int_equal(user_delete(social, arena, as_command(), bob), ERR_OK);
        }
    }
}

static pthread_barrier_t together;
static uint64_t victims[RACES];

static void *delete_all(void *nothing)
{
    struct arena *a = arena_new();
    for (unsigned i = 0; i < RACES; i++) {
        pthread_barrier_wait(&together);
        const struct actor itself = actor_system(0);
        if (user_delete(social, a, &itself, victims[i]) != ERR_OK) {
            panic("somebody cannot be deleted");
        }
    }
    arena_free(a);
    return nothing;
}

static void test_deleted_while_followed(void **state)
{
    (void)state;
    uint64_t readers[RACES];
    const char *names[RACES];
    for (unsigned i = 0; i < RACES; i++) {
        readers[i] = person(name_in(i % 16, i / 16));
        names[i] = name_in(16 + i % 16, i / 16);
        victims[i] = person(names[i]);
    }
    pthread_t thread;
    pthread_barrier_init(&together, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, delete_all, NULL), 0);
    for (unsigned i = 0; i < RACES; i++) {
        struct follow_item item = {.name = names[i]};
        pthread_barrier_wait(&together);
        assert_int_equal(follow_many(social, arena, as(readers[i]), true, &item, 1, none()), ERR_OK);
    }
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&together);
    finish_jobs();
    for (unsigned i = 0; i < RACES; i++) {
        assert_false(follows(readers[i], victims[i]));
    }
    assert_clean();
}

/* A process that dies at once leaves the clean-up to others. */
static void test_deletion_leaves_a_job(void **state)
{
    (void)state;
    config.timeline.workers = 0;
    job_start(social);
    uint64_t alice = person(name_in(7, 0));
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    const struct store_reply *ids = ask(7, "ZRANGE", key_plain(arena, KEY_JOBS, 7), "0", "-1");
    assert_int_equal(ids->count, 1);
    const char *job = key_id(arena, KEY_JOB, id_parse(store_text(store_item(ids, 0))));
    assert_string_equal(store_text(ask(7, "HGET", job, "type", NULL)), "purge");
    assert_string_equal(store_text(ask(7, "HGET", job, "uid", NULL)), id_text(arena, alice));
}

/* Nor does the home of the deleted stay. */
static void test_home_of_the_deleted(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0));
    ask(7, "RPUSH", key_id(arena, KEY_HOME, alice), "0", NULL);
    ask(7, "HSET", key_id(arena, KEY_HOMESTATE, alice), "epoch", "1");
    assert_int_equal(user_delete(social, arena, as_command(), alice), ERR_OK);
    assert_false(exists(KEY_HOME, alice));
    assert_false(exists(KEY_HOMESTATE, alice));
}

/* Processes may give the same id to jobs of theirs. */
static void test_many_of_one_id(void **state)
{
    (void)state;
    config.timeline.workers = 0;
    job_start(social);
    struct job *job = job_new(arena, &sign_up_job, person(name_in(7, 0)));
    for (unsigned i = 0; i < QUEUE_LIMIT / 2; i++) { /* so many that some of them lie side by side */
        job->nonce++;
        job_hand_over(social, arena, job);
        job_hand_over(social, arena, job);
        assert_int_equal(job_waiting(social), i + 1);
    }
}

/* A worker whose job was ended by another one meanwhile brings nothing back, and delivers nothing more. */
static void test_job_that_is_gone(void **state)
{
    (void)state;
    uint64_t alice = person(name_in(7, 0)), bob = person(name_in(8, 0));
    const char *home = key_id(arena, KEY_HOME, bob);
    struct delivery_work *work = job_new(arena, &fanout_job, alice);
    struct job *job = &work->job;
    work->post = id_new(7, 0);
    work->delivers = true;
    job->cursor = "1";
    ask(7, "HSET", key_id(arena, KEY_POST, work->post), "author", id_text(arena, alice));
    ask(7, "ZADD", key_id(arena, KEY_FOLLOWERS, alice), "5", id_text(arena, bob));
    ask(8, "RPUSH", home, "0", NULL);
    assert_int_equal(job_run(social, arena, job), ERR_OK);
    assert_int_equal(store_integer(ask(8, "LLEN", home, NULL, NULL)), 1);
    assert_int_equal(job_save(social, arena, job, "7"), ERR_NOT_FOUND);
    assert_false(exists(KEY_JOB, job->id));
}

/* What job_wait.lua leaves of so many attempts. */
static int64_t attempts_after_waiting(const struct job *job, const char *attempts)
{
    const char *key = key_id(arena, KEY_JOB, job->id);
    ask(id_bucket(job->id), "HSET", key, "attempts", attempts);
    struct store_batch *b = new_batch();
    script_job_wait_add(b, &(struct script_job_wait){job_call(job)});
    assert_int_equal(store_run(b), ERR_OK);
    return store_integer(ask(id_bucket(job->id), "HGET", key, "attempts", NULL));
}

static void test_waiting_is_no_attempt(void **state)
{
    (void)state;
    struct job *job = job_new(arena, &sign_up_job, person(name_in(7, 0)));
    assert_int_equal(job_store(social, arena, job), ERR_OK);
    assert_int_equal(attempts_after_waiting(job, "2"), 1);
    assert_int_equal(attempts_after_waiting(job, "0"), 0);
}

/* --- classes ------------------------------------------------------------------------------------------------------- */

/* A class that the product does not know: the queue works with whatever is handed over. */
struct errand {
    struct job job;
    const char *words;
    uint64_t other;
    bool is_urgent;
    unsigned in_memory; /* not of the record */
};

static struct errand met; /* what the last step of an errand met */
static _Atomic unsigned steps;
static _Atomic bool may_go;
static char met_words[32], met_cursor[32];

static enum err errand_step(struct social *s, struct arena *a, struct job *j, bool *done)
{
    while (!may_go) {
        clock_sleep_ms(1);
    }
    met = *(struct errand *)j;
    snprintf(met_words, sizeof(met_words), "%s", met.words);
    snprintf(met_cursor, sizeof(met_cursor), "%s", j->cursor);
    steps++;
    if (strcmp(j->cursor, "0") == 0) {
        return job_save(s, a, j, "half way");
    }
    struct store_batch *b = store_batch_new(s->store, a);
    job_done_add(b, j);
    *done = true;
    return store_run(b);
}

static const struct job_field errand_fields[] = {{JOB_TARGETS, JOB_TEXT, offsetof(struct errand, words)},
                                                 {JOB_POST, JOB_ID, offsetof(struct errand, other)},
                                                 {JOB_DELIVERS, JOB_FLAG, offsetof(struct errand, is_urgent)},
                                                 {.field = 0}};
static const struct job_class errand_job = {
    .name = "errand", .step = errand_step, .size = sizeof(struct errand), .fields = errand_fields};
static const struct job_class *const only_errands[] = {&errand_job, NULL};
static const struct social_parts errand_parts = {.jobs = only_errands};

static struct errand *new_errand(uint64_t uid)
{
    social->parts = &errand_parts;
    steps = 0;
    may_go = true;
    return job_new(arena, &errand_job, uid);
}

static void end_leases(unsigned bucket, const struct job *job)
{
    ask(bucket, "ZADD", key_plain(arena, KEY_JOBS, bucket), "1", job_id_text(arena, job));
}

/* Whoever takes a job up knows of the class's words what the record says, and where it was left. */
static void test_class_is_read_from_its_record(void **state)
{
    (void)state;
    struct errand *e = new_errand(person(name_in(7, 0)));
    assert_string_equal(e->words, "");
    assert_int_equal(job_store(social, arena, &e->job), ERR_OK);
    const char *key = key_id(arena, KEY_JOB, e->job.id);
    ask(7, "HSET", key, "targets", "milk and bread");
    ask(7, "HSET", key, "post", "117657670766635999");
    ask(7, "HSET", key, "delivers", "1");
    end_leases(7, &e->job);
    assert_int_equal(sweep(), 1);
    assert_int_equal(steps, 2);
    assert_string_equal(met_words, "milk and bread");
    assert_true(met.other == UINT64_C(117657670766635999));
    assert_true(met.is_urgent);
    assert_int_equal(met.in_memory, 0);
    assert_string_equal(met_cursor, "half way");
    assert_false(met.job.resumed); /* after the first step nobody did any of it before */
    assert_false(exists(KEY_JOB, e->job.id));
}

/* What is missing in the record is empty. A class that nobody handed over is left to those who have it. */
static void test_class_without_words(void **state)
{
    (void)state;
    struct errand *e = new_errand(person(name_in(7, 0)));
    assert_int_equal(job_store(social, arena, &e->job), ERR_OK);
    const char *key = key_id(arena, KEY_JOB, e->job.id);
    ask(7, "HSET", key, "type", "journey");
    end_leases(7, &e->job);
    assert_int_equal(sweep(), 0);
    assert_int_equal(steps, 0);
    assert_true(exists(KEY_JOB, e->job.id));
    assert_null(job_class(social, "journey"));
    ask(7, "HSET", key, "type", "errand");
    end_leases(7, &e->job);
    assert_int_equal(sweep(), 1);
    assert_string_equal(met_words, "");
    assert_true(met.other == 0 && !met.is_urgent);
}

/* The queue keeps a copy of its own, of the class's words too. */
static void test_class_waits_in_the_queue(void **state)
{
    (void)state;
    struct errand *first = new_errand(person(name_in(7, 0))), *e = job_new(arena, &errand_job, first->job.uid);
    char words[] = "milk", cursor[] = "some way";
    e->words = words;
    e->in_memory = 5;
    first->job.cursor = e->job.cursor = cursor; /* the next step is the last */
    may_go = false;
    config.timeline.workers = 1;
    job_start(social);
    job_hand_over(social, arena, &first->job); /* keeps the worker busy */
    job_hand_over(social, arena, &e->job);
    memset(words, '-', strlen(words));
    memset(cursor, '-', strlen(cursor));
    e->in_memory = 6;
    may_go = true;
    for (unsigned i = 0; i < 5000 && steps < 2; i++) {
        clock_sleep_ms(2);
    }
    job_stop(social); /* after the second one's step */
    assert_int_equal(steps, 2);
    assert_string_equal(met_words, "milk");
    assert_string_equal(met_cursor, "some way");
    assert_int_equal(met.in_memory, 5);
}

static const struct CMUnitTest tests[] = {
    site(test_class_is_read_from_its_record),
    site(test_class_without_words),
    site(test_class_waits_in_the_queue),
    site(test_clock_goes_back),
    site(test_clock_goes_back_in_a_busy_bucket),
    site(test_lease),
    site(test_job_comes_again),
    site(test_progress_forgives_failures),
    site(test_full_queue),
    site(test_deleted_before_the_other_side),
    site(test_import_after_a_deletion),
    site(test_deleted_while_followed),
    site(test_deletion_leaves_a_job),
    site(test_home_of_the_deleted),
    site(test_many_of_one_id),
    site(test_job_that_is_gone),
    site(test_waiting_is_no_attempt),
};

int main(int argc, char **argv)
{
    return site_main(argc, argv, tests, COUNT(tests));
}
