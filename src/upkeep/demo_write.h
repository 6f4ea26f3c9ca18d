/* demo_write.h - internal to demo*.c: writes the plan, hundreds of scripts in a batch.
 *
 * Threads: each function may run on several threads at once, each with its own `share` of `shares` equal ones.
 */
#ifndef UPKEEP_DEMO_WRITE_H
#define UPKEEP_DEMO_WRITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/secret.h"
#include "upkeep/demo_plan.h"

struct arena;
struct post;
struct social;

#define DEMO_SHARES 2 /* threads: the engine itself has one */

/* Posts that are stored and cannot be found by their words yet. */
struct demo_words_of {
    struct arena *arena;
    struct post *posts;
    size_t count, room;
};

struct demo_work {
    struct social *social;
    struct demo_plan *plan;
    char hash[SECRET_PASSWORD_SIZE]; /* of everybody's password */
    struct demo_post *posts;         /* of this chunk */
    size_t post_count;
    unsigned shares;
    struct demo_words_of found[DEMO_SHARES];
    const char *what;      /* this step, for the progress */
    _Atomic uint64_t done; /* of */
    uint64_t total;
    _Atomic uint64_t users, posts_written, relations;
};

/* The order that brings those of each bucket together and leaves them as they stand otherwise: indexes, in the
 * arena. */
size_t *demo_by_bucket(struct arena *a, const uint16_t *buckets, size_t count);

/* Counts so much more of the step as done. Share 0 reports the progress. */
void demo_work_did(struct demo_work *w, unsigned share, uint64_t more);

/* Users with their names; no homes: a first visit makes one. */
enum err demo_write_users(struct demo_work *w, unsigned share);

/* Relations, both sides. */
enum err demo_write_relations(struct demo_work *w, unsigned share);

/* Posts, in the order of each author; replies and tags with them. */
enum err demo_write_posts(struct demo_work *w, unsigned share);

/* Keeps a post of the share for demo_write_found, which makes all that were kept findable, on one thread, when there are many
 * or these were the last. */
void demo_found(struct demo_work *w, unsigned share, const struct post *post);
enum err demo_write_found(struct demo_work *w, bool is_last);

/* Boosts of some of the newest posts. */
enum err demo_write_boosts(struct demo_work *w, unsigned share);

/* Lists of people and muted conversations of some. */
enum err demo_write_choices(struct demo_work *w, unsigned share);

/* Blocks, mutes, filters, locked accounts and who asks them, preferences of some. */
enum err demo_write_safety(struct demo_work *w, unsigned share);

/* Favourites, bookmarks, pins and edits of some of the newest posts; notices of those whom they mention or answer. */
enum err demo_write_reactions(struct demo_work *w, unsigned share);

/* What an action says of something that somebody deleted meanwhile, or that is not for him: ERR_OK. */
enum err demo_let_pass(enum err e);

/* Drops the homes that visits may have made meanwhile. */
enum err demo_write_homes(struct demo_work *w, unsigned share);

/* Public timeline, lengths of tags, newest users; all processes forget what they remember. One thread. */
enum err demo_write_end(struct demo_work *w);

#endif
