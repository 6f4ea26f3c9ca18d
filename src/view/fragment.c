/* fragment.c - see fragment.h. A table in shards with a lock each, as core/cache.c; what is found is counted as long as
 * it is in use, so that it may be pushed out meanwhile. Any thread. */
#include "view/fragment.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mutex.h"
#include "base/panic.h"
#include "view/program.h"

#define MARK "\x01" /* the key of the item in an object: no template can ask for it */
#define FRAGMENT_SHARDS 16
#define FRAGMENT_SLOTS 1024
#define FRAGMENT_MAX ((size_t)64 << 10) /* bytes of one that is kept */

struct kept {
    struct fragment fragment; /* the first member: what is given out is the address of both */
    atomic_uint users;        /* the table, and each thread that renders it */
    uint64_t hash;
    const struct instruction *body;
    size_t key_size, size; /* bytes in all */
    struct kept *chain, *newer, *older;
    char bytes[]; /* instructions, key, texts */
};

struct fragment_shard {
    pthread_mutex_t lock;
    struct kept *slots[FRAGMENT_SLOTS];
    struct kept *newest, *oldest;
    size_t bytes;
    uint64_t hits, misses, entries;
};

struct fragments {
    size_t limit; /* of a shard */
    atomic_uint_least64_t unfit;
    struct fragment_shard shards[FRAGMENT_SHARDS];
};

/* --- items ---------------------------------------------------------------------------------------------------- */

void fragment_mark(yyjson_mut_doc *doc, yyjson_mut_val *object, struct fragment_item *item)
{
    yyjson_mut_obj_add_val(doc, object, MARK, yyjson_mut_rawn(doc, (const char *)item, sizeof(*item)));
}

struct fragment_item *fragment_of(yyjson_mut_val *value)
{
    yyjson_mut_obj_iter members;
    if (!yyjson_mut_obj_iter_init(value, &members)) {
        return NULL;
    }
    yyjson_mut_val *first = yyjson_mut_obj_iter_next(&members);
    if (!first || yyjson_mut_get_str(first)[0] != MARK[0]) {
        return NULL;
    }
    return (struct fragment_item *)(uintptr_t)yyjson_mut_get_raw(yyjson_mut_obj_iter_get_val(first));
}

yyjson_mut_val *fragment_whole(struct fragment_item *item)
{
    if (!item->made) {
        item->made = item->make(item->from, item->of);
    }
    return item->made;
}

/* --- the table ------------------------------------------------------------------------------------------------ */

struct fragments *fragments_new(size_t bytes)
{
    if (bytes == 0) {
        return NULL;
    }
    struct fragments *s = mem_zero(1, sizeof(*s));
    s->limit = bytes / FRAGMENT_SHARDS;
    for (size_t i = 0; i < FRAGMENT_SHARDS; i++) {
        pthread_mutex_init(&s->shards[i].lock, NULL);
    }
    return s;
}

void fragments_free(struct fragments *s)
{
    for (size_t i = 0; s && i < FRAGMENT_SHARDS; i++) {
        struct kept *next;
        for (struct kept *k = s->shards[i].newest; k; k = next) {
            next = k->older;
            free(k);
        }
        pthread_mutex_destroy(&s->shards[i].lock);
    }
    free(s);
}

