/* comeback.h - a server that systemd starts again and again waits before it tries once more.
 *
 * systemd of Debian 12 knows one fixed pause (its RestartSteps came later), so the server counts by itself, in the
 * state directory: after several short runs that did not end in order, a start waits 1, 2, 4 … seconds. The first two
 * come back at once, as after a kill -9. Only under a service manager ($NOTIFY_SOCKET): a person who types `retwis
 * serve` does not wait.
 *
 * Threads: the main thread.
 */
#ifndef COMMAND_COMEBACK_H
#define COMMAND_COMEBACK_H

#include <stdbool.h>

#define COMEBACK_FILE "starts"     /* in the state directory; gone after an orderly end */
#define COMEBACK_CALM_MS 60000     /* a run that lasted so long does not count as failed */
#define COMEBACK_LONGEST_MS 10000u /* a site that is away helps nobody */

/* Counts this start, and waits if it is due. Stops waiting when `over` says so. */
void comeback_wait(const char *directory, bool (*over)(void));

/* The server ends in order: the next start is the first. */
void comeback_forget(const char *directory);

#endif
