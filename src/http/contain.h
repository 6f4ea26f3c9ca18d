/* contain.h - a broken invariant ends the request that met it, and nobody else's (panic.h says when that is safe).
 *
 * Inside src/http only. Threads: any.
 */
#ifndef HTTP_CONTAIN_H
#define HTTP_CONTAIN_H

#include <stdbool.h>

/* Runs a part of a request's work. False if an invariant was broken in it: that is counted (metric BROKEN_REQUESTS) and
 * logged with its place, and the work has ended in the middle. */
bool contain_run(const char *request_id, void (*work)(void *context), void *context);

#endif
