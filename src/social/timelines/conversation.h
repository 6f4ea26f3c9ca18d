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
    unsigned *depths; /* of each reply: 1 answers the post; CONVERSATION_DEPTH_MOST at most */
    size_t reply_count;
    bool has_more, has_earlier; /* replies behind and before this page */
    size_t people;              /* who take part in the whole conversation; 0: unknown */
};

#define CONVERSATION_DEPTH_MOST 20 /* replies below that are shown at this depth */

/* For a page. min_id of the query: the replies behind that one, in the order in which they are read; max_id: those before it;
 * since_id is not looked at; the limit may be any. ERR_NOT_FOUND: there is no such post. */
const struct conversation *conversation_ask(struct visit *v, uint64_t id, const struct timeline_query *q);

/* The whole of it, as apps read it at once: 4,096 posts above and as many below; for nobody and for an application by
 * itself 40 and 60, these not deeper than 20. Never more than the trips above: what is hidden is not made up for. */
const struct conversation *conversation_whole_ask(struct visit *v, uint64_t id);

#endif
