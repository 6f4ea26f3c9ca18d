/* sleeper.h - a thread that sleeps until it is time to do something, or until it is told to end.
 *
 * For what is done now and then beside the requests: bringing files to the disk, looks at the engine and at the
 * settings, connections that are late. The thread's own function is the loop: it sleeps with sleeper_sleep, and returns
 * when that is false. The data it works on are shared as it and its starter agree.
 *
 * What this is not: a thread that waits for work from others (base/turn.h, the workers of jobs).
 *
 * Threads: a sleeper is started and ended by others than its own thread, and only by one of them at a time;
 * sleeper_tell may come from any.
 */
#ifndef BASE_SLEEPER_H
#define BASE_SLEEPER_H

#include <stdbool.h>
#include <stdint.h>

struct sleeper;

/* Starts the thread, which calls body(itself, context) and is over when that returns. Signals do not reach it: they are
 * the main thread's business. The context must live until sleeper_end. Panics if there are no threads left. */
struct sleeper *sleeper_start(void (*body)(struct sleeper *s, void *context), void *context);

/* The thread's own: sleeps for so long. False, and at once, when it was told to end. */
bool sleeper_sleep(struct sleeper *s, uint64_t ms);

/* Tells it to end without waiting for it: for several that end together. sleeper_end must follow. */
void sleeper_tell(struct sleeper *s);

/* Tells it to end, waits until it has, and frees. NULL is allowed. */
void sleeper_end(struct sleeper *s);

#endif
