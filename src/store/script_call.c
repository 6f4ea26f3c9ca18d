/* script_call.c - see script_call.h. */
#include "store/script_call.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/format.h"
#include "base/id.h"
#include "store/batch.h"
#include "store/calls.h"
#include "store/wire.h"

#define ID_BYTES 8

struct script_call script_call_begin(struct store_batch *b, enum script s, unsigned bucket, size_t keys,
                                     size_t arguments)
{
    struct script_call c = {b, batch_begin(b, bucket, s), bucket};
    wire_begin(&b->wire, 3 + keys + arguments);
    wire_text(&b->wire, "EVALSHA");
    wire_bytes(&b->wire, script_info(s)->sha1, 40);
    wire_number(&b->wire, keys);
    return c;
}

size_t script_call_end(struct script_call *c)
{
    return batch_end(c->batch, c->item);
}

void script_call_key(struct script_call *c, const char *key)
{
    wire_text(&c->batch->wire, key);
}

void script_call_key_plain(struct script_call *c, enum key k)
{
    wire_text(&c->batch->wire, key_plain(c->batch->arena, k, c->bucket));
}

void script_call_key_id(struct script_call *c, enum key k, uint64_t id)
{
    wire_text(&c->batch->wire, key_id(c->batch->arena, k, id));
}

void script_call_key_text(struct script_call *c, enum key k, const char *text)
{
    wire_text(&c->batch->wire, key_text(c->batch->arena, k, text));
}

void script_call_key_id_text(struct script_call *c, enum key k, uint64_t id, const char *text)
{
    wire_text(&c->batch->wire, key_id_text(c->batch->arena, k, id, text));
}

void script_call_id(struct script_call *c, uint64_t id)
{
    wire_number(&c->batch->wire, id);
}

void script_call_number(struct script_call *c, int64_t n)
{
    char digits[24];
    wire_bytes(&c->batch->wire, digits, (size_t)snprintf(digits, sizeof(digits), "%lld", (long long)n));
}

void script_call_hex(struct script_call *c, uint64_t n)
{
    char digits[24];
    wire_bytes(&c->batch->wire, digits,
               n ? (size_t)snprintf(digits, sizeof(digits), "%llx", (unsigned long long)n) : 0);
}

void script_call_packed(struct script_call *c, struct script_packed ids)
{
    char *bytes = arena_alloc(c->batch->arena, ids.count * ID_BYTES + 1);
    for (size_t i = 0; i < ids.count * ID_BYTES; i++) {
        bytes[i] = (char)(ids.items[i / ID_BYTES] >> 8 * (ID_BYTES - 1 - i % ID_BYTES));
    }
    wire_bytes(&c->batch->wire, bytes, ids.count * ID_BYTES);
}

void script_call_text(struct script_call *c, const char *text)
{
    wire_text(&c->batch->wire, text);
}

void script_call_flag(struct script_call *c, bool flag)
{
    wire_bytes(&c->batch->wire, flag ? "1" : "0", 1);
}

void script_call_prefix(struct script_call *c)
{
    wire_text(&c->batch->wire, key_bucket_prefix(c->batch->arena, c->bucket));
}

size_t script_call_field_words(enum record r, const void *values)
{
    return 2 * record_given(r, values);
}

void script_call_fields(struct script_call *c, enum record r, const void *values)
{
    record_write(&c->batch->wire, r, values);
}

unsigned script_call_choice(const struct store_reply *r, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(store_text(r), words[i]) == 0) {
            return (unsigned)i;
        }
    }
    return 0;
}
