/* command.h - subcommands as rows of one table: their names, what they take, and the functions that run them.
 *
 * Dispatch, checks of arguments and options (command_line.h), --help and retwis(1) (help.h) come out of the rows; the
 * table itself is in main.c. A command gets the parsed call and returns the exit status of the process.
 *
 * The folder command/, in the order to read it: main.c (the table), this file, command_line.h and help.h, context.h
 * (what a tool needs of the layers below), and a file for each family of commands; serve.c is the server.
 *
 * Threads: the main thread; `serve` makes others.
 */
#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit statuses. */
enum { COMMAND_OK, COMMAND_FAILED, COMMAND_USAGE };

#define COMMAND_OPTIONS_MAX 8

struct command_option {
    const char *name;  /* "admin": written --admin */
    const char *value; /* what follows it, in the help: "N"; NULL for a switch */
    const char *help;
};

struct command_call;

struct command {
    const char *name; /* one or two words: "serve", "user add" */
    int (*run)(struct command_call *c);
    const char *arguments; /* "NAME [VALUE] [NAME...]": also the rule for how many there may be; "" for none */
    struct command_option options[COMMAND_OPTIONS_MAX]; /* ended by a NULL name unless full */
    const char *help;                                   /* one line, without a full stop */
    const char *details;                                /* sentences for its own help and the man page; may be NULL */
    bool hidden;                                        /* for the build and for retwis itself */
    bool raw;                                           /* gets its arguments as they are */
};

struct command_call {
    const struct command *table; /* ended by a NULL name */
    const struct command *command;
    const char *config_file; /* of -c; NULL without */
    size_t count;
    char **arguments; /* NULL-ended; what is neither option nor the command's name */
    const char *values[COMMAND_OPTIONS_MAX];
};

/* Where the row has an option of this name; -1: nowhere. */
int command_option_index(const struct command *c, const char *name, size_t length);

/* Value of an option, "" of a switch; NULL when it was not given. */
const char *command_option(const struct command_call *c, const char *name);

/* A number given as option; `otherwise` without it. False after a message when it is none or outside min..max. */
bool command_number(const struct command_call *c, const char *name, int64_t min, int64_t max, int64_t otherwise,
                    int64_t *out);

/* The row that the first one or two of these NULL-ended words name, and how many they are; NULL if there is none. */
const struct command *command_find(const struct command *table, char *const *words, int *used);

/* True if the row's name begins with this word. */
bool command_is_in_group(const struct command *c, const char *word);

#endif
