/* test_social_changes.c - events and the cache: readers that overtake the news, streams that go back, are cut off, or
 * are gone. The listener's steps are taken one by one, and what happens in between is done by hand. */
#include "store_case.h"

#include "config/settings.h"
#include "social/core/cache.h"
#include "social/core/event.h"
#include "social/core/event_listen.h"
#include "social/core/social.h"
#include "social/people/people.h"
#include "social/people/visit.h"
#include "base/id.h"
#include "base/metric.h"
#include "social/product.h"
#include "social/timelines/celebrity.h"
#include "store/keys.h"

#define USER_ID UINT64_C(117657670766635999)

static char state_directory[64];
static struct config config;
static struct settings_store *settings;
static struct social *social, *other; /* the second one is another process, as far as they know */
static struct event_listener *listener;

static int begin(void **state)
{
    setup(state);
    config = private_redis_config(redis.url);
    config.posts.cache = 4;
    snprintf(state_directory, sizeof(state_directory), "/tmp/retwis-test-XXXXXX");
    assert_non_null(mkdtemp(state_directory));
    settings = settings_open(state_directory, stderr);
    assert_non_null(settings);
    social = product_open(&config, settings, store);
    other = product_open(&config, settings, store);
    listener = event_listener_new(social);
    return 0;
}

static int end(void **state)
{
    char command[128];
    event_listener_free(listener);
    product_close(other);
    product_close(social);
    settings_close(settings);
    snprintf(command, sizeof(command), "rm -rf '%s'", state_directory);
    assert_int_equal(system(command), 0);
    return teardown(state);
}

/* The key of the partition in which an id's events lie. */
static const char *stream_of(uint64_t id)
{
    return key_plain(arena, KEY_EVENTS, id_bucket(id) % EVENT_PARTITIONS);
}

/* Hears until there is nothing new. */
static void hear(void)
{
    uint64_t before;
    do {
        before = metric_get(METRIC_EVENTS_HEARD);
        event_listener_step(listener);
    } while (metric_get(METRIC_EVENTS_HEARD) != before);
}

/* A page's first round trip, sent and answered, with nothing taken out of it yet. */
struct reading {
    struct store_batch *batch;
    const char *record;
};

static struct reading read_record(void)
{
    struct reading r = {.batch = social_batch(social, arena)};
    size_t reply = store_command(r.batch, 0, "GET", "{0}:record", NULL);
    assert_int_equal(store_run(r.batch), ERR_OK);
    r.record = store_text(store_reply(r.batch, reply));
    return r;
}

static void remember(const struct reading *r)
{
    cache_put(social->cache, CACHE_USER, USER_ID, r->record, strlen(r->record) + 1, store_batch_marked(r->batch));
}

/* What the cache has for the user; "" for nothing. */
static const char *cached(void)
{
    size_t size = 0;
    const char *value = cache_get(social->cache, CACHE_USER, USER_ID, arena, &size);
    return value ? value : "";
}

static void fill(const char *what)
{
    cache_put(social->cache, CACHE_USER, USER_ID, what, strlen(what) + 1, cache_token(social->cache));
    assert_string_equal(cached(), what);
}

/* By a process of the site. */
static void change_by(struct social *who, const char *record)
{
    struct store_batch *b = store_batch_new(store, arena);
    store_command(b, 0, "SET", "{0}:record", record, NULL);
    event_add(who, b, arena, EVENT_USER, USER_ID);
    assert_int_equal(store_run(b), ERR_OK);
}

static void change(const char *record)
{
    change_by(other, record);
}

static uint64_t begun_anew(void)
{
    return metric_get(METRIC_EVENTS_BEGUN_ANEW);
}

/* --- who hears of it when ------------------------------------------------------------------------------------------- */

/* Before the listener has heard anything nothing is trusted, and nothing comes in. */
static void nothing_is_trusted_before_it_is_heard(void **state)
{
    (void)state;
    change("one");
    struct reading r = read_record();
    remember(&r);
    assert_false(cache_is_trusted(social->cache));
    assert_true(event_listener_step(listener));
    assert_true(cache_is_trusted(social->cache));
    assert_string_equal(cached(), "");
    r = read_record();
    remember(&r);
    assert_string_equal(cached(), "one");
    cache_trust(social->cache, clock_monotonic_us());
    assert_string_equal(cached(), "");
    hear();
    assert_string_equal(cached(), "one"); /* nothing was missed */
}

