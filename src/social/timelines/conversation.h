/* conversation.h - a post with what stands around it: the posts above it, up to the first of the conversation, and a
 * page of those below, each behind the one that it answers.
 *
 * The shape of the conversation is one sorted set (posts/thread.h), so a page takes two round trips, and a third when
 * the process does not know the post, and so not to which conversation it belongs. Two more cost a post that versions
 * before 0.3.0 had answers to, whose answers stand in replies:<post> alone: one round trip; and hidden posts, for which
 * others are loaded.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_CONVERSATION_H
#define SOCIAL_TIMELINES_CONVERSATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/posts/post.h"

struct timeline_query;
struct visit;

struct conversation {
    struct post post;
    struct post *ancestors; /* the first of the conversation first; those that are there and may be seen */
    size_t ancestor_count;
    bool parent_gone; /* it answers a post that is not there, or not for this reader */
    bool is_cut;      /* there are more ancestors above these */
    struct post *replies;
    unsigned *depths; /* of each reply: 1 answers the post */
    size_t reply_count;
    bool has_more, has_earlier; /* replies behind and before this page */
    size_t people;              /* who take part in the whole conversation; 0: unknown */
};

/* min_id of the query: the replies behind that one, in the order in which they are read; max_id: those before it;
 * since_id is not looked at; the limit may be any. ERR_NOT_FOUND: there is no such post. */
const struct conversation *conversation_ask(struct visit *v, uint64_t id, const struct timeline_query *q);

#endif
