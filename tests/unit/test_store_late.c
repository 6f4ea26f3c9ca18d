/* test_store_late.c - answers, and room to write, that come too late or not at all; and what becomes of the other
 * connections when one is lost. Nothing here depends on how fast the machine is: the fake engines wait for the test.
 */
#include "shifted_clock.h"
#include "store_case.h"

#define PATIENCE_MS 10000 /* a fake that was not let go by then answers nevertheless, and the test fails */
#define PAUSE_S 3600      /* longer than any deadline */

static struct fake_redis fake;
static _Atomic bool held, gave_up;

static void hold(void)
{
    for (int i = 0; held && i < PATIENCE_MS; i++) {
        clock_sleep_ms(1);
    }
    gave_up = held;
}

/* A store on a fake engine, with another time for answers. */
static struct store *open_fake(const char *(*answer)(const char *command, int nth), unsigned command_ms)
{
    fake = (struct fake_redis){0};
    held = true;
    gave_up = false;
    shift_s = 0;
    fake_redis_start(&fake, answer);
    struct config c = private_redis_config(fake.url);
    c.redis.command_timeout = command_ms;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    return s;
}

static void close_fake(struct store *s)
{
    held = false;
    store_close(s);
    fake_redis_stop(&fake);
    shift_s = 0;
    assert_false(gave_up);
}

static struct store_batch *start(struct store *s, const char *word)
{
    struct store_batch *b = store_batch_new(s, arena);
    store_command(b, 0, word, NULL);
    store_start(b);
    return b;
}

/* So many connections at once. */
static void use_several(struct store *s, unsigned count)
{
    struct store_batch *b[8];
    assert_true(count <= COUNT(b));
    for (unsigned i = 0; i < count; i++) {
        b[i] = start(s, "PING");
    }
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(store_run(b[i]), ERR_OK);
    }
}

/* --- one deadline for all ------------------------------------------------------------------------------------------ */

/* The first time it hangs up when the time is over; the second time it would answer, but late. */
static const char *die_late(const char *command, int nth)
{
    (void)command;
    if (nth == 0) {
        shift_s = PAUSE_S;
        return NULL;
    }
    hold();
    return "+OK\r\n";
}

/* Sending again does not begin the time anew. */
static void test_one_deadline_for_all_rounds(void **state)
{
    (void)state;
    struct store *s = open_fake(die_late, 60 * 1000);
    assert_int_equal(run_on(s, NULL, "GET", "x", NULL), ERR_UNAVAILABLE);
    close_fake(s);
}

static const char *read_nothing(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "STOP") == 0) {
        hold();
    }
    return "+OK\r\n";
}

/* An engine that reads no more, when there is more to write than the wire holds. */
static void test_deadline_of_writing(void **state)
{
    (void)state;
    struct store *s = open_fake(read_nothing, 200);
    size_t size = 8 << 20;
    char *value = arena_alloc(arena, size + 1);
    memset(value, 'v', size);
    value[size] = '\0';
    struct store_batch *b = store_batch_new(s, arena);
    store_command(b, 0, "STOP", NULL);
    store_command(b, 0, "SET", "{0}:x", value, NULL);
    assert_int_equal(store_run(b), ERR_UNAVAILABLE);
    close_fake(s);
}

static const char *answer_at_once(const char *command, int nth)
{
    (void)command, (void)nth;
    return "+OK\r\n";
}

/* What comes of an answer that comes in time, if it has come by so many ms, to a thread that then has no processor for
 * an hour. */
static enum err after_a_pause(uint64_t come_ms)
{
    struct store *s = open_fake(answer_at_once, 1000);
    struct store_batch *b = start(s, "PING");
    clock_sleep_ms(come_ms);
    shift_s = PAUSE_S;
    enum err e = store_run(b);
    close_fake(s);
    return e;
}

static void test_a_pause_is_not_the_engines(void **state)
{
    (void)state;
    enum err e = ERR_UNAVAILABLE;
    for (uint64_t ms = 10; e != ERR_OK && ms < 2000; ms *= 5) { /* the machine may be busy */
        e = after_a_pause(ms);
    }
    assert_int_equal(e, ERR_OK);
}

/* --- what a lost connection says of the others --------------------------------------------------------------------- */

static const char *never_answer_one(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "SLOW") == 0) {
        hold();
        return NULL;
    }
    return "+OK\r\n";
}

/* Silence is not the end: connections that are open stay, once the engine has shown that it lives. */
static void test_late_is_not_lost(void **state)
{
    (void)state;
    struct store *s = open_fake(never_answer_one, 300);
    use_several(s, 3);
    assert_int_equal(fake.server.connections, 3);
    assert_int_equal(run_on(s, NULL, "SLOW", NULL, NULL), ERR_UNAVAILABLE);
    assert_int_equal(store_wait_ready(s, 10000), ERR_OK); /* by a new one */
    use_several(s, 3);
    assert_int_equal(fake.server.connections, 4);
    close_fake(s);
}

/* When one ends, those of its age that are in use come not back into the pool: they may be as dead. */
static const char *end_one(const char *command, int nth)
{
    if (strcmp(command, "HOLD") == 0) {
        hold();
    }
    return strcmp(command, "END") == 0 && nth < 2 ? NULL : "+OK\r\n";
}

static void test_lost_is_lost_for_all(void **state)
{
    (void)state;
    struct store *s = open_fake(end_one, 60 * 1000);
    struct store_batch *b = start(s, "HOLD");
    while (fake.commands == 0) {
        clock_sleep_ms(1);
    }
    assert_int_equal(run_on(s, NULL, "END", NULL, NULL), ERR_OK); /* by a third connection */
    assert_int_equal(fake.server.connections, 3);
    held = false;
    assert_int_equal(store_run(b), ERR_OK);
    use_several(s, 2);
    assert_int_equal(fake.server.connections, 4);
    close_fake(s);
}

static const char *take_no_write(const char *command, int nth)
{
    (void)nth;
    return strcmp(command, "SET") == 0 && fake.server.connections <= 3 ? "-READONLY You can't write.\r\n" : "+OK\r\n";
}

/* It was the master: all that is connected with it is tried no more. */
static void test_demoted_is_left_by_all(void **state)
{
    (void)state;
    struct store *s = open_fake(take_no_write, 60 * 1000);
    use_several(s, 3);
    assert_int_equal(fake.server.connections, 3);
    assert_int_equal(run_on(s, NULL, "SET", "{0}:x", "1"), ERR_OK);
    assert_int_equal(fake.server.connections, 4);
    use_several(s, 2);
    assert_int_equal(fake.server.connections, 5);
    close_fake(s);
}

static const struct CMUnitTest tests[] = {
    bare(test_one_deadline_for_all_rounds), bare(test_deadline_of_writing),
    bare(test_a_pause_is_not_the_engines),  bare(test_late_is_not_lost),
    bare(test_lost_is_lost_for_all),        bare(test_demoted_is_left_by_all),
};

int main(int argc, char **argv)
{
    int status = 0;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    return cmocka_run_group_tests_name("late and lost", tests, NULL, NULL);
}
