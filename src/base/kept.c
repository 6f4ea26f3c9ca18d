/* kept.c - see kept.h. Any thread. */
#include "base/kept.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/mutex.h"
#include "base/panic.h"

#define KEPT_SHARDS 16
#define KEPT_SLOTS 1024

struct kept_entry {
    atomic_uint users; /* the table, and each thread that uses it */
    uint64_t hash;
    size_t key_size, size; /* bytes in all */
    struct kept_entry *chain, *newer, *older;
    alignas(max_align_t) char bytes[]; /* the value, then the key */
};

struct kept_shard {
    pthread_mutex_t lock;
    struct kept_entry *slots[KEPT_SLOTS];
    struct kept_entry *newest, *oldest;
    size_t bytes;
    uint64_t hits, misses, entries;
};

struct kept {
    size_t limit; /* of a shard */
    struct kept_shard shards[KEPT_SHARDS];
};

struct kept *kept_new(size_t bytes)
{
    if (bytes == 0) {
        return NULL;
    }
    struct kept *k = mem_zero(1, sizeof(*k));
    k->limit = bytes / KEPT_SHARDS;
    for (size_t i = 0; i < KEPT_SHARDS; i++) {
        pthread_mutex_init(&k->shards[i].lock, NULL);
    }
    return k;
}

void kept_free(struct kept *k)
{
    for (size_t i = 0; k && i < KEPT_SHARDS; i++) {
        struct kept_entry *next;
        for (struct kept_entry *e = k->shards[i].newest; e; e = next) {
            next = e->older;
            free(e);
        }
        pthread_mutex_destroy(&k->shards[i].lock);
    }
    free(k);
}

/* Eight bytes at a time. Whoever can choose a key gains little by equal hashes: keys are compared, and a chain is no longer
 * than what fits into a shard. */
static uint64_t kept_hash(const void *bytes, size_t size)
{
    uint64_t h = size * UINT64_C(0x9E3779B97F4A7C15);
    const char *at = bytes;
    for (uint64_t word; size > 0;) {
        size_t part = size < sizeof(word) ? size : sizeof(word);
        word = 0;
        memcpy(&word, at, part);
        h = (h ^ word) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
        at += part;
        size -= part;
    }
    return h;
}

static struct kept_shard *kept_shard_of(struct kept *k, uint64_t hash)
{
    return &k->shards[hash >> 60];
}

static struct kept_entry *entry_of(void *value)
{
    return (struct kept_entry *)(void *)((char *)value - offsetof(struct kept_entry, bytes));
}

static char *entry_key(struct kept_entry *e)
{
    return (char *)e + e->size - e->key_size;
}

static struct kept_entry *kept_look_up(struct kept_shard *s, uint64_t hash, const void *key, size_t key_size)
{
    struct kept_entry *e = s->slots[hash % KEPT_SLOTS];
    while (e && !(e->hash == hash && e->key_size == key_size && memcmp(entry_key(e), key, key_size) == 0)) {
        e = e->chain;
    }
    return e;
}

static void kept_unlink(struct kept_shard *s, struct kept_entry *e)
{
    *(e->newer ? &e->newer->older : &s->newest) = e->older;
    *(e->older ? &e->older->newer : &s->oldest) = e->newer;
}

static void kept_link(struct kept_shard *s, struct kept_entry *e)
{
    e->newer = NULL;
    e->older = s->newest;
    *(s->newest ? &s->newest->newer : &s->oldest) = e;
    s->newest = e;
}

static void kept_drop(struct kept_shard *s, struct kept_entry *e)
{
    struct kept_entry **at = &s->slots[e->hash % KEPT_SLOTS];
    while (*at != e) {
        at = &(*at)->chain;
    }
    *at = e->chain;
    kept_unlink(s, e);
    s->bytes -= e->size;
    s->entries--;
    kept_release(e->bytes);
}

void *kept_find(struct kept *k, const void *key, size_t key_size)
{
    if (!k) {
        return NULL;
    }
    uint64_t hash = kept_hash(key, key_size);
    struct kept_shard *s = kept_shard_of(k, hash);
    mutex_lock(&s->lock);
    struct kept_entry *e = kept_look_up(s, hash, key, key_size);
    if (e) {
        atomic_fetch_add(&e->users, 1);
        kept_unlink(s, e);
        kept_link(s, e);
        s->hits++;
    } else {
        s->misses++;
    }
    mutex_unlock(&s->lock);
    return e ? e->bytes : NULL;
}

void *kept_room(const void *key, size_t key_size, size_t size)
{
    size_t all = offsetof(struct kept_entry, bytes) + size + key_size;
    struct kept_entry *e = mem_alloc(all > sizeof(*e) ? all : sizeof(*e));
    *e = (struct kept_entry){.hash = kept_hash(key, key_size), .key_size = key_size, .size = all};
    atomic_init(&e->users, 1);
    memcpy(entry_key(e), key, key_size);
    return e->bytes;
}

void kept_add(struct kept *k, void *value)
{
    if (!k) {
        return;
    }
    struct kept_entry *e = entry_of(value);
    struct kept_shard *s = kept_shard_of(k, e->hash);
    atomic_fetch_add(&e->users, 1);
    mutex_lock(&s->lock);
    struct kept_entry *old = kept_look_up(s, e->hash, entry_key(e), e->key_size);
    if (old) {
        kept_drop(s, old);
    }
    e->chain = s->slots[e->hash % KEPT_SLOTS];
    s->slots[e->hash % KEPT_SLOTS] = e;
    kept_link(s, e);
    s->entries++;
    s->bytes += e->size;
    while (s->bytes > k->limit && s->oldest) {
        kept_drop(s, s->oldest);
    }
    mutex_unlock(&s->lock);
}

void kept_release(void *value)
{
    struct kept_entry *e = entry_of(value);
    if (atomic_fetch_sub(&e->users, 1) == 1) {
        free(e);
    }
}

void kept_count(struct kept *k, struct kept_numbers *out)
{
    *out = (struct kept_numbers){0};
    for (size_t i = 0; k && i < KEPT_SHARDS; i++) {
        struct kept_shard *s = &k->shards[i];
        mutex_lock(&s->lock);
        out->hits += s->hits;
        out->misses += s->misses;
        out->entries += s->entries;
        out->bytes += s->bytes;
        mutex_unlock(&s->lock);
    }
}
