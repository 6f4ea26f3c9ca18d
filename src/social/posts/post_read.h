/* post_read.h - how posts come to a page: loaded, and judged (see.h). There is no other way.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_POSTS_POST_READ_H
#define SOCIAL_POSTS_POST_READ_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/posts/post.h"
#include "social/posts/see.h"

struct arena;
struct script_see;
struct social;
struct visit;

/* For reads: loads these posts with the next round. In the step that the caller names after this call load.post is
 * there; its id is 0 if there is none, or if the visitor may not see it in that place. Who asks in the first round,
 * when nobody knows yet who the visitor is, may find ids of 0 (but author.id is set) in his first step, and the right
 * ones in the next. What came to a home by a tag (by_tag) is judged as that (SEE_TAG), if it is public and no boost; else
 * by_tag is no more. */
void post_ask(struct visit *v, struct post_load *loads, size_t count, enum see_place place);

/* For actions: the post as this user sees it who came for it; of a boost, what it boosts. One round trip, mostly.
 * ERR_NOT_FOUND: there is none that he may see. */
enum err post_find(struct social *s, struct arena *a, uint64_t uid, uint64_t id, struct post *out);

/* Why he may not do with a post what he wanted: ERR_FORBIDDEN, or ERR_NOT_FOUND if he may not even see it. For whoever has it
 * of post_find_to_act, by which nobody has judged yet whether he sees it. */
enum err post_refuse(struct social *s, struct arena *a, uint64_t uid, uint64_t id);

/* For actions whose script makes sure of what stands between the two (see_call): the same, without a round trip where
 * the process remembers the post; then without its counts and marks. */
enum err post_find_to_act(struct social *s, struct arena *a, uint64_t uid, uint64_t id, struct post *out,
                          struct script_see *see);

#endif