/* For a second from the question on, which is when it was true. */
static void it_is_believed_for_a_second(void **state)
{
    (void)state;
    event_listener_step(listener);
    uint64_t asked = clock_monotonic_us();
    event_listener_step(listener);
    while (cache_is_trusted(social->cache)) {
        clock_sleep_ms(10);
    }
    assert_in_range(clock_monotonic_us() - asked, EVENT_SILENCE_MS * MS, 10 * EVENT_SILENCE_MS * MS);
}

/* The cache goes by a clock that is behind: for it nothing is believed for a moment longer. */
static void nothing_is_believed_for_longer(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 5; i++) {
        uint64_t end = clock_monotonic_us() + 2 * CLOCK_TICK_US, now;
        cache_trust(social->cache, end);
        do {
            now = clock_monotonic_us();
            bool is_trusted = cache_is_trusted(social->cache);
            assert_true(now < end || !is_trusted);
            uint64_t tick = clock_tick_us();
            assert_in_range(tick, now - CLOCK_TICK_US, clock_monotonic_us());
        } while (now < end + CLOCK_TICK_US);
    }
}

/* Whoever made the change knows of it when it is acknowledged, whatever the listener does. */
static void own_changes_are_known_at_once(void **state)
{
    (void)state;
    event_listener_step(listener);
    change_by(social, "one");
    struct reading r = read_record();
    remember(&r);
    assert_string_equal(cached(), "one");
    change_by(social, "two");
    assert_string_equal(cached(), "");
    remember(&r); /* as it was before */
    assert_string_equal(cached(), "");
}

/* Also when the answer was lost: it may have been made. */
static void own_changes_are_known_without_an_answer(void **state)
{
    (void)state;
    event_listener_step(listener);
    fill("remembered");
    struct store_batch *b = new_batch();
    store_command(b, 0, "SET", "{0}:record", "changed", NULL);
    store_command(b, 0, "NONSENSE", NULL);
    event_add(social, b, arena, EVENT_USER, USER_ID);
    assert_int_not_equal(store_run(b), ERR_OK);
    assert_string_equal(cached(), "");
}

static void changes_of_others_are_heard(void **state)
{
    (void)state;
    event_listener_step(listener);
    fill("remembered");
    change("changed");
    assert_string_equal(cached(), "remembered");
    assert_true(event_listener_step(listener));
    assert_string_equal(cached(), "");
}

/* What was read before a change stays out of the cache, when it was heard of meanwhile. */
static void what_was_read_before_stays_out(void **state)
{
    (void)state;
    event_listener_step(listener);
    change("a member");
    change("an administrator");
    hear();
    struct reading r = read_record();
    assert_string_equal(r.record, "an administrator");
    change("a member again");
    hear();
    remember(&r);
    assert_string_equal(cached(), "");
    r = read_record();
    remember(&r);
    assert_string_equal(cached(), "a member again");
}

/* And what comes in before it was heard of is taken out again. */
static void what_came_in_meanwhile_goes(void **state)
{
    (void)state;
    event_listener_step(listener);
    struct reading r = read_record();
    change("changed");
    remember(&r);
    hear();
    assert_string_equal(cached(), "");
}

/* What each event takes out of the cache, and what it leaves. */
static void each_kind_forgets_its_own(void **state)
{
    (void)state;
    static const struct {
        enum event_kind kind;
        enum cache_kind forgotten, kept;
    } cases[] = {{EVENT_POST, CACHE_POST, CACHE_COUNTS},
                 {EVENT_COUNTS, CACHE_COUNTS, CACHE_POST},
                 {EVENT_USER, CACHE_USER, CACHE_POST},
                 {EVENT_SESSIONS, CACHE_KINDS, CACHE_USER},
                 {EVENT_CELEBRITY, CACHE_KINDS, CACHE_USER}};
    event_listener_step(listener);
    for (unsigned i = 0; i < COUNT(cases); i++) {
        size_t size;
        for (int k = 0; k < CACHE_KINDS; k++) {
            cache_put(social->cache, (enum cache_kind)k, USER_ID, "x", 2, cache_token(social->cache));
        }
        struct store_batch *b = new_batch();
        event_add(other, b, arena, cases[i].kind, USER_ID);
        assert_int_equal(store_run(b), ERR_OK);
        hear();
        assert_non_null(cache_get(social->cache, cases[i].kept, USER_ID, arena, &size));
        if (cases[i].forgotten != CACHE_KINDS) {
            assert_null(cache_get(social->cache, cases[i].forgotten, USER_ID, arena, &size));
        }
    }
}

