/* sandbox.h - the rights that `retwis serve` gives up before it starts.
 *
 * Threads: the main thread, before any other exists.
 */
#ifndef COMMAND_SANDBOX_H
#define COMMAND_SANDBOX_H

#include <stdbool.h>

struct config;

/* Root becomes the owner of the state directory; false, with a line on standard error, when the owner is root and
 * process.allow_root does not allow that. */
bool sandbox_leave_root(const struct config *c);

/* Privileges, system calls, files and ports, by what the configuration names; the log says what is in force. `file` is
 * the configuration's (NULL: the usual). False, with a line on standard error, when the state directory cannot be
 * made. */
bool sandbox_enter(const struct config *c, const char *file);

#endif
