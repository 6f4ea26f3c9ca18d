/* entity_tag.h - tags as JSON: Mastodon's Tag. Part of entity.h.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_TAG_H
#define VIEW_ENTITY_TAG_H

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

#include "view/entity_context.h"

struct featured_tag;
struct tag_days;

struct entity_tag {
    const char *name;            /* without its sign */
    const struct tag_days *days; /* how it was used (social/timelines/tag_trends.h) */
    bool following;              /* shown to whoever is signed in */
};

yyjson_mut_val *entity_tag(const struct entity_context *c, const struct entity_tag *tag);

/* FeaturedTag: on somebody's profile. The number is text, as Mastodon sends it, whatever its documents say. */
yyjson_mut_val *entity_featured_tag(const struct entity_context *c, const struct featured_tag *tag);

#endif
