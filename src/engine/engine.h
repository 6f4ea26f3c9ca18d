/* engine.h - the embedded engine as a child process: started, watched, restarted, stopped last.
 *
 * `retwis serve` starts its own executable again as `retwis engine …` on a Unix socket in the state directory. A lock
 * file there decides who owns the engine: a second server is refused; a command-line tool uses the running server's
 * engine, or starts one for its own short life when no server runs.
 *
 * What this is not: the client side (store.h).
 *
 * The folder engine/, in the order to read it: this file, directory.h and lock.h (whose data it is), engine_config.h
 * and child.h (how it is started), supervisor.h with probe.h and pulse.h (how it is watched), flusher.h and room.h
 * (what the disk does), aof.h and engine_check.h (what is done when the data are damaged).
 *
 * Threads: started and stopped by the main thread; one supervisor thread.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

struct config;
struct confine;
struct engine;

/* True if config.redis.url says "embedded". */
bool engine_is_embedded(const struct config *c);

/* Server: takes the lock, starts the engine, and returns when its data are loaded (lines of progress go to the log; a
 * pending SIGTERM or SIGINT ends the wait). Makes the state directory if it is missing. NULL with a line on report when
 * another server has the directory or the engine does not start. With an external redis.url it only takes the lock. */
struct engine *engine_start(const struct config *c, FILE *report);

/* Tool: uses the running server's engine, or starts one when none runs. Same result rules. */
struct engine *engine_borrow(const struct config *c, FILE *report);

/* `retwis engine-check`: takes the state directory for itself, looks at the engine's files, mends them if told to (what
 * is taken away is kept in engine/repaired), and reports the state of each. True if all are whole now. False, with
 * lines on report, also when a server or another command uses the directory. */
bool engine_check(const struct config *c, bool fix, FILE *report);

/* Allows what the engine needs from the rules of the server that starts it: the state directory, which is made if it is
 * missing, and this program. False with a line on report. */
bool engine_confine(const struct config *c, struct confine *k, FILE *report);

/* The pid of the server that has this state directory; 0: none, -1: one that cannot be seen from here. Makes
 * nothing. */
int engine_server(const struct config *c);

/* Sets what to call after each restart of the engine; NULL: nothing from now on. */
void engine_attach(struct engine *e, void (*on_return)(void *context), void *context);

/* Stops what this process started (data on disk first) and gives the lock back. NULL is allowed. An engine that hangs
 * is killed after some seconds; engine_stop_within says when. */
void engine_stop(struct engine *e);
void engine_stop_within(struct engine *e, unsigned ms);

/* `retwis engine CONFIG_FILE`: becomes the engine. argv[0] is the word "engine" or the program's name. To be called
 * before any thread exists, before locale or signals are touched. Returns only if it cannot. */
int engine_main(int argc, char **argv);

#endif
