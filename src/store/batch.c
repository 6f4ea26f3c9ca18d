/* batch.c - building batches: every command is written in its wire form at once, into one buffer of the arena.
 *
 * So running a batch is one write of one piece, whatever it holds, and the caller's strings are not needed afterwards.
 *
 * Threads: a batch belongs to one.
 */
#include "store/batch.h"

#include <stdarg.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/panic.h"
#include "store/map.h"
#include "store/wire.h"

#define FIRST_ITEMS 16

struct store_batch *store_batch_new(struct store *s, struct arena *a)
{
    struct store_batch *b = arena_zero(a, sizeof(*b));
    b->store = s;
    b->arena = a;
    b->wire = buffer_make(a);
    b->last_hook = &b->hooks;
    return b;
}

void store_batch_once(struct store_batch *b)
{
    b->once = true;
}

void store_batch_mark(struct store_batch *b, uint64_t mark)
{
    b->mark = mark;
}

uint64_t store_batch_marked(const struct store_batch *b)
{
    return b->mark;
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

static struct batch_item *item_begin(struct store_batch *b, unsigned bucket, int script)
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

static size_t item_end(struct store_batch *b, struct batch_item *item)
{
    item->length = b->wire.length - item->offset;
    return b->count - 1;
}

size_t store_command_v(struct store_batch *b, unsigned bucket, size_t count, const char *const *arguments)
{
    struct batch_item *item = item_begin(b, bucket, BATCH_NO_SCRIPT);
    wire_command(&b->wire, count, arguments);
    return item_end(b, item);
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
    struct batch_item *item = item_begin(b, bucket, BATCH_NO_SCRIPT);
    wire_begin(&b->wire, count);
    for (size_t i = 0; i < count; i++) {
        wire_text(&b->wire, va_arg(arguments, const char *));
    }
    va_end(arguments);
    return item_end(b, item);
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
        struct batch_item *item = item_begin(b, id_bucket(ids[i]), BATCH_NO_SCRIPT);
        buffer_add(&b->wire, head.data, head.length);
        wire_bytes(&b->wire, key, key_id_write(k, ids[i], key));
        buffer_add(&b->wire, tail.data, tail.length);
        item_end(b, item);
    }
    return first;
}

struct store_values {
    const struct store_batch *batch;
    struct place {
        uint32_t reply, item;
    } * places;
};

/* One MGET for the ids that lie on the node. */
static void values_add_node(struct store_batch *b, struct store_values *v, size_t node, enum key k, const uint64_t *ids,
                            size_t count)
{
    uint32_t here = 0;
    unsigned bucket = 0;
    for (size_t i = 0; i < count; i++) {
        if (map_node(b->store->map, id_bucket(ids[i])) == node) {
            v->places[i] = (struct place){(uint32_t)b->count, here++};
            bucket = id_bucket(ids[i]);
        }
    }
    if (!here) {
        return;
    }
    char *key = arena_alloc(b->arena, key_id_most(k));
    struct batch_item *item = item_begin(b, bucket, BATCH_NO_SCRIPT);
    wire_begin(&b->wire, 1 + here);
    wire_text(&b->wire, "MGET");
    for (size_t i = 0; i < count; i++) {
        if (map_node(b->store->map, id_bucket(ids[i])) == node) {
            wire_bytes(&b->wire, key, key_id_write(k, ids[i], key));
        }
    }
    item_end(b, item);
}

struct store_values *store_values_add(struct store_batch *b, enum key k, const uint64_t *ids, size_t count)
{
    struct store_values *v = arena_alloc(b->arena, sizeof(*v));
    *v = (struct store_values){b, arena_alloc(b->arena, (count + 1) * sizeof(struct place))};
    for (size_t node = 0; node < map_nodes(b->store->map); node++) {
        values_add_node(b, v, node, k, ids, count);
    }
    return v;
}

const struct store_reply *store_value(const struct store_values *v, size_t i)
{
    return store_item(store_reply(v->batch, v->places[i].reply), v->places[i].item);
}

size_t store_script(struct store_batch *b, unsigned bucket, enum script script, size_t key_count,
                    const char *const *keys, size_t argument_count, const char *const *arguments)
{
    struct batch_item *item = item_begin(b, bucket, script);
    wire_begin(&b->wire, 3 + key_count + argument_count);
    wire_text(&b->wire, "EVALSHA");
    wire_bytes(&b->wire, script_info(script)->sha1, 40);
    wire_number(&b->wire, key_count);
    for (size_t i = 0; i < key_count; i++) {
        wire_text(&b->wire, keys[i]);
    }
    for (size_t i = 0; i < argument_count; i++) {
        wire_text(&b->wire, arguments[i]);
    }
    return item_end(b, item);
}

const struct store_reply *store_reply(const struct store_batch *b, size_t i)
{
    require(b->replies && i < b->count);
    return &b->replies[i];
}
