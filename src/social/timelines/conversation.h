/* conversation.h - a post with the post that it answers and a page of its own answers.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_CONVERSATION_H
#define SOCIAL_TIMELINES_CONVERSATION_H

#include <stdint.h>

#include "social/posts/post.h"
#include "social/timelines/timeline.h"

struct visit;

struct conversation {
    struct post post;
    struct post parent; /* id 0: it answers nothing, or that is gone (post.reply_to says which) */
    const struct timeline_page *replies;
};

/* ERR_NOT_FOUND: there is no such post. */
const struct conversation *conversation_ask(struct visit *v, uint64_t id, const struct timeline_query *q);

#endif
