/* guard_head.c - see guard.h: what of a request's head can no longer be seen when civetweb has cut it into strings.
 *
 * Only where lines begin and end. What stands in them is the business of server.c (blanks) and request.c (the rest).
 *
 * Threads: each connection thread has its own head.
 */
#include "http/guard.h"

#include <string.h>

static _Thread_local const char *this_end;

/* No CR and no LF without the other. */
static bool has_clean_lines(const char *head, size_t size)
{
    bool after_cr = false;
    for (size_t i = 0; i < size; i++) {
        if ((head[i] == '\n') != after_cr) {
            return false;
        }
        after_cr = head[i] == '\r';
    }
    return !after_cr;
}

void guard_head(const char *head, int size)
{
    const char *end = head + size;
    if (size >= 2 && memcmp(head, "\r\n", 2) == 0) {
        head += 2; /* RFC 9112 2.2: an empty line after the request before */
    }
    /* A blank in front would be skipped by civetweb. */
    bool starts = head < end && head[0] > ' ';
    this_end = starts && has_clean_lines(head, (size_t)(end - head)) ? end : NULL;
}

const char *guard_head_end(void)
{
    return this_end;
}
