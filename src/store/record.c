/* record.c - reads and writes records by the table in record.h. */
#include "store/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/panic.h"
#include "store/batch.h"
#include "store/keys.h"
#include "store/store.h"
#include "store/wire.h"

enum field_type { FIELD_TEXT, FIELD_ID, FIELD_NUMBER, FIELD_HEX, FIELD_FLAG };

struct field {
    const char *word;
    enum field_type type;
    size_t offset;
};

#define X(record, id, member, type, view, holds) {#member, FIELD_##type, offsetof(struct OWNER, member)},
#define OWNER record_user
static const struct field user_fields[] = {USER_FIELDS(X)};
#undef OWNER
#define OWNER record_session
static const struct field session_fields[] = {SESSION_FIELDS(X)};
#undef OWNER
#define OWNER record_app
static const struct field app_fields[] = {APP_FIELDS(X)};
#undef OWNER
#define OWNER record_token
static const struct field token_fields[] = {TOKEN_FIELDS(X)};
#undef OWNER
#define OWNER record_code
static const struct field code_fields[] = {CODE_FIELDS(X)};
#undef OWNER
#define OWNER record_list
static const struct field list_fields[] = {LIST_FIELDS(X)};
#undef OWNER
#define OWNER record_post
static const struct field post_fields[] = {POST_FIELDS(X)};
#undef OWNER
#define OWNER record_homestate
static const struct field homestate_fields[] = {HOMESTATE_FIELDS(X)};
#undef OWNER
#define OWNER record_job
static const struct field job_fields[] = {JOB_FIELDS(X)};
#undef OWNER
#define OWNER record_invite
static const struct field invite_fields[] = {INVITE_FIELDS(X)};
#undef OWNER
#define OWNER record_site
static const struct field site_fields[] = {SITE_FIELDS(X)};
#undef OWNER
#undef X

