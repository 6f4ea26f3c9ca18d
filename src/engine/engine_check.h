/* engine_check.h - looks at the files of an engine that does not run, and mends them.
 *
 * Internal to src/engine; engine.h has what others call. Threads: the main thread of a process without others.
 */
#ifndef ENGINE_ENGINE_CHECK_H
#define ENGINE_ENGINE_CHECK_H

#include <stdbool.h>
#include <stdio.h>

/* The engine's own tool for its files: the name by which the engine's program becomes it, instead of an engine. */
#define ENGINE_TOOL "valkey-check-aof"

/* Reports the state of each file; true if all are whole now. */
bool engine_check_data(const char *data_directory, bool fix, FILE *report);

#endif
