/* parameter.h - the check of a route's declared inputs. Inside src/http only. */
#ifndef HTTP_PARAMETER_H
#define HTTP_PARAMETER_H

#include "http/http.h"

/* The first declared input that breaks its declaration; NULL if all are right. */
const struct http_parameter *parameter_check(const struct http_request *req, const struct http_route *route);

#endif
