/* pairs.h - lists of name and value: headers, cookies, query, form, route variables. Inside src/http only. */
#ifndef HTTP_PAIRS_H
#define HTTP_PAIRS_H

#include <stddef.h>

#include "http/http.h"

struct arena;

/* Appends; name and value are kept as they are, not copied. The list's memory comes from the arena. */
void pairs_add(struct arena *a, struct http_pairs *p, const char *name, const char *value);

/* First value of that name; NULL if there is none. */
const char *pairs_get(const struct http_pairs *p, const char *name);

/* How many have that name. */
size_t pairs_count(const struct http_pairs *p, const char *name);

#endif
