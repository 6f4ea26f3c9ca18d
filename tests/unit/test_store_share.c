/* test_store_share.c - which calls share a connection and which do not, and crowds of those that do. */
#include "line_case.h"

/* --- who does not share -------------------------------------------------------------------------------------------- */

static const char *hold_some(const char *command, int nth)
{
    (void)nth;
    if (strcmp(command, "HOLD") == 0) {
        hold(&first_held);
    }
    return "+ok\r\n";
}

static void wait_for_commands(int count)
{
    while (fake.commands < count) {
        clock_sleep_ms(1);
    }
}

/* Long ones hold connections of their own, and never the last: pages go on beside them, and who would hold one more is
 * refused. */
static void test_long_ones_stay_apart(void **state)
{
    (void)state;
    struct store *s = open_fake(hold_some, 3);
    struct traveller held[2], third = traveller(s, "HOLD", LONG_US);
    for (int i = 0; i < 2; i++) {
        held[i] = traveller(s, "HOLD", LONG_US);
        held[i].apart = true;
        go(&held[i]);
        wait_for_commands(i + 1);
    }
    for (int i = 0; i < 5; i++) {
        assert_int_equal(run_on(s, NULL, "X", NULL, NULL), ERR_OK);
    }
    third.apart = true;
    go(&third);
    arrive(&third, ERR_BUSY, NULL);
    assert_int_equal(run_on(s, NULL, "X", NULL, NULL), ERR_OK);
    first_held = false;
    arrive(&held[0], ERR_OK, "ok");
    arrive(&held[1], ERR_OK, "ok");
    assert_int_equal(fake.server.connections, 3);
    close_fake(s);
}

/* What must not run twice, what is large, and what was started before it is waited for, is behind nobody. */
static void test_not_behind_others(void **state)
{
    (void)state;
    struct store *s = open_fake(hold_some, 8);
    struct traveller held = traveller(s, "HOLD", LONG_US);
    go(&held);
    wait_for_commands(1);
    struct store_batch *once = store_batch_new(s, arena), *many = store_batch_new(s, arena),
                       *large = store_batch_new(s, arena), *started = store_batch_new(s, arena);
    store_batch_once(once);
    store_command(once, 0, "X", NULL);
    for (int i = 0; i < 300; i++) {
        store_command(many, 0, "X", NULL);
    }
    char *value = arena_alloc(arena, 40 * 1000);
    memset(value, 'v', 40 * 1000 - 1);
    value[40 * 1000 - 1] = '\0';
    store_command(large, 0, "X", value, NULL);
    store_command(started, 0, "X", NULL);
    store_start(started);
    assert_int_equal(store_run(once), ERR_OK);
    assert_int_equal(store_run(many), ERR_OK);
    assert_int_equal(store_run(large), ERR_OK);
    assert_int_equal(store_run(started), ERR_OK);
    first_held = false;
    arrive(&held, ERR_OK, "ok");
    close_fake(s);
}

/* --- many ---------------------------------------------------------------------------------------------------------- */

#define CROWD 1000
#define TRIPS 20

/* Answers of several sizes, each his own, with an error and an empty one between. */
static void *echo_often(void *argument)
{
    struct arena *a = arena_new();
    for (int i = 0; i < TRIPS; i++) {
        struct store_batch *b = store_batch_new(store, a);
        size_t length = (size_t)(clock_monotonic_us() % 3000);
        char *mine = arena_printf(a, "%p-%d-%0*d", argument, i, (int)length, i);
        store_command(b, 0, "ECHO", mine, NULL);
        store_command(b, 0, "GET", "{0}:none", NULL);
        store_command(b, 0, "MGET", "{0}:none", NULL);
        if (store_run(b) == ERR_BUSY) { /* a slow machine: everybody wants a connection before there is one */
            i--;
            continue;
        }
        require(strcmp(store_text(store_reply(b, 0)), mine) == 0);
        require(store_reply(b, 1)->type == STORE_NIL && store_reply(b, 2)->count == 1);
        arena_reset(a);
    }
    arena_free(a);
    return NULL;
}

/* Each gets his own answers, over two connections. */
static void test_crowd(void **state)
{
    (void)state;
    static pthread_t crowd[CROWD];
    static char names[CROWD];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 256 * 1024);
    for (unsigned i = 0; i < CROWD; i++) {
        assert_int_equal(pthread_create(&crowd[i], &small, echo_often, &names[i]), 0);
    }
    for (unsigned i = 0; i < CROWD; i++) {
        pthread_join(crowd[i], NULL);
    }
    pthread_attr_destroy(&small);
    const struct store_reply *r;
    assert_int_equal(run_on(store, &r, "INFO", "clients", NULL), ERR_OK);
    const char *value;
    reply_info(store_text(r), "connected_clients", &value);
    assert_in_range(atoi(value), 1, 8);
}

/* Breaks every connection again and again. */
static void *cut_often(void *argument)
{
    struct arena *a = arena_new();
    struct store *other = open_at(redis.url);
    const _Atomic bool *over = argument;
    while (!*over) {
        struct store_batch *b = store_batch_new(other, a);
        store_batch_once(b);
        store_command(b, 0, "CLIENT", "KILL", "TYPE", "normal", NULL);
        store_run(b);
        arena_reset(a);
        clock_sleep_ms(5);
    }
    store_close(other);
    arena_free(a);
    return NULL;
}

static void *count_often(void *argument)
{
    struct arena *a = arena_new();
    for (int i = 0; i < 100; i++) {
        struct store_batch *b = store_batch_new(store, a);
        char *mine = arena_printf(a, "%p-%d", argument, i);
        store_command(b, 0, "ECHO", mine, NULL);
        enum err e = store_run(b); /* cut twice in a row, it fails */
        require(e != ERR_OK || strcmp(store_text(store_reply(b, 0)), mine) == 0);
        arena_reset(a);
    }
    arena_free(a);
    return NULL;
}

/* Whatever is cut while they travel: no answer goes to another. */
static void test_crowd_is_cut(void **state)
{
    (void)state;
    pthread_t crowd[40], cutter;
    char names[COUNT(crowd)];
    _Atomic bool over = false;
    assert_int_equal(pthread_create(&cutter, NULL, cut_often, &over), 0);
    for (unsigned i = 0; i < COUNT(crowd); i++) {
        assert_int_equal(pthread_create(&crowd[i], NULL, count_often, &names[i]), 0);
    }
    for (unsigned i = 0; i < COUNT(crowd); i++) {
        pthread_join(crowd[i], NULL);
    }
    over = true;
    pthread_join(cutter, NULL);
}

static const struct CMUnitTest fakes[] = {
    bare(test_long_ones_stay_apart),
    bare(test_not_behind_others),
};

static const struct CMUnitTest real[] = {
    live(test_crowd),
    live(test_crowd_is_cut),
};

int main(int argc, char **argv)
{
    int status = 0;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    int failed = cmocka_run_group_tests_name("share", fakes, NULL, NULL);
    private_redis_embedded = true;
    return failed + cmocka_run_group_tests_name("share the engine's", real, NULL, NULL);
}
