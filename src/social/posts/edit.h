/* edit.h - changing the words of a post, and what they were before.
 *
 * A post keeps its id, its place, whom it answers and whom it is for; text, warning and language change, and with them
 * tags and mentions. The newest EDIT_VERSIONS_MOST versions before today's are kept for readers.
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_EDIT_H
#define SOCIAL_POSTS_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"
#include "social/posts/draft.h"

struct actor;
struct arena;
struct social;
struct visit;

#define EDIT_VERSIONS_MOST 20
#define EDIT_VERSION_PARTS 3 /* of a version in KEY_HISTORY: ms (and an s if it was sensitive), warning, text */

/* Action (action.h): gives a post of the actor's own these words; the draft's visibility, reply_to and request_key are
 * not looked at. The same words again change nothing. ERR_INVALID with problems, ERR_NOT_FOUND, ERR_FORBIDDEN when it
 * is somebody else's. */
enum err post_edit(struct social *s, struct arena *a, const struct actor *by, uint64_t id,
                   const struct post_draft *draft, struct problems *p);

/* Words that a post had from this time on. */
struct post_version {
    uint64_t since_ms;
    const char *spoiler, *text; /* in the visit's arena */
    bool is_sensitive;
};

/* A post with its earlier versions, the oldest first. */
struct post_history {
    struct post post;
    struct post_version *versions;
    size_t count;
};

/* For reads: there is one after visit_read. ERR_NOT_FOUND: no such post, or not for this visitor. */
const struct post_history *post_history_ask(struct visit *v, uint64_t id);

#endif
