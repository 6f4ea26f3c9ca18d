/* health.c - whether the engine serves: asks once a second whether it is there and fit; says on demand whether a post
 * could be saved, and why not.
 *
 * Threads: any.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/metric.h"
#include "engine/room.h"
#include "store/audit.h"
#include "store/batch.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/link.h"
#include "store/map.h"
#include "store/reply.h"
#include "store/store.h"

#define PADDING (16 * 1024)   /* what a long post brings along, and more */
#define HEADROOM (256 * 1024) /* for what passes through the buffers of all connections beside a post */
#define MIB (1024.0 * 1024.0)

/* --- fit or not ---------------------------------------------------------------------------------------------------- */

/* Asks one node what the handshake asked, as far as it may be asked. */
static enum err health_look_at(struct store *s, struct arena *a, size_t node)
{
    struct audit *audit = map_audit(s->map, node);
    struct store_reply answers[AUDIT_QUESTIONS];
    size_t asked[AUDIT_QUESTIONS];
    struct store_batch *b = store_batch_new(s, a);
    unsigned bucket = store_node_bucket(s, node);
    size_t ping = store_command(b, bucket, "PING", NULL);
    for (size_t i = 0; i < AUDIT_QUESTIONS; i++) {
        const char *const *words = audit_question(i);
        size_t count = 0;
        while (words[count]) {
            count++;
        }
        asked[i] = audit_may_ask(audit, i) ? store_command_v(b, bucket, count, words) : 0;
    }
    store_run(b);
    if (store_reply(b, ping)->type == STORE_ERROR || !audit) {
        return store_reply(b, ping)->type == STORE_ERROR ? store_reply(b, ping)->err : ERR_OK;
    }
    for (size_t i = 0; i < AUDIT_QUESTIONS; i++) {
        reply_set_error(&answers[i], ERR_CONFIG, "not asked");
        answers[i] = asked[i] ? *store_reply(b, asked[i]) : answers[i];
        if (answers[i].type == STORE_ERROR && answers[i].err == ERR_UNAVAILABLE) {
            return ERR_UNAVAILABLE;
        }
    }
    char why[AUDIT_WHY_SIZE];
    enum err e = audit_judge(audit, answers, why, sizeof(why));
    if (e != ERR_OK) {
        link_refuse(map_link(s->map, node), why);
    }
    return e;
}

enum err store_look(struct store *s)
{
    struct arena *a = arena_new();
    enum err e = ERR_OK;
    for (size_t n = 0; n < map_nodes(s->map) && e == ERR_OK; n++) {
        e = health_look_at(s, a, n);
    }
    arena_free(a);
    return e;
}

bool store_findings(struct store *s, struct buffer *out)
{
    bool refused = false;
    for (size_t n = 0; n < map_nodes(s->map); n++) {
        refused |= audit_write(map_audit(s->map, n), out);
    }
    return refused;
}

/* --- full or not --------------------------------------------------------------------------------------------------- */

/* A number in what INFO answers; 0 if it is not there. */
static uint64_t info_number(const struct store_reply *info, const char *field)
{
    const char *value;
    reply_info(store_text(info), field, &value);
    return strtoull(value, NULL, 10);
}

static const struct store_reply *ask_info(struct store *s, struct arena *a, const char *section)
{
    struct store_batch *b = store_batch_new(s, a);
    store_command(b, KEY_GLOBAL_BUCKET, "INFO", section, NULL);
    store_run(b);
    return store_reply(b, 0);
}

static bool health_is_ours(struct store *s)
{
    return !map_audit(s->map, 0);
}

static void explain_memory(struct store *s, const struct store_reply *info, struct buffer *say)
{
    double used = (double)info_number(info, "used_memory"), limit = (double)info_number(info, "maxmemory");
    buffer_text(say, "the engine's memory limit is reached: ");
    if (limit > 0) {
        buffer_printf(say, "%.1f of %.1f MiB are used; ", used / MIB, limit / MIB);
    }
    buffer_printf(say, "nothing can be saved, reading and deleting go on; %s\n",
                  health_is_ours(s) ? "raise redis.memory_limit and restart" : "raise maxmemory of the engine");
}

