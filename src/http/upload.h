/* upload.h - a file that comes with a form: in memory while it is small, then in a file of the state directory. Inside
 * src/http only.
 *
 * That file has no name as soon as it is open, so it is gone when it is closed, whatever becomes of the request or of
 * the process; a name can only be left where a process dies in the moment between, and goes at the next start.
 *
 * Threads: upload_setup by the main thread, before requests; an upload belongs to its connection thread.
 */
#ifndef HTTP_UPLOAD_H
#define HTTP_UPLOAD_H

#include <stddef.h>

#include "base/buffer.h"
#include "http/http.h"

#define UPLOAD_MEMORY (64 * 1024) /* bytes of a file that stay in memory */

/* Where files are put, and what is left there of a process that died is removed. NULL: nowhere, large files are
 * refused. The text outlives all requests. */
void upload_setup(const char *directory);

/* A file that is coming in. */
struct upload {
    struct http_file *file;
    struct buffer bytes;
};

/* Begins one; its name, type and so on are the caller's to set. */
struct upload upload_begin(struct arena *a, struct http_file *file);

/* More of it. 0, or the status of the refusal and why: the directory cannot be written. */
int upload_add(struct upload *u, const char *data, size_t size, const char **why);

/* All of it has come. */
void upload_end(struct upload *u);

/* Closes the files of a request. */
void upload_close(struct http_files *files);

#endif
