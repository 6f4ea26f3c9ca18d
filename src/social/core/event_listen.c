/* event_listen.c - the listener: a thread that goes on from its place in every stream of events (event.h) and applies
 * what is new.
 *
 * It asks two questions, one after the other. The first one waits, but not for long, until there is something behind
 * the last entry that was applied. The second reads each stream from that entry on, the entry included: this shows that
 * the stream is still the one in which the place was taken, and that no entry is missing. The answer holds all entries
 * that were in the streams when the question was sent, so once they are applied the process has heard everything up to
 * that moment. (Sent together with the first, the question would be as old as the wait when it is answered. When a
 * hundred threads keep all processors busy, the listener waits for its turn at every step; time lost here would end the
 * trust under load.) Before the second it tries to write, without effect: an engine that has become a replica refuses,
 * and might say nothing new for ever; the store then looks for the one that takes writes.
 *
 * On a new connection, and whenever the streams do not go on from their places, it begins anew: it takes the end of
 * each stream as its place, and after that everything is forgotten. What is read later than that is as new as the
 * place. Each connection gets a new name, so a new one is recognized, and with it that the engine was started again.
 *
 * One listener hears all partitions, as they are all at one node. For a cluster there will be one for each group of
 * them that may stand in one command (store_same_command).
 *
 * Threads: see event_listen.h.
 */
#include "social/core/event_listen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/panic.h"
#include "base/secret.h"
#include "base/sleeper.h"
#include "base/text.h"
#include "social/core/cache.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/listener.h"
#include "store/store.h"

#define STREAMS (EVENT_PARTITIONS + 1) /* the last one is that of 0.2.0 */
#define WAIT_MS 100                    /* a tenth of EVENT_SILENCE_MS: the rest is for a machine that is busy */
#define READ_MOST 500                  /* entries of a stream at a time */
#define LENGTH_NEVER_REACHED "1000000000"
#define PAUSE_MS 1        /* so that a flood of events is heard in handfuls */
#define PAUSE_LOST_MS 200 /* between tries */

#define NAME "retwis-events-" /* and a random number */

/* The last entry of a stream that was applied. */
struct place {
    uint64_t number; /* 0: none */
    uint64_t mark;   /* what tells it from another entry of that number */
};

struct event_listener {
    struct social *social;
    struct store_listener *line;
    struct arena *arena; /* of one exchange */
    struct arena *keys_arena;
    const char *keys[STREAMS];
    char name[sizeof(NAME) + ID_SIZE]; /* of the connection on which the places were taken */
    struct place places[STREAMS];
    bool is_lost; /* the places are not known */
    bool was_in;  /* they have been */
};

static unsigned bucket_of(unsigned stream)
{
    return stream < EVENT_PARTITIONS ? stream : KEY_GLOBAL_BUCKET;
}

struct event_listener *event_listener_new(struct social *s)
{
    struct event_listener *l = mem_zero(1, sizeof(*l));
    l->social = s;
    l->line = store_listener_new(s->store, KEY_GLOBAL_BUCKET);
    l->arena = arena_new();
    l->keys_arena = arena_new();
    l->is_lost = true;
    for (unsigned i = 0; i < STREAMS; i++) {
        require(store_same_command(s->store, KEY_GLOBAL_BUCKET, bucket_of(i))); /* a cluster needs more listeners */
        l->keys[i] = key_plain(l->keys_arena, i < EVENT_PARTITIONS ? KEY_EVENTS : KEY_CHANGES, bucket_of(i));
    }
    return l;
}

void event_listener_free(struct event_listener *l)
{
    store_listener_free(l->line);
    arena_free(l->arena);
    arena_free(l->keys_arena);
    free(l);
}

static struct place place_of(const struct store_reply *entry)
{
    struct place p = {.number = event_number(entry), .mark = 14695981039346656037u};
    const struct store_reply *fields = store_item(entry, 1);
    for (size_t i = 0; i < fields->count; i++) {
        for (const char *c = store_text(&fields->items[i]); *c; c++) {
            p.mark = (p.mark ^ (unsigned char)*c) * 1099511628211u;
        }
        p.mark *= 1099511628211u;
    }
    return p;
}

static void trust(struct event_listener *l, uint64_t asked_us)
{
    cache_trust(l->social->cache, asked_us + EVENT_SILENCE_MS * 1000);
}