/* Whether a post may find no room now: requests beside it use memory too, which comes and goes. */
static bool health_is_full(const struct store_reply *info)
{
    uint64_t limit = info_number(info, "maxmemory");
    return limit > 0 && info_number(info, "used_memory") + HEADROOM > limit;
}

static void explain_replica(struct store *s, struct arena *a, struct buffer *say)
{
    const char *info = store_text(ask_info(s, a, "replication")), *host, *port;
    int host_length = (int)reply_info(info, "master_host", &host);
    int port_length = (int)reply_info(info, "master_port", &port);
    buffer_text(say, "the engine is a replica");
    if (host_length > 0) {
        buffer_printf(say, " of %.*s:%.*s", host_length, host, port_length, port);
    }
    buffer_text(say, ": nothing can be saved; name the primary in redis.url, or make this one the primary\n");
}

/* Which limit it is that refuses a write. */
static void explain_refusal(struct store *s, struct arena *a, const struct store_reply *refusal, struct buffer *say)
{
    if (reply_is(refusal, "OOM")) {
        explain_memory(s, ask_info(s, a, "memory"), say);
    } else if (reply_is(refusal, "READONLY")) {
        explain_replica(s, a, say);
    } else if (reply_is(refusal, "NOREPLICAS") && room_is_short()) {
        buffer_text(say, "the disk is full: nothing can be saved until there is room (redis.disk_reserve)\n");
    } else if (reply_is(refusal, "NOREPLICAS")) {
        buffer_text(say, "the engine lacks replicas (min-replicas-to-write): nothing can be saved\n");
    } else {
        buffer_printf(say, "the engine cannot save anything: %.200s\n", refusal->text);
    }
}

enum err store_health(struct store *s, struct buffer *say)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    char *padding = arena_alloc(a, PADDING);
    memset(padding, 'x', PADDING - 1);
    padding[PADDING - 1] = '\0';
    size_t write = script_health_add(b, &(struct script_health){padding});
    bool asks = health_is_ours(s) || audit_may_ask(map_audit(s->map, 0), 0);
    size_t info = asks ? store_command(b, KEY_GLOBAL_BUCKET, "INFO", "memory", NULL) : write;
    enum err e = store_run(b);
    if (e == ERR_OK && health_is_full(store_reply(b, info))) {
        explain_memory(s, store_reply(b, info), say);
        arena_free(a);
        return ERR_READ_ONLY;
    }
    if (e == ERR_READ_ONLY) {
        explain_refusal(s, a, store_reply(b, write), say);
    } else if (e != ERR_OK) {
        store_explain(s, e, say);
    } else {
        store_findings(s, say);
    }
    arena_free(a);
    return e;
}

void store_explain(struct store *s, enum err e, struct buffer *say)
{
    size_t before = say->length;
    if (e == ERR_CONFIG && store_findings(s, say)) {
        return;
    }
    say->length = before; /* mere warnings are not the reason */
    buffer_printf(say, "%s\n", err_info(e)->help);
}

/* --- in numbers ---------------------------------------------------------------------------------------------------- */

/* Without a limit on one node there is none for all. */
enum err store_measure(struct store *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    size_t nodes = store_nodes(s);
    for (size_t node = 0; node < nodes; node++) {
        store_command(b, store_node_bucket(s, node), "INFO", "memory", NULL);
    }
    enum err e = store_run(b);
    uint64_t used = 0, limit = 0;
    bool limited = true;
    for (size_t node = 0; e == ERR_OK && node < nodes; node++) {
        uint64_t most = info_number(store_reply(b, node), "maxmemory");
        used += info_number(store_reply(b, node), "used_memory");
        limit += most;
        limited = limited && most > 0;
    }
    metric_set(METRIC_ENGINE_UP, e == ERR_OK);
    metric_set(METRIC_ENGINE_MEMORY, e == ERR_OK ? used : METRIC_UNKNOWN);
    metric_set(METRIC_ENGINE_MEMORY_LIMIT, e != ERR_OK ? METRIC_UNKNOWN : limited ? limit : 0);
    arena_free(a);
    return e;
}
