/* engine_config.h - the configuration that the embedded engine is started with.
 *
 * Internal to src/engine. Threads: the main thread.
 */
#ifndef ENGINE_ENGINE_CONFIG_H
#define ENGINE_ENGINE_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

struct config;

/* Writes it to `file`, readable by this user only. False with a line on report. */
bool engine_config_write(const struct config *c, const char *file, const char *socket, const char *data, FILE *report);

#endif
