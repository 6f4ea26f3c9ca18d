/* body.h - the body of a request: decides whether it is wanted, and turns its bytes into req->form and req->files.
 * Inside src/http only.
 *
 * A route says which kinds it takes (http_route.bodies); all of them become the same pairs. A body that nobody reads
 * (of a GET, or to a path that does not exist) is taken in and ignored.
 *
 * Threads: as the request's.
 */
#ifndef HTTP_BODY_H
#define HTTP_BODY_H

#include <stddef.h>
#include <stdint.h>

#include "http/http.h"

struct multipart;

struct body {
    struct http_request *req;
    unsigned kind; /* of enum http_body; 0: nobody reads it */
    char *bytes;   /* of all kinds but multipart: the whole */
    size_t size, length;
    struct multipart *multipart;
};

/* Begins a body of so many bytes, of which `most` are allowed unless area or route say otherwise. 0, or the status of
 * the refusal and why: too large (413), a kind that the route does not take (415). */
int body_begin(struct body *b, struct http_request *req, size_t size, int64_t most, const char **why);

/* body_room: where the next bytes go, at most *size. body_took: so many were put there; 0, or the status of a
 * refusal. */
char *body_room(struct body *b, size_t *size);
int body_took(struct body *b, size_t size, const char **why);

/* All of it has come. 0, or the status of the refusal: it is not well formed (400). */
int body_end(struct body *b, const char **why);

#endif
