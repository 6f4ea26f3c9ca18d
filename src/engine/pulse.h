/* pulse.h - whether an engine still answers: asked once a second over a connection of its own, without ever waiting for
 * it.
 *
 * Any answer counts, errors too: an engine that loads its data or runs a long script says so. Each look adds at most a
 * second of silence, so that time in which this process did not run either (a laptop that slept, a paused machine) is
 * not counted.
 *
 * Internal to src/engine. Threads: the supervisor's.
 */
#ifndef ENGINE_PULSE_H
#define ENGINE_PULSE_H

#include <stdbool.h>
#include <stdint.h>

struct pulse {
    const char *socket_path; /* the engine's; the caller's */
    int fd;                  /* -1: none */
    bool asked;              /* and not answered */
    uint64_t asked_us, looked_us, silent_us;
};

/* For an engine that is just starting. */
void pulse_begin(struct pulse *p, const char *socket_path);

/* As often as you like, at least once a second: for how long it has not answered, in microseconds. */
uint64_t pulse_look(struct pulse *p);

/* Closes the connection. */
void pulse_end(struct pulse *p);

#endif
