/* post.h - posts, and how they are loaded with their authors. Writing and taking back: publish.h.
 *
 * A post never changes once it is written, so processes keep it (cache.h). Its author is looked up, not copied.
 *
 * The room posts/, in the order to read it: post.h, tags.h, publish.h (writing and taking back), delivery.h (how
 * timelines learn of both).
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_POST_H
#define SOCIAL_POSTS_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/people/user.h"

struct arena;
struct social;
struct store_batch;
struct store_reply;
struct visit;

#define POST_MENTIONS_MAX 20

/* A mentioned user who existed when the post was written. */
struct post_mention {
    const char *name;
    uint64_t uid;
};

/* How a post's record says whose the post is that it answers ("uid:name"), and who is mentioned ("name:uid
 * name:uid"). */
const char *post_reply_author_text(struct arena *a, uint64_t uid, const char *name);
const char *post_mentions_text(struct arena *a, const struct post_mention *mentions, size_t count);

struct post {
    uint64_t id;
    struct user author;
    const char *text;
    uint64_t reply_to, reply_author; /* 0: no reply */
    const char *reply_name;          /* name of reply_author; "" when unknown */
    int64_t reply_count;
    struct post_mention *mentions;
    size_t mention_count;
};

/* Loading a set of posts within the caller's batch: add, run, take. What the cache holds is not asked for. */
struct post_load {
    uint64_t id;
    struct post post; /* id 0 after take: there is no such post, or its author is gone */
    bool cached, author_cached, count_cached;
    size_t reply, author_reply, count_reply;
};
void post_load_add(struct social *s, struct store_batch *b, struct arena *a, struct post_load *loads, size_t count);
void post_load_take(struct social *s, const struct store_batch *b, struct arena *a, struct post_load *loads,
                    size_t count);

/* For reads: loads these posts with the next round; load.post is filled in the step that the caller names after this
 * call. All posts of pages come this way, so the viewer's own marks of each post will be asked for here too. */
void post_ask(struct visit *v, struct post_load *loads, size_t count);

/* Remembers a post that came from a script, with the number of its replies. */
void post_remember(struct social *s, struct arena *a, uint64_t id, const struct record_post *r, int64_t replies,
                   uint64_t token);

#endif