/* Nothing is kept when nobody knows what has changed, or a newer version says what this one does not understand. */
static void what_is_not_understood_forgets_all(void **state)
{
    (void)state;
    event_listener_step(listener);
    fill("remembered");
    struct store_batch *b = new_batch();
    event_add(other, b, arena, EVENT_ALL, 0);
    assert_int_equal(store_run(b), ERR_OK);
    hear();
    assert_string_equal(cached(), "");
    fill("remembered");
    b = new_batch();
    store_command(b, 0, "XADD", stream_of(USER_ID), "0-*", "k", "Z", "i", "1", "n", "1", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    hear();
    assert_string_equal(cached(), "");
}

/* Each partition has its own, and all are heard. */
static void events_are_spread_and_all_are_heard(void **state)
{
    (void)state;
    enum { IDS = 3 * EVENT_PARTITIONS };
    event_listener_step(listener);
    uint64_t before = metric_get(METRIC_EVENTS_HEARD);
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < IDS; i++) {
        uint64_t id = id_new(i, 0);
        cache_put(social->cache, CACHE_POST, id, "x", 2, cache_token(social->cache));
        event_add(other, b, arena, EVENT_POST, id);
    }
    assert_int_equal(store_run(b), ERR_OK);
    hear();
    assert_int_equal(metric_get(METRIC_EVENTS_HEARD) - before, IDS);
    struct cache_numbers n;
    cache_count(social->cache, &n);
    assert_int_equal(n.entries, IDS); /* the marks */
    for (unsigned i = 0; i < EVENT_PARTITIONS; i++) {
        const struct store_reply *r;
        assert_int_equal(run_on(store, &r, "XLEN", key_plain(arena, KEY_EVENTS, i), NULL), ERR_OK);
        assert_int_equal(r->integer, 3);
    }
}

/* An epoch that another process begins. */
static void epochs_are_heard(void **state)
{
    (void)state;
    assert_int_equal(product_enter(social, true), ERR_OK);
    assert_int_equal(product_enter(other, false), ERR_OK);
    event_listener_step(listener);
    uint64_t before = atomic_load(&social->epoch);
    assert_int_equal(social_move_epoch(other), ERR_OK);
    assert_int_equal(atomic_load(&social->epoch), before);
    hear();
    assert_int_equal(atomic_load(&social->epoch), before + 1);
}

/* Who has heard nothing asks, in the round trip of the visit; who has does not. */
static void visits_ask_for_the_epoch_when_nothing_is_heard(void **state)
{
    (void)state;
    assert_int_equal(product_enter(social, true), ERR_OK);
    assert_int_equal(product_enter(other, false), ERR_OK);
    uint64_t before = atomic_load(&social->epoch);
    assert_int_equal(social_move_epoch(other), ERR_OK);
    store_trips_reset();
    assert_int_equal(visit_read(visit_begin(social, arena, NULL)), ERR_OK); /* a stranger who is shown nothing of it */
    assert_int_equal(store_trips(), 0);
    assert_int_equal(visit_read(visit_begin_as(social, arena, USER_ID)), ERR_OK);
    assert_int_equal(store_trips(), 1);
    assert_int_equal(atomic_load(&social->epoch), before + 1);
}

