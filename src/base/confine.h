/* confine.h - the process shuts itself in: before the first visitor comes it gives up what it will never need.
 *
 * Three things, each as far as the kernel knows it: no new privileges and no memory dumps; a list of system calls
 * (seccomp); a list of files and ports (Landlock). An attacker who takes over the process finds no shell to start, no
 * file to read but those that the process itself reads, and no port to connect to. Threads and child processes inherit
 * all of it, and nothing brings the rights back; a child can only give up more, as the engine does.
 *
 * What this is not: protection from what the process may do by design. systemd's sandbox (packaging) is a second fence
 * around the same ground; this one works without systemd too.
 *
 * Threads: the main thread, before any other exists.
 */
#ifndef BASE_CONFINE_H
#define BASE_CONFINE_H

#include <stdbool.h>

#include "base/confine_calls.h"

enum confine_access {
    CONFINE_READ,    /* a file, or all that lies below a directory */
    CONFINE_WRITE,   /* likewise: read, change, make and remove */
    CONFINE_SOCKETS, /* Unix sockets can be made and removed in the directory */
    CONFINE_EXECUTE, /* a file */
};

/* Rules being collected. */
struct confine {
    enum confine_who who;
    int abi;     /* of the kernel's Landlock; 0: it has none */
    int ruleset; /* descriptor; -1: none */
    int program; /* descriptor of the one program that may be executed; -1: none */
};

/* What is in force. */
struct confine_result {
    bool calls;      /* seccomp */
    int files;       /* version of Landlock; 0: not in force */
    const char *why; /* what is missing and why, for the log; NULL: nothing is missing */
};

/* No file made from now on can be read by other users. */
void confine_umask(void);

/* No new privileges for good (setuid programs are ordinary ones). Unless `dumps`, the memory cannot be read by other
 * processes of the same user, nor written to a file when the process dies. */
void confine_privileges(bool dumps);

/* Begins with the empty set of rules plus what the C library and the allocators look at (/proc, /sys, /dev/urandom). */
void confine_begin(struct confine *c, enum confine_who who);

/* Allows a path; one that does not exist is passed over. */
void confine_allow(struct confine *c, enum confine_access access, const char *path);

/* Allows reading what lies in the directory of a file and, if the file is a link, in the directory of its target, so
 * that the file can be replaced, as certificates and configurations are. In the root directory it allows only the file
 * itself. */
void confine_allow_beside(struct confine *c, const char *path);

/* TCP ports to listen at (0: any free one) and to connect to. */
void confine_listen(struct confine *c, unsigned port);
void confine_connect(struct confine *c, unsigned port);

/* The program that may be executed, by descriptor only (execveat). */
void confine_program(struct confine *c, int descriptor);

/* Puts the rules into force. Never fails: the result says what the kernel cannot do. */
struct confine_result confine_enter(struct confine *c);

#endif
