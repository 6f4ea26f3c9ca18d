/* confine_calls.h - the list of system calls (seccomp): a part of confine.h, which calls it. */
#ifndef BASE_CONFINE_CALLS_H
#define BASE_CONFINE_CALLS_H

/* Who is to be confined: bits. */
enum confine_who { CONFINE_SERVER = 1, CONFINE_ENGINE = 2 };

/* Puts the filter into force. `program`: descriptor of the one program that may be executed; -1: none. 0, or a negative
 * errno. */
int confine_calls(enum confine_who who, int program);

/* Version of libseccomp: "2.5.4". */
const char *confine_library(void);

#endif
