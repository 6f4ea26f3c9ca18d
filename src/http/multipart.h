/* multipart.h - multipart/form-data (RFC 7578): a form with files, taken in piece by piece as it comes. Inside src/http
 * only.
 *
 * A part without a file name is a field: a pair, like those of other forms. One with a file name is a file. One with an
 * empty file name, which browsers send where nothing was chosen, is ignored. The whole body is never in memory: fields
 * are (together they may be as large as any other form), files beyond UPLOAD_MEMORY are not.
 *
 * Refused are: text before the first boundary or after the last, lines that do not end with CR LF, folded headers, a
 * part without exactly one name, transfer encodings, control bytes in names, fields that are not UTF-8 or hold NUL.
 *
 * Threads: as the arena's.
 */
#ifndef HTTP_MULTIPART_H
#define HTTP_MULTIPART_H

#include <stddef.h>

#include "http/http.h"

#define MULTIPART_HEAD 4096 /* bytes of a part's header */
#define MULTIPART_FILES 4   /* of one form; parts: FORM_FIELDS */

struct multipart;

/* Begins a body of this Content-Type; NULL if it names no valid boundary. Pairs and files are added to req->form and
 * req->files; the fields may have so many bytes together. */
struct multipart *multipart_new(struct http_request *req, const char *content_type, size_t fields_most);

/* multipart_room: where the next bytes go, at least one and at most *size. multipart_took: so many were put there; 0,
 * or the status of the refusal and why, after which it must not be called again. */
char *multipart_room(struct multipart *m, size_t *size);
int multipart_took(struct multipart *m, size_t size, const char **why);

/* The body has ended. 0, or the status of the refusal. */
int multipart_end(struct multipart *m, const char **why);

#endif
