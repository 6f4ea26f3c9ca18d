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

/* Before an engine is started: the way of earlier versions to it is closed, and `data` is nobody else's. */
bool directory_close(const struct config *c, const char *data, FILE *report);

/* Run by root, a tool or server becomes the owner of the state directory, if that exists: what it makes there must be
 * usable by the service. engine_borrow does it too; who opens other files of the directory does it before. */
bool directory_become_owner(const struct config *c, FILE *report);

#endif
