/* census.c - see census.h. SCAN returns each key that is there all the time at least once. A key that it returns twice,
 * while the engine's table grows, is counted twice, which does not matter for such a number. One thread. */
#include "upkeep/census.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/metric.h"
#include "base/panic.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"

#define KEYS_A_STEP "1000"

struct census {
    struct arena *arena;
    size_t node;          /* that is being walked */
    char cursor[ID_SIZE]; /* of its SCAN */
    uint64_t began_us;    /* 0: at the very beginning */
    uint64_t posts, sessions;
};

struct census *census_new(void)
{
    struct census *c = mem_zero(1, sizeof(*c));
    c->arena = arena_new();
    return c;
}

void census_free(struct census *c)
{
    if (c) {
        arena_free(c->arena);
        free(c);
    }
}

static void begin_walk(struct census *c)
{
    c->node = 0;
    strcpy(c->cursor, "0");
    c->posts = c->sessions = 0;
    c->began_us = clock_monotonic_us();
}

static void census_add(struct census *c, const struct store_reply *keys)
{
    for (size_t i = 0; i < keys->count; i++) {
        struct key_parts parts;
        if (key_parse(store_text(&keys->items[i]), &parts)) {
            c->posts += parts.key == KEY_POST;
            c->sessions += parts.key == KEY_SESSION;
        }
    }
}

static void publish_numbers(const struct census *c)
{
    metric_set(METRIC_SITE_POSTS, c->posts);
    metric_set(METRIC_SITE_SESSIONS, c->sessions);
    metric_set(METRIC_SITE_COUNT_MS, (clock_monotonic_us() - c->began_us) / 1000);
}

void census_step(struct census *c, struct social *s)
{
    if (!c->began_us) {
        begin_walk(c);
    }
    arena_reset(c->arena);
    struct store_batch *b = store_batch_new(s->store, c->arena);
    size_t reply = store_command(b, store_node_bucket(s->store, c->node), "SCAN", c->cursor, "MATCH",
                                 key_pattern(c->arena), "COUNT", KEYS_A_STEP, NULL);
    if (store_run(b) != ERR_OK) {
        c->began_us = 0; /* an engine that was started anew does not know the cursor */
        return;
    }
    const struct store_reply *found = store_reply(b, reply);
    census_add(c, store_item(found, 1));
    snprintf(c->cursor, sizeof(c->cursor), "%s", store_text(store_item(found, 0)));
    if (strcmp(c->cursor, "0") == 0 && ++c->node == store_nodes(s->store)) {
        publish_numbers(c);
        c->began_us = 0;
    }
}
