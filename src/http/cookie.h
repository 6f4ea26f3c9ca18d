/* cookie.h - the parser behind http_cookie. Inside src/http only. */
#ifndef HTTP_COOKIE_H
#define HTTP_COOKIE_H

#include "http/http.h"

struct arena;

/* Adds the well-formed pairs of a Cookie header. */
void cookie_parse(struct arena *a, const char *header, struct http_pairs *out);

#endif