static const struct {
    enum key key;
    const struct field *fields;
    size_t count, size;
} records[RECORD_COUNT] = {
#define R(id, member, fields)                                                                                          \
    {KEY_##id, member##_fields, sizeof(member##_fields) / sizeof(struct field), sizeof(struct record_##member)},
    RECORD_TABLE(R)
#undef R
};

const char *record_word(enum record r, unsigned field)
{
    for (size_t i = 0; i < records[r].count; i++) {
        if (field == 1u << i) {
            return records[r].fields[i].word;
        }
    }
    panic("one field of its record has a word");
}

/* --- asking --------------------------------------------------------------------------------------------------------
 * */

size_t record_ask_at(struct store_batch *b, unsigned bucket, const char *key, enum record r, unsigned fields)
{
    struct batch_item *item = batch_begin(b, bucket, BATCH_NO_SCRIPT);
    wire_begin(&b->wire, 2 + (size_t)__builtin_popcount(fields));
    wire_text(&b->wire, "HMGET");
    wire_text(&b->wire, key);
    for (size_t i = 0; i < records[r].count; i++) {
        if (fields & 1u << i) {
            wire_text(&b->wire, records[r].fields[i].word);
        }
    }
    return batch_end(b, item);
}

size_t record_ask(struct store_batch *b, enum record r, uint64_t id, unsigned fields)
{
    return record_ask_at(b, id_bucket(id), key_id(b->arena, records[r].key, id), r, fields);
}

/* --- writing -------------------------------------------------------------------------------------------------------
 * */

#define VALUE_SIZE 24

/* The text of a value; NULL if it is not given. */
static const char *record_text(const struct field *f, const void *values, char out[VALUE_SIZE])
{
    const void *at = (const char *)values + f->offset;
    switch (f->type) {
    case FIELD_TEXT:
        return *(const char *const *)at;
    case FIELD_FLAG:
        return *(const bool *)at ? "1" : NULL;
    case FIELD_ID:
        return *(const uint64_t *)at ? id_write(*(const uint64_t *)at, out) : NULL;
    case FIELD_NUMBER:
        snprintf(out, VALUE_SIZE, "%lld", *(const long long *)at);
        return *(const int64_t *)at ? out : NULL;
    case FIELD_HEX:
        snprintf(out, VALUE_SIZE, "%llx", *(const unsigned long long *)at);
        return *(const uint64_t *)at ? out : NULL;
    }
    return NULL;
}

size_t record_given(enum record r, const void *values)
{
    char room[VALUE_SIZE];
    size_t count = 0;
    for (size_t i = 0; i < records[r].count; i++) {
        count += record_text(&records[r].fields[i], values, room) != NULL;
    }
    return count;
}

void record_write(struct buffer *wire, enum record r, const void *values)
{
    char room[VALUE_SIZE];
    for (size_t i = 0; i < records[r].count; i++) {
        const char *value = record_text(&records[r].fields[i], values, room);
        if (value) {
            wire_text(wire, records[r].fields[i].word);
            wire_text(wire, value);
        }
    }
}

size_t record_put_at(struct store_batch *b, unsigned bucket, const char *key, enum record r, const void *values)
{
    size_t given = record_given(r, values);
    require(given > 0);
    struct batch_item *item = batch_begin(b, bucket, BATCH_NO_SCRIPT);
    wire_begin(&b->wire, 2 + 2 * given);
    wire_text(&b->wire, "HSET");
    wire_text(&b->wire, key);
    record_write(&b->wire, r, values);
    return batch_end(b, item);
}

size_t record_put(struct store_batch *b, enum record r, uint64_t id, const void *values)
{
    return record_put_at(b, id_bucket(id), key_id(b->arena, records[r].key, id), r, values);
}

/* --- reading -------------------------------------------------------------------------------------------------------
 * */

static void record_read_value(const struct field *f, const struct store_reply *value, void *out)
{
    void *at = (char *)out + f->offset;
    switch (f->type) {
    case FIELD_TEXT:
        *(const char **)at = store_text(value);
        break;
    case FIELD_FLAG:
        *(bool *)at = strcmp(store_text(value), "1") == 0;
        break;
    case FIELD_ID:
        *(uint64_t *)at = id_parse(store_text(value));
        break;
    case FIELD_NUMBER:
        *(int64_t *)at = store_integer(value);
        break;
    case FIELD_HEX:
        *(uint64_t *)at = strtoull(store_text(value), NULL, 16);
        break;
    }
}

static void record_clear(enum record r, void *out)
{
    static const struct store_reply nothing = {.type = STORE_NIL};
    memset(out, 0, records[r].size);
    for (size_t i = 0; i < records[r].count; i++) {
        record_read_value(&records[r].fields[i], &nothing, out);
    }
}

bool record_take(enum record r, const struct store_reply *reply, unsigned fields, void *out)
{
    bool found = false;
    size_t n = 0;
    record_clear(r, out);
    for (size_t i = 0; i < records[r].count; i++) {
        if (fields & 1u << i) {
            const struct store_reply *value = store_item(reply, n++);
            found |= value->type == STORE_STRING;
            record_read_value(&records[r].fields[i], value, out);
        }
    }
    return found;
}

bool record_take_all(enum record r, const struct store_reply *reply, void *out)
{
    record_clear(r, out);
    for (size_t i = 0; i < records[r].count; i++) {
        record_read_value(&records[r].fields[i], store_field(reply, records[r].fields[i].word), out);
    }
    return reply->type == STORE_ARRAY && reply->count > 0;
}

/* --- as bytes ------------------------------------------------------------------------------------------------------
 * */

/* Whether a value is another than the default. */
static bool is_given(const struct field *f, const void *values)
{
    const void *at = (const char *)values + f->offset;
    switch (f->type) {
    case FIELD_TEXT:
        return *(const char *const *)at && **(const char *const *)at;
    case FIELD_FLAG:
        return *(const bool *)at;
    default:
        return *(const uint64_t *)at != 0;
    }
}

/* A word with a bit for each value that follows: eight bytes, a text with its NUL, or, of a flag, nothing. */
const void *record_pack(struct arena *a, enum record r, const void *values, size_t *size)
{
    struct buffer out = buffer_make(a);
    uint64_t given = 0;
    for (size_t i = 0; i < records[r].count; i++) {
        given |= (uint64_t)is_given(&records[r].fields[i], values) << i;
    }
    buffer_add(&out, &given, sizeof(given));
    for (size_t i = 0; i < records[r].count; i++) {
        const struct field *f = &records[r].fields[i];
        const void *at = (const char *)values + f->offset;
        if (given >> i & 1 && f->type == FIELD_TEXT) {
            buffer_add(&out, *(const char *const *)at, strlen(*(const char *const *)at) + 1);
        } else if (given >> i & 1 && f->type != FIELD_FLAG) {
            buffer_add(&out, at, sizeof(uint64_t));
        }
    }
    *size = out.length;
    return out.data;
}

void record_unpack(enum record r, const void *bytes, void *out)
{
    uint64_t given;
    const char *next = (const char *)bytes + sizeof(given);
    memcpy(&given, bytes, sizeof(given));
    for (size_t i = 0; i < records[r].count; i++) {
        const struct field *f = &records[r].fields[i];
        void *at = (char *)out + f->offset;
        bool is_here = given >> i & 1;
        if (f->type == FIELD_TEXT) {
            *(const char **)at = is_here ? next : "";
            next += is_here ? strlen(next) + 1 : 0;
        } else if (f->type == FIELD_FLAG) {
            *(bool *)at = is_here;
        } else {
            memset(at, 0, sizeof(uint64_t));
            memcpy(at, next, is_here ? sizeof(uint64_t) : 0);
            next += is_here ? sizeof(uint64_t) : 0;
        }
    }
}
