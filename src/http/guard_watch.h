/* guard_watch.h - starts and stops the guard and its watch thread. Inside src/http only.
 *
 * There is one guard per process, because accept(2) has no room for a context. Threads: the main thread.
 */
#ifndef HTTP_GUARD_WATCH_H
#define HTTP_GUARD_WATCH_H

#include "http/guard_table.h" /* for the limits */

/* Before the server starts, and after it stopped. */
void guard_start(const struct guard_limits *limits);
void guard_stop(void);

/* guard_drain: stops accepting; connections are refused, idle ones end. guard_busy: how many still do something. */
void guard_drain(void);
unsigned guard_busy(void);

#endif
