/* publish.h - writing a post and taking it back: one script each, which also queues the durable job that brings the post into
 * timelines, or out of them. What that job does is the timelines' matter (delivery.h).
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_PUBLISH_H
#define SOCIAL_POSTS_PUBLISH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"

struct arena;
struct fanout_wave;
struct remains;
struct social;

struct post_draft {
    uint64_t author;
    const char *text;        /* as typed; CR LF becomes LF, white space at both ends is cut */
    uint64_t reply_to;       /* 0: none */
    const char *request_key; /* idempotency key of the client, or NULL */
};

/* Writes a post and delivers it. ERR_INVALID with problems, ERR_NOT_FOUND when the author is gone. A repeated request
 * key gives the first post's id again. *wave is for fanout_wait (fanout.h), when the author has been answered. */
enum err post_create(struct social *s, struct arena *a, const struct post_draft *draft, uint64_t *id,
                     struct fanout_wave **wave, struct problems *p);

/* Takes a post back: its author, or an administrator (by_admin). ERR_NOT_FOUND, ERR_FORBIDDEN. */
enum err post_delete(struct social *s, struct arena *a, uint64_t actor, bool by_admin, uint64_t id);

/* What is handed over at start: what a deleted user leaves. */
extern const struct remains post_remains;

#endif
