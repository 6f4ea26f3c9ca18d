/* watch.c - see watch.h: the counts, the ear and the hand.
 *
 * When one of the two loses its connection, first all keys are forgotten, and only then what was read before is made
 * false: whoever takes a token after that finds no key heard of until the hand has told of it anew.
 *
 * Threads: the ear's, the hand's, and any for what is asked. `lock` guards what watch_end needs.
 */
#include "store/watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "base/sleeper.h"
#include "base/source.h"
#include "store/connection.h"
#include "store/handshake.h"
#include "store/reply.h"
#include "store/watched_keys.h"
#include "store/wire.h"

#define PLACES 65536
#define SILENCE_US 1000000 /* after that nothing is believed */
#define ASK_MS 150         /* how often both are asked whether they are there */
#define PAUSE_MS 200       /* before a connection is made anew */
#define REFUSED_MS 30000   /* and if the engine will not do it */
#define KEYS_A_TIME 256
#define CHANNEL "__redis__:invalidate"

/* One of the two connections. */
struct side {
    struct watch *watch;
    struct sleeper *thread;
    struct connection *connection; /* NULL: none; of watch_end, by the lock */
    _Atomic uint64_t heard_us;     /* when the last question was sent that it was answered; 0: none */
};

struct watch {
    const struct connection_target *target;
    struct watched_keys *keys;
    struct side ear, hand;
    pthread_mutex_t lock;
    bool ended;
    _Atomic uint64_t ear_id;   /* by which the engine knows the ear; 0: it has no connection */
    _Atomic uint64_t sequence; /* of what was heard */
    source_place floor;        /* what was read before is false */
    source_place buckets[ID_BUCKETS];
    source_place places[PLACES];
    atomic_bool is_refused; /* the engine will not do it, and the log says so */
};

/* --- counts ---------------------------------------------------------------------------------------------------- */

static uint64_t count_one(struct watch *w)
{
    return atomic_fetch_add(&w->sequence, 1) + 1;
}

static void forget_everything(struct watch *w)
{
    watched_keys_forget(w->keys);
    source_change(&w->floor, count_one(w));
}

uint64_t watch_token(struct watch *w)
{
    return atomic_load(&w->sequence);
}

bool watch_is_trusted(const struct watch *w)
{
    uint64_t now = clock_monotonic_us(), ear = atomic_load(&w->ear.heard_us), hand = atomic_load(&w->hand.heard_us);
    return now < ear + SILENCE_US && now < hand + SILENCE_US;
}

uint32_t watch_place(const char *key, size_t length)
{
    return (uint32_t)(watched_key_hash(key, length) % PLACES);
}

bool watch_has_changed(struct watch *w, uint32_t place, uint64_t token)
{
    return token < atomic_load(&w->floor) || atomic_load(&w->places[place]) > token;
}

bool watch_bucket_has_changed(struct watch *w, unsigned bucket, uint64_t token)
{
    return atomic_load(&w->buckets[bucket]) > token;
}

static bool watch_trusts(const void *watch)
{
    return watch_is_trusted(watch);
}

void watch_add_sources(struct watch *w, uint64_t token)
{
    source_trust(watch_trusts, w);
    source_add(&w->floor, token);
}

void watch_add_place(struct watch *w, uint32_t place, uint64_t token)
{
    source_add(&w->places[place], token);
}

void watch_add_bucket(struct watch *w, unsigned bucket, uint64_t token)
{
    source_add(&w->buckets[bucket], token);
}

bool watch_hears(struct watch *w, const char *key, size_t length, uint64_t token)
{
    return watched_keys_find(w->keys, key, length, token);
}

void watch_note(struct watch *w, uint32_t place)
{
    source_change(&w->places[place], count_one(w));
}

void watch_note_bucket(struct watch *w, unsigned bucket)
{
    source_change(&w->buckets[bucket], count_one(w));
}

/* --- connections ----------------------------------------------------------------------------------------------- */

static void side_hang_up(struct side *s)
{
    struct watch *w = s->watch;
    atomic_store(&s->heard_us, 0);
    mutex_lock(&w->lock);
    struct connection *c = s->connection;
    s->connection = NULL;
    mutex_unlock(&w->lock);
    connection_free(c);
}

