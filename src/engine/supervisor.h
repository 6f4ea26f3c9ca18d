/* supervisor.h - one child process that must always run: started, watched, restarted, stopped.
 *
 * Internal to src/engine: engine.c decides what runs and who may.
 *
 * Threads: made and ended by the main thread; has one of its own, which is also the parent of the child (the kernel
 * ends the child when that thread ends, however that happens).
 */
#ifndef ENGINE_SUPERVISOR_H
#define ENGINE_SUPERVISOR_H

#include <stdbool.h>
#include <stdio.h>

struct room;
struct supervisor;

/* Starts this program again as `retwis engine <config_file>`; it will listen on room->socket_path. Takes a copy of
 * *room. `sandbox`: whether it confines itself (base/confine.h). An engine that answers nothing for hang_seconds (0: no
 * limit) is killed and started again. */
struct supervisor *supervisor_start(const char *config_file, const struct room *room, bool sandbox,
                                    unsigned hang_seconds);

/* Waits until the engine has loaded its data, with a line of progress every now and then. False with a line on report
 * when it ended before, or when a signal to end came meanwhile; then the supervisor can only be stopped. */
bool supervisor_wait(struct supervisor *s, FILE *report);

/* Sets what to call when the engine is back; NULL: nothing. It is called under the supervisor's lock, so it must not
 * call the supervisor. */
void supervisor_attach(struct supervisor *s, void (*on_return)(void *context), void *context);

/* Asks the engine to end, insists after so many ms, and frees. NULL is allowed. */
#define SUPERVISOR_STOP_MS 8000
void supervisor_stop(struct supervisor *s, unsigned patience_ms);

#endif
