/* json.h - JSON documents that live in a request's arena.
 *
 * A page is a yyjson mutable document, filled by pages/ and either rendered by a template or written as
 * it is. Both values and strings come from the arena, so nothing is freed and nothing outlives the request.
 */
#ifndef VIEW_JSON_H
#define VIEW_JSON_H

#include <yyjson.h>

struct arena;
struct buffer;

/* A new empty document in the arena: never NULL, never freed. */
yyjson_mut_doc *view_doc(struct arena *a);

/* Appends the document as text without white space. */
void view_json(struct buffer *out, const yyjson_mut_doc *doc);

#endif
