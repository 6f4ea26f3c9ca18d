/* entity_kept.h - posts as JSON, made once: what the API shows lists of.
 *
 * The same fields as entity_status_whole, but as text that goes into the document as it is: nothing can be taken out of
 * it or put into it any more. What is the same for everybody is kept under a key that holds all that it is made of
 * (post_key.h), in the memory of cache.rendered; what the viewer did with the post is written anew.
 *
 * Threads: a context belongs to one thread.
 */
#ifndef VIEW_ENTITY_KEPT_H
#define VIEW_ENTITY_KEPT_H

#include <yyjson.h>

#include "view/entity_context.h"

struct kept;
struct post;

/* Status. kept NULL: nothing is kept. */
yyjson_mut_val *entity_status_kept(const struct entity_context *c, struct kept *kept, const struct post *p);

#endif
