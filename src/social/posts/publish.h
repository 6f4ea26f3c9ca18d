/* publish.h - writing a post and taking it back: one script each, which also queues the durable job that brings the
 * post into timelines, or out of them. The timelines say what that job does (delivery.h).
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_PUBLISH_H
#define SOCIAL_POSTS_PUBLISH_H

#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"
#include "social/posts/draft.h"

struct actor;
struct arena;
struct fanout_wave;
struct remains;
struct social;

/* Action (action.h): writes a post of the actor's and delivers it. ERR_INVALID with problems, ERR_NOT_FOUND when the
 * author is gone. A repeated request key gives the first post's id again and is not counted. *wave is for fanout_wait
 * (fanout.h), after the author has his answer. */
enum err post_create(struct social *s, struct arena *a, const struct actor *by, const struct post_draft *draft,
                     uint64_t *id, struct fanout_wave **wave, struct problems *p);

/* Action: takes back a post of the actor's own; an administrator may take back anybody's. ERR_NOT_FOUND,
 * ERR_FORBIDDEN. */
enum err post_delete(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p);

/* Who is mentioned in the words and exists, as the record of a post names them (in the arena). For edit.c. */
enum err publish_mentions(struct social *s, struct arena *a, uint64_t uid, const struct draft_words *words,
                          const char **out);

/* Handed over at start: what a deleted user leaves. */
extern const struct remains post_remains, direct_remains;

#endif
