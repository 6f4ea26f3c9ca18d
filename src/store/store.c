/* store.c - opening and closing a store, and waiting for it. Batches are in batch.c and run.c, its health in health.c.
 *
 * Threads: any, but for open and close.
 */
#include "store/store.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
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
