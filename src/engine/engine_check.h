/* engine_check.h - the files of an engine that does not run: looked at, and mended.
 *
 * Internal to src/engine; engine.h has what others call. Threads: the main thread of a process without others.
 */
#ifndef ENGINE_ENGINE_CHECK_H
#define ENGINE_ENGINE_CHECK_H

#include <stdbool.h>
#include <stdio.h>

/* The engine's own tool for its files: the name by which the engine's program becomes it, instead of an engine. */
#define ENGINE_TOOL "valkey-check-aof"

/* Says of each file how it is; true if all are whole now. */
bool engine_check_data(const char *data_directory, bool fix, FILE *report);

#endif
