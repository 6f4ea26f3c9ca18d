/* batch.c - building batches: every command is written in its wire form at once, into one buffer of the arena.
 *
 * So running a batch is one write of one piece, whatever it holds, and the caller's strings are not needed afterwards.
 *
 * Threads: a batch belongs to one.
 */
#include "store/batch.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/panic.h"
#include "store/map.h"
#include "store/wire.h"

#define FIRST_ITEMS 16

static _Thread_local bool apart; /* this thread's batches */

struct store_batch *store_batch_new(struct store *s, struct arena *a)
{
    struct store_batch *b = arena_zero(a, sizeof(*b));
    b->store = s;
    b->arena = a;
    b->wire = buffer_make(a);
    b->patience_us = map_command_us(s->map);
    b->apart = apart;
    b->last_hook = &b->hooks;
    return b;
}

void store_batch_once(struct store_batch *b)
{
    b->once = true;
}

void store_thread_apart(void)
{
    apart = true;
}

void store_batch_keep(struct store_batch *b)
{
    b->keeps = true;
}

void store_batch_source(struct store_batch *b, size_t index, store_source_keys *keys, void *context)
{
    struct batch_source *s = arena_alloc(b->arena, sizeof(*s));
    *s = (struct batch_source){index, keys, context, b->sources};
    b->sources = s;
}

void store_batch_mark(struct store_batch *b, uint64_t mark)
{
    b->mark = mark;
}

uint64_t store_batch_marked(const struct store_batch *b)
{
    return b->mark;
}

struct arena *store_batch_arena(const struct store_batch *b)
{
    return b->arena;
}

void store_batch_then(struct store_batch *b, void (*call)(void *context), void *context)
{
    struct batch_hook *h = arena_alloc(b->arena, sizeof(*h));
    *h = (struct batch_hook){.call = call, .context = context};
    *b->last_hook = h;
    b->last_hook = &h->next;
}

size_t store_batch_count(const struct store_batch *b)
{
    return b->count;
}

struct batch_item *batch_begin(struct store_batch *b, unsigned bucket, int script)
{
    require(!b->replies); /* a batch runs once */
    require(bucket < ID_BUCKETS);
    if (b->count == b->capacity) {
        size_t capacity = b->capacity ? b->capacity * 2 : FIRST_ITEMS;
        b->items = arena_grow(b->arena, b->items, b->capacity * sizeof(*b->items), capacity * sizeof(*b->items));
        b->capacity = capacity;
    }
    struct batch_item *item = &b->items[b->count++];
    *item = (struct batch_item){.offset = b->wire.length, .bucket = (uint16_t)bucket, .script = (int16_t)script};
    return item;
}

size_t batch_end(struct store_batch *b, struct batch_item *item)
{
    item->length = b->wire.length - item->offset;
    return b->count - 1;
}

size_t store_command_v(struct store_batch *b, unsigned bucket, size_t count, const char *const *arguments)
{
    struct batch_item *item = batch_begin(b, bucket, BATCH_NO_SCRIPT);
    wire_command(&b->wire, count, arguments);
    return batch_end(b, item);
}

size_t store_command(struct store_batch *b, unsigned bucket, ...)
{
    size_t count = 0;
    va_list arguments, again;
    va_start(arguments, bucket);
    va_copy(again, arguments);
    while (va_arg(again, const char *)) {
        count++;
    }
    va_end(again);
    struct batch_item *item = batch_begin(b, bucket, BATCH_NO_SCRIPT);
    wire_begin(&b->wire, count);
    for (size_t i = 0; i < count; i++) {
        wire_text(&b->wire, va_arg(arguments, const char *));
    }
    va_end(arguments);
    return batch_end(b, item);
}

size_t store_command_ids(struct store_batch *b, const char *command, enum key k, const uint64_t *ids, size_t count,
                         size_t argument_count, const char *const *arguments)
{
    struct buffer head = buffer_make(b->arena), tail = buffer_make(b->arena);
    wire_begin(&head, 2 + argument_count);
    wire_text(&head, command);
    for (size_t i = 0; i < argument_count; i++) {
        wire_text(&tail, arguments[i]);
    }
    char *key = arena_alloc(b->arena, key_id_most(k));
    size_t first = b->count;
    for (size_t i = 0; i < count; i++) {
        struct batch_item *item = batch_begin(b, id_bucket(ids[i]), BATCH_NO_SCRIPT);
        buffer_add(&b->wire, head.data, head.length);
        wire_bytes(&b->wire, key, key_id_write(k, ids[i], key));
        buffer_add(&b->wire, tail.data, tail.length);
        batch_end(b, item);
    }
    return first;
}

struct store_values {
    const struct store_batch *batch;
    struct place {
        uint32_t reply, item;
    } * places;
};

#define NOTHING UINT32_MAX

/* The ids of each group of buckets that may stand in one command, as lists in their order. */
struct values_groups {
    uint32_t *first; /* of each group; NOTHING: none of the ids is of it */
    uint32_t *next;  /* behind each id */
};

static struct values_groups values_group(struct store_batch *b, const uint64_t *ids, size_t count)
{
    const struct map *m = b->store->map;
    size_t groups = map_groups(m);
    struct values_groups g = {arena_alloc(b->arena, groups * sizeof(uint32_t)),
                              arena_alloc(b->arena, (count + 1) * sizeof(uint32_t))};
    memset(g.first, 0xff, groups * sizeof(uint32_t));
    for (size_t i = count; i-- > 0;) {
        uint32_t *first = &g.first[map_group(m, id_bucket(ids[i]))];
        g.next[i] = *first;
        *first = (uint32_t)i;
    }
    return g;
}

/* One MGET for a list of ids. */
static void values_add_group(struct store_batch *b, struct store_values *v, enum key k, const uint64_t *ids,
                             uint32_t first, const uint32_t *next)
{
    uint32_t here = 0;
    for (uint32_t i = first; i != NOTHING; i = next[i]) {
        v->places[i] = (struct place){(uint32_t)b->count, here++};
    }
    char *key = arena_alloc(b->arena, key_id_most(k));
    struct batch_item *item = batch_begin(b, id_bucket(ids[first]), BATCH_NO_SCRIPT);
    wire_begin(&b->wire, 1 + here);
    wire_text(&b->wire, "MGET");
    for (uint32_t i = first; i != NOTHING; i = next[i]) {
        wire_bytes(&b->wire, key, key_id_write(k, ids[i], key));
    }
    batch_end(b, item);
}

struct store_values *store_values_add(struct store_batch *b, enum key k, const uint64_t *ids, size_t count)
{
    struct store_values *v = arena_alloc(b->arena, sizeof(*v));
    *v = (struct store_values){b, arena_alloc(b->arena, (count + 1) * sizeof(struct place))};
    require(count < NOTHING);
    struct values_groups g = values_group(b, ids, count);
    for (size_t n = 0; n < map_groups(b->store->map); n++) {
        if (g.first[n] != NOTHING) {
            values_add_group(b, v, k, ids, g.first[n], g.next);
        }
    }
    return v;
}

const struct store_reply *store_value(const struct store_values *v, size_t i)
{
    return store_item(store_reply(v->batch, v->places[i].reply), v->places[i].item);
}

const struct store_reply *store_reply(const struct store_batch *b, size_t i)
{
    require(b->replies && i < b->count);
    return &b->replies[i];
}
