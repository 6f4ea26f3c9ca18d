/* fuzz_reply.c - what an engine could answer, whole and in pieces: hiredis' parser with our functions, under the bounds
 * of connection.c. What it makes of the bytes is within the bounds, does not depend on the pieces, and means the same
 * when it is written down and read again. */
#include <stdlib.h>
#include <string.h>

#include <hiredis/hiredis.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "fuzz.h"
#include "store/reply.h"
#include "store/reply_sink.h"

static redisReader *make_reader(struct reply_sink *sink)
{
    redisReader *reader = redisReaderCreateWithFunctions(reply_functions());
    FUZZ_CHECK(reader != NULL);
    reader->privdata = sink;
    reader->maxbuf = 64 * 1024;
    reader->maxelements = REPLY_ELEMENTS_MAX;
    return reader;
}

/* Appends the reply in the protocol's own form, which tells errors and strings apart. */
static void write_reply(struct buffer *b, const struct store_reply *r, size_t input, unsigned depth)
{
    FUZZ_CHECK(depth <= REPLY_DEPTH_MAX);
    switch (r->type) {
    case STORE_NIL:
        buffer_text(b, "$-1\r\n");
        return;
    case STORE_INTEGER:
        FUZZ_CHECK(store_integer(r) == r->integer);
        buffer_printf(b, ":%lld\r\n", (long long)r->integer);
        return;
    case STORE_STRING:
    case STORE_ERROR:
        FUZZ_CHECK(r->length <= input && r->text[r->length] == '\0');
        FUZZ_CHECK((r->type == STORE_ERROR) == (r->err != ERR_OK));
        if (r->type == STORE_ERROR) {
            FUZZ_CHECK(store_text(r)[0] == '\0');
            buffer_char(b, '-');
            buffer_add(b, r->text, r->length);
        } else {
            (void)store_integer(r);
            buffer_printf(b, "$%zu\r\n", r->length);
            buffer_add(b, r->text, r->length);
        }
        buffer_text(b, "\r\n");
        return;
    case STORE_ARRAY:
        FUZZ_CHECK(r->count <= REPLY_ELEMENTS_MAX && r->count <= input);
        FUZZ_CHECK(store_item(r, r->count)->type == STORE_NIL);
        (void)store_field(r, "field");
        buffer_printf(b, "*%zu\r\n", r->count);
        for (size_t i = 0; i < r->count; i++) {
            write_reply(b, store_item(r, i), input, depth + 1);
        }
        return;
    }
    FUZZ_CHECK(!"a type");
}

/* Reads all replies of the bytes, fed in pieces of at most `piece`; false where the protocol was broken. */
static bool read_all(struct arena *a, const char *data, size_t size, size_t piece, struct buffer *out)
{
    struct store_reply root;
    struct reply_sink sink = {.arena = a, .root = &root};
    redisReader *reader = make_reader(&sink);
    bool good = true;
    for (size_t at = 0; good && at < size; at += piece) {
        size_t n = size - at < piece ? size - at : piece;
        FUZZ_CHECK(redisReaderFeed(reader, data + at, n) == REDIS_OK);
        void *reply = NULL;
        while ((good = redisReaderGetReply(reader, &reply) == REDIS_OK) && reply) {
            FUZZ_CHECK(reply == &root && sink.elements <= REPLY_ELEMENTS_MAX);
            write_reply(out, &root, size, 0);
            sink.elements = 0;
        }
    }
    redisReaderFree(reader);
    return good;
}

/* The same without a place to put it: nothing may be kept. */
static void forget_all(const char *data, size_t size)
{
    struct reply_sink sink = {0};
    redisReader *reader = make_reader(&sink);
    void *reply = NULL;
    FUZZ_CHECK(redisReaderFeed(reader, data, size) == REDIS_OK);
    while (redisReaderGetReply(reader, &reply) == REDIS_OK && reply) {
        sink.elements = 0;
    }
    redisReaderFree(reader);
}

void fuzz_reply(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    struct buffer whole = buffer_make(a), pieces = buffer_make(a), again = buffer_make(a);
    if (size == 0) {
        return;
    }
    size_t piece = (unsigned char)data[0] % 16 + 1;
    data++;
    size--;
    bool good = read_all(a, data, size, size ? size : 1, &whole);
    FUZZ_CHECK(read_all(a, data, size, piece, &pieces) == good);
    FUZZ_CHECK(strcmp(buffer_string(&whole), buffer_string(&pieces)) == 0);
    FUZZ_CHECK(read_all(a, buffer_string(&whole), whole.length, whole.length ? whole.length : 1, &again));
    FUZZ_CHECK(again.length == whole.length && memcmp(buffer_string(&whole), buffer_string(&again), whole.length) == 0);
    forget_all(data, size);
}
