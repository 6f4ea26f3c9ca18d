/* run.c - running batches: split by node, sent to all of them, then read from all of them.
 *
 * A batch goes in rounds. What failed in a way that proves it was not applied (NOSCRIPT, READONLY, nothing left this
 * machine), or that may be applied twice (any batch but a "once" one), is pending again for the next round, each for each
 * reason only once. The deadline covers all rounds.
 *
 * What this is not: knowledge of what commands mean.
 *
 * Threads: that of the batch; the counter of round trips is per thread.
 */
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/panic.h"
#include "store/batch.h"
#include "store/connection.h"
#include "store/map.h"
#include "store/reply.h"
#include "store/wire.h"

#define ROUNDS_MAX 4            /* first, lost connection, NOSCRIPT, READONLY */
#define OWED_MAX 10000          /* unread replies a connection may carry before somebody reads them */
#define LOG_EVERY_US (5u << 20) /* the same trouble is logged about every five seconds */

/* The commands of one round for one node. */
struct lane {
    struct pool *pool;
    struct loan loan;
    size_t *indexes; /* into the batch, ascending */
    size_t count;
    size_t answered;
    bool touched; /* something left this machine */
};

struct run {
    struct store_batch *batch;
    struct lane *lanes;
    size_t lane_count;
    uint64_t started; /* this round */
    uint64_t deadline;
    bool resent;   /* after a lost connection */
    bool detached; /* nobody waits for the answers */
};

static _Thread_local unsigned trips;

unsigned store_trips(void)
{
    return trips;
}

void store_trips_reset(void)
{
    trips = 0;
}

/* Puts every pending command into the lane of its node; returns how many there are. */
static size_t split(struct run *r)
{
    struct store_batch *b = r->batch;
    size_t total = 0;
    for (size_t n = 0; n < r->lane_count; n++) {
        r->lanes[n].count = r->lanes[n].answered = 0;
    }
    for (size_t i = 0; i < b->count; i++) {
        if (b->items[i].pending) {
            struct lane *lane = &r->lanes[map_node(b->store->map, b->items[i].bucket)];
            lane->indexes[lane->count++] = i;
            total++;
        }
    }
    return total;
}

/* SCRIPT LOAD for every script that the lane's commands need loaded; returns how many replies that adds. */
static size_t add_loads(struct run *r, const struct lane *lane, struct buffer *out)
{
    bool done[SCRIPT_COUNT] = {false};
    size_t count = 0;
    for (size_t i = 0; i < lane->count; i++) {
        const struct batch_item *item = &r->batch->items[lane->indexes[i]];
        if (item->reload && !done[item->script]) {
            const char *load[] = {"SCRIPT", "LOAD", script_info((enum script)item->script)->body};
            wire_command(out, 3, load);
            done[item->script] = true;
            count++;
        }
    }
    return count;
}

/* The slices of the lane's commands; neighbours are one piece, so usually there is one. */
static size_t gather(struct run *r, const struct lane *lane, struct iovec *parts)
{
    char *wire = r->batch->wire.data;
    size_t count = 0;
    for (size_t i = 0; i < lane->count; i++) {
        const struct batch_item *item = &r->batch->items[lane->indexes[i]];
        char *start = wire + item->offset;
        if (count && (char *)parts[count - 1].iov_base + parts[count - 1].iov_len == start) {
            parts[count - 1].iov_len += item->length;
        } else {
            parts[count++] = (struct iovec){.iov_base = start, .iov_len = item->length};
        }
    }
    return count;
}

/* A connection for the lane. What must not run twice, or whose answer nobody waits
 * for, gets one whose other end is still there. */
static enum err take(struct run *r, struct lane *lane)
{
    for (;;) {
        enum err e = pool_take(lane->pool, &lane->loan);
        if (e != ERR_OK || !(r->batch->once || r->detached) || connection_is_alive(lane->loan.connection)) {
            return e;
        }
        pool_drop(lane->pool, &lane->loan, POOL_LOST);
    }
}

static enum connection_state send_lane(struct run *r, struct lane *lane)
{
    struct arena *a = r->batch->arena;
    struct connection *c = lane->loan.connection;
    struct buffer loads = buffer_make(a);
    struct iovec *parts = arena_alloc(a, (lane->count + 1) * sizeof(*parts));
    size_t extra = add_loads(r, lane, &loads);
    size_t first = 0;
    if (extra) {
        parts[first++] = (struct iovec){.iov_base = loads.data, .iov_len = loads.length};
    }
    size_t count = first + gather(r, lane, parts + first);
    if (connection_owed(c) > OWED_MAX) {
        enum connection_state s = connection_drain(c, r->deadline);
        if (s != CONNECTION_OK) {
            lane->touched = false;
            return s;
        }
    }
    connection_forget(c, extra);
    return connection_send(c, parts, count, r->deadline, &lane->touched);
}

