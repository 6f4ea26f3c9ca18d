/* store.c - opening, closing and asking after the health of a store. Batches are in batch.c and run.c.
 *
 * Threads: any, but for open and close.
 */
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/metric.h"
#include "base/panic.h"
#include "config/config.h"
#include "store/batch.h"
#include "store/keys.h"
#include "store/map.h"

#define READY_POLL_FIRST_MS 2
#define READY_POLL_LAST_MS 50

struct store *store_open(const struct config *c, FILE *report)
{
    script_setup();
    struct map *map = map_new(c, report);
    if (!map) {
        return NULL;
    }
    struct store *s = mem_alloc(sizeof(*s));
    s->map = map;
    s->prefix = mem_dup(c->redis.prefix);
    keys_setup(s->prefix);
    return s;
}

void store_close(struct store *s)
{
    if (s) {
        map_free(s->map);
        free(s->prefix);
        free(s);
    }
}

size_t store_nodes(const struct store *s)
{
    return map_nodes(s->map);
}

unsigned store_node_bucket(const struct store *s, size_t node)
{
    unsigned bucket = 0;
    while (bucket + 1 < ID_BUCKETS && map_node(s->map, bucket) != node) {
        bucket++;
    }
    return bucket;
}

void store_reset(struct store *s)
{
    for (size_t n = 0; n < map_nodes(s->map); n++) {
        pool_reset(map_pool(s->map, n));
    }
}

void store_end(struct store *s)
{
    for (size_t n = 0; n < map_nodes(s->map); n++) {
        pool_end(map_pool(s->map, n));
    }
}

static enum err ping(struct store *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    store_command(b, 0, "PING", NULL);
    enum err e = store_run(b);
    arena_free(a);
    return e;
}

enum err store_wait_ready(struct store *s, uint64_t timeout_ms)
{
    uint64_t end = clock_monotonic_us() + timeout_ms * 1000;
    uint64_t pause = READY_POLL_FIRST_MS;
    for (;;) {
        enum err e = ping(s);
        if (e == ERR_OK || e == ERR_CONFIG || clock_monotonic_us() >= end) {
            return e;
        }
        clock_sleep_ms(pause);
        pause = pause * 2 < READY_POLL_LAST_MS ? pause * 2 : READY_POLL_LAST_MS;
        store_reset(s);
    }
}

enum err store_health(struct store *s)
{
    struct arena *a = arena_new();
    struct store_batch *b = store_batch_new(s, a);
    store_command(b, KEY_GLOBAL_BUCKET, "PING", NULL);
    store_command(b, KEY_GLOBAL_BUCKET, "SET", key_plain(a, KEY_HEALTH, KEY_GLOBAL_BUCKET), "1", "EX", "60", NULL);
    enum err e = store_run(b);
    arena_free(a);
    return e;
}

/* The number behind "name:" in what INFO answers; 0 if it is not there. */
static uint64_t info_number(const struct store_reply *info, const char *name)
{
    const char *at = strstr(store_text(info), name);
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

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
        uint64_t most = info_number(store_reply(b, node), "\nmaxmemory:");
        used += info_number(store_reply(b, node), "\nused_memory:");
        limit += most;
        limited = limited && most > 0;
    }
    metric_set(METRIC_ENGINE_UP, e == ERR_OK);
    metric_set(METRIC_ENGINE_MEMORY, e == ERR_OK ? used : METRIC_UNKNOWN);
    metric_set(METRIC_ENGINE_MEMORY_LIMIT, e != ERR_OK ? METRIC_UNKNOWN : limited ? limit : 0);
    arena_free(a);
    return e;
}
