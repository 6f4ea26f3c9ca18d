/* reply_sink.c - see reply_sink.h.
 *
 * hiredis parses; its reply objects are replaced by functions of ours that build struct store_reply in the batch's
 * arena, so a page costs no malloc per element and nothing has to be freed or converted. We stay on RESP2: maps, sets,
 * pushes and doubles are refused as protocol errors, as are nesting and sizes that no command of this program answers
 * with.
 *
 * Threads: those of the batch; no state.
 */
#include "store/reply_sink.h"

#include <hiredis/hiredis.h>

#include "base/arena.h"
#include "store/reply.h"

/* A creation function returns this for a value that is read only to be forgotten. */
static char forgotten;

/* The place of the value being read: the root, or a slot of the array around it. */
static struct store_reply *sink_place(const redisReadTask *task)
{
    struct reply_sink *sink = task->privdata;
    if (!task->parent) {
        return sink->root;
    }
    struct store_reply *array = task->parent->obj;
    return &array->items[task->idx];
}

static void *create_string(const redisReadTask *task, char *text, size_t length)
{
    struct reply_sink *sink = task->privdata;
    bool error = task->type == REDIS_REPLY_ERROR;
    if (task->type != REDIS_REPLY_STRING && task->type != REDIS_REPLY_STATUS && !error) {
        return NULL;
    }
    if (!sink->root) {
        sink->script_missing |= error && reply_begins(text, length, "NOSCRIPT");
        return &forgotten;
    }
    struct store_reply *r = sink_place(task);
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
    struct store_reply *r = sink_place(task);
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
    struct store_reply *r = sink_place(task);
    *r = (struct store_reply){.type = STORE_INTEGER, .integer = value};
    return r;
}

static void *create_nil(const redisReadTask *task)
{
    struct reply_sink *sink = task->privdata;
    if (!sink->root) {
        return &forgotten;
    }
    struct store_reply *r = sink_place(task);
    *r = (struct store_reply){.type = STORE_NIL};
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
