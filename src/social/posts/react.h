/* react.h - what people do with posts: favourite them, put them aside, pin their own, and take that back.
 *
 * A favourite has two sides, in the bucket of whoever makes it and in that of the post, like a relation between people
 * (follow.h): his own side is changed first, together with a durable job that brings the other side after it. A
 * bookmark is nobody else's business: it has one side. All that is counted is counted where it lies (ZCARD), so no
 * number can drift from the truth.
 *
 * What a visitor has done with the posts of a page: marks.h. Who has favourited a post, and what somebody has:
 * timelines/reacted.h.
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_REACT_H
#define SOCIAL_POSTS_REACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"

#define POST_PINS_MAX 5

struct actor;
struct arena;
struct job_class;
struct remains;
struct social;

/* Actions (action.h): the actor favourites a post, or puts it aside (on), or takes that back. What is so already is
 * left as it is, and not counted. ERR_NOT_FOUND: there is no such post that he may see; to take back something that is
 * not there is no error. */
enum err post_favourite(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                        struct problems *p);
enum err post_bookmark(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                       struct problems *p);

/* Action: the actor shows one of his own posts, which all may see, on top of his profile, or does so no more.
 * ERR_FORBIDDEN: it is not such a post; ERR_CONFLICT: POST_PINS_MAX are pinned. */
enum err post_pin(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                  struct problems *p);

/* Brings the post's side of one favourite after the other one, as the job does: for the repair. */
enum err favourite_mend(struct social *s, struct arena *a, uint64_t uid, uint64_t post);

/* Takes the next favourites of a post that is gone from both sides; *more: there may be others. For the job that cleans
 * up after it. */
enum err favourite_forget(struct social *s, struct arena *a, uint64_t post, bool *more);

/* What is handed over at start: the job that brings the other sides after, and what a deleted user leaves. */
extern const struct job_class favourite_job;
extern const struct remains favourite_remains, bookmark_remains, pin_remains;

#endif
