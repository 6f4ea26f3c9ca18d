/* delivery.h - how timelines learn that a post exists, or does not any more.
 *
 * Posts know nothing of timelines, so timelines hand over a row (struct social_parts): the classes of the two durable
 * jobs, which the scripts store in the same step as the change, and the first deliveries, which happen before the
 * author has his answer.
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_DELIVERY_H
#define SOCIAL_POSTS_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "social/core/job.h"

struct arena;
struct fanout_wave;
struct post;
struct shown;
struct social;
struct store_batch;
struct store_reply;

/* The job of a new post (post_create.lua). */
struct delivery_work {
    struct job job;
    uint64_t post, boost; /* 0: it boosts none */
    const char *mode;     /* that it was written in; "" of version 0.1.0 */
    bool delivers;        /* to homes; else only to the public timeline and indexes */
    int64_t people;       /* who have reacted to what it boosts (popular.h), as this process has heard */
    size_t doubtful;      /* so many behind the cursor may have got the post already */
    struct shown *shown;  /* to the author, with the first deliveries (people/shown.h); NULL: nothing */
};

/* The job of a post that was taken back (post_delete.lua). */
struct delivery_end_work {
    struct job job;
    uint64_t post, reply_to, thread, boost; /* 0: it answered, boosted none */
    const char *tags;                       /* comma separated */
    const char *people;                     /* who was told of it (notify.h) */
};

/* The job of a post that was edited (post_edit.lua). */
struct delivery_edit_work {
    struct job job;
    uint64_t post;
    const char *tags;   /* that it had or has: comma separated */
    const char *people; /* who is told of it (notify.h) */
    /* not stored, for the first step: NULL from then on */
    const struct post *now;             /* the post as it has just become */
    const struct store_reply *versions; /* what it was, as KEY_HISTORY has it */
    struct shown *shown;                /* to the author, by this process */
    bool is_settled;                    /* not stored: the lists are as the words */
};

struct delivery {
    const struct job_class *work, *end_work, *edit_work; /* of these three structs */

    /* Sets the arguments of the script that stores a post that concern timelines: how posts reach homes, how many ids a
     * home keeps. */
    void (*tell)(struct social *s, struct script_post_create *in);

    /* Adds further questions of `first` behind the script that stores the post. */
    void (*ask)(struct social *s, struct store_batch *b, struct arena *a, uint64_t author);

    /* The first deliveries of a post that was stored; of its author only the id is known. `created` is the script's
     * reply, which says how many followers there are and how they get the post; `asked` that to what `ask` added (NULL:
     * nothing). When these are all followers they have the post on return, which is then NULL. Else the first ones get
     * it now, and the caller calls fanout_wait when the author has his answer. */
    struct fanout_wave *(*first)(struct social *s, struct arena *a, struct delivery_work *w, const struct post *post,
                                 const struct script_post_create_reply *created, const struct store_reply *asked);
};

#endif
