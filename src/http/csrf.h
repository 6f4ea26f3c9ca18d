/* csrf.h - whether a request that changes something was meant by the visitor. Inside src/http only. */
#ifndef HTTP_CSRF_H
#define HTTP_CSRF_H

#include <stdbool.h>

#include "http/http.h"

/* True for safe methods, and for unsafe ones that come from a page of this site. `why` is for the log. */
bool csrf_check(const struct http_request *req, const char *public_url, const char **why);

/* Whether no page of another site sent it, as far as the browser tells. public_url: also this site's; NULL: not known. */
bool csrf_is_same_site(const struct http_request *req, const char *public_url);

/* Whether this is the name (or a header that sets it, "name=…") of the cookie that strangers' tokens are bound to. */
bool csrf_is_visitor(const struct http_request *req, const char *name);

#endif