/* Every command of the lane that has no answer gets this one. */
static void fail_rest(struct run *r, struct lane *lane, enum err e, const char *text)
{
    for (size_t i = lane->answered; i < lane->count; i++) {
        size_t at = lane->indexes[i];
        reply_set_error(&r->batch->replies[at], e, text);
        r->batch->items[at].pending = false;
        r->batch->items[at].lost = true;
    }
}

static const char *const state_text[] = {
    [CONNECTION_BROKEN] = "the connection broke",
    [CONNECTION_LATE] = "no answer in time",
    [CONNECTION_GARBAGE] = "not the engine's protocol",
};

/* The connection failed: the answers that are missing are errors, unless the commands may be sent again. */
static void lose(struct run *r, struct lane *lane, enum connection_state s)
{
    struct store_batch *b = r->batch;
    bool again = s == CONNECTION_BROKEN && !r->resent && (!b->once || !lane->touched);
    log_debug("store", "connection lost: %s%s", connection_why(lane->loan.connection), again ? ", sending again" : "");
    if (s == CONNECTION_GARBAGE) {
        log_error("store", "the engine's answer is not understood: %s", connection_why(lane->loan.connection));
    }
    if (again) {
        r->resent = true;
    } else {
        fail_rest(r, lane, s == CONNECTION_GARBAGE ? ERR_PROTOCOL : ERR_UNAVAILABLE, state_text[s]);
    }
    pool_drop(lane->pool, &lane->loan,
              s == CONNECTION_LATE     ? POOL_LATE
              : s == CONNECTION_BROKEN ? POOL_LOST
                                       : POOL_UNFIT);
}

/* Decides for one answer whether its command goes into the next round. */
static bool settle(struct batch_item *item, const struct store_reply *reply, bool *demoted)
{
    item->pending = false;
    if (reply->type != STORE_ERROR) {
        return true;
    }
    if (reply_is(reply, "NOSCRIPT") && item->script != BATCH_NO_SCRIPT && !item->reload) {
        item->pending = item->reload = true;
    } else if (reply_is(reply, "READONLY")) {
        item->pending = !item->moved;
        item->moved = *demoted = true;
    }
    return !item->pending;
}

static void start_lane(struct run *r, struct lane *lane)
{
    enum err e = take(r, lane);
    if (e != ERR_OK) {
        lane->loan.connection = NULL;
        fail_rest(r, lane, e, e == ERR_BUSY ? "all connections are in use" : "the engine cannot be reached");
        return;
    }
    if (!r->deadline) {
        r->deadline = clock_monotonic_us() + map_command_us(r->batch->store->map);
    }
    enum connection_state s = send_lane(r, lane);
    if (s != CONNECTION_OK) {
        lose(r, lane, s);
    }
}

static void finish_lane(struct run *r, struct lane *lane)
{
    struct store_batch *b = r->batch;
    bool demoted = false;
    while (lane->loan.connection && lane->answered < lane->count) {
        size_t at = lane->indexes[lane->answered];
        enum connection_state s = connection_receive(lane->loan.connection, b->arena, &b->replies[at], r->deadline);
        if (s != CONNECTION_OK) {
            lose(r, lane, s);
            return;
        }
        settle(&b->items[at], &b->replies[at], &demoted);
        lane->answered++;
    }
    if (!lane->loan.connection) {
        return;
    }
    if (demoted) {
        pool_drop(lane->pool, &lane->loan, POOL_DEMOTED);
    } else {
        pool_give(lane->pool, &lane->loan);
    }
}

static void make_lanes(struct run *r)
{
    struct store_batch *b = r->batch;
    r->lane_count = map_nodes(b->store->map);
    r->lanes = arena_zero(b->arena, r->lane_count * sizeof(*r->lanes));
    for (size_t n = 0; n < r->lane_count; n++) {
        r->lanes[n].pool = map_pool(b->store->map, n);
        r->lanes[n].indexes = arena_alloc(b->arena, b->count * sizeof(size_t));
    }
    for (size_t i = 0; i < b->count; i++) {
        b->items[i].pending = true;
    }
}

