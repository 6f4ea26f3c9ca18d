/* quiet.h - conversations that somebody has muted: he is told nothing more of what happens in them. He sees them as
 * before, and nobody else learns of it.
 *
 * A conversation is known by its first post (thread.h), whether that is still there or not. Whether the visitor has
 * muted that of a post is one of his marks (marks.h); who tells him of something asks in the same script
 * (scripts/include/notice.lua).
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_QUIET_H
#define SOCIAL_POSTS_QUIET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"

struct actor;
struct arena;
struct remains;
struct social;

/* Actions (action.h): the actor mutes the conversation of this post (on), or mutes it no more. What is so already is
 * left as it is, and not counted. ERR_NOT_FOUND: there is no such post that he may see. With more than QUIET_MOST
 * (marks.h) the oldest mute ends. */
enum err post_mute(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                   struct problems *p);

/* Handed over at start: what a deleted user leaves. */
extern const struct remains quiet_remains;

#endif
