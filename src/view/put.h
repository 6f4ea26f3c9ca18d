/* put.h - values into an entity. Internal to src/view: entity.c and decoration.c.
 *
 * Strings must outlive the document: constants, and what lies in its arena. Threads: that of the context.
 */
#ifndef VIEW_PUT_H
#define VIEW_PUT_H

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

#include "base/arena.h"
#include "base/clock.h"
#include "view/entity_context.h"

static inline void put_text(const struct entity_context *c, yyjson_mut_val *object, const char *key, const char *value)
{
    yyjson_mut_obj_add_str(c->doc, object, key, value);
}

static inline void put_bool(const struct entity_context *c, yyjson_mut_val *object, const char *key, bool value)
{
    yyjson_mut_obj_add_bool(c->doc, object, key, value);
}

static inline void put_count(const struct entity_context *c, yyjson_mut_val *object, const char *key, int64_t value)
{
    yyjson_mut_obj_add_int(c->doc, object, key, value);
}

static inline void put_value(const struct entity_context *c, yyjson_mut_val *object, const char *key,
                             yyjson_mut_val *value)
{
    yyjson_mut_obj_add_val(c->doc, object, key, value);
}

/* As Mastodon writes it. */
static inline void put_time(const struct entity_context *c, yyjson_mut_val *object, const char *key, uint64_t ms)
{
    char *out = arena_alloc(c->arena, CLOCK_ISO_SIZE);
    clock_iso(ms, out);
    put_text(c, object, key, out);
}

static inline void put_null(const struct entity_context *c, yyjson_mut_val *object, const char *key)
{
    yyjson_mut_obj_add_null(c->doc, object, key);
}

/* The day alone, in UTC. */
static inline void put_day(const struct entity_context *c, yyjson_mut_val *object, const char *key, uint64_t ms)
{
    char *out = arena_alloc(c->arena, CLOCK_ISO_SIZE);
    clock_iso(ms, out);
    out[sizeof("2000-01-01") - 1] = '\0';
    put_text(c, object, key, out);
}

#endif
