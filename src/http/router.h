/* router.h - from method and path to a route: the tables of all areas, compiled once into a tree of segments.
 *
 * Threads: built by the main thread, read-only afterwards. Inside src/http only.
 */
#ifndef HTTP_ROUTER_H
#define HTTP_ROUTER_H

#include "http/http.h"

struct arena;
struct router;

/* Compiles the tables (ended by NULL; each table ends with a route whose path is NULL). A malformed pattern is a bug
 * of this program and aborts. The caller ends it with router_free. */
struct router *router_new(const struct http_route *const *tables);
void router_free(struct router *r);

struct router_match {
    const struct http_route *route; /* NULL: no route for this method */
    unsigned allowed;               /* methods that the path has; 0: no such path */
    struct http_pairs variables;
};

/* Finds the route of a normalised path. Of several patterns that fit, the one with a literal segment further left
 * wins, then the longer literal prefix; among equal ones, the first in the tables. HEAD is looked up as GET. */
struct router_match router_find(const struct router *r, struct arena *a, enum http_method method, const char *path);

/* "GET, HEAD, OPTIONS" for the Allow header. */
const char *router_allow(struct arena *a, unsigned methods);

#endif