/* What shows nothing that the engine knows is there for strangers whether the engine is or not. */
static void a_stranger_who_asks_for_nothing_costs_no_round_trip(void **state)
{
    (void)state;
    store_trips_reset();
    struct visit *v = visit_begin(social, arena, NULL);
    assert_int_equal(visit_read(v), ERR_OK);
    assert_true(visit_is_known(v));
    assert_int_equal(visit_viewer(v)->id, 0);
    assert_int_equal(store_trips(), 0);
    v = visit_begin(social, arena, NULL);
    visit_require(v, WHO_MEMBER);
    assert_int_equal(visit_read(v), ERR_UNAUTHORIZED);
    v = visit_begin(social, arena, NULL);
    newest_people_ask(v, 3);
    unsigned before = store_trips();
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(store_trips(), before + 1);
    v = visit_begin(social, arena, "117657670766635999.0123456789012345678901234567890123456789012");
    assert_int_equal(visit_read(v), ERR_OK);
    assert_int_equal(visit_viewer(v)->id, 0);
    assert_int_equal(store_trips(), before + 2);
}

static size_t celebrities(void)
{
    uint64_t id = USER_ID, *found;
    size_t count;
    assert_int_equal(celebrity_among(social, arena, &id, 1, &found, &count), ERR_OK);
    return count;
}

