/* demo_write.h - internal to demo*.c: writes what was planned, hundreds of scripts in a batch.
 *
 * Threads: each function may run on several at once, with another `share` each: of `shares` equal ones it does its
 * own.
 */
#ifndef UPKEEP_DEMO_WRITE_H
#define UPKEEP_DEMO_WRITE_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/err.h"
#include "base/secret.h"
#include "upkeep/demo_plan.h"

struct arena;
struct social;

struct demo_work {
    struct social *social;
    struct demo_plan *plan;
    char hash[SECRET_PASSWORD_SIZE]; /* of everybody's password */
    struct demo_post *posts;         /* of this chunk */
    size_t post_count;
    unsigned shares;
    const char *what;      /* this step, for the progress */
    _Atomic uint64_t done; /* of */
    uint64_t total;
    _Atomic uint64_t users, posts_written, relations;
};

/* The order that brings those of each bucket together and leaves them as they stand otherwise: indexes, in the
 * arena. */
size_t *demo_by_bucket(struct arena *a, const uint16_t *buckets, size_t count);

/* So much more of the step is done. Share 0 tells those who want to know. */
void demo_work_did(struct demo_work *w, unsigned share, uint64_t more);

/* Users with their names; no homes: whoever is about to read gets one. */
enum err demo_write_users(struct demo_work *w, unsigned share);

/* Relations, both sides. */
enum err demo_write_relations(struct demo_work *w, unsigned share);

/* Posts, in the order of each author; replies and tags with them. */
enum err demo_write_posts(struct demo_work *w, unsigned share);

/* Drops what somebody may have read meanwhile: homes. */
enum err demo_write_homes(struct demo_work *w, unsigned share);

/* Public timeline, lengths of tags, newest users; what processes remember is forgotten. One thread. */
enum err demo_write_end(struct demo_work *w);

#endif
