/* marks.h - what the visitor himself has done with the posts that his page shows: favourited, put aside, boosted,
 * pinned; and which conversations he has muted.
 *
 * A mark is never older than its post, and boosts are kept in the order of what they boost. So whoever has the newest
 * marks of a visitor, say a hundred, knows of every post that is newer than the oldest of them whether it is marked,
 * without having asked about it. They are read in the first round, before it is known which posts the page will have,
 * and remembered by the process with the version that stands in the visitor's homestate: whoever changes a mark counts
 * that on, in the same script, and each visit brings it along with its first round. Only of older posts the marks are
 * asked for one by one, in the round that loads them. Muted conversations are few (QUIET_MOST), so all are known.
 *
 * Making and taking back marks: react.h, boost.h, quiet.h.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_POSTS_MARKS_H
#define SOCIAL_POSTS_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/posts/post.h"

struct arena;
struct store_batch;
struct store_reply;
struct visit;

#define QUIET_MOST 200 /* conversations that one person has muted */

/* Asks for the visitor's newest marks, unless that has been done: every read that will ask for posts later does so in
 * its ask function, so that they come with the first round. */
void marks_want(struct visit *v);

struct post_mark {
    uint64_t post;
    struct post_marks marks;
};

/* For post_ask: sets the marks of these posts in the next round; they are there in the step that is named after this
 * call. */
void marks_ask(struct visit *v, struct post_mark *marks, size_t count);

/* The user's boost of a post: adds the question to a batch, and takes its answer, 0 for none. */
size_t marks_boost_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t post);
uint64_t marks_boost_take(const struct store_reply *r);

/* What an entry of `boosted` (keys.h) says: zeros if it is none. */
struct marks_boost {
    uint64_t post, boost;
};
struct marks_boost marks_boost_parse(const char *entry);

/* The entry of `boosted` for it. */
const char *marks_boost_entry(struct arena *a, uint64_t post, uint64_t boost);

/* Whether the visitor has muted the conversation that begins with this post; known when marks are. */
bool marks_are_quiet(const struct visit *v, uint64_t root);

#endif
