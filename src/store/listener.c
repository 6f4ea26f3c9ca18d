/* listener.c - see listener.h. The store lists its listeners, so that store_end reaches them. */
#include "store/listener.h"

#include <stdlib.h>

#include "base/mutex.h"
#include "base/panic.h"
#include "store/batch.h"
#include "store/link.h"
#include "store/map.h"

/* Whoever waits longer for ordinary commands (redis.command_timeout) hears of what others change after this long all
 * the same: a connection that says nothing is given up. */
#define SILENCE_MOST_US 3000000

struct store_listener {
    struct store *store;
    struct link *link;
    struct store_listener *next, **at; /* in the store's list */
};

struct store_listener *store_listener_new(struct store *s, unsigned bucket)
{
    struct store_listener *l = mem_alloc(sizeof(*l));
    struct link *node = map_link(s->map, map_node(s->map, bucket));
    *l = (struct store_listener){.store = s, .link = link_dedicated(node), .at = &s->listeners};
    mutex_lock(&s->lock);
    l->next = s->listeners;
    if (l->next) {
        l->next->at = &l->next;
    }
    s->listeners = l;
    bool ended = s->ended;
    mutex_unlock(&s->lock);
    if (ended) {
        store_listener_end(l);
    }
    return l;
}

struct store_batch *store_listener_batch(struct store_listener *l, struct arena *a, uint64_t patience_ms)
{
    struct store_batch *b = store_batch_new(l->store, a);
    b->link = l->link;
    uint64_t command_us = b->patience_us;
    b->patience_us = (command_us < SILENCE_MOST_US ? command_us : SILENCE_MOST_US) + patience_ms * 1000;
    return b;
}

void store_listener_end(struct store_listener *l)
{
    link_cut(l->link);
}

void store_listener_free(struct store_listener *l)
{
    if (!l) {
        return;
    }
    mutex_lock(&l->store->lock);
    *l->at = l->next;
    if (l->next) {
        l->next->at = l->at;
    }
    mutex_unlock(&l->store->lock);
    link_free(l->link);
    free(l);
}

bool store_same_command(const struct store *s, unsigned a, unsigned b)
{
    return map_group(s->map, a) == map_group(s->map, b);
}

void listeners_end(struct store *s)
{
    mutex_lock(&s->lock);
    s->ended = true;
    for (struct store_listener *l = s->listeners; l; l = l->next) {
        store_listener_end(l);
    }
    mutex_unlock(&s->lock);
}
