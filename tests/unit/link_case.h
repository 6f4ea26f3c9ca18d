/* link_case.h - what the tests of batches over links in memory share: a store on one or two of them. */
#ifndef TESTS_LINK_CASE_H
#define TESTS_LINK_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/id.h"
#include "base/log.h"
#include "memory_link.h"
#include "store/batch.h"
#include "store/listener.h"
#include "store/map.h"
#include "store/script.h"
#include "store/store.h"

#define COMMAND_US (2 * 1000 * 1000)
#define LOW 3u    /* a bucket of the first of two nodes */
#define HIGH 900u /* and one of the second */

static struct arena *arena;
static struct store *store;
static struct memory_link *node[2];

static inline void open_over(size_t nodes, bool apart, const char *(*answer)(const char *command, unsigned nth))
{
    struct link *links[2];
    for (size_t n = 0; n < nodes; n++) {
        node[n] = memory_link_new(answer);
        links[n] = &node[n]->link;
    }
    script_setup();
    store = store_over(map_over(links, nodes, apart, COMMAND_US), "");
}

static inline int begin(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    store_close(store);
    arena_free(arena);
    return 0;
}

static inline struct store_batch *new_batch(void)
{
    return store_batch_new(store, arena);
}

/* Answers a command with what stands behind its first word. */
static inline const char *echo(const char *command, unsigned nth)
{
    (void)nth;
    return arena_printf(arena, "+%s", strchr(command, ' ') + 1);
}

#define over(f) cmocka_unit_test_setup_teardown(f, begin, end)

#endif
