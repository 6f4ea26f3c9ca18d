/* test_store_memo.c - answers that are given again: only while nothing has changed, by whomever, and only while the
 * engine is heard.
 */
#include "store_case.h"

#include "base/kept.h"
#include "store/memo.h"
#include "store/watched_keys.h"

#define KEY "{7}:thing"
#define OTHER "{7}:other"
#define FAR "{9}:thing"
#define WAIT_US (30 * 1000 * MS)

static struct store *mine, *theirs; /* theirs: another process, as far as mine can see */

static int two_stores(void **state)
{
    (void)state;
    arena = arena_new();
    struct config c = private_redis_config(redis.url);
    mine = store_open(&c, stderr);
    theirs = store_open(&c, stderr);
    assert_true(mine && theirs);
    store_remember(mine, 1 << 20);
    struct store_batch *b = store_batch_new(theirs, arena);
    store_command(b, 0, "FLUSHALL", NULL);
    store_command(b, 7, "SET", KEY, "old", NULL);
    store_command(b, 7, "RPUSH", OTHER, "a", "b", NULL);
    store_command(b, 9, "SET", FAR, "far", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    return 0;
}

static int no_stores(void **state)
{
    (void)state;
    store_close(mine);
    store_close(theirs);
    arena_free(arena);
    return 0;
}

static void write_by(struct store *s, const char *key, const char *value)
{
    struct store_batch *b = store_batch_new(s, arena);
    store_command(b, key[1] == '7' ? 7 : 9, "SET", key, value, NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* Reads two keys; "value/first of the list/its length". `asked`: whether the engine was. */
static const char *look(bool *asked)
{
    struct store_batch *b = store_batch_new(mine, arena);
    store_batch_mark(b, 77);
    store_batch_keep(b);
    store_command(b, 7, "GET", KEY, NULL);
    store_command(b, 7, "LRANGE", OTHER, "0", "9", NULL);
    store_command(b, 7, "GET", "{7}:nothing", NULL);
    unsigned before = store_trips();
    assert_int_equal(store_run(b), ERR_OK);
    *asked = store_trips() != before;
    assert_int_equal(store_batch_marked(b), *asked ? 77 : 0);
    assert_int_equal(store_reply(b, 2)->type, STORE_NIL);
    return arena_printf(arena, "%s/%s/%zu", store_text(store_reply(b, 0)), store_text(store_item(store_reply(b, 1), 0)),
                        store_reply(b, 1)->count);
}

/* Looks until it is not asked any more. */
static void settle(const char *expected)
{
    bool asked = true;
    uint64_t before = clock_monotonic_us();
    while (asked) {
        assert_string_equal(look(&asked), expected);
        assert_true(elapsed_us(before) < WAIT_US);
        clock_sleep_ms(asked ? 5 : 0);
    }
}

/* Looks until it is seen. */
static void see(const char *expected)
{
    bool asked;
    uint64_t before = clock_monotonic_us();
    while (strcmp(look(&asked), expected) != 0) {
        /* whoever has heard nothing for a second believes nothing; that it is forgotten by itself comes far later */
        assert_true(elapsed_us(before) < (asked ? WAIT_US : MEMO_SECONDS * 1000 * MS / 2));
        clock_sleep_ms(1);
    }
}

static void test_nothing_new(void **state)
{
    (void)state;
    bool asked;
    settle("old/a/2");
    for (int i = 0; i < 100; i++) {
        assert_string_equal(look(&asked), "old/a/2");
    }
    struct kept_numbers n;
    store_remembered(mine, &n);
    assert_true(n.entries == 1 && n.hits >= 100 && n.bytes > 0);
}

/* The engine is told of keys after they were read first, so only what is read after that may be kept. */
static void test_first_looks(void **state)
{
    (void)state;
    settle("old/a/2");
    for (int key = 0; key < 20; key++) {
        const char *name = arena_printf(arena, "{7}:key%d", key);
        for (int i = 0; i < 2; i++) {
            struct store_batch *b = store_batch_new(mine, arena);
            store_batch_keep(b);
            store_command(b, 7, "GET", name, NULL);
            unsigned before = store_trips();
            assert_int_equal(store_run(b), ERR_OK);
            assert_int_equal(store_trips() - before, 1);
        }
    }
}

/* By the next look, each time: whatever was heard by then. */
static void test_own_writes_show_at_once(void **state)
{
    (void)state;
    bool asked;
    settle("old/a/2");
    for (int i = 0; i < 50; i++) {
        const char *value = arena_printf(arena, "v%d", i);
        write_by(mine, KEY, value);
        assert_string_equal(look(&asked), arena_printf(arena, "%s/a/2", value));
        assert_true(asked);
        settle(arena_printf(arena, "%s/a/2", value));
    }
    struct store_batch *b = store_batch_new(mine, arena);
    store_command(b, 7, "RPUSH", OTHER, "c", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_string_equal(look(&asked), "v49/a/3");
}

/* A script that makes keys may change more than those that it is given, but only in its bucket; another one may not. */
static void test_scripts(void **state)
{
    (void)state;
    bool asked;
    settle("old/a/2");
    const uint64_t when = UINT64_C(1741089932123) << 16;
    for (int i = 0; i < 4; i++) {
        struct store_batch *b = store_batch_new(mine, arena);
        const uint64_t uid = when | (i & 1 ? 7 : 9) << 6;
        if (i < 2) {
            const struct script_bookmark in = {
                .limit = {.uid = uid, .name = "x"}, .uid = uid, .post = when, .on = true, .now = 1};
            script_bookmark_add(b, &in);
        } else {
            const struct script_session_end in = {
                .uid = uid, .which = SESSION_END_WHICH_ALL, .session = "", .password = "", .old = ""};
            script_session_end_add(b, &in);
        }
        store_run(b);
        look(&asked);
        assert_int_equal(asked, i == 3);
    }
}

/* Of a user: a script that only reads. */
#define UID (UINT64_C(1741089932123) << 16 | 7 << 6)

static size_t user_sources(struct arena *a, const struct store_reply *answer, const char **out, void *context)
{
    (void)answer;
    out[0] = key_id(a, KEY_USER, UID);
    out[1] = key_id(a, KEY_POSTS, UID);
    return *(const size_t *)context;
}

/* "name posts", asked or not. `sources`: how many keys are told; SIZE_MAX: nothing is said of them. */
static const char *look_at_user(size_t sources, bool *asked)
{
    static size_t told;
    struct script_user_read_reply r;
    struct store_batch *b = store_batch_new(mine, arena);
    store_batch_keep(b);
    size_t reply = script_user_read_add(b, &(struct script_user_read){UID});
    told = sources;
    if (sources != SIZE_MAX) {
        store_batch_source(b, reply, user_sources, &told);
    }
    unsigned before = store_trips();
    assert_int_equal(store_run(b), ERR_OK);
    *asked = store_trips() != before;
    script_user_read_take(store_reply(b, reply), &r);
    return arena_printf(arena, "%s %d", r.user.name ? r.user.name : "", (int)r.posts);
}

static void settle_user(const char *expected)
{
    bool asked = true;
    uint64_t before = clock_monotonic_us();
    while (asked) {
        const char *seen = look_at_user(2, &asked);
        assert_true(!asked || elapsed_us(before) < WAIT_US);
        if (!asked) {
            assert_string_equal(seen, expected);
        }
        clock_sleep_ms(asked ? 5 : 0);
    }
}

static void change_user(struct store *s, const char *command, enum key key, const char *field, const char *value)
{
    struct store_batch *b = store_batch_new(s, arena);
    store_command(b, 7, command, key_id(arena, key, UID), field, value, NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* Scripts that only read are kept if it is known what they have read; and they change nothing for others. */
static void test_scripts_that_read(void **state)
{
    (void)state;
    bool asked;
    for (int i = 0; i < 3; i++) {
        look_at_user(SIZE_MAX, &asked);
        assert_true(asked);
        look_at_user(0, &asked);
        assert_true(asked);
        clock_sleep_ms(10);
    }
    settle("old/a/2"); /* in the same bucket */
    change_user(mine, "HSET", KEY_USER, "name", "ann");
    assert_string_equal(look_at_user(2, &asked), "ann 0");
    settle_user("ann 0");
    look(&asked);
    assert_false(asked); /* it was read, and no more */
    change_user(mine, "ZADD", KEY_POSTS, "0", "1");
    assert_string_equal(look_at_user(2, &asked), "ann 1");
    settle_user("ann 1");
    change_user(theirs, "ZADD", KEY_POSTS, "0", "2");
    uint64_t before = clock_monotonic_us();
    while (strcmp(look_at_user(2, &asked), "ann 2") != 0) {
        assert_true(elapsed_us(before) < WAIT_US);
    }
}

static void test_writes_of_others(void **state)
{
    (void)state;
    bool asked;
    for (int i = 0; i < 20; i++) {
        const char *value = arena_printf(arena, "w%d", i);
        write_by(theirs, KEY, value);
        see(arena_printf(arena, "%s/a/2", value));
        settle(arena_printf(arena, "%s/a/2", value));
    }
    write_by(theirs, FAR, "another");
    assert_string_equal(look(&asked), "w19/a/2");
    struct store_batch *b = store_batch_new(theirs, arena);
    store_command(b, 7, "FLUSHALL", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    see("//0");
    settle("//0");
    write_by(theirs, KEY, "back");
    see("back//0");
}

/* Ends the connections of mine: `kind` of CLIENT KILL TYPE. */
static void cut(const char *kind)
{
    struct store_batch *b = store_batch_new(theirs, arena);
    store_command(b, 7, "CLIENT", "KILL", "TYPE", kind, NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* What is changed while nobody listens is not missed. */
static void test_lost_connections(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        settle(i ? arena_printf(arena, "x%d/a/2", i - 1) : "old/a/2");
        cut(i % 2 ? "pubsub" : "normal");
        const char *value = arena_printf(arena, "x%d", i);
        write_by(theirs, KEY, value);
        see(arena_printf(arena, "%s/a/2", value));
    }
}

static void *wake_engine(void *unused)
{
    (void)unused;
    clock_sleep_ms(200);
    kill(redis.pid, SIGCONT);
    return NULL;
}

/* Of an engine that hangs nothing is heard, so after a second it is asked. */
static void test_silence(void **state)
{
    (void)state;
    settle("old/a/2");
    kill(redis.pid, SIGSTOP);
    clock_sleep_ms(1500);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, wake_engine, NULL), 0);
    bool asked;
    assert_string_equal(look(&asked), "old/a/2");
    assert_true(asked);
    pthread_join(thread, NULL);
    write_by(theirs, KEY, "new");
    see("new/a/2");
}

/* No plain reads, no plain keys, errors: not kept. */
static void test_what_is_not_kept(void **state)
{
    (void)state;
    static const char *const commands[][3] = {{"TIME", NULL, NULL}, {"GET", "no key", NULL}, {"INCR", KEY "n", NULL},
                                              {"LRANGE", KEY, "0"}, {"GET", OTHER, NULL},    {"XLEN", KEY, NULL}};
    for (size_t c = 0; c < sizeof(commands) / sizeof(*commands); c++) {
        settle("old/a/2");
        for (int i = 0; i < 3; i++) {
            struct store_batch *b = store_batch_new(mine, arena);
            store_batch_keep(b);
            store_command(b, 7, commands[c][0], commands[c][1], commands[c][2], NULL);
            unsigned before = store_trips();
            store_run(b);
            assert_int_equal(store_trips() - before, 1);
            clock_sleep_ms(10);
        }
    }
}

/* Many write and read: after an own write nobody sees what was before it. */
static _Atomic int written;

static void *write_on(void *unused)
{
    (void)unused;
    struct arena *a = arena_new();
    for (int i = 1; i <= 300; i++) {
        struct store_batch *b = store_batch_new(mine, a);
        store_command(b, 7, "SET", "{7}:count", arena_printf(a, "%d", i), NULL);
        require(store_run(b) == ERR_OK);
        written = i;
        arena_reset(a);
    }
    arena_free(a);
    return NULL;
}

static void *read_on(void *hits)
{
    struct arena *a = arena_new();
    while (written < 300) {
        int before = written;
        struct store_batch *b = store_batch_new(mine, a);
        store_batch_keep(b);
        store_command(b, 7, "GET", "{7}:count", NULL);
        unsigned trips = store_trips();
        require(store_run(b) == ERR_OK);
        *(int *)hits += store_trips() == trips;
        require(store_integer(store_reply(b, 0)) >= before);
        arena_reset(a);
    }
    arena_free(a);
    return NULL;
}

static void test_many_threads(void **state)
{
    (void)state;
    pthread_t threads[5];
    int hits[4] = {0};
    written = 0;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, read_on, &hits[i]), 0);
    }
    assert_int_equal(pthread_create(&threads[4], NULL, write_on, NULL), 0);
    for (size_t i = 0; i < 5; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* An engine that cannot do it is asked each time, and nothing fails. */
static void test_refused(void **state)
{
    (void)state;
    bool asked;
    struct store_batch *b = store_batch_new(theirs, arena);
    store_command(b, 0, "ACL", "SETUSER", "default", "-client|tracking", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    cut("normal");
    cut("pubsub");
    for (int i = 0; i < 10; i++) {
        see("old/a/2");
    }
    clock_sleep_ms(300);
    look(&asked);
    assert_true(asked);
    b = store_batch_new(theirs, arena);
    store_command(b, 0, "ACL", "SETUSER", "default", "+@all", NULL);
    assert_int_equal(store_run(b), ERR_OK);
}

/* What happens to a key between being wanted and being heard of. */
static void test_keys(void **state)
{
    (void)state;
    const char *out[4];
    struct watched_keys *k = watched_keys_new();
    assert_false(watched_keys_find(k, "a", 1, 10));
    assert_false(watched_keys_find(k, "b", 1, 10));
    assert_false(watched_keys_find(k, "a", 1, 10)); /* wanted once */
    assert_int_equal(watched_keys_take(k, arena, out, 4, 0), 2);
    assert_string_equal(out[0], "a");
    assert_string_equal(out[1], "b");
    watched_keys_changed(k, "b", 1); /* before the engine's answer is there */
    watched_keys_asked(k, "a", 5);
    watched_keys_asked(k, "b", 5);
    assert_false(watched_keys_find(k, "a", 1, 4)); /* read before it was heard of */
    assert_true(watched_keys_find(k, "a", 1, 5));
    assert_false(watched_keys_find(k, "b", 1, 9));
    assert_int_equal(watched_keys_take(k, arena, out, 4, 0), 1);
    assert_string_equal(out[0], "b");
    watched_keys_asked(k, "b", 6);
    assert_true(watched_keys_find(k, "b", 1, 6));
    watched_keys_changed(k, "a", 1);
    assert_int_equal(watched_keys_take(k, arena, out, 1, 0), 1); /* it is still wanted */
    assert_false(watched_keys_find(k, "a", 1, 9));
    watched_keys_forget(k);
    watched_keys_asked(k, "a", 7);
    assert_false(watched_keys_find(k, "a", 1, 9));
    assert_false(watched_keys_find(k, "b", 1, 9));
    watched_keys_free(k);
}

#define with(f) cmocka_unit_test_setup_teardown(f, two_stores, no_stores)

static int engine_up(void **state)
{
    (void)state;
    private_redis_start(&redis, plain);
    return 0;
}

static int engine_down(void **state)
{
    (void)state;
    private_redis_stop(&redis);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        with(test_nothing_new),      with(test_first_looks),       with(test_own_writes_show_at_once),
        with(test_scripts),          with(test_scripts_that_read), with(test_writes_of_others),
        with(test_lost_connections), with(test_silence),           with(test_what_is_not_kept),
        with(test_many_threads),     with(test_refused),           with(test_keys),
    };
    return cmocka_run_group_tests_name("memo", tests, engine_up, engine_down);
}
