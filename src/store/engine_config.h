/* engine_config.h - the configuration that the embedded engine is started with.
 *
 * Internal to src/store. Threads: the main thread.
 */
#ifndef STORE_ENGINE_CONFIG_H
#define STORE_ENGINE_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

struct config;

/* Writes it to `file`, readable by this user only. False with a line on report. */
bool engine_config_write(const struct config *c, const char *file, const char *socket, const char *data, FILE *report);

#endif
