/* test_store_line.c - a connection that many calls share: late ones, half answers, half written ones, lost ones. */
#include "line_case.h"

#include "store/ride.h"

#define SHORT_US (200 * MS)
#define SHORT_MOST_US (30 * 1000 * MS)

static _Atomic unsigned heard_w;

/* Runs it until it was as it should be: the fake held who was to be late after all had come, and before his time was
 * over. The machine may be busy. */
static void be_late(bool (*story)(unsigned who, uint64_t patience_us), unsigned who)
{
    uint64_t patience_us = SHORT_US;
    while (!story(who, patience_us) && patience_us < SHORT_MOST_US) {
        patience_us *= 5;
    }
    assert_true(patience_us < SHORT_MOST_US);
}

/* --- late ---------------------------------------------------------------------------------------------------------- */

static const char *answer_late(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "FIRST") == 0) {
        hold(&first_held);
    }
    if (strcmp(command, "A") == 0) {
        hold(&second_held);
        return "+a\r\n";
    }
    return strcmp(command, "B") == 0 ? "+b\r\n" : strcmp(command, "C") == 0 ? "+c\r\n" : "+first\r\n";
}

/* Three on one wire, of whom one is late and leaves: the others get their own answers, before and behind his. */
static bool one_of_three_is_late(unsigned who, uint64_t patience_us)
{
    static const char *const words[] = {"A", "B", "C"}, *const answers[] = {"a", "b", "c"};
    struct store *s = open_fake(answer_late, 8);
    struct traveller first, t[3];
    lead_the_way(&first, s);
    for (unsigned i = 0; i < COUNT(t); i++) {
        t[i] = traveller(s, words[i], i == who ? patience_us : LONG_US);
        go_and_wait(&t[i]);
    }
    first_held = false;
    arrive(&first, ERR_OK, "first");
    arrive(&t[who], ERR_UNAVAILABLE, NULL);
    bool shared = fake.server.connections == 1;
    assert_int_equal(store_wait_ready(s, 5000), ERR_OK); /* by another: who comes now is not behind them */
    second_held = false;
    for (unsigned i = 0; i < COUNT(t); i++) {
        if (i != who) {
            arrive(&t[i], ERR_OK, answers[i]);
        }
    }
    /* otherwise his time was over before his command was written: it never is */
    shared = shared && fake.server.connections == 2 && fake.commands == 5;
    close_fake(s);
    return shared;
}

/* The first is the one who leads. */
static void test_one_is_late(void **state)
{
    (void)state;
    for (unsigned who = 0; who < 3; who++) {
        be_late(one_of_three_is_late, who);
    }
}

/* Who is late before his command was written: it never is. The leader goes on. */
static void test_follower_is_late(void **state)
{
    (void)state;
    struct store *s = open_fake(answer_late, 8);
    struct traveller first, w = traveller(s, "W", SHORT_US);
    lead_the_way(&first, s);
    go(&w);
    arrive(&w, ERR_UNAVAILABLE, NULL);
    first_held = false;
    arrive(&first, ERR_OK, "first");
    assert_int_equal(fake.commands, 1);
    close_fake(s);
}

/* An answer of which half has come when its owner leaves, with the memory into which it was read. */
static const char *answer_in_halves(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "FIRST") == 0) {
        hold(&first_held);
        return "+first\r\n";
    }
    if (strcmp(command, "A") == 0) {
        return "*3\r\n*2\r\n$1\r\nx\r\n$5\r\nab"; /* and no more for now */
    }
    hold(&second_held);
    return "cde\r\n:7\r\n*1\r\n$-1\r\n+b\r\n";
}

static bool leaves_in_the_middle_of_an_answer(unsigned who, uint64_t patience_us)
{
    (void)who;
    struct store *s = open_fake(answer_in_halves, 8);
    struct traveller first, a = traveller(s, "A", patience_us), b = traveller(s, "B", LONG_US);
    lead_the_way(&first, s);
    go_and_wait(&a);
    go_and_wait(&b);
    first_held = false;
    arrive(&first, ERR_OK, "first");
    arrive(&a, ERR_UNAVAILABLE, NULL);
    bool shared = fake.server.connections == 1;
    second_held = false;
    pthread_join(b.thread, NULL);
    if (shared) {
        assert_int_equal(b.e, ERR_OK);
        assert_string_equal(b.answer, "b");
    }
    close_fake(s);
    return shared;
}

static void test_leaves_in_the_middle_of_an_answer(void **state)
{
    (void)state;
    be_late(leaves_in_the_middle_of_an_answer, 0);
}

/* --- more than the wire takes -------------------------------------------------------------------------------------- */

#define HEAVY 24
#define HEAVY_BYTES (30 * 1000)

/* After the first it reads one more, and then nothing until it is let go. */
static const char *stop_reading(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "FIRST") == 0) {
        hold(&first_held);
        return "+first\r\n";
    }
    if (strcmp(command, "A") == 0) {
        hold(&second_held);
        return "+a\r\n";
    }
    return "+heavy\r\n";
}

