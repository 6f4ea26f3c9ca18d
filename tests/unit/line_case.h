/* line_case.h - what the tests of shared connections have in common: a fake engine that waits for the test, and people
 * who send one command each. Nothing here depends on how fast the machine is.
 */
#ifndef TESTS_LINE_CASE_H
#define TESTS_LINE_CASE_H

#include "asleep.h"
#include "store_case.h"

#include "store/batch.h"

#define PATIENCE_MS 20000 /* a fake that was not let go by then answers nevertheless, and the test fails */
#define LONG_US (60 * 1000 * MS)

static struct fake_redis fake;
static _Atomic bool first_held, second_held, gave_up;

static inline void hold(const _Atomic bool *held)
{
    for (int i = 0; *held && i < PATIENCE_MS; i++) {
        clock_sleep_ms(1);
    }
    gave_up |= *held;
}

/* A store of so many connections on a fake engine, one of them shared. */
static inline struct store *open_fake(const char *(*answer)(const char *command, int nth), int connections)
{
    fake = (struct fake_redis){0};
    first_held = second_held = true;
    gave_up = false;
    fake_redis_start(&fake, answer);
    struct config c = private_redis_config(fake.url);
    c.redis.connections = connections;
    c.redis.shared_connections = 1;
    struct store *s = store_open(&c, stderr);
    assert_non_null(s);
    return s;
}

static inline void close_fake(struct store *s)
{
    first_held = second_held = false;
    store_close(s);
    fake_redis_stop(&fake);
    assert_false(gave_up);
}

/* Somebody who sends one command of one word, in a thread of his own. */
struct traveller {
    struct store *store;
    const char *word;
    const char *value; /* a second word, or NULL */
    uint64_t patience_us;
    bool once, apart;
    enum err e;
    char answer[32];
    pthread_t thread;
    _Atomic int id;
};

static inline void *travel(void *argument)
{
    struct traveller *t = argument;
    struct arena *a = arena_new();
    if (t->apart) {
        store_thread_apart();
    }
    struct store_batch *b = store_batch_new(t->store, a);
    const char *words[] = {t->word, t->value};
    store_command_v(b, 0, t->value ? 2 : 1, words);
    b->patience_us = t->patience_us;
    b->once = t->once;
    t->id = asleep_id();
    t->e = store_run(b);
    snprintf(t->answer, sizeof(t->answer), "%s", store_text(store_reply(b, 0)));
    arena_free(a); /* at once: nobody may write there any more */
    return NULL;
}

static inline void go(struct traveller *t)
{
    assert_int_equal(pthread_create(&t->thread, NULL, travel, t), 0);
}

/* And waits until he waits. */
static inline void go_and_wait(struct traveller *t)
{
    go(t);
    while (!t->id || !asleep_is(t->id)) {
        clock_sleep_ms(1);
    }
}

static inline void arrive(struct traveller *t, enum err e, const char *answer)
{
    pthread_join(t->thread, NULL);
    assert_int_equal(t->e, e);
    if (answer) {
        assert_string_equal(t->answer, answer);
    }
}

/* The first of a line, whose answer is held until the others have come. */
static inline void lead_the_way(struct traveller *t, struct store *s)
{
    *t = (struct traveller){.store = s, .word = "FIRST", .patience_us = LONG_US};
    go(t);
    while (fake.commands == 0) {
        clock_sleep_ms(1);
    }
}

static inline struct traveller traveller(struct store *s, const char *word, uint64_t patience_us)
{
    return (struct traveller){.store = s, .word = word, .patience_us = patience_us};
}

#endif
