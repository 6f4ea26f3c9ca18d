/* cache.c - see cache.h. Shards of a chained hash table, each with its lock, its list in order of use and its share of
 * the memory. Any thread. */
#include "social/core/cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/panic.h"
#include "base/source.h"

#define SHARDS 32
#define SLOTS 4096   /* hash slots of one shard */
#define PLACES 16384 /* where changes are counted for what is made of values (source.h) */

struct entry {
    struct entry *chain;         /* same slot */
    struct entry *newer, *older; /* order of use */
    uint64_t id;
    uint64_t changed; /* the last change that removed a value here; values that were read before it stay out. 0: none */
    size_t size;
    enum cache_kind kind;
    bool is_empty; /* there is nothing but `changed` */
    unsigned char value[];
};

struct shard {
    pthread_mutex_t lock;
    struct entry *slots[SLOTS];
    struct entry *newest, *oldest;
    size_t bytes, limit;
    uint64_t floor; /* no entry remembers changes up to here any more */
    uint64_t hits, misses, entries;
};

struct cache {
    struct shard shards[SHARDS];
    _Atomic uint64_t trusted_until_us;
    _Atomic uint64_t changes; /* how many there were; the first token is 1, so that 0 is older than all */
    source_place places[PLACES];
};

struct cache *cache_new(size_t bytes)
{
    struct cache *c = mem_zero(1, sizeof(*c));
    atomic_store(&c->changes, 1);
    for (unsigned i = 0; i < SHARDS; i++) {
        pthread_mutex_init(&c->shards[i].lock, NULL);
        c->shards[i].limit = bytes / SHARDS;
        c->shards[i].floor = 1;
    }
    return c;
}

void cache_trust(struct cache *c, uint64_t until_us)
{
    atomic_store(&c->trusted_until_us, until_us);
}

/* Every look into the cache asks this, so it goes by the cheap clock, and never believes longer for it. */
bool cache_is_trusted(const struct cache *c)
{
    return clock_tick_us() + CLOCK_TICK_US < atomic_load(&c->trusted_until_us);
}

uint64_t cache_token(struct cache *c)
{
    return atomic_load(&c->changes);
}

