/* batch.h - what a batch is made of.
 *
 * Internal to src/store: batch.c builds it, run.c sends it.
 */
#ifndef STORE_BATCH_H
#define STORE_BATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "store/store.h"

struct link;
struct map;
struct memo;
struct run;

/* Why a command whose reply is an error is sent again, and how. A cluster will add MOVED and ASK: over another link. */
enum retry {
    RETRY_LOAD = 1,      /* NOSCRIPT: with its script before it */
    RETRY_ELSEWHERE = 2, /* READONLY: over a new connection, to the new master */
};

struct store {
    struct map *map;
    struct memo *memo; /* NULL: every batch is run */
    char *prefix;
    pthread_mutex_t lock;             /* of what follows */
    struct store_listener *listeners; /* that are not freed yet */
    bool ended;
};

/* A store on a map, which becomes its own; store_open makes one of the configuration. */
struct store *store_over(struct map *map, const char *prefix);

#define BATCH_NO_SCRIPT (-1)

/* One command: its bytes are a slice of the batch's wire form. */
struct batch_item {
    size_t offset;
    size_t length;
    uint16_t bucket;
    int16_t script;      /* enum script, or BATCH_NO_SCRIPT */
    bool pending;        /* to be sent, or to be sent again */
    unsigned char tried; /* enum retry, joined: each is tried once */
    bool lost;           /* its error is ours: no answer came */
};

/* What is called when the batch has run. */
struct batch_hook {
    void (*call)(void *context);
    void *context;
    struct batch_hook *next;
};

/* What the answer of a script that only reads depends on. */
struct batch_source {
    size_t index; /* of the command */
    store_source_keys *keys;
    void *context;
    struct batch_source *next;
};

struct store_batch {
    struct store *store;
    struct arena *arena;
    struct buffer wire;
    struct batch_item *items;
    struct store_reply *replies; /* NULL until it is started */
    struct run *run;             /* while it is under way */
    struct link *link;           /* the one that it goes over; NULL: those of the nodes */
    uint64_t patience_us;        /* for all its replies */
    size_t count;
    size_t capacity;
    bool once;
    bool apart;
    bool keeps;                            /* store_batch_keep */
    uint64_t memo_token;                   /* what was heard before it was sent: watch.h */
    struct batch_source *sources;          /* store_batch_source */
    uint64_t mark;                         /* store_batch_mark */
    struct batch_hook *hooks, **last_hook; /* in the order in which they were added */
};

/* Begins a command of the bucket. Its wire form is what the caller writes into b->wire until batch_end, which returns
 * the index of its reply. `script`: an enum script, or BATCH_NO_SCRIPT. */
struct batch_item *batch_begin(struct store_batch *b, unsigned bucket, int script);
size_t batch_end(struct store_batch *b, struct batch_item *item);

#endif
