/* search.c - `retwis search rebuild`: the index of search made anew. Threads: the main thread. */
#include <stdio.h>

#include "command/command.h"
#include "command/commands.h"
#include "command/context.h"
#include "config/config.h"
#include "social/search/build.h"

static int rebuild_index(struct context *x)
{
    if (!x->config->search.enabled) {
        fprintf(stderr, "retwis: search is switched off (search.enabled)\n");
        return COMMAND_FAILED;
    }
    enum err e = build_now(x->social, x->arena);
    if (e != ERR_OK) {
        fprintf(stderr, "retwis: %s\n", err_info(e)->help);
        return COMMAND_FAILED;
    }
    printf("the index of search has been built from all people and posts\n");
    return COMMAND_OK;
}

int command_search_rebuild(struct command_call *c)
{
    struct context x;
    int status = context_open_patient(&x, c);
    if (status == COMMAND_OK) {
        status = rebuild_index(&x);
    }
    context_close(&x);
    return status;
}