/* Eight bytes at a time; who can choose what is in a key gains nothing by equal ones, as keys are compared. */
static uint64_t fragment_hash(const struct instruction *body, const void *key, size_t size)
{
    uint64_t h = (uintptr_t)body * UINT64_C(0x9E3779B97F4A7C15) + size;
    const char *at = key;
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

static struct kept *kept_find(struct fragment_shard *s, uint64_t hash, const struct instruction *body,
                              const struct fragment_item *item)
{
    struct kept *k = s->slots[hash % FRAGMENT_SLOTS];
    while (k && !(k->hash == hash && k->body == body && k->key_size == item->key_size &&
                  memcmp(k->bytes, item->key, item->key_size) == 0)) {
        k = k->chain;
    }
    return k;
}

static void kept_unlink(struct fragment_shard *s, struct kept *k)
{
    *(k->newer ? &k->newer->older : &s->newest) = k->older;
    *(k->older ? &k->older->newer : &s->oldest) = k->newer;
}

static void kept_link(struct fragment_shard *s, struct kept *k)
{
    k->newer = NULL;
    k->older = s->newest;
    *(s->newest ? &s->newest->newer : &s->oldest) = k;
    s->newest = k;
}

static void kept_drop(struct fragment_shard *s, struct kept *k)
{
    struct kept **at = &s->slots[k->hash % FRAGMENT_SLOTS];
    while (*at != k) {
        at = &(*at)->chain;
    }
    *at = k->chain;
    kept_unlink(s, k);
    s->bytes -= k->size;
    s->entries--;
    fragment_release(&k->fragment);
}

void fragment_release(const struct fragment *f)
{
    struct kept *k = (struct kept *)(uintptr_t)f;
    if (atomic_fetch_sub(&k->users, 1) == 1) {
        free(k);
    }
}

const struct fragment *fragment_find(struct fragments *s, const struct instruction *body,
                                     const struct fragment_item *item)
{
    uint64_t hash = fragment_hash(body, item->key, item->key_size);
    struct fragment_shard *shard = &s->shards[hash >> 60];
    mutex_lock(&shard->lock);
    struct kept *k = kept_find(shard, hash, body, item);
    if (k) {
        atomic_fetch_add(&k->users, 1);
        kept_unlink(shard, k);
        kept_link(shard, k);
        shard->hits++;
    } else {
        shard->misses++;
    }
    mutex_unlock(&shard->lock);
    return k ? &k->fragment : NULL;
}

/* A copy of it all in one piece: key, instructions, texts. */
static struct kept *kept_copy(const struct fragment_item *item, const struct instruction *code, size_t count)
{
    size_t align = _Alignof(struct instruction);
    size_t key_room = (item->key_size + align - 1) / align * align, size = sizeof(struct kept) + key_room;
    size += count * sizeof(*code);
    for (size_t i = 0; i < count; i++) {
        size += code[i].op == OP_TEXT ? code[i].length : 0;
    }
    if (size > FRAGMENT_MAX) {
        return NULL;
    }
    struct kept *k = mem_alloc(size);
    *k = (struct kept){.key_size = item->key_size, .size = size};
    struct instruction *own = (struct instruction *)(void *)(k->bytes + key_room);
    char *text = (char *)(own + count);
    memcpy(k->bytes, item->key, item->key_size);
    memcpy(own, code, count * sizeof(*code));
    for (size_t i = 0; i < count; i++) {
        if (own[i].op == OP_TEXT) {
            memcpy(text, code[i].text, code[i].length);
            own[i].text = text;
            text += own[i].length;
        }
    }
    k->fragment.code = own;
    return k;
}

const struct fragment *fragment_keep(struct fragments *s, const struct instruction *body,
                                     const struct fragment_item *item, const struct instruction *code, size_t count)
{
    struct kept *k = kept_copy(item, code, count);
    if (!k) {
        return NULL;
    }
    k->hash = fragment_hash(body, item->key, item->key_size);
    k->body = body;
    atomic_init(&k->users, 2);
    struct fragment_shard *shard = &s->shards[k->hash >> 60];
    mutex_lock(&shard->lock);
    struct kept *old = kept_find(shard, k->hash, body, item);
    if (old) { /* another thread was quicker */
        kept_drop(shard, old);
    }
    k->chain = shard->slots[k->hash % FRAGMENT_SLOTS];
    shard->slots[k->hash % FRAGMENT_SLOTS] = k;
    kept_link(shard, k);
    shard->entries++;
    shard->bytes += k->size;
    while (shard->bytes > s->limit && shard->oldest) {
        kept_drop(shard, shard->oldest);
    }
    mutex_unlock(&shard->lock);
    return &k->fragment;
}

void fragments_count(struct fragments *s, struct fragment_numbers *out)
{
    *out = (struct fragment_numbers){0};
    for (size_t i = 0; s && i < FRAGMENT_SHARDS; i++) {
        struct fragment_shard *shard = &s->shards[i];
        mutex_lock(&shard->lock);
        out->hits += shard->hits;
        out->misses += shard->misses;
        out->entries += shard->entries;
        out->bytes += shard->bytes;
        mutex_unlock(&shard->lock);
    }
    out->unfit = s ? atomic_load(&s->unfit) : 0;
}

void fragments_unfit(struct fragments *s)
{
    atomic_fetch_add(&s->unfit, 1);
}
