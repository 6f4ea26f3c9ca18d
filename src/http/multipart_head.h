/* multipart_head.h - the header of one part of a multipart body. Inside src/http/multipart.c only.
 *
 * Threads: pure function.
 */
#ifndef HTTP_MULTIPART_HEAD_H
#define HTTP_MULTIPART_HEAD_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

#define MULTIPART_NAME 500 /* bytes of a name, and of a file name */

struct multipart_head {
    const char *name;
    const char *filename; /* NULL: a field. Without the folders that some browsers once sent */
    const char *type;     /* Content-Type; NULL: none */
};

/* Reads the lines of a part's header, the last with its CR LF. False if they are not right. */
bool multipart_head_parse(struct arena *a, const char *text, size_t length, struct multipart_head *out);

#endif
