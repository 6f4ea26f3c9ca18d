/* commands.h - what the rows of the table in main.c run. Each gets a parsed call and returns the exit status.
 *
 * Grouped by file. Main thread.
 */
#ifndef COMMAND_COMMANDS_H
#define COMMAND_COMMANDS_H

struct command_call;

/* serve.c, engine.c */
int command_serve(struct command_call *c);
int command_engine(struct command_call *c);

#endif
