/* reply.h - what the engine answers, as plain data; how it is read, and the classes of its errors.
 *
 * Part of store.h, which everybody includes; the functions reply_* are for src/store. How replies come about:
 * reply_sink.h.
 *
 * Threads: those of the batch.
 */
#ifndef STORE_REPLY_H
#define STORE_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

enum store_type { STORE_NIL, STORE_STRING, STORE_INTEGER, STORE_ARRAY, STORE_ERROR };

/* A reply. Strings are NUL-terminated beyond `length`; everything lives in the arena of the batch. Status replies
 * ("OK") are strings. An error carries its class. */
struct store_reply {
    enum store_type type;
    enum err err;
    int64_t integer;
    const char *text;
    size_t length;
    struct store_reply *items;
    size_t count;
};

/* Readers that never fail: "" / 0 / NIL for what is not there or of another type. */
const char *store_text(const struct store_reply *r);
int64_t store_integer(const struct store_reply *r); /* integers, and strings of digits */
const struct store_reply *store_item(const struct store_reply *r, size_t i);

/* The ids of an array in its order, 0 for what is none; out has room for r->count of them. */
void store_list_ids(const struct store_reply *r, uint64_t *out);

/* The index of the last of the first `count` entries, for LRANGE, ZRANGE and LTRIM. count is not 0. */
const char *store_last(struct arena *a, size_t count);

/* The value behind a field name in an HGETALL-like array; NIL if absent. */
const struct store_reply *store_field(const struct store_reply *r, const char *name);

/* ms since 1970, of a reply to TIME; 0 if it is none. */
uint64_t store_time_ms(const struct store_reply *r);

/* What the first word of an error reply means for the caller. */
enum err reply_classify(const char *text, size_t length);

/* True if the text is `word`, or begins with it and a space. */
bool reply_begins(const char *text, size_t length, const char *word);

/* True if the first word of the error reply is `word`. */
bool reply_is(const struct store_reply *r, const char *word);

/* The value of a field in what INFO answers, "name:value" in a line of its own: its length, and where it begins, which
 * is in the text (for %.*s). Length 0 at "" if it is not there. */
size_t reply_info(const char *info, const char *field, const char **value);

/* Makes an error reply of our own, in place of an answer that never came. text must outlive it. */
void reply_set_error(struct store_reply *r, enum err e, const char *text);

#endif
