/* openapi.h - what programmers of apps read: the API as a document of OpenAPI 3.1, made of the tables that the server
 * works by (http_route, http_parameter) and that tests hold answers against (entity_table.h). Nothing in it is written
 * twice.
 *
 * Threads: those of the context.
 */
#ifndef VIEW_OPENAPI_H
#define VIEW_OPENAPI_H

#include "view/entity_context.h"

struct http_area;

/* The document over the areas (ended by NULL) whose credential is a token. `name` is the site's. */
yyjson_mut_val *openapi(const struct entity_context *c, const struct http_area *const *areas, const char *name);

#endif
