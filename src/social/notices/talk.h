/* talk.h - talks: direct posts, gathered by conversation and by who takes part, newest talk first. What Mastodon's apps
 * call conversations, and the pages messages.
 *
 * A talk is a number that follows from the first post of the thread and from all who take part (talk_of_post), so it is
 * the same for all of them, nobody counts, and whoever tells of a post again changes nothing. Each of them has it in his
 * own bucket (keys.h, talks): with the newest of its posts, so that it goes back to the one before when the newest is
 * deleted, and with the others, so that a page needs no post to know its people. Telling and forgetting goes the way of
 * notices (notice_post.c): beside the first deliveries, and by the post's durable job if that is interrupted.
 *
 * What this is not: threads (timelines/conversation.h), which have posts of every sort, and order. Whether a post may be
 * seen is judged when it is read: a talk of which nobody is heard is not shown, and neither are its unseen posts.
 *
 * talk.c (what a user does with his), talk_post.c (telling of posts), talk_list.c (the page), talk_build.c (posts of
 * older versions).
 *
 * Threads: any.
 */
#ifndef SOCIAL_NOTICES_TALK_H
#define SOCIAL_NOTICES_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/people/follow.h"
#include "social/posts/post.h"

struct actor;
struct arena;
struct job_class;
struct remains;
struct social;
struct store_batch;
struct talk_seeing;
struct visit;

#define TALKS_MOST 1000 /* of one user */
#define TALK_POSTS 100  /* of each talk that are known: so often it can go back */
#define TALK_PEOPLE (POST_MENTIONS_MAX + 2)

/* --- the page ------------------------------------------------------------------------------------------------------ */

struct talk {
    uint64_t number, at_us; /* at_us: of its newest post, and the cursor */
    bool is_unread;
    struct post post;   /* the newest that the visitor may see */
    struct user *users; /* who takes part, but for the visitor; he himself if nobody else does */
    size_t user_count;
};

struct talk_page {
    struct talk *items;
    size_t count;
    uint64_t older_us, newer_us; /* cursors; 0: nothing there */
};

/* The visitor's talks, newest first; nothing for nobody. */
const struct talk_page *talk_page_ask(struct visit *v, const struct follow_query *q);

/* One of them: a page of one or none. */
const struct talk_page *talk_ask(struct visit *v, uint64_t number);

/* --- actions (action.h) -------------------------------------------------------------------------------------------- */

/* The actor has read a talk, or wants it to count as not read. ERR_NOT_FOUND: he has none such. */
enum err talk_mark(struct social *s, struct arena *a, const struct actor *by, uint64_t number, bool unread);

/* Takes a talk away from the actor alone, until a newer post comes. */
enum err talk_dismiss(struct social *s, struct arena *a, const struct actor *by, uint64_t number);

/* Whether the post that the visitor comes to belongs to a talk that he has not read; for talk_seen. */
const struct talk_seeing *talk_seen_ask(struct visit *v, uint64_t post);

/* He is shown the post: that talk counts as read, at once in talk_unread of this visit. Nobody waits for the rest. */
void talk_seen(struct visit *v, const struct talk_seeing *t);

/* How many the visitor has not read, for a visit that has read; costs nothing. */
int64_t talk_unread(const struct visit *v);

/* --- posts (talk_post.c) ------------------------------------------------------------------------------------------- */

/* Who takes part, sorted, in out of TALK_PEOPLE. */
size_t talk_people(const struct post *p, uint64_t *out);

/* The talk that a direct post belongs to. */
uint64_t talk_of_post(struct arena *a, const struct post *p);

/* Adds what tells all who take part of a post; nothing if it is not direct. Harmless when repeated. `fresh`: it may be
 * news to them. */
void talk_post_add(struct store_batch *b, struct arena *a, const struct post *p, bool fresh);

/* Adds what takes a post from the talks of somebody. */
void talk_post_end_add(struct store_batch *b, uint64_t uid, uint64_t post);

/* --- posts of older versions (talk_build.c) ------------------------------------------------------------------------ */

/* At start: stores the job that gathers the direct posts that versions before this one wrote, if that was not done. */
enum err talk_build_begin(struct social *s, struct arena *a);

extern const struct job_class talk_build_job;

/* What a deleted user leaves. */
extern const struct remains talk_remains;

#endif
