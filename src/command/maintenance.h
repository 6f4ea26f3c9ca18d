/* maintenance.h - the server's one thread for work without requests: it keeps the service manager patient during a long
 * start, notices the engine go and come back, and tells the service manager that the server lives.
 *
 * Threads: started, told and stopped by the main thread.
 */
#ifndef COMMAND_MAINTENANCE_H
#define COMMAND_MAINTENANCE_H

struct maintenance;
struct social;

struct maintenance *maintenance_start(void);

/* The server serves: from now on the engine is watched, and the epoch read again when it was away. */
void maintenance_watch(struct maintenance *m, struct social *social);

/* NULL is allowed. */
void maintenance_stop(struct maintenance *m);

#endif