static uint64_t mix(enum cache_kind kind, uint64_t id)
{
    uint64_t h = (id + (uint64_t)kind) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

static source_place *change_place(struct cache *c, uint64_t hash)
{
    return &c->places[hash >> 45 & (PLACES - 1)];
}

static struct shard *shard_of(struct cache *c, uint64_t hash)
{
    return &c->shards[hash >> 40 & (SHARDS - 1)];
}

static struct entry **cache_slot(struct shard *s, uint64_t hash)
{
    return &s->slots[hash & (SLOTS - 1)];
}

static struct entry *entry_find(struct shard *s, uint64_t hash, enum cache_kind kind, uint64_t id)
{
    struct entry *e = *cache_slot(s, hash);
    while (e && (e->id != id || e->kind != kind)) {
        e = e->chain;
    }
    return e;
}

static void unlink_use(struct shard *s, struct entry *e)
{
    *(e->newer ? &e->newer->older : &s->newest) = e->older;
    *(e->older ? &e->older->newer : &s->oldest) = e->newer;
}

static void link_newest(struct shard *s, struct entry *e)
{
    e->newer = NULL;
    e->older = s->newest;
    *(s->newest ? &s->newest->newer : &s->oldest) = e;
    s->newest = e;
}

static void drop(struct shard *s, struct entry *e)
{
    struct entry **at = cache_slot(s, mix(e->kind, e->id));
    while (*at != e) {
        at = &(*at)->chain;
    }
    *at = e->chain;
    if (e->changed > s->floor) {
        s->floor = e->changed;
    }
    unlink_use(s, e);
    s->bytes -= sizeof(*e) + e->size;
    s->entries--;
    free(e);
}

/* Adds an entry as the newest, in place of an older one of that id, and makes room. The lock is held. */
static struct entry *cache_insert(struct shard *s, uint64_t hash, enum cache_kind kind, uint64_t id, size_t size)
{
    struct entry *e = mem_alloc(sizeof(*e) + size);
    struct entry *old = entry_find(s, hash, kind, id);
    *e = (struct entry){.id = id, .kind = kind, .size = size};
    if (old) {
        e->changed = old->changed;
        old->changed = 0; /* it is not pushed out */
        drop(s, old);
    }
    struct entry **slot = cache_slot(s, hash);
    e->chain = *slot;
    *slot = e;
    link_newest(s, e);
    s->entries++;
    s->bytes += sizeof(*e) + size;
    while (s->bytes > s->limit && s->oldest != e) {
        drop(s, s->oldest);
    }
    return e;
}

static bool cache_trusts(const void *cache)
{
    return cache_is_trusted(cache);
}

void *cache_get(struct cache *c, enum cache_kind kind, uint64_t id, struct arena *a, size_t *size)
{
    uint64_t hash = mix(kind, id);
    struct shard *s = shard_of(c, hash);
    void *copy = NULL;
    bool is_trusted = cache_is_trusted(c);
    mutex_lock(&s->lock);
    struct entry *e = entry_find(s, hash, kind, id);
    if (e && !e->is_empty && is_trusted) {
        copy = arena_alloc(a, e->size);
        memcpy(copy, e->value, e->size);
        *size = e->size;
        source_add(change_place(c, hash), atomic_load(&c->changes));
        unlink_use(s, e);
        link_newest(s, e);
        s->hits++;
    } else {
        s->misses++;
    }
    mutex_unlock(&s->lock);
    if (copy) {
        source_trust(cache_trusts, c);
    }
    return copy;
}

void cache_put(struct cache *c, enum cache_kind kind, uint64_t id, const void *value, size_t size, uint64_t token)
{
    if (!cache_is_trusted(c)) {
        return;
    }
    uint64_t hash = mix(kind, id);
    struct shard *s = shard_of(c, hash);
    mutex_lock(&s->lock);
    struct entry *old = entry_find(s, hash, kind, id);
    bool is_new_enough = token >= (old && old->changed ? old->changed : s->floor);
    if (is_new_enough) {
        memcpy(cache_insert(s, hash, kind, id, size)->value, value, size);
    }
    mutex_unlock(&s->lock);
}

void cache_forget(struct cache *c, enum cache_kind kind, uint64_t id)
{
    uint64_t hash = mix(kind, id);
    struct shard *s = shard_of(c, hash);
    mutex_lock(&s->lock);
    struct entry *e = cache_insert(s, hash, kind, id, 0);
    e->is_empty = true;
    e->changed = atomic_fetch_add(&c->changes, 1) + 1;
    source_change(change_place(c, hash), e->changed);
    mutex_unlock(&s->lock);
}

static void shard_clear(struct shard *s)
{
    while (s->oldest) {
        drop(s, s->oldest);
    }
}

void cache_clear(struct cache *c)
{
    uint64_t change = atomic_fetch_add(&c->changes, 1) + 1;
    for (unsigned i = 0; i < SHARDS; i++) {
        struct shard *s = &c->shards[i];
        mutex_lock(&s->lock);
        shard_clear(s);
        s->floor = s->floor > change ? s->floor : change;
        mutex_unlock(&s->lock);
    }
    for (size_t i = 0; i < PLACES; i++) {
        source_change(&c->places[i], change);
    }
}

void cache_count(struct cache *c, struct cache_numbers *out)
{
    memset(out, 0, sizeof(*out));
    for (unsigned i = 0; i < SHARDS; i++) {
        struct shard *s = &c->shards[i];
        mutex_lock(&s->lock);
        out->hits += s->hits;
        out->misses += s->misses;
        out->entries += s->entries;
        out->bytes += s->bytes;
        mutex_unlock(&s->lock);
    }
}

void cache_free(struct cache *c)
{
    if (!c) {
        return;
    }
    for (unsigned i = 0; i < SHARDS; i++) {
        shard_clear(&c->shards[i]);
        pthread_mutex_destroy(&c->shards[i].lock);
    }
    free(c);
}
