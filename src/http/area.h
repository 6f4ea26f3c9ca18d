/* area.h - what the addresses below one path have in common: how they answer when nothing was found or allowed, and
 * which credential says who asks.
 *
 * The pages (pages/) are one area, "/". Each area is data that the application hands to http_server_start; this layer
 * knows none of them. Every answer that this layer makes by itself (404, 405, 413, 429, 500, 503 …) goes through the
 * area of the path.
 *
 * Threads: constant data, made before the server starts.
 */
#ifndef HTTP_AREA_H
#define HTTP_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "http/http.h"

/* How a request says who asks. */
enum http_credential {
    HTTP_COOKIE, /* the session cookie. The browser sends it unasked, so unsafe methods need a CSRF token besides */
    HTTP_BEARER, /* Authorization: Bearer …; cookies are ignored, but for streams that a page of this site opens */
};

/* Lets scripts of other sites in. Without credentials, so that no cookie goes along: for areas whose credential is
 * HTTP_BEARER. */
struct http_cors {
    const char *origin;  /* "*" */
    const char *methods; /* "GET, POST" */
    const char *headers; /* that they may send: "Authorization, Content-Type" */
    const char *exposed; /* that they may read: "Link, X-Request-Id" */
    unsigned max_age;    /* seconds for which a browser need not ask again */
};

struct http_area {
    const char *path;                       /* "/api": that and all below it; "/": what no other area has */
    const struct http_route *const *tables; /* ended by NULL; the first match wins */
    enum http_credential credential;
    const struct http_cors *cors; /* NULL: no other site */
    bool tells_limits; /* in header lines (X-RateLimit-…) of each answer to somebody whom limits.read counts */
    int64_t max_body;  /* bytes; 0: http.max_body. A row may say more for files */

    /* Asks who it is (one round trip): ERR_OK if the credential is good and he may (req->route->who, ->scopes),
     * ERR_UNAUTHORIZED, ERR_FORBIDDEN, or why it could not be asked. Called before the handler of an unsafe method,
     * which finds the result in req->visitor; for a safe method only if its handler has not settled it (see
     * http_request.is_settled). NULL: only WHO_ANYONE. */
    enum err (*verify)(struct http_request *req);

    /* Fill the answer, whose status is set; NULL: plain text. An error; `text` is for developers, may be NULL. */
    void (*error)(struct http_request *req, struct http_response *resp, int status, const char *text);
    /* A denial: ERR_UNAUTHORIZED (no credential, or a bad one) or ERR_FORBIDDEN. */
    void (*denied)(struct http_request *req, struct http_response *resp, enum err e);
    /* A parameter broke its declaration. */
    void (*invalid)(struct http_request *req, struct http_response *resp, const struct http_parameter *p);
};

/* The area of a path: of the areas (NULL: none) that it lies in, the one with the longest path; if there is none, one
 * that answers in plain text, for anyone. */
const struct http_area *area_find(const struct http_area *const *areas, const char *path);

/* Whether the path is the area's own or below it. */
bool area_has(const struct http_area *area, const char *path);

/* The request's credential, of the kind that its area uses; NULL: none, or there are two. */
const char *area_credential(const struct http_request *req);

/* Whether that is (or would be) a session cookie. */
bool area_by_session(const struct http_request *req);

/* Adds the header lines of CORS if a script of another site asks and the area lets it in; OPTIONS, by which a browser
 * asks first, gets more lines. */
void area_cors(const struct http_request *req, struct http_response *resp);

/* Adds the header lines of the limit, if the area tells. All three: clients read them together. */
void area_limits(const struct http_request *req, struct http_response *resp);

#endif