/* Who leads is late when half is written: the next writes on where he stopped. */
static bool half_written(unsigned who, uint64_t patience_us)
{
    (void)who;
    struct store *s = open_fake(stop_reading, 8);
    char *value = arena_alloc(arena, HEAVY_BYTES + 1);
    memset(value, 'v', HEAVY_BYTES);
    value[HEAVY_BYTES] = '\0';
    struct traveller first, a = traveller(s, "A", patience_us), heavy[HEAVY];
    lead_the_way(&first, s);
    go_and_wait(&a);
    for (unsigned i = 0; i < HEAVY; i++) {
        heavy[i] = traveller(s, "HEAVY", LONG_US);
        heavy[i].value = value;
        go_and_wait(&heavy[i]);
    }
    first_held = false;
    arrive(&first, ERR_OK, "first");
    arrive(&a, ERR_UNAVAILABLE, NULL);
    bool shared = fake.server.connections == 1;
    second_held = false;
    for (unsigned i = 0; i < HEAVY; i++) {
        arrive(&heavy[i], ERR_OK, "heavy");
    }
    assert_true(!shared || (fake.server.connections == 1 && fake.commands == HEAVY + 2));
    close_fake(s);
    return shared;
}

static void test_half_written(void **state)
{
    (void)state;
    be_late(half_written, 0);
}

/* --- lost ---------------------------------------------------------------------------------------------------------- */

static const char *hang_up_once(const char *command, int nth)
{
    heard_w += strcmp(command, "W") == 0;
    if (nth == 0) {
        hold(&first_held);
        return NULL;
    }
    return strcmp(command, "W") == 0 ? "+w\r\n" : "+again\r\n";
}

/* What was written is sent again; what was not goes elsewhere, once. */
static void test_connection_is_lost(void **state)
{
    (void)state;
    heard_w = 0;
    struct store *s = open_fake(hang_up_once, 8);
    struct traveller first, w = traveller(s, "W", LONG_US);
    lead_the_way(&first, s);
    go_and_wait(&w);
    first_held = false;
    arrive(&first, ERR_OK, "again");
    arrive(&w, ERR_OK, "w");
    assert_int_equal(heard_w, 1);
    close_fake(s);
}

/* A connection from before a restart of the engine takes nobody any more, though somebody still waits on it. */
static void test_out_of_date(void **state)
{
    (void)state;
    struct store *s = open_fake(answer_late, 8);
    struct traveller first, b = traveller(s, "B", LONG_US);
    lead_the_way(&first, s);
    go_and_wait(&b);
    store_reset(s);
    first_held = false;
    arrive(&first, ERR_OK, "first");
    arrive(&b, ERR_OK, "b");
    assert_int_equal(fake.server.connections, 2);
    close_fake(s);
}

static const char *say_too_much(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "FIRST") == 0) {
        hold(&first_held);
        return "+first\r\n+somebody else's\r\n";
    }
    return "+w\r\n";
}

/* An answer that nobody asked for is not given to the next who comes along. */
static void test_answer_too_many(void **state)
{
    (void)state;
    struct store *s = open_fake(say_too_much, 8);
    struct traveller first, w = traveller(s, "W", LONG_US);
    lead_the_way(&first, s);
    go_and_wait(&w);
    first_held = false;
    arrive(&first, ERR_OK, "first");
    arrive(&w, ERR_OK, "w");
    assert_int_equal(fake.server.connections, 2);
    close_fake(s);
}

/* --- what is skipped ----------------------------------------------------------------------------------------------- */

static struct ride *ride_of(size_t replies, size_t unasked)
{
    struct link_call *c = arena_zero(arena, sizeof(*c));
    *c = (struct link_call){.arena = arena, .replies = replies, .unasked = unasked, .patience_us = LONG_US};
    return ride_new(c);
}

static void test_owed_replies(void **state)
{
    (void)state;
    struct rides all = {.first = NULL}, more = {.first = NULL};
    struct ride *a = ride_of(2, 0), *b = ride_of(3, 1), *c = ride_of(1, 0), *d = ride_of(1, 0);
    rides_append(&all, &more);
    assert_null(all.first);
    rides_add(&more, a);
    rides_add(&more, b);
    rides_append(&all, &more);
    assert_null(more.first);
    rides_add(&more, c);
    rides_append(&all, &more);
    b->skip = 0;
    b->got = 1;
    assert_true(rides_take_out(&all, b));
    assert_int_equal(c->skip, 2); /* one has come */
    assert_true(rides_take_out(&all, a));
    assert_int_equal(c->skip, 4);
    assert_false(rides_take_out(&all, a));
    assert_ptr_equal(all.first, c);
    rides_add(&all, d);
    assert_true(rides_take_out(&all, d)); /* the last: nobody behind */
    rides_add(&all, b);
    assert_ptr_equal(c->next, b);
    assert_ptr_equal(rides_pop(&all), c);
    assert_true(rides_take_out(&all, b) && !all.first);
    struct ride *rides[] = {a, b, c, d};
    for (unsigned i = 0; i < COUNT(rides); i++) {
        ride_end(rides[i]);
    }
}

static const struct CMUnitTest tests[] = {
    bare(test_one_is_late),     bare(test_follower_is_late),   bare(test_leaves_in_the_middle_of_an_answer),
    bare(test_half_written),    bare(test_connection_is_lost), bare(test_out_of_date),
    bare(test_answer_too_many), bare(test_owed_replies),
};

int main(int argc, char **argv)
{
    int status = 0;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    return cmocka_run_group_tests_name("line", tests, NULL, NULL);
}
