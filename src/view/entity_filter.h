/* entity_filter.h - filters and what they say of posts, as JSON: entities of both versions. Part of entity.h.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_FILTER_H
#define VIEW_ENTITY_FILTER_H

#include <yyjson.h>

#include "view/entity_context.h"

struct filter;
struct filter_keyword;
struct filter_post;
struct post;

/* FilterResult[]: the filters that the viewer's post meets. */
yyjson_mut_val *entity_filtered(const struct entity_context *c, const struct post *p);

/* Filter, with its keywords and statuses. */
yyjson_mut_val *entity_filter(const struct entity_context *c, const struct filter *f);
/* FilterKeyword[], FilterKeyword; FilterStatus[], FilterStatus. */
yyjson_mut_val *entity_filter_keywords(const struct entity_context *c, const struct filter *f);
yyjson_mut_val *entity_filter_keyword(const struct entity_context *c, const struct filter_keyword *k);
yyjson_mut_val *entity_filter_statuses(const struct entity_context *c, const struct filter *f);
yyjson_mut_val *entity_filter_status(const struct entity_context *c, const struct filter_post *p);
/* V1_Filter: one for each keyword, whose number it has. */
yyjson_mut_val *entity_filter_v1(const struct entity_context *c, const struct filter *f,
                                 const struct filter_keyword *k);

#endif
