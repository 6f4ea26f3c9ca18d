/* publish_parts.h - what posts that somebody writes (publish.c), edits (edit.c) or takes back (take_back.c) and boosts
 * (boost.c) have in common: how they are stored and taken back. Inside posts/ only.
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_PUBLISH_PARTS_H
#define SOCIAL_POSTS_PUBLISH_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/people/user.h"
#include "social/posts/draft.h"
#include "store/calls.h"

struct arena;
struct delivery_end_work;
struct fanout_wave;
struct problems;
struct shown;
struct social;
struct store_batch;

struct new_post {
    uint64_t author;
    const char *request_key;
    const char *app; /* as in the draft */
    struct script_limit limit;
    struct script_see see; /* of the post that it answers or boosts */
    struct draft_words words;
    const char *mentions;
    uint64_t reply_to, thread, boost;
    struct user reply_author, boost_author;
    struct shown *shown; /* to the author (people/shown.h) */
};

/* Stores it and delivers it: the second half of post_create (publish.h). */
enum err publish_store(struct social *s, struct arena *a, const struct new_post *n, uint64_t *id,
                       struct fanout_wave **wave, struct problems *p);

/* The job that cleans up after a post. */
struct delivery_end_work *publish_end_work(struct social *s, struct arena *a, uint64_t id, const struct post *post);

/* Takes a post of post->author away and stores the job that cleans up after it: *work, which the caller runs or hands
 * over. *post says what the post was as far as the caller knows; afterwards it is what it really was. ERR_NOT_FOUND:
 * there is none of that author. */
enum err publish_take_back(struct social *s, struct arena *a, uint64_t id, struct post *post,
                           const struct script_limit *limit, struct delivery_end_work **work, struct problems *p);

/* One try of that, as a part of a batch: the index of the reply of post_delete.lua. */
size_t publish_take_back_add(struct store_batch *b, const struct delivery_end_work *work, uint64_t edited_ms,
                             const struct script_limit *limit);

#endif
