/* help.h - the table of commands in words: --help, messages about misuse, retwis(1). Main thread. */
#ifndef COMMAND_HELP_H
#define COMMAND_HELP_H

#include <stdbool.h>
#include <stdio.h>

struct command;

/* All commands, one line each. */
void help_all(const struct command *table, FILE *out);

/* "usage: retwis user add NAME [--admin]". */
void help_usage(const struct command *c, FILE *out);

/* Everything about one. */
void help_command(const struct command *c, FILE *out);

/* The commands that begin with this word; false if there are none. */
bool help_group(const struct command *table, const char *word, FILE *out);

/* On standard error: there is no such command, and which was probably meant. */
void help_unknown(const struct command *table, const char *word);

#endif
