/* post_pick.h - posts that somebody names by their ids: one, or some.
 *
 * What stands around a post is a conversation (timelines/conversation.h); this is the post alone.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_POSTS_POST_PICK_H
#define SOCIAL_POSTS_POST_PICK_H

#include <stddef.h>
#include <stdint.h>

struct post;
struct visit;

/* Those that are there and that the visitor may see, as he sees a post that he came for, in the order of the ids; an id that is there
 * twice, twice. The ids need not outlive the call. One round trip. */
struct post_picked {
    struct post *posts;
    size_t count;
};
const struct post_picked *post_pick_ask(struct visit *v, const uint64_t *ids, size_t count);

#endif
