/* confine_calls.h - the list of system calls (seccomp). Internal to confine.c. */
#ifndef BASE_CONFINE_CALLS_H
#define BASE_CONFINE_CALLS_H

#include "base/confine.h"

/* Puts the filter into force. 0, or a negative errno. */
int confine_calls(const struct confine *c);

#endif
