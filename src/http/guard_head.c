/* guard_head.c - see guard_head.h.
 *
 * It keeps where lines begin and end, and the target before it was made a path. The contents are checked by civet.c
 * (blanks) and request.c (the rest).
 *
 * For "*" and most absolute forms civetweb would close the connection without an answer (it compares the port with the
 * listener's, which is another one behind a proxy or a port mapping). So it is shown a path. The bytes are changed in
 * civetweb's buffer, where it has cut the head into strings already; the request line keeps its length, so civet.c can
 * still measure it.
 *
 * Threads: each connection thread has its own head.
 */
#include "http/guard_head.h"

#include <string.h>
#include <strings.h>

static _Thread_local const char *this_end;
static _Thread_local struct guard_target this_target;

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

/* Behind the scheme; NULL if it is none of ours. */
static const char *authority_of(const char *target, bool *https)
{
    *https = strncasecmp(target, "https://", 8) == 0;
    return *https ? target + 8 : strncasecmp(target, "http://", 7) == 0 ? target + 7 : NULL;
}

const char *guard_target(const char *method, const char *target)
{
    struct guard_target t = {.start = target, .asterisk = strcmp(target, "*") == 0};
    char *path = (char *)target;
    if (t.asterisk) {
        path[0] = '/';
    } else if ((t.authority = authority_of(target, &t.https))) {
        t.authority_length = strcspn(t.authority, "/?#");
        path = (char *)t.authority + t.authority_length;
        if (path[0] !=
            '/') { /* "http://host?query": the host moves over a slash of "//", which leaves room for the path's */
            memmove((char *)t.authority - 1, t.authority, t.authority_length);
            t.authority--;
            *--path = '/';
            t.asterisk = path[1] == '\0' && strcmp(method, "OPTIONS") == 0;
        }
    }
    this_target = t;
    return path;
}

const struct guard_target *guard_target_seen(void)
{
    return &this_target;
}
