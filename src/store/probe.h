/* probe.h - a look at an engine's socket without a store: is somebody there, and how far has it loaded.
 *
 * Internal to src/store. Threads: any.
 */
#ifndef STORE_PROBE_H
#define STORE_PROBE_H

#include <stdint.h>

enum probe_result { PROBE_NOBODY, PROBE_LOADING, PROBE_READY };

/* Asks once; percent is set when it is loading. Waits at most timeout_ms for each step. */
enum probe_result probe_engine(const char *socket_path, uint64_t timeout_ms, double *percent);

#endif