/* Nothing of it is sent again when the connection breaks: another engine may answer on the next one. */
static struct store_batch *new_batch(struct event_listener *l, uint64_t wait_ms)
{
    struct store_batch *b = store_listener_batch(l->line, l->arena, wait_ms);
    store_batch_once(b);
    return b;
}

/* A write without effect, and whether it was refused by a replica. */
static size_t add_write(struct event_listener *l, struct store_batch *b)
{
    return store_command(b, KEY_GLOBAL_BUCKET, "XTRIM", l->keys[0], "MAXLEN", LENGTH_NEVER_REACHED, NULL);
}

static bool is_replica(const struct store_reply *write)
{
    return write->type == STORE_ERROR && strncmp(write->text, "READONLY", 8) == 0;
}

static void add_ends(struct event_listener *l, struct store_batch *b)
{
    for (unsigned i = 0; i < STREAMS; i++) {
        store_command(b, bucket_of(i), "XREVRANGE", l->keys[i], "+", "-", "COUNT", "1", NULL);
    }
}

/* Whether none of the replies up to this one is an error. */
static bool is_answered(const struct store_batch *b, size_t last)
{
    for (size_t i = 0; i <= last; i++) {
        if (store_reply(b, i)->type == STORE_ERROR) {
            return false;
        }
    }
    return true;
}

/* Takes the end of each stream as its place. */
static bool begin_anew(struct event_listener *l)
{
    char digits[ID_SIZE];
    snprintf(l->name, sizeof(l->name), NAME "%s", id_write(secret_random_u64(), digits));
    struct store_batch *b = new_batch(l, 0);
    add_ends(l, b);
    size_t name = store_command(b, KEY_GLOBAL_BUCKET, "CLIENT", "SETNAME", l->name, NULL);
    size_t write = add_write(l, b);
    uint64_t asked_us = clock_monotonic_us();
    store_run(b);
    if (is_replica(store_reply(b, write)) || !is_answered(b, name)) {
        return false;
    }
    for (unsigned i = 0; i < STREAMS; i++) {
        const struct store_reply *last = store_reply(b, i);
        l->places[i] = last->count ? place_of(&last->items[0]) : (struct place){0};
    }
    uint64_t ends[EVENT_PARTITIONS];
    for (unsigned i = 0; i < EVENT_PARTITIONS; i++) {
        ends[i] = l->places[i].number;
    }
    const struct event all = {.kind = EVENT_ALL, .text = "", .ends = ends};
    event_apply(l->social, &all);
    metric_add(METRIC_EVENTS_BEGUN_ANEW, l->was_in);
    l->is_lost = false;
    l->was_in = true;
    trust(l, asked_us);
    return true;
}

/* --- going on ------------------------------------------------------------------------------------------------------ */

/* XREAD of all streams from behind the places, or from the places on. */
static size_t add_read(struct event_listener *l, struct store_batch *b, bool waits)
{
    const char *words[6 + 2 * STREAMS] = {"XREAD", "COUNT", waits ? "1" : TEXT_OF(READ_MOST)};
    size_t n = 3;
    if (waits) {
        words[n++] = "BLOCK";
        words[n++] = TEXT_OF(WAIT_MS);
    }
    words[n++] = "STREAMS";
    for (unsigned i = 0; i < STREAMS; i++) {
        uint64_t number = l->places[i].number;
        words[n + i] = l->keys[i];
        words[n + STREAMS + i] = arena_printf(l->arena, "0-%llu", (unsigned long long)(number - (number && !waits)));
    }
    return store_command_v(b, KEY_GLOBAL_BUCKET, n + 2 * STREAMS, words);
}

enum hearing {
    HEARD_ALL,  /* up to the end */
    HEARD_PART, /* there is more */
    HEARD_GAP,  /* it does not go on from the place */
};

