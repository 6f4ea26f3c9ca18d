/* lock.h - who may use the state directory: three record locks on one file in it.
 *
 * Internal to src/engine. The kernel keeps the locks: they vanish with their process however it ends, they survive
 * exec, a fork does not inherit them, and the kernel says which process holds one. So there is no pid file to go stale.
 *
 * Threads: the main thread. A process opens the lock file of a directory once at most, because closing any descriptor
 * of it gives all its locks back.
 */
#ifndef ENGINE_LOCK_H
#define ENGINE_LOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum lock_role {
    LOCK_SERVER, /* the one `retwis serve` */
    LOCK_TOOL,   /* a command-line tool that runs its own engine; also taken by the server */
    LOCK_ENGINE, /* the engine process itself */
};

/* Opens <directory>/lock; -1 with a line on report. */
int lock_open(const char *directory, FILE *report);

/* True if this process has the role now. */
bool lock_try(int fd, enum lock_role role);
void lock_release(int fd, enum lock_role role);

/* The other process that has the role: 0 for none, -1 for one that cannot be seen from here (in a container). */
pid_t lock_holder(int fd, enum lock_role role);

/* Tries for so long; 0 when the role is ours, otherwise who has it. */
pid_t lock_wait(int fd, enum lock_role role, uint64_t timeout_ms);

#endif
