/* directory.h - the state directory: what in it is the engine's, who owns it, who may enter.
 *
 * Threads: any; directory_become_owner before there are others.
 */
#ifndef ENGINE_DIRECTORY_H
#define ENGINE_DIRECTORY_H

#include <stdbool.h>
#include <stdio.h>

struct config;

#define DIRECTORY_DATA "engine" /* the engine's own: its files and its socket */
#define DIRECTORY_SOCKET DIRECTORY_DATA "/sock"

/* The path of a file in the state directory; the caller frees. */
char *directory_path(const struct config *c, const char *name);

/* The path of the socket: in the engine's own directory, which only this user can enter. The caller frees. */
char *directory_socket(const struct config *c);

/* mkdir -p, for this user only. False with a line on report, as all below. */
bool directory_make(const char *directory, FILE *report);

/* To be called before an engine is started: removes the socket of earlier versions, and makes `data` private to this
 * user. */
bool directory_close(const struct config *c, const char *data, FILE *report);

/* When root runs a tool or server, it becomes the owner of the state directory, if that exists, so that the service can
 * use the files it makes there. engine_borrow does it too; a caller that opens other files of the directory does it
 * first. */
bool directory_become_owner(const struct config *c, FILE *report);

#endif