/* They are remembered too: until an event says that there is another one, or nothing is heard. */
static void celebrities_are_believed_like_all_else(void **state)
{
    (void)state;
    event_listener_step(listener);
    assert_int_equal(celebrities(), 0);
    struct store_batch *b = new_batch();
    store_command(b, 0, "ZADD", "{0}:celebrities", "1", id_text(arena, USER_ID), NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(celebrities(), 0);
    cache_trust(social->cache, 0);
    assert_int_equal(celebrities(), 1);
    assert_int_equal(run("DEL", "{0}:celebrities", NULL), ERR_OK);
    event_listener_step(listener);
    assert_int_equal(celebrities(), 1);
    b = new_batch();
    event_add(other, b, arena, EVENT_CELEBRITY, USER_ID);
    assert_int_equal(store_run(b), ERR_OK);
    hear();
    assert_int_equal(celebrities(), 0);
}

/* --- servers of 0.2.0 ------------------------------------------------------------------------------------------------ */

/* What they write is heard, and what they understand is written for them. */
static void the_version_before_is_heard_and_told(void **state)
{
    (void)state;
    const struct store_reply *r;
    event_listener_step(listener);
    fill("remembered");
    struct store_batch *b = new_batch();
    store_command(b, 0, "XADD", "{0}:changes", "0-*", "k", "u", "i", id_text(arena, USER_ID), "n", "1", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    event_listener_step(listener);
    assert_string_equal(cached(), "");
    change("told");
    assert_int_equal(run_on(store, &r, "XLEN", "{0}:changes", NULL), ERR_OK);
    assert_int_equal(r->integer, 2);
    b = new_batch();
    event_add(other, b, arena, EVENT_SESSIONS, USER_ID); /* of which they would not know */
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(run_on(store, &r, "XLEN", "{0}:changes", NULL), ERR_OK);
    assert_int_equal(r->integer, 2);
}

/* --- streams that do not go on --------------------------------------------------------------------------------------- */

/* As a failover does it: the stream of an older moment, which then goes on with numbers that were in use already. */
static void go_back_and_on(unsigned more)
{
    assert_int_equal(run("DEL", stream_of(USER_ID), NULL), ERR_OK);
    assert_int_equal(run("COPY", "{0}:older", stream_of(USER_ID)), ERR_OK);
    for (unsigned i = 0; i < more; i++) {
        change("another life");
    }
}

static void stream_that_goes_back_is_noticed(void **state)
{
    (void)state;
    event_listener_step(listener);
    for (unsigned more = 0; more < 5; more++) { /* behind, as long as before, ahead */
        run("DEL", "{0}:older", NULL);
        change("begins");
        assert_int_equal(run("COPY", stream_of(USER_ID), "{0}:older"), ERR_OK);
        change("life");
        change("life");
        hear();
        fill("remembered");
        uint64_t before = begun_anew();
        go_back_and_on(more);
        event_listener_step(listener);
        assert_string_equal(cached(), "");
        assert_int_equal(begun_anew(), before + 1);
        fill("remembered anew");
        change("seen");
        hear();
        assert_string_equal(cached(), "");
        assert_int_equal(begun_anew(), before + 1);
    }
}

/* Whoever read in the life before brings nothing into this one. */
static void nothing_crosses_over(void **state)
{
    (void)state;
    event_listener_step(listener);
    change("begins");
    assert_int_equal(run("COPY", stream_of(USER_ID), "{0}:older"), ERR_OK);
    for (unsigned i = 0; i < 5; i++) {
        change("a life that was lost");
    }
    hear();
    struct reading r = read_record();
    go_back_and_on(0);
    event_listener_step(listener);
    remember(&r);
    assert_string_equal(cached(), "");
}

static void stream_that_is_gone_is_noticed(void **state)
{
    (void)state;
    event_listener_step(listener);
    change("life");
    hear();
    fill("remembered");
    assert_int_equal(run("DEL", stream_of(USER_ID), NULL), ERR_OK);
    event_listener_step(listener);
    assert_string_equal(cached(), "");
    fill("remembered anew");
    change("life");
    hear();
    assert_string_equal(cached(), "");
}

/* Cut off behind the place: what was in between nobody knows. */
static void stream_that_was_cut_off_is_noticed(void **state)
{
    (void)state;
    event_listener_step(listener);
    for (unsigned i = 0; i < 5; i++) {
        change("life");
    }
    hear();
    fill("remembered");
    change("missed");
    change("seen");
    struct store_batch *b = new_batch();
    store_command(b, 0, "XTRIM", stream_of(USER_ID), "MAXLEN", "1", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    uint64_t before = begun_anew();
    event_listener_step(listener);
    assert_string_equal(cached(), "");
    assert_int_equal(begun_anew(), before + 1);
    fill("remembered anew");
    hear();
    assert_string_equal(cached(), "remembered anew");
}

/* An entry is missing from the middle; or the stream begins elsewhere than at its beginning. */
static void holes_are_noticed(void **state)
{
    (void)state;
    event_listener_step(listener);
    fill("remembered");
    change("first");
    change("second");
    assert_int_equal(run("XDEL", stream_of(USER_ID), "0-1"), ERR_OK);
    uint64_t before = begun_anew();
    event_listener_step(listener);
    assert_int_equal(begun_anew(), before + 1);
    change("third");
    change("fourth");
    assert_int_equal(run("XDEL", stream_of(USER_ID), "0-3"), ERR_OK);
    event_listener_step(listener);
    assert_int_equal(begun_anew(), before + 2);
    fill("remembered");
    change("fifth");
    event_listener_step(listener);
    assert_int_equal(begun_anew(), before + 2);
    assert_string_equal(cached(), "");
}

/* More than are read at once are heard all the same, and until they are nothing is believed any longer than before. */
static void many_are_heard_in_pieces(void **state)
{
    (void)state;
    enum { MANY = 700 };
    event_listener_step(listener);
    fill("remembered");
    struct store_batch *b = new_batch();
    for (unsigned i = 0; i < MANY; i++) {
        event_add(other, b, arena, EVENT_POST, USER_ID);
    }
    event_add(other, b, arena, EVENT_USER, USER_ID);
    assert_int_equal(store_run(b), ERR_OK);
    assert_int_equal(run("DEL", "{0}:changes", NULL), ERR_OK); /* of the other streams there is no more to hear */
    uint64_t before = begun_anew(), heard = metric_get(METRIC_EVENTS_HEARD);
    cache_trust(social->cache, 0);
    event_listener_step(listener);
    assert_true(metric_get(METRIC_EVENTS_HEARD) - heard < MANY);
    assert_false(cache_is_trusted(social->cache));
    event_listener_step(listener);
    assert_int_equal(metric_get(METRIC_EVENTS_HEARD) - heard, MANY + 1);
    assert_true(cache_is_trusted(social->cache));
    assert_int_equal(begun_anew(), before);
    assert_string_equal(cached(), "");
}

/* --- connections and engines ------------------------------------------------------------------------------------------ */

static void kill_connections(void)
{
    struct store_batch *b = new_batch();
    store_command(b, 0, "CLIENT", "KILL", "TYPE", "normal", NULL);
    store_run(b);
}

/* On a new connection it may be another engine that answers. */
static void new_connection_forgets_all(void **state)
{
    (void)state;
    event_listener_step(listener);
    fill("remembered");
    uint64_t before = begun_anew();
    kill_connections();
    event_listener_step(listener);
    assert_string_equal(cached(), "remembered"); /* nothing was heard since, so for a second it stands */
    event_listener_step(listener);
    assert_int_equal(begun_anew(), before + 1);
    assert_string_equal(cached(), "");
    fill("remembered anew");
    change("seen");
    hear();
    assert_string_equal(cached(), "");
}

static void engine_that_was_restarted_forgets_all(void **state)
{
    (void)state;
    event_listener_step(listener);
    change("before");
    hear();
    fill("remembered");
    assert_int_equal(run("SAVE", NULL, NULL), ERR_OK);
    private_redis_kill(&redis);
    assert_false(event_listener_step(listener));
    private_redis_again(&redis, plain);
    store_reset(store);
    uint64_t before = begun_anew();
    while (!event_listener_step(listener)) {
        clock_sleep_ms(10);
    }
    assert_int_equal(begun_anew(), before + 1);
    cache_trust(social->cache, UINT64_MAX);
    assert_string_equal(cached(), "");
}

/* A replica answers, but may say nothing new for ever. */
static void replica_is_not_believed(void **state)
{
    (void)state;
    event_listener_step(listener);
    struct store_batch *b = new_batch();
    store_command(b, 0, "REPLICAOF", "127.0.0.1", "1", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    cache_trust(social->cache, 0);
    for (unsigned i = 0; i < 4; i++) {
        assert_false(event_listener_step(listener));
        assert_false(cache_is_trusted(social->cache));
    }
    b = new_batch();
    store_command(b, 0, "REPLICAOF", "NO", "ONE", NULL);
    assert_int_equal(store_run(b), ERR_OK);
    assert_true(event_listener_step(listener));
    assert_true(cache_is_trusted(social->cache));
}

/* The thread does the same, and ends at once although it waits. */
static void the_thread_hears_and_ends(void **state)
{
    (void)state;
    event_listen(social);
    while (!cache_is_trusted(social->cache)) {
        clock_sleep_ms(1);
    }
    fill("remembered");
    change("changed");
    while (*cached()) {
        clock_sleep_ms(1);
    }
    event_listen_end(social);
    event_listen_end(social); /* there is none any more */
}

/* --- the cache alone ----------------------------------------------------------------------------------------------- */

static struct cache *trusted_cache(size_t bytes)
{
    struct cache *c = cache_new(bytes);
    cache_trust(c, UINT64_MAX);
    return c;
}

static void put(struct cache *c, uint64_t id, const char *value, uint64_t token)
{
    cache_put(c, CACHE_USER, id, value, strlen(value) + 1, token);
}

static const char *get(struct cache *c, uint64_t id)
{
    size_t size = 0;
    const char *value = cache_get(c, CACHE_USER, id, arena, &size);
    return value ? value : "";
}

/* Who had read before a change cannot bring back what it took away. */
static void stale_value_stays_out(void **state)
{
    (void)state;
    struct cache *c = trusted_cache(1 << 20);
    uint64_t before = cache_token(c);
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "as it was");
    cache_forget(c, CACHE_USER, 1);
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it is", cache_token(c));
    assert_string_equal(get(c, 1), "as it is");
    before = cache_token(c);
    put(c, 2, "another", before);
    cache_clear(c);
    put(c, 2, "another", before);
    assert_string_equal(get(c, 1), "");
    assert_string_equal(get(c, 2), "");
    put(c, 2, "another", cache_token(c));
    assert_string_equal(get(c, 2), "another");
    cache_free(c);
}

/* Nor when somebody has put the new value there meanwhile. */
static void stale_value_is_not_put_over_a_new_one(void **state)
{
    (void)state;
    struct cache *c = trusted_cache(1 << 20);
    uint64_t before = cache_token(c);
    cache_forget(c, CACHE_USER, 1);
    put(c, 1, "as it is", cache_token(c));
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "as it is");
    put(c, 1, "as it is, once more", cache_token(c));
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "as it is, once more");
    cache_free(c);
}

/* Nor when there is no room to remember what was forgotten. */
static void what_was_forgotten_is_not_forgotten(void **state)
{
    (void)state;
    struct cache *c = trusted_cache(1 << 16);
    uint64_t before = cache_token(c);
    cache_forget(c, CACHE_USER, 1);
    for (uint64_t id = 2; id < 5000; id++) {
        put(c, id, "pushes out", cache_token(c));
    }
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it is", cache_token(c));
    assert_string_equal(get(c, 1), "as it is");
    cache_free(c);
}

/* The change may stand in a value by then: it goes with it. */
static void nor_with_the_value_that_came_after_it(void **state)
{
    (void)state;
    struct cache *c = trusted_cache(1 << 16);
    uint64_t before = cache_token(c);
    cache_forget(c, CACHE_USER, 1);
    put(c, 1, "as it is", cache_token(c));
    for (uint64_t id = 2; id < 5000; id++) {
        put(c, id, "pushes out", cache_token(c));
    }
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it was", before);
    assert_string_equal(get(c, 1), "");
    cache_free(c);
}

/* Others are not kept out with it. */
static void a_change_is_of_one_id(void **state)
{
    (void)state;
    struct cache *c = trusted_cache(1 << 20);
    uint64_t before = cache_token(c);
    cache_forget(c, CACHE_USER, 1);
    put(c, 1, "as it is", cache_token(c));
    for (uint64_t id = 2; id < 500; id++) {
        put(c, id, "unchanged", before);
        assert_string_equal(get(c, id), "unchanged");
    }
    cache_free(c);
}

/* Whoever took no token has read nothing that may stay. */
static void nothing_comes_in_without_a_token(void **state)
{
    (void)state;
    struct cache *c = trusted_cache(1 << 20);
    put(c, 1, "of no time", 0);
    assert_string_equal(get(c, 1), "");
    cache_free(c);
}

/* While nobody says what changes, nothing is taken in: whatever is heard of later, it was not there to be forgotten. */
static void nothing_comes_in_while_nothing_is_heard(void **state)
{
    (void)state;
    struct cache *c = cache_new(1 << 20);
    put(c, 1, "of a time unknown", cache_token(c));
    cache_trust(c, UINT64_MAX);
    assert_string_equal(get(c, 1), "");
    put(c, 1, "as it is", cache_token(c));
    assert_string_equal(get(c, 1), "as it is");
    cache_trust(c, clock_monotonic_us());
    put(c, 1, "of a time unknown", cache_token(c));
    cache_trust(c, UINT64_MAX);
    assert_string_equal(get(c, 1), "as it is");
    cache_free(c);
}

#define social_case(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(int argc, char **argv)
{
    int status;
    if (begin_tests(argc, argv, &status)) {
        return status;
    }
    static const struct CMUnitTest tests[] = {
        social_case(nothing_is_trusted_before_it_is_heard),
        social_case(nothing_is_believed_for_longer),
        social_case(it_is_believed_for_a_second),
        social_case(own_changes_are_known_at_once),
        social_case(own_changes_are_known_without_an_answer),
        social_case(changes_of_others_are_heard),
        social_case(what_was_read_before_stays_out),
        social_case(what_came_in_meanwhile_goes),
        social_case(each_kind_forgets_its_own),
        social_case(what_is_not_understood_forgets_all),
        social_case(events_are_spread_and_all_are_heard),
        social_case(epochs_are_heard),
        social_case(visits_ask_for_the_epoch_when_nothing_is_heard),
        social_case(a_stranger_who_asks_for_nothing_costs_no_round_trip),
        social_case(celebrities_are_believed_like_all_else),
        social_case(the_version_before_is_heard_and_told),
        social_case(stream_that_goes_back_is_noticed),
        social_case(nothing_crosses_over),
        social_case(stream_that_is_gone_is_noticed),
        social_case(stream_that_was_cut_off_is_noticed),
        social_case(holes_are_noticed),
        social_case(many_are_heard_in_pieces),
        social_case(new_connection_forgets_all),
        social_case(engine_that_was_restarted_forgets_all),
        social_case(replica_is_not_believed),
        social_case(the_thread_hears_and_ends),
        bare(stale_value_stays_out),
        bare(stale_value_is_not_put_over_a_new_one),
        bare(what_was_forgotten_is_not_forgotten),
        bare(nor_with_the_value_that_came_after_it),
        bare(a_change_is_of_one_id),
        bare(nothing_comes_in_without_a_token),
        bare(nothing_comes_in_while_nothing_is_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
