/* entity_context.h - where entities are made, and for whom. Part of entity.h. Threads: one. */
#ifndef VIEW_ENTITY_CONTEXT_H
#define VIEW_ENTITY_CONTEXT_H

#include <stdint.h>
#include <yyjson.h>

struct arena;
struct locale;

struct entity_context {
    struct arena *arena;
    yyjson_mut_doc *doc;
    const char *origin; /* "https://example.org" */
    uint64_t viewer;    /* id, 0 when signed out */
    /* For decoration.h alone. */
    const struct locale *locale;
    uint64_t now_ms;
};

#endif
