/* command_line.h - from the command line to a row of the table of commands, and its run. Main thread. */
#ifndef COMMAND_COMMAND_LINE_H
#define COMMAND_COMMAND_LINE_H

struct command;

/* Parses the command line and runs what it says. Returns the exit status. */
int command_line_run(const struct command *table, int argc, char **argv);

#endif
