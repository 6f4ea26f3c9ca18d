/* outcome.c - see outcome.h. Only answers of the engine are logged here: the pool speaks for lost connections. */
#include "store/outcome.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/audit.h"
#include "store/batch.h"
#include "store/map.h"
#include "store/reply.h"
#include "store/script.h"

#define LOG_EVERY_US (5u << 20) /* the same trouble is logged about every five seconds */

/* True about every five seconds for each class of error: an engine in trouble must not fill the disk with log lines. */
static bool outcome_is_worth_a_line(enum err e)
{
    static _Atomic uint64_t last[ERR_COUNT];
    uint64_t now = clock_monotonic_us();
    uint64_t before = atomic_load(&last[e]);
    return (!before || now - before > LOG_EVERY_US) && atomic_compare_exchange_strong(&last[e], &before, now);
}

/* The name of a command for the log: its script, or its first word. */
static void command_name(const struct store_batch *b, const struct batch_item *item, char *out, size_t size)
{
    if (item->script != BATCH_NO_SCRIPT) {
        snprintf(out, size, "script %s", script_info((enum script)item->script)->name);
        return;
    }
    const char *word = strchr(strchr(b->wire.data + item->offset, '\n') + 1, '\n') + 1;
    snprintf(out, size, "%.*s", (int)strcspn(word, "\r"), word);
}

/* Only a cluster answers so. One that says what it is was refused before (audit.h); this one does not let us ask. */
static bool outcome_is_of_cluster(const struct store_reply *reply)
{
    return reply_is(reply, "MOVED") || reply_is(reply, "ASK") || reply_is(reply, "CROSSSLOT");
}

static void outcome_report(const struct store_batch *b, size_t i)
{
    const struct store_reply *reply = &b->replies[i];
    enum err e = reply->err;
    char name[64];
    command_name(b, &b->items[i], name, sizeof(name));
    if (e == ERR_PROTOCOL) {
        log_error("store", "%s: the engine answered: %.200s", name, reply->text);
    } else {
        log_warning("store", "%s: %s: %.200s", name, err_info(e)->help, reply->text);
    }
}

enum err outcome_of(const struct store_batch *b)
{
    enum err first = ERR_OK;
    for (size_t i = 0; i < b->count; i++) {
        const struct store_reply *reply = &b->replies[i];
        if (reply->type != STORE_ERROR) {
            continue;
        }
        const struct map *map = b->store->map;
        if (outcome_is_of_cluster(reply)) {
            audit_redirected(map_audit(map, map_node(map, b->items[i].bucket)), reply->text);
        } else if (!b->items[i].lost && outcome_is_worth_a_line(reply->err)) {
            outcome_report(b, i);
        }
        first = first == ERR_OK ? reply->err : first;
    }
    return first;
}
