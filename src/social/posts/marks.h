/* marks.h - what the visitor himself has done with the posts that his page shows: favourited, put aside.
 *
 * A mark is never older than its post. So whoever has the newest marks of a visitor, say a hundred, knows of every post
 * that is newer than the oldest of them whether it is marked, without having asked about it. They are read in the first
 * round, before it is known which posts the page will have, and remembered by the process with the version that stands
 * in the visitor's homestate: whoever changes a mark counts that on, in the same script, and each visit brings it along
 * with its first round. Only of older posts the marks are asked for one by one, in the round that loads them.
 *
 * Making and taking back marks: react.h.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_POSTS_MARKS_H
#define SOCIAL_POSTS_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct post_mark;
struct visit;

/* Asks for the visitor's newest marks, unless that has been done: every read that will ask for posts later does so in
 * its ask function, so that they come with the first round. */
void marks_want(struct visit *v);

/* What the visitor has done with one post. */
struct post_mark {
    uint64_t post;
    bool is_favourited, is_bookmarked;
};

/* For post_ask: sets the marks of these posts in the next round; they are there in the step that is named after this
 * call. */
void marks_ask(struct visit *v, struct post_mark *marks, size_t count);

#endif
