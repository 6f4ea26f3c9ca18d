/* script_call.h - what the generated calls of scripts (store/calls.h) are made of: they put one word after the other,
 * straight into the wire form of the batch. Nothing else uses it. Threads: that of the batch.
 */
#ifndef STORE_SCRIPT_CALL_H
#define STORE_SCRIPT_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/keys.h"
#include "store/record.h"
#include "store/script.h"

struct batch_item;
struct script_packed; /* store/calls.h */
struct store_batch;
struct store_reply;

struct script_call {
    struct store_batch *batch;
    struct batch_item *item;
    unsigned bucket;
};

/* A call with so many keys and arguments, which must follow in this order. */
struct script_call script_call_begin(struct store_batch *b, enum script s, unsigned bucket, size_t keys,
                                     size_t arguments);
size_t script_call_end(struct script_call *c); /* the index of the reply */

void script_call_key(struct script_call *c, const char *key); /* as it is */
void script_call_key_plain(struct script_call *c, enum key k);
void script_call_key_id(struct script_call *c, enum key k, uint64_t id);
void script_call_key_text(struct script_call *c, enum key k, const char *text);
void script_call_key_id_text(struct script_call *c, enum key k, uint64_t id, const char *text);

void script_call_id(struct script_call *c, uint64_t id);
void script_call_number(struct script_call *c, int64_t n);
void script_call_hex(struct script_call *c, uint64_t n); /* 0: "" */
void script_call_packed(struct script_call *c, struct script_packed ids);
void script_call_text(struct script_call *c, const char *text);
void script_call_flag(struct script_call *c, bool flag);
void script_call_prefix(struct script_call *c); /* "<prefix>{b}:" */
void script_call_fields(struct script_call *c, enum record r, const void *values);
size_t script_call_field_words(enum record r, const void *values);

/* Which of the words an answer says; the first if none of them. */
unsigned script_call_choice(const struct store_reply *r, const char *const *words, size_t count);

#endif
