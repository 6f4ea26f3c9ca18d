/* reply.h - what the engine answers, built straight into the arena of the batch; and the classes of its errors.
 *
 * Internal to src/store: the readers of replies that everybody may use are in store.h.
 *
 * Threads: those of the batch.
 */
#ifndef STORE_REPLY_H
#define STORE_REPLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "store/store.h"

struct arena;
struct redisReplyObjectFunctions;

/* Where hiredis' parser puts what it reads: its private data. root NULL reads and forgets. */
struct reply_sink {
    struct arena *arena;
    struct store_reply *root;
    size_t elements;     /* of arrays, so far in this reply: bounded, since each costs memory before it has come */
    bool script_missing; /* a forgotten reply was NOSCRIPT */
};

#define REPLY_ELEMENTS_MAX (1u << 20)
#define REPLY_DEPTH_MAX 8
#define REPLY_BYTES_MAX (64u << 20)

/* hiredis' creation functions; they expect a struct reply_sink as private data. */
struct redisReplyObjectFunctions *reply_functions(void);

/* What the first word of an error reply means for the caller. */
enum err reply_classify(const char *text, size_t length);

/* True if the first word of the error reply is `word`. */
bool reply_is(const struct store_reply *r, const char *word);

/* The value of a field in what INFO answers, "name:value" in a line of its own: its length, and where it begins, which is in
 * the text (for %.*s). Length 0 at "" if it is not there. */
size_t reply_info(const char *info, const char *field, const char **value);

/* Makes an error reply of our own: what stands for an answer that never came. text must outlive it. */
void reply_set_error(struct store_reply *r, enum err e, const char *text);

#endif
