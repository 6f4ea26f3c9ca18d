/* child.h - this program once more, as a child process that runs the engine.
 *
 * Internal to src/engine. Threads: the supervisor's.
 */
#ifndef ENGINE_CHILD_H
#define ENGINE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct child {
    pid_t pid;  /* 0: none */
    int pidfd;  /* readable when it is dead; -1 if the kernel has none */
    int output; /* what it says; does not block */
    int status; /* of waitpid, after child_reap said true */
};

/* Remembers the executable. To be called once, before the program can be replaced on disk or the directory changed.
 * Returns its descriptor, -1 if it cannot be found. */
int child_remember_program(void);

/* Starts `retwis engine <config_file> <more> …` (more is ended by NULL, at most CHILD_MORE words); false with errno.
 * Without `sandbox` CHILD_OPEN is the last word. */
#define CHILD_MORE 6
#define CHILD_OPEN "--no-sandbox"
bool child_start(struct child *c, const char *config_file, bool sandbox, const char *const *more);

/* True if the kernel says that the child waits for a disk at this moment; always false where there is no /proc. */
bool child_waits_for_disk(const struct child *c);

/* True if it is dead (or never lived). */
bool child_reap(struct child *c);

/* "exit status 1", "signal 9 (Killed)" */
void child_describe_end(const struct child *c, char *out, size_t size);

/* Closes what belongs to a dead child. */
void child_clear(struct child *c);

#endif
