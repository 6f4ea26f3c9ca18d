/* run.c - running batches: split by node, sent to all of them, then read from all of them.
 *
 * A batch goes in rounds. A command is pending again for the next round if its failure proves that it was not applied
 * (NOSCRIPT, READONLY, nothing left this machine), or if it may be applied twice (any batch but a "once" one); each
 * command once for each reason. The deadline covers all rounds.
 *
 * What this is not: knowledge of what commands mean, or of connections (link.h).
 *
 * Threads: that of the batch; the counter of round trips is per thread.
 */
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/panic.h"
#include "base/source.h"
#include "store/batch.h"
#include "store/link.h"
#include "store/map.h"
#include "store/memo.h"
#include "store/script.h"
#include "store/outcome.h"
#include "store/reply.h"
#include "store/wire.h"

#define ROUNDS_MAX 4 /* first, lost connection, NOSCRIPT, READONLY */

/* The commands of one round for one node. */
struct lane {
    struct link *link;
    struct link_call call;
    size_t *indexes; /* into the batch, ascending */
    size_t count;
    size_t answered;
    bool open; /* the call is under way */
};

struct run {
    struct store_batch *batch;
    struct lane *lanes;
    size_t lane_count;
    uint64_t started;  /* this round */
    uint64_t deadline; /* of all rounds; 0: nothing has been sent yet */
    bool resent;       /* after a lost connection */
    bool detached;     /* nobody waits for the answers */
    bool prompt;       /* the caller is in store_run until all have come */
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
static size_t run_split(struct run *r)
{
    struct store_batch *b = r->batch;
    size_t total = 0;
    for (size_t n = 0; n < r->lane_count; n++) {
        r->lanes[n].count = r->lanes[n].answered = 0;
    }
    for (size_t i = 0; i < b->count; i++) {
        if (b->items[i].pending) {
            struct lane *lane = &r->lanes[b->link ? 0 : map_node(b->store->map, b->items[i].bucket)];
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
        if ((item->tried & RETRY_LOAD) && !done[item->script]) {
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

/* Sends the lane's commands, with what must come before them. */
static enum link_state lane_send(struct run *r, struct lane *lane)
{
    struct arena *a = r->batch->arena;
    struct buffer loads = buffer_make(a);
    struct iovec *parts = arena_alloc(a, (lane->count + 1) * sizeof(*parts));
    size_t extra = add_loads(r, lane, &loads);
    size_t first = 0;
    if (extra) {
        parts[first++] = (struct iovec){.iov_base = loads.data, .iov_len = loads.length};
    }
    lane->call = (struct link_call){
        .arena = a,
        .parts = parts,
        .part_count = first + gather(r, lane, parts + first),
        .unasked = extra,
        .replies = lane->count,
        .careful = r->batch->once || r->detached,
        .prompt = r->prompt && r->lane_count == 1 && !r->batch->apart, /* several nodes are asked in parallel */
        .patience_us = r->batch->patience_us,
        .deadline = r->deadline,
    };
    enum link_state s = link_send(lane->link, &lane->call);
    r->deadline = lane->call.deadline;
    return s;
}

/* Gives this error to every command of the lane that has no answer. */
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
    [LINK_LOST] = "the connection broke",
    [LINK_LATE] = "no answer in time",
    [LINK_GARBAGE] = "not the engine's protocol",
};

/* The call failed: the answers that are missing are errors, unless the commands may be sent again. */
static void lose(struct run *r, struct lane *lane, enum link_state s)
{
    const struct store_batch *b = r->batch;
    const struct link_call *call = &lane->call;
    lane->open = false;
    if (s == LINK_REFUSED) {
        fail_rest(r, lane, call->refused, call->why);
        return;
    }
    bool again = s == LINK_LOST && !r->resent && (!b->once || !call->touched);
    log_debug("store", "connection lost: %s%s", call->why, again ? ", sending again" : "");
    if (s == LINK_GARBAGE) {
        log_error("store", "the engine's answer is not understood: %s", call->why);
    }
    if (again) {
        r->resent = true;
    } else {
        fail_rest(r, lane, s == LINK_GARBAGE ? ERR_PROTOCOL : ERR_UNAVAILABLE, state_text[s]);
    }
}

/* How a command with this reply may be sent again; 0: not at all. */
static unsigned char retry_of(const struct batch_item *item, const struct store_reply *reply)
{
    if (reply_is(reply, "NOSCRIPT") && item->script != BATCH_NO_SCRIPT) {
        return RETRY_LOAD;
    }
    return reply_is(reply, "READONLY") ? RETRY_ELSEWHERE : 0;
}

/* Decides for one answer whether its command goes into the next round. */
static void item_settle(struct batch_item *item, const struct store_reply *reply, bool *demoted)
{
    unsigned char way = retry_of(item, reply);
    item->pending = way & ~item->tried;
    item->tried |= way;
    *demoted |= way == RETRY_ELSEWHERE;
}

static void start_lane(struct run *r, struct lane *lane)
{
    enum link_state s = lane_send(r, lane);
    lane->open = s == LINK_OK;
    if (!lane->open) {
        lose(r, lane, s);
    }
}

static void finish_lane(struct run *r, struct lane *lane)
{
    struct store_batch *b = r->batch;
    bool demoted = false;
    if (!lane->open) {
        return;
    }
    while (lane->answered < lane->count) {
        size_t at = lane->indexes[lane->answered];
        enum link_state s = link_receive(lane->link, &lane->call, &b->replies[at]);
        if (s != LINK_OK) {
            lose(r, lane, s);
            return;
        }
        item_settle(&b->items[at], &b->replies[at], &demoted);
        lane->answered++;
    }
    lane->open = false;
    link_end(lane->link, &lane->call, demoted);
}

static void make_lanes(struct run *r)
{
    struct store_batch *b = r->batch;
    r->lane_count = b->link ? 1 : map_nodes(b->store->map);
    r->lanes = arena_zero(b->arena, r->lane_count * sizeof(*r->lanes));
    for (size_t n = 0; n < r->lane_count; n++) {
        r->lanes[n].link = b->link ? b->link : map_link(b->store->map, n);
        r->lanes[n].indexes = arena_alloc(b->arena, b->count * sizeof(size_t));
    }
    for (size_t i = 0; i < b->count; i++) {
        b->items[i].pending = true;
    }
}

static void send_round(struct run *r)
{
    bool sent = false;
    r->started = clock_monotonic_us();
    for (size_t n = 0; n < r->lane_count; n++) {
        if (r->lanes[n].count) {
            start_lane(r, &r->lanes[n]);
        }
        sent |= r->lanes[n].open;
    }
    trips += sent && !r->batch->link; /* nodes are asked in parallel: one */
}

static void finish_round(struct run *r)
{
    for (size_t n = 0; n < r->lane_count; n++) {
        finish_lane(r, &r->lanes[n]);
    }
    if (!r->batch->link) { /* a listener waits on purpose */
        metric_round_trip(clock_monotonic_us() - r->started);
    }
}

static struct run *run_begin(struct store_batch *b)
{
    require(!b->replies);
    b->replies = arena_alloc(b->arena, (b->count ? b->count : 1) * sizeof(*b->replies));
    if (!b->count) {
        return NULL;
    }
    struct run *r = arena_zero(b->arena, sizeof(*r));
    r->batch = b;
    make_lanes(r);
    run_split(r);
    return r;
}

static void run_start(struct store_batch *b, bool prompt)
{
    b->run = run_begin(b);
    if (b->run) {
        b->run->prompt = prompt;
        send_round(b->run);
    }
}

void store_start(struct store_batch *b)
{
    run_start(b, false);
}

static void call_hooks(const struct store_batch *b)
{
    for (const struct batch_hook *h = b->hooks; h; h = h->next) {
        h->call(h->context);
    }
}

/* What it wrote has changed, whatever was answered. */
static void end_run(const struct store_batch *b)
{
    memo_note(b->store->memo, b);
    call_hooks(b);
}

enum err store_run(struct store_batch *b)
{
    if (!b->replies && memo_find(b->store->memo, b)) {
        call_hooks(b);
        return ERR_OK;
    }
    if (!b->replies) {
        run_start(b, true);
    }
    struct run *r = b->run;
    if (!b->count) {
        return ERR_OK;
    }
    require(r); /* a batch runs once */
    b->run = NULL;
    finish_round(r);
    r->prompt = true;
    for (int round = 1; round < ROUNDS_MAX && run_split(r); round++) {
        send_round(r);
        finish_round(r);
    }
    enum err e = outcome_of(b);
    if (e != ERR_OK) {
        metric_add(METRIC_ENGINE_FAILURES, 1);
    }
    memo_keep(b->store->memo, b);
    end_run(b);
    return e;
}

void store_send(struct store_batch *b)
{
    struct run *r = run_begin(b);
    if (!r) {
        return;
    }
    source_unknown();
    r->resent = r->detached = true;
    for (size_t n = 0; n < r->lane_count; n++) {
        struct lane *lane = &r->lanes[n];
        if (lane->count) {
            start_lane(r, lane);
        }
        if (lane->open) {
            link_end(lane->link, &lane->call, false);
        }
    }
    end_run(b);
}
