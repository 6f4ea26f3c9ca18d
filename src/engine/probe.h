/* probe.h - asks at an engine's socket, without a store, whether an engine is there and how far it has loaded.
 *
 * Internal to src/engine. Threads: any.
 */
#ifndef ENGINE_PROBE_H
#define ENGINE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum probe_result { PROBE_NOBODY, PROBE_LOADING, PROBE_READY };

/* Asks once; percent is set when it is loading. Waits at most timeout_ms for each step. */
enum probe_result probe_engine(const char *socket_path, uint64_t timeout_ms, double *percent);

/* Sends one command; true if the answer is OK. */
bool probe_command(const char *socket_path, uint64_t timeout_ms, size_t count, const char *const *words);

#endif
