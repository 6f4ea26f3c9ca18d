/* response.h - from http_response to the bytes on the wire. Inside src/http only. */
#ifndef HTTP_RESPONSE_H
#define HTTP_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

#include "http/http.h"

/* What is known of the connection when the answer goes out. */
struct response_wire {
    bool keep_alive;
    bool old_protocol; /* HTTP/1.0: keep-alive must be said */
    bool head;         /* the body is counted but not sent */
    bool chunked;      /* the body follows in pieces, and nobody knows how long it is */
};

/* An empty 200 answer. */
struct http_response response_make(struct arena *a);

/* Writes status line, headers and, if it is small enough to be copied, the body. The part of the body that must be sent
 * after it is set in rest and rest_size (0 if nothing). */
struct buffer response_write(const struct http_request *req, const struct http_response *resp,
                             const struct response_wire *wire, const unsigned char **rest, size_t *rest_size);

/* Whether a header of that name was added. */
bool response_has(const struct http_response *resp, const char *name);

/* A plain English page for the time when no page can be rendered: status, reason, text. */
void response_plain(struct http_response *resp, int status, const char *text);

#endif