/* A connection that has said who it is; NULL: none. */
static struct connection *side_call_up(struct side *s)
{
    struct watch *w = s->watch;
    char why[CONNECTION_WHY_SIZE];
    enum err e;
    struct connection *c = connection_dial(w->target, &e, why);
    if (!c) {
        return NULL;
    }
    mutex_lock(&w->lock);
    bool is_welcome = !w->ended;
    s->connection = is_welcome ? c : NULL;
    mutex_unlock(&w->lock);
    if (!is_welcome) {
        connection_free(c);
        return NULL;
    }
    if (handshake_introduce(c, why) != ERR_OK) {
        side_hang_up(s);
        return NULL;
    }
    return c;
}

/* Sends a command, or several, of which `replies` gets the answers. */
static bool ask(struct connection *c, struct buffer *b, struct store_reply *replies, size_t count)
{
    return connection_ask(c, b, replies, count, clock_monotonic_us() + SILENCE_US) == CONNECTION_OK;
}

/* Whether the engine does what it must; says it once if not. */
static bool is_granted(struct watch *w, const struct store_reply *r)
{
    if (r->type != STORE_ERROR) {
        w->is_refused = false;
        return true;
    }
    if (!w->is_refused) {
        log_warning("store", "the engine does not tell what is changed, so every page asks it anew: %s", r->text);
    }
    w->is_refused = true;
    return false;
}

/* --- the ear --------------------------------------------------------------------------------------------------- */

static void hear_keys(struct watch *w, const struct store_reply *keys)
{
    if (keys->type != STORE_ARRAY) { /* everything was deleted */
        forget_everything(w);
        return;
    }
    for (size_t i = 0; i < keys->count; i++) {
        const struct store_reply *key = &keys->items[i];
        watch_note(w, watch_place(store_text(key), key->length));
        watched_keys_changed(w->keys, store_text(key), key->length);
    }
}

/* One thing that the engine says. True: it is the answer to PING. */
static bool hear(struct watch *w, const struct store_reply *said)
{
    const char *kind = store_text(store_item(said, 0));
    if (strcmp(kind, "message") == 0) {
        hear_keys(w, store_item(said, 2));
    }
    return strcmp(kind, "pong") == 0;
}

static bool send_ping(struct connection *c, struct arena *a)
{
    struct buffer b = buffer_make(a);
    wire_command(&b, 1, (const char *[]){"PING"});
    return ask(c, &b, NULL, 0);
}

/* Listens until the connection is lost. */
static void listen_on(struct side *ear, struct connection *c)
{
    struct arena *a = arena_new();
    uint64_t asked_us = 0, next_us = 0;
    bool is_asked = false;
    enum connection_state s = CONNECTION_OK;
    struct store_reply said;
    while (s == CONNECTION_OK) {
        uint64_t now = clock_monotonic_us();
        if (!is_asked && now >= next_us) {
            asked_us = now;
            next_us = now + ASK_MS * 1000;
            is_asked = send_ping(c, a);
            s = is_asked ? s : CONNECTION_BROKEN;
        }
        while (s == CONNECTION_OK && (s = connection_parse(c, a, &said)) == CONNECTION_OK) {
            if (hear(ear->watch, &said)) {
                is_asked = false;
                atomic_store(&ear->heard_us, asked_us);
            }
            arena_reset(a);
        }
        if (s == CONNECTION_EMPTY) {
            uint64_t until = is_asked ? asked_us + SILENCE_US : next_us;
            s = connection_fill(c, until);
            s = s == CONNECTION_LATE && !is_asked ? CONNECTION_OK : s;
        }
    }
    arena_free(a);
}

/* The number by which the engine knows the connection, once it listens; 0: it does not. */
static uint64_t subscribe(struct watch *w, struct connection *c)
{
    struct arena *a = arena_new();
    struct buffer b = buffer_make(a);
    struct store_reply replies[2];
    wire_command(&b, 2, (const char *[]){"CLIENT", "ID"});
    wire_command(&b, 2, (const char *[]){"SUBSCRIBE", CHANNEL});
    bool good = ask(c, &b, replies, 2) && is_granted(w, &replies[0]) && is_granted(w, &replies[1]);
    uint64_t id = good ? (uint64_t)store_integer(&replies[0]) : 0;
    arena_free(a);
    return id;
}

