/* ask.h - questions to the person at the terminal, and passwords that must not appear on it.
 *
 * Threads: the main thread of a command-line tool.
 */
#ifndef COMMAND_ASK_H
#define COMMAND_ASK_H

#include <stdbool.h>
#include <stddef.h>

#define ASK_SIZE 1024

/* True if somebody can be asked: standard input is a terminal. */
bool ask_possible(void);

/* A new password and its repetition: asked for twice, or one line of standard input when nobody can be asked or
 * from_stdin says so. The caller wipes both. */
bool ask_password(bool from_stdin, char password[ASK_SIZE], char again[ASK_SIZE]);

/* True if the answer to "question [y/N]" is yes. */
bool ask_yes(const char *question);

#endif
