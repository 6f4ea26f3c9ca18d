/* reply_sink.h - where hiredis' parser puts what it reads: replies as plain data, built straight into the arena of the
 * batch.
 *
 * Internal to src/store. Threads: those of the batch.
 */
#ifndef STORE_REPLY_SINK_H
#define STORE_REPLY_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct redisReplyObjectFunctions;
struct store_reply;

/* The private data of the parser. root NULL reads and forgets. */
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

#endif