/* True about every five seconds for each class of error: an engine in trouble must not fill the disk with log lines. */
static bool worth_a_line(enum err e)
{
    static _Atomic uint64_t last[ERR_COUNT];
    uint64_t now = clock_monotonic_us();
    uint64_t before = atomic_load(&last[e]);
    return (!before || now - before > LOG_EVERY_US) && atomic_compare_exchange_strong(&last[e], &before, now);
}

/* The name of a command for the log: its script, or its first word. */
static void name_of(const struct store_batch *b, const struct batch_item *item, char *out, size_t size)
{
    if (item->script != BATCH_NO_SCRIPT) {
        snprintf(out, size, "script %s", script_info((enum script)item->script)->name);
        return;
    }
    const char *word = strchr(strchr(b->wire.data + item->offset, '\n') + 1, '\n') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(word, "\r"), word);
}

static void report(const struct store_batch *b, size_t i)
{
    const struct store_reply *reply = &b->replies[i];
    enum err e = reply->err;
    char name[64];
    name_of(b, &b->items[i], name, sizeof(name));
    if (reply_is(reply, "MOVED") || reply_is(reply, "ASK") || reply_is(reply, "CROSSSLOT")) {
        log_error("store", "the engine is a cluster, which is not supported yet (%.60s)", reply->text);
    } else if (e == ERR_PROTOCOL) {
        log_error("store", "%s: the engine answered: %.200s", name, reply->text);
    } else {
        log_warning("store", "%s: %s: %.200s", name, err_info(e)->help, reply->text);
    }
}

/* The first error in order. Only answers of the engine are logged here: the pool speaks for lost connections. */
static enum err outcome(const struct store_batch *b)
{
    enum err first = ERR_OK;
    for (size_t i = 0; i < b->count; i++) {
        const struct store_reply *reply = &b->replies[i];
        if (reply->type != STORE_ERROR) {
            continue;
        }
        if (!b->items[i].lost && worth_a_line(reply->err)) {
            report(b, i);
        }
        first = first == ERR_OK ? reply->err : first;
    }
    return first;
}

static void send_round(struct run *r)
{
    bool sent = false;
    r->started = clock_monotonic_us();
    for (size_t n = 0; n < r->lane_count; n++) {
        if (r->lanes[n].count) {
            start_lane(r, &r->lanes[n]);
        }
        sent |= r->lanes[n].loan.connection != NULL;
    }
    trips += sent; /* nodes are asked in parallel: one */
}

static void finish_round(struct run *r)
{
    for (size_t n = 0; n < r->lane_count; n++) {
        finish_lane(r, &r->lanes[n]);
    }
    metric_round_trip(clock_monotonic_us() - r->started);
}

static struct run *begin(struct store_batch *b)
{
    require(!b->replies);
    b->replies = arena_alloc(b->arena, (b->count ? b->count : 1) * sizeof(*b->replies));
    if (!b->count) {
        return NULL;
    }
    struct run *r = arena_zero(b->arena, sizeof(*r));
    r->batch = b;
    make_lanes(r);
    split(r);
    return r;
}

void store_start(struct store_batch *b)
{
    b->run = begin(b);
    if (b->run) {
        send_round(b->run);
    }
}

static void call_hooks(const struct store_batch *b)
{
    for (const struct batch_hook *h = b->hooks; h; h = h->next) {
        h->call(h->context);
    }
}

enum err store_run(struct store_batch *b)
{
    if (!b->replies) {
        store_start(b);
    }
    struct run *r = b->run;
    if (!b->count) {
        return ERR_OK;
    }
    require(r); /* a batch runs once */
    b->run = NULL;
    finish_round(r);
    for (int round = 1; round < ROUNDS_MAX && split(r); round++) {
        send_round(r);
        finish_round(r);
    }
    enum err e = outcome(b);
    if (e != ERR_OK) {
        metric_add(METRIC_ENGINE_FAILURES, 1);
    }
    call_hooks(b);
    return e;
}

void store_send(struct store_batch *b)
{
    struct run *r = begin(b);
    if (!r) {
        return;
    }
    r->resent = r->detached = true;
    for (size_t n = 0; n < r->lane_count; n++) {
        struct lane *lane = &r->lanes[n];
        if (lane->count) {
            start_lane(r, lane);
        }
        if (lane->loan.connection) {
            connection_forget(lane->loan.connection, lane->count);
            pool_give(lane->pool, &lane->loan);
        }
    }
    call_hooks(b);
}
