/* access.h - the access log: one line per answer. Inside src/http only. */
#ifndef HTTP_ACCESS_H
#define HTTP_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#include "http/http.h"

/* Writes the line of a finished request. `method` is the word that the client sent. */
void access_log(const struct http_request *req, const char *method, int status, size_t bytes, uint64_t started_us);

#endif
