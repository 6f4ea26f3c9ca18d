/* dispatch.h - from a request that has been read to its answer: route, checks, handler, error pages.
 *
 * Knows neither sockets nor civetweb. Threads: the dispatcher is made by the main thread and read-only afterwards; a
 * request belongs to its connection thread. Inside src/http only.
 */
#ifndef HTTP_DISPATCH_H
#define HTTP_DISPATCH_H

#include "http/http.h"

struct dispatch;
struct http_application;
struct recall;

/* Compiles the tables of the application's areas and those of this layer. A row that is not below its area's path, or
 * demands more than the area can verify, is a bug of this program and aborts. `recalled`: bytes of answers that are kept
 * (recall.h). The caller ends it with dispatch_free. */
struct dispatch *dispatch_new(const struct http_application *app, const char *public_url, size_t recalled);
void dispatch_free(struct dispatch *d);

/* Finds the route of req->method and req->path: sets req->area, req->route and req->variables. Returns the methods that
 * the path has; 0 if there is no such path. */
unsigned dispatch_route(const struct dispatch *d, struct http_request *req);

/* Answers a request that dispatch_route and request_body have seen. `allowed` is what dispatch_route returned. */
void dispatch_run(const struct dispatch *d, struct http_request *req, struct http_response *resp, unsigned allowed);

/* Makes the answer an error, as the area of the path puts it (that of "/" if no path is known); text is for developers,
 * may be NULL. */
void dispatch_fail(const struct dispatch *d, struct http_request *req, struct http_response *resp, int status,
                   const char *text);

#endif
