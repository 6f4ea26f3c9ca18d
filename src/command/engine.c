/* engine.c - `retwis engine`: becomes the embedded engine. The server starts itself again with it (store/child.c).
 *
 * Threads: the main thread of a process that does nothing else.
 */
#include "store/engine.h"

#include "command/command.h"
#include "command/commands.h"

/* The arguments end the command line, so the word before them is the engine's name for itself. */
int command_engine(struct command_call *c)
{
    return engine_main((int)c->count + 1, c->arguments - 1);
}