static void ear_body(struct sleeper *thread, void *context)
{
    struct side *ear = context;
    struct watch *w = ear->watch;
    do {
        struct connection *c = side_call_up(ear);
        uint64_t id = c ? subscribe(w, c) : 0;
        if (id) {
            atomic_store(&w->ear_id, id);
            listen_on(ear, c);
            atomic_store(&w->ear_id, 0);
            atomic_store(&ear->heard_us, 0);
            forget_everything(w);
        }
        if (c) {
            side_hang_up(ear);
        }
    } while (sleeper_sleep(thread, w->is_refused ? REFUSED_MS : PAUSE_MS));
}

/* --- the hand -------------------------------------------------------------------------------------------------- */

static bool begin_tracking(struct watch *w, struct connection *c, uint64_t ear_id)
{
    char digits[ID_SIZE];
    struct arena *a = arena_new();
    struct buffer b = buffer_make(a);
    struct store_reply reply;
    wire_command(&b, 5, (const char *[]){"CLIENT", "TRACKING", "ON", "REDIRECT", id_write(ear_id, digits)});
    bool good = ask(c, &b, &reply, 1) && is_granted(w, &reply);
    arena_free(a);
    return good;
}

/* Tells the engine of some keys, and hears whether it is there. False: the connection is lost, or the ear another. */
static bool tell_keys(struct side *hand, struct connection *c, uint64_t ear_id, struct arena *a)
{
    struct watch *w = hand->watch;
    const char *keys[KEYS_A_TIME];
    size_t count = watched_keys_take(w->keys, a, keys, KEYS_A_TIME, ASK_MS);
    struct store_reply *replies = arena_alloc(a, (count + 1) * sizeof(*replies));
    struct buffer b = buffer_make(a);
    for (size_t i = 0; i < count; i++) {
        wire_command(&b, 2, (const char *[]){"EXISTS", keys[i]});
    }
    wire_command(&b, 1, (const char *[]){"PING"});
    uint64_t asked_us = clock_monotonic_us();
    if (!ask(c, &b, replies, count + 1) || atomic_load(&w->ear_id) != ear_id) {
        return false;
    }
    uint64_t since = count_one(w);
    for (size_t i = 0; i < count; i++) {
        if (replies[i].type == STORE_INTEGER) {
            watched_keys_asked(w->keys, keys[i], since);
        }
    }
    atomic_store(&hand->heard_us, asked_us);
    return true;
}

static void tell_on(struct side *hand, struct connection *c, uint64_t ear_id)
{
    struct arena *a = arena_new();
    bool good = begin_tracking(hand->watch, c, ear_id);
    while (good) {
        good = tell_keys(hand, c, ear_id, a);
        arena_reset(a);
    }
    arena_free(a);
}

static void hand_body(struct sleeper *thread, void *context)
{
    struct side *hand = context;
    struct watch *w = hand->watch;
    do {
        uint64_t ear_id = atomic_load(&w->ear_id);
        struct connection *c = ear_id ? side_call_up(hand) : NULL;
        if (c) {
            tell_on(hand, c, ear_id);
            atomic_store(&hand->heard_us, 0);
            forget_everything(w);
            side_hang_up(hand);
        }
    } while (sleeper_sleep(thread, w->is_refused ? REFUSED_MS : PAUSE_MS));
}

/* --- beginning and end ----------------------------------------------------------------------------------------- */

struct watch *watch_new(const struct connection_target *t)
{
    struct watch *w = mem_zero(1, sizeof(*w));
    w->target = t;
    w->keys = watched_keys_new();
    w->ear.watch = w->hand.watch = w;
    pthread_mutex_init(&w->lock, NULL);
    source_change(&w->floor, count_one(w));
    w->ear.thread = sleeper_start(ear_body, &w->ear);
    w->hand.thread = sleeper_start(hand_body, &w->hand);
    return w;
}

void watch_end(struct watch *w)
{
    sleeper_tell(w->ear.thread);
    sleeper_tell(w->hand.thread);
    mutex_lock(&w->lock);
    w->ended = true;
    struct side *const sides[] = {&w->ear, &w->hand};
    for (size_t i = 0; i < 2; i++) {
        if (sides[i]->connection) {
            connection_break(sides[i]->connection);
        }
    }
    mutex_unlock(&w->lock);
    watched_keys_wake(w->keys);
}

void key_watch_free(struct watch *w)
{
    if (w) {
        watch_end(w);
        sleeper_end(w->ear.thread);
        sleeper_end(w->hand.thread);
        watched_keys_free(w->keys);
        pthread_mutex_destroy(&w->lock);
        free(w);
    }
}
