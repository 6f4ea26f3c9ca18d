/* decoration_parts.h - what the files of decoration.h share. Internal to src/view. Threads: that of the context. */
#ifndef VIEW_DECORATION_PARTS_H
#define VIEW_DECORATION_PARTS_H

#include <string.h>

#include "view/locale.h"
#include "view/put.h"

struct user;

/* The keys that pages have of an account, beside the entity's. */
void decoration_decorate(const struct entity_context *c, yyjson_mut_val *account, const struct user *u);

/* The address within the site is the end of the entity's url. */
static inline void put_href(const struct entity_context *c, yyjson_mut_val *o)
{
    put_text(c, o, "href", yyjson_mut_get_str(yyjson_mut_obj_get(o, "url")) + strlen(c->origin));
}

static inline void put_elapsed(const struct entity_context *c, yyjson_mut_val *o, const char *key, uint64_t ms)
{
    put_text(c, o, key, locale_elapsed(c->arena, c->locale, ms, c->now_ms));
}

#endif
