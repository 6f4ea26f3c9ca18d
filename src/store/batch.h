/* batch.h - what a batch is made of.
 *
 * Internal to src/store: batch.c builds it, run.c sends it.
 */
#ifndef STORE_BATCH_H
#define STORE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "store/store.h"

struct map;
struct run;

struct store {
    struct map *map;
    char *prefix;
};

#define BATCH_NO_SCRIPT (-1)

/* One command: its bytes are a slice of the batch's wire form. */
struct batch_item {
    size_t offset;
    size_t length;
    uint16_t bucket;
    int16_t script; /* enum script, or BATCH_NO_SCRIPT */
    bool pending;   /* to be sent, or to be sent again */
    bool reload;    /* load its script first; done once */
    bool moved;     /* sent again after READONLY; done once */
    bool lost;      /* its error is ours: no answer came */
};

/* What is called when the batch has run. */
struct batch_hook {
    void (*call)(void *context);
    void *context;
    struct batch_hook *next;
};

struct store_batch {
    struct store *store;
    struct arena *arena;
    struct buffer wire;
    struct batch_item *items;
    struct store_reply *replies; /* NULL until it is started */
    struct run *run;             /* while it is under way */
    size_t count;
    size_t capacity;
    bool once;
    uint64_t mark;                         /* store_batch_mark */
    struct batch_hook *hooks, **last_hook; /* in the order in which they were added */
};

#endif
