/* guard_head.h - keeps those parts of a request's head that are lost when civetweb cuts it into strings. Inside
 * src/http only.
 *
 * packaging/deps/civetweb_guard.h shows guard_head and guard_target the head of each request. Threads: each connection
 * thread has its own head, and serves one connection at a time, so "this connection" needs no argument.
 */
#ifndef HTTP_GUARD_HEAD_H
#define HTTP_GUARD_HEAD_H

#include <stdbool.h>
#include <stddef.h>

/* The head of this connection's next request as it came, before civetweb cuts it into strings. */
void guard_head(const char *head, int size);
/* Where it ended. NULL if its lines do not all end with CR LF, or more than one empty line came before it. */
const char *guard_head_end(void);

/* Called by civetweb with the target of a request line that it has parsed, in its own buffer. civetweb understands
 * paths; for "*" and "http://host/path" the result is the path that it must use instead. The original is kept in: */
const char *guard_target(const char *method, const char *target);

struct guard_target {
    const char *start;     /* where the target began */
    const char *authority; /* "host" of the absolute form, in the same buffer; NULL: there was none */
    size_t authority_length;
    bool https;    /* the absolute form began with https:// */
    bool asterisk; /* it was "*", or an OPTIONS for a host without a path, which means the same */
};

/* Of this connection's request. */
const struct guard_target *guard_target_seen(void);

#endif
