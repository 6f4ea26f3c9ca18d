/* dispatch.h - from a request that has been read to its answer: route, checks, handler, error pages.
 *
 * Knows neither sockets nor civetweb. Threads: the dispatcher is made by the main thread and read-only afterwards; a
 * request belongs to its connection thread. Inside src/http only.
 */
#ifndef HTTP_DISPATCH_H
#define HTTP_DISPATCH_H

#include "http/http.h"
#include "http/server.h"

struct dispatch;

/* Compiles the application's tables and those of this layer. The caller ends it with dispatch_free. */
struct dispatch *dispatch_new(const struct http_application *app, const char *public_url);
void dispatch_free(struct dispatch *d);

/* Finds the route of req->method and req->path: sets req->route and req->variables. Returns the methods that the path
 * has; 0 if there is no such path. */
unsigned dispatch_route(const struct dispatch *d, struct http_request *req);

/* Answers a request that dispatch_route and request_body have seen. `allowed` is what dispatch_route returned. */
void dispatch_run(const struct dispatch *d, struct http_request *req, struct http_response *resp, unsigned allowed);

/* Makes the answer an error page in the look of the site; text is for developers, may be NULL. */
void dispatch_fail(const struct dispatch *d, struct http_request *req, struct http_response *resp, int status,
                   const char *text);

#endif
