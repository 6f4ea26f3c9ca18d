/* reply.c - replies of the engine as plain data.
 *
 * hiredis parses; its reply objects are replaced by functions of ours that build struct store_reply in the batch's arena,
 * so a page costs no malloc per element and nothing has to be freed or converted. We stay on RESP2: maps, sets, pushes
 * and doubles are refused as protocol errors, as are nesting and sizes that no command of this program answers with.
 *
 * Threads: those of the batch; no state.
 */
#include "store/reply.h"

#include <stdlib.h>
#include <string.h>

#include <hiredis/hiredis.h>

#include "base/arena.h"

/* What a creation function returns for something that is read only to be forgotten. */
static char forgotten;

static const struct store_reply nil = {.type = STORE_NIL};

/* The place of the value being read: the root, or a slot of the array around it. */
static struct store_reply *place(const redisReadTask *task)
{
    struct reply_sink *sink = task->privdata;
    if (!task->parent) {
        return sink->root;
    }
    struct store_reply *array = task->parent->obj;
    return &array->items[task->idx];
}

static bool is_word(const char *text, size_t length, const char *word)
{
    size_t n = strlen(word);
    return length >= n && memcmp(text, word, n) == 0 && (length == n || text[n] == ' ');
}

static void *create_string(const redisReadTask *task, char *text, size_t length)
{
    struct reply_sink *sink = task->privdata;
    bool error = task->type == REDIS_REPLY_ERROR;
    if (task->type != REDIS_REPLY_STRING && task->type != REDIS_REPLY_STATUS && !error) {
        return NULL;
    }
    if (!sink->root) {
        sink->script_missing |= error && is_word(text, length, "NOSCRIPT");
        return &forgotten;
    }
    struct store_reply *r = place(task);
    *r = (struct store_reply){.type = error ? STORE_ERROR : STORE_STRING, .length = length};
    r->text = arena_dup_n(sink->arena, text, length);
    r->err = error ? reply_classify(text, length) : ERR_OK;
    return r;
}

static bool too_deep(const redisReadTask *task)
{
    int depth = 1;
    while ((task = task->parent)) {
        depth++;
    }
    return depth > REPLY_DEPTH_MAX;
}

static void *create_array(const redisReadTask *task, size_t count)
{
    struct reply_sink *sink = task->privdata;
    if (task->type != REDIS_REPLY_ARRAY || too_deep(task) || count > REPLY_ELEMENTS_MAX - sink->elements) {
        return NULL;
    }
    sink->elements += count;
    if (!sink->root) {
        return &forgotten;
    }
    struct store_reply *r = place(task);
    *r = (struct store_reply){.type = STORE_ARRAY, .count = count};
    /* Not zeroed: a slot is read only after the whole reply has come. */
    r->items = count ? arena_alloc(sink->arena, count * sizeof(*r->items)) : NULL;
    return r;
}

static void *create_integer(const redisReadTask *task, long long value)
{
    struct reply_sink *sink = task->privdata;
    if (!sink->root) {
        return &forgotten;
    }
    struct store_reply *r = place(task);
    *r = (struct store_reply){.type = STORE_INTEGER, .integer = value};
    return r;
}

static void *create_nil(const redisReadTask *task)
{
    struct reply_sink *sink = task->privdata;
    if (!sink->root) {
        return &forgotten;
    }
    struct store_reply *r = place(task);
    *r = nil;
    return r;
}

static void *refuse_double(const redisReadTask *task, double value, char *text, size_t length)
{
    (void)task, (void)value, (void)text, (void)length;
    return NULL;
}

static void *refuse_bool(const redisReadTask *task, int value)
{
    (void)task, (void)value;
    return NULL;
}

static void free_nothing(void *reply)
{
    (void)reply;
}

struct redisReplyObjectFunctions *reply_functions(void)
{
    static redisReplyObjectFunctions functions = {
        .createString = create_string,
        .createArray = create_array,
        .createInteger = create_integer,
        .createDouble = refuse_double,
        .createNil = create_nil,
        .createBool = refuse_bool,
        .freeObject = free_nothing,
    };
    return &functions;
}

/* clang-format off */
static const struct {
    const char *word;
    enum err err;
} classes[] = {
    {"LOADING", ERR_UNAVAILABLE},
    {"MASTERDOWN", ERR_UNAVAILABLE},
    {"CLUSTERDOWN", ERR_UNAVAILABLE},
    {"TRYAGAIN", ERR_UNAVAILABLE},
    {"BUSY", ERR_UNAVAILABLE},
    {"READONLY", ERR_READ_ONLY},
    {"OOM", ERR_READ_ONLY},
    {"MISCONF", ERR_READ_ONLY},
    {"NOREPLICAS", ERR_READ_ONLY},
    {"NOAUTH", ERR_CONFIG},
    {"DENIED", ERR_CONFIG},
    {"WRONGPASS", ERR_CONFIG},
    {"NOPERM", ERR_CONFIG},
};
/* clang-format on */

enum err reply_classify(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
        if (is_word(text, length, classes[i].word)) {
            return classes[i].err;
        }
    }
    return ERR_PROTOCOL;
}

bool reply_is(const struct store_reply *r, const char *word)
{
    return r->type == STORE_ERROR && is_word(r->text, r->length, word);
}

size_t reply_info(const char *info, const char *field, const char **value)
{
    size_t length = strlen(field);
    for (const char *line = info; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, field, length) == 0 && line[length] == ':') {
            *value = line + length + 1;
            return strcspn(*value, "\r\n");
        }
    }
    *value = "";
    return 0;
}

void reply_set_error(struct store_reply *r, enum err e, const char *text)
{
    *r = (struct store_reply){.type = STORE_ERROR, .err = e, .text = text, .length = strlen(text)};
}

const char *store_text(const struct store_reply *r)
{
    return r->type == STORE_STRING ? r->text : "";
}

int64_t store_integer(const struct store_reply *r)
{
    if (r->type == STORE_INTEGER) {
        return r->integer;
    }
    if (r->type != STORE_STRING || r->length == 0 || r->length > 20) {
        return 0;
    }
    char *end;
    long long value = strtoll(r->text, &end, 10);
    bool starts_well = r->text[0] == '-' || (r->text[0] >= '0' && r->text[0] <= '9');
    return starts_well && *end == '\0' && end == r->text + r->length ? value : 0;
}

uint64_t store_time_ms(const struct store_reply *r)
{
    return (uint64_t)store_integer(store_item(r, 0)) * 1000 + (uint64_t)store_integer(store_item(r, 1)) / 1000;
}

const struct store_reply *store_item(const struct store_reply *r, size_t i)
{
    return r->type == STORE_ARRAY && i < r->count ? &r->items[i] : &nil;
}

const struct store_reply *store_field(const struct store_reply *r, const char *name)
{
    size_t length = strlen(name);
    if (r->type == STORE_ARRAY) {
        for (size_t i = 0; i + 1 < r->count; i += 2) {
            const struct store_reply *key = &r->items[i];
            if (key->type == STORE_STRING && key->length == length && memcmp(key->text, name, length) == 0) {
                return &r->items[i + 1];
            }
        }
    }
    return &nil;
}
