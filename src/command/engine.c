/* engine.c - `retwis engine`: becomes the embedded engine. The server starts itself again with it (engine/child.c). And
 * `retwis engine-check`: its files, when they are damaged.
 *
 * Threads: the main thread of a process that does nothing else.
 */
#include "engine/engine.h"

#include <stdio.h>

#include "command/command.h"
#include "command/commands.h"
#include "config/config.h"

static int explain(void)
{
    fputs(
        "retwis engine: this is how retwis starts the data engine it carries. \"retwis serve\" and the commands that "
        "need "
        "the data do so themselves, with a configuration file that they write (engine.conf in the state directory). "
        "There "
        "is nothing to start by hand: see retwis help serve, and retwis help engine-check for data that are damaged.\n",
        stderr);
    return COMMAND_USAGE;
}

/* The arguments are the end of the command line, so the word before them serves as argv[0] of the engine. */
int command_engine(struct command_call *c)
{
    if (c->count == 0) {
        return explain();
    }
    return engine_main((int)c->count + 1, c->arguments - 1);
}

int command_engine_check(struct command_call *c)
{
    struct config *config = config_load(c->config_file, stderr);
    if (!config) {
        return COMMAND_USAGE;
    }
    bool embedded = engine_is_embedded(config);
    if (!embedded) {
        fputs("retwis: redis.url names another engine; its own tools check its files\n", stderr);
    }
    bool fix = command_option(c, "fix") != NULL;
    bool whole = embedded && engine_check(config, fix, stdout);
    if (whole) {
        puts(fix ? "all files are whole" : "all files are whole; nothing was changed");
    } else if (embedded && !fix) {
        puts("nothing was changed");
    }
    config_free(config);
    return whole ? COMMAND_OK : COMMAND_FAILED;
}
