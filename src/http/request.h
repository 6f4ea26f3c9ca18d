/* request.h - from the parsed lines of a request to http_request, or to the status that refuses it.
 *
 * Knows neither sockets nor civetweb, so that each rule has a unit test. Inside src/http only.
 */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/address.h"
#include "http/http.h"

#define REQUEST_HEADERS 64        /* so many or more are refused */
#define REQUEST_HEADER_SIZE 16384 /* bytes of the whole header: civetweb's buffer */
#define REQUEST_PATH_SIZE 2048    /* bytes of the path as it was sent */
#define REQUEST_URL_SIZE 8192     /* and of the query: apps ask for 80 ids at a time; it lies in that buffer anyway */

/* The request as it came. */
struct request_raw {
    const char *method;
    const char *target; /* path as sent, or "*"; for the absolute form "http://host/path" the part from the slash on */
    const char *query;  /* as sent, NULL if none */
    const char *authority; /* of the absolute form; NULL otherwise; not NUL-terminated */
    size_t authority_length;
    bool https;          /* the absolute form says https:// */
    const char *version; /* "1.1" */
};

/* Who sent it. */
struct request_peer {
    struct address address;
    bool local; /* by a Unix socket: as trusted as a listed proxy */
    bool tls;
    enum http_door door;
};

/* What the configuration says. */
struct request_rules {
    const char *public_url;
    const struct address_list *trusted;
    int64_t hsts; /* seconds, for an https public_url */
    const struct address_list *unlimited;
};

/* Fills req from raw; req->arena and req->headers (names as sent, values trimmed by this function; both writable) are
 * set by the caller. 0, or the status of the refusal and a text for developers. On return 0, `body` is the length of
 * the body to be read. */
int request_head(struct http_request *req, const struct request_raw *raw, const struct request_peer *peer,
                 const struct request_rules *rules, size_t *body, const char **why);

/* Sets only the client, for a request that could not be read. Part of request_head. */
void request_client(struct http_request *req, const struct request_peer *peer, const struct request_rules *rules);

/* The method of that name; 0 if this program does not know it. */
enum http_method request_method(const char *name);

/* Whether the client lets the connection stay open. */
bool request_keep_alive(const struct http_request *req, const char *version);

/* A new id for a request, 16 hex digits. */
void request_id(char out[17]);

#endif