/* Applies what is new of one stream; `entries` begin with the one at its place, if it has one. */
static enum hearing hear_stream(struct event_listener *l, unsigned stream, const struct store_reply *entries)
{
    struct place *p = &l->places[stream];
    size_t from = 0;
    if (p->number) {
        struct place there = entries->count ? place_of(&entries->items[0]) : (struct place){0};
        if (there.number != p->number || there.mark != p->mark) {
            return HEARD_GAP;
        }
        from = 1;
    }
    for (size_t i = from; i < entries->count; i++) {
        struct place next = place_of(&entries->items[i]);
        if (next.number != p->number + 1) {
            return HEARD_GAP;
        }
        struct event e = event_of(&entries->items[i]);
        if (stream < EVENT_PARTITIONS) {
            e.partition = stream;
            e.number = next.number;
        }
        event_apply(l->social, &e);
        *p = next;
        metric_add(METRIC_EVENTS_HEARD, stream < EVENT_PARTITIONS);
    }
    return entries->count == READ_MOST ? HEARD_PART : HEARD_ALL;
}

/* The entries of one stream in what XREAD answered, which leaves out those that have none. */
static const struct store_reply *entries_of(const struct store_reply *read, const char *key)
{
    for (size_t i = 0; i < read->count; i++) {
        if (strcmp(store_text(store_item(&read->items[i], 0)), key) == 0) {
            return store_item(&read->items[i], 1);
        }
    }
    return store_item(read, read->count); /* none */
}

static enum hearing hear_all(struct event_listener *l, const struct store_reply *read)
{
    enum hearing all = HEARD_ALL;
    for (unsigned i = 0; i < STREAMS && all != HEARD_GAP; i++) {
        enum hearing one = hear_stream(l, i, entries_of(read, l->keys[i]));
        all = one > all ? one : all;
    }
    return all;
}

/* Whether this is the connection on which the places were taken, to an engine that takes writes, and all was
 * answered. */
static bool is_sound(const struct event_listener *l, const struct store_batch *b, size_t name, size_t write,
                     size_t read)
{
    return strcmp(store_text(store_reply(b, name)), l->name) == 0 && !is_replica(store_reply(b, write)) &&
           store_reply(b, read)->type != STORE_ERROR;
}

static void begin_after_gap(struct event_listener *l)
{
    l->is_lost = true;
    log_warning("social", "the events do not go on where they were heard last (data restored, a failover, or too many "
                          "at a time): everything that was remembered is forgotten");
    begin_anew(l);
}

/* Waits a moment for something new, which the next question brings. */
static bool wait_for_news(struct event_listener *l)
{
    struct store_batch *b = new_batch(l, WAIT_MS);
    add_read(l, b, true);
    return store_run(b) == ERR_OK;
}

/* Takes what there is. */
static bool take_news(struct event_listener *l)
{
    struct store_batch *b = new_batch(l, 0);
    size_t name = store_command(b, KEY_GLOBAL_BUCKET, "CLIENT", "GETNAME", NULL);
    size_t write = add_write(l, b);
    size_t read = add_read(l, b, false);
    uint64_t asked_us = clock_monotonic_us();
    store_run(b);
    l->is_lost = !is_sound(l, b, name, write, read);
    if (l->is_lost) {
        return false;
    }
    enum hearing h = hear_all(l, store_reply(b, read));
    if (h == HEARD_ALL) {
        trust(l, asked_us);
    } else if (h == HEARD_GAP) {
        begin_after_gap(l);
    }
    return h != HEARD_GAP;
}

bool event_listener_step(struct event_listener *l)
{
    arena_reset(l->arena);
    if (l->is_lost) {
        return begin_anew(l);
    }
    l->is_lost = !wait_for_news(l);
    return !l->is_lost && take_news(l);
}

/* --- the thread ---------------------------------------------------------------------------------------------------- */

static void listen(struct sleeper *thread, void *context)
{
    struct event_listener *l = context;
    bool heard = true;
    while (sleeper_sleep(thread, heard ? PAUSE_MS : PAUSE_LOST_MS)) {
        heard = event_listener_step(l);
    }
}

struct events {
    struct event_listener *listener;
    struct sleeper *thread;
};

void event_listen(struct social *s)
{
    struct events *e = mem_zero(1, sizeof(*e));
    e->listener = event_listener_new(s);
    e->thread = sleeper_start(listen, e->listener);
    s->events = e;
}

void event_listen_end(struct social *s)
{
    struct events *e = s->events;
    if (!e) {
        return;
    }
    sleeper_tell(e->thread);
    store_listener_end(e->listener->line);
    sleeper_end(e->thread);
    event_listener_free(e->listener);
    free(e);
    s->events = NULL;
}
