/* entity_version.h - what a post was before it was edited, as JSON: Mastodon's StatusEdit and StatusSource. Part of entity.h.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_VERSION_H
#define VIEW_ENTITY_VERSION_H

#include <stdint.h>
#include <yyjson.h>

#include "view/entity_context.h"

struct post;

/* StatusEdit, of a post with the words that it had since then. */
yyjson_mut_val *entity_version(const struct entity_context *c, const struct post *p, uint64_t since_ms);

/* StatusSource: its words as they were typed. */
yyjson_mut_val *entity_source(const struct entity_context *c, const struct post *p);

#endif
