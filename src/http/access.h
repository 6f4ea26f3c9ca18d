/* access.h - the access log: one line per answer. Inside src/http only. */
#ifndef HTTP_ACCESS_H
#define HTTP_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "http/http.h"

/* Whether lines are written, and how many a second before only a sample of the rest is (0: all of them). At start and
 * whenever it changes. */
void access_setup(bool enabled, uint64_t lines_per_second);

/* Writes the line of a finished request. `method` is the word that the client sent. */
void access_log(const struct http_request *req, const char *method, int status, size_t bytes, uint64_t started_us);

#endif
