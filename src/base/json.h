/* json.h - the JSON library (yyjson) over an arena: nothing is freed singly, nothing outlives the request.
 *
 * Threads: as the arena's.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <yyjson.h>

struct arena;

/* yyjson's allocator over the arena, for reading and writing; its free does nothing. */
yyjson_alc json_allocator(struct arena *a);

#endif
