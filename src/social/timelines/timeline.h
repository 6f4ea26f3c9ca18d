/* timeline.h - pages of posts: the part that all timelines share.
 *
 * A page is asked for by cursor (max_id: older than; min_id: the posts immediately newer than; since_id: the newest,
 * but only those newer than) and comes newest first. It is full whenever there are enough posts: ids whose post is
 * gone, or which this reader may not see, are replaced by the next ones.
 *
 * The room timelines/, in the order to read it: this file with timeline.c and timeline_read.c (the public timeline,
 * tags, profiles); merge.h (the truth that every home is a cache of); home.h with home_window.h, home_plan.h
 * and rebuild.h; tag_ids.h; celebrity.h; list.h; conversation.h. fanout.h brings posts into all of them, in the author's request
 * and in jobs (fanout_job.c, edit_job.c).
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_TIMELINE_H
#define SOCIAL_TIMELINES_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/social.h"
#include "social/posts/post.h"

struct arena;
struct social;
struct store_reply;
struct visit;

#define TIMELINE_PUBLIC_SIZE 1000
#define TIMELINE_TAG_SIZE 1000 /* the newest posts with a tag */

/* Where ZREMRANGEBYRANK ends to leave these; counted from the newest. */
#define TIMELINE_TAG_CUT(a) arena_printf(a, "%d", -TIMELINE_TAG_SIZE - 1)

#define TIMELINE_SLACK 20 /* ids read beyond a page, for those that turn out to be hidden */
#define TIMELINE_LIMIT_MAX 100

/* Length of a home's list: the window, and some more, because the oldest ids of a list that was cut by arrival are not
 * certain (see home_window.c). Only if so many posts came to a home between two that arrive in the wrong order would
 * there be a hole. */
#define TIMELINE_TAIL 20
#define TIMELINE_KEPT(config) ((config)->timeline.size + TIMELINE_TAIL)

struct timeline_query {
    uint64_t max_id;   /* 0: none */
    uint64_t min_id;   /* 0: none */
    uint64_t since_id; /* 0: none; min_id wins over it */
    unsigned limit;    /* 1..TIMELINE_LIMIT_MAX */
};

struct timeline_page {
    struct post *posts;
    size_t count;
    bool has_older, has_newer;
    uint64_t older_id, newer_id; /* where it goes on in these directions; 0: behind its last post, before its first */
};

/* A set of ids, newest first, without duplicates. */
struct timeline_ids {
    uint64_t *ids;
    size_t count;
};

/* --- asking; timeline_read.c. More than two rounds only if hidden posts left the page short --- */

/* The newest public posts (at most TIMELINE_PUBLIC_SIZE of them exist). */
const struct timeline_page *timeline_public_ask(struct visit *v, const struct timeline_query *q);

/* The newest posts with a tag; the tag is folded. */
const struct timeline_page *timeline_tag_ask(struct visit *v, const char *tag, const struct timeline_query *q);

/* The same of several tags: posts that stand on the timelines of any of these, on those of all of the next, and on none of
 * the last. The words must outlive the visit. */
#define TIMELINE_TAGS_MOST 8
struct timeline_tags {
    const char *any[TIMELINE_TAGS_MOST], *all[TIMELINE_TAGS_MOST], *none[TIMELINE_TAGS_MOST];
    size_t any_count, all_count, none_count;
};
const struct timeline_page *timeline_tags_ask(struct visit *v, const struct timeline_tags *tags,
                                              const struct timeline_query *q);

/* One user's own posts, by name, and on the first page those that he pinned. ERR_NOT_FOUND: no such user.
 *
 * Without answers to others (answers to himself stay, as do boosts) it looks through TIMELINE_LOOK posts at most: the page of somebody
 * who answers more than that in a row may be short, or empty, and goes on behind what was looked at. */
#define TIMELINE_LOOK 1000
#define TIMELINE_LOOK_TAGGED 2000 /* the same, for those with a tag */
enum timeline_own { TIMELINE_OWN_ALL, TIMELINE_OWN_WITHOUT_ANSWERS };
struct timeline_profile {
    struct user user;
    struct user_counts counts;
    struct timeline_page page, pins;
};
const struct timeline_profile *timeline_profile_ask(struct visit *v, const char *name, enum timeline_own which,
                                                    const struct timeline_query *q);

/* The same of somebody whose id is known, without what `leaves` says; the counts stay 0. */
struct timeline_leaves {
    bool answers; /* to others */
    bool boosts;
    const char *but_tagged; /* all without this (folded) tag; NULL: none for that. It must outlive the visit */
};
const struct timeline_profile *timeline_of_ask(struct visit *v, uint64_t uid, const struct timeline_leaves *leaves,
                                               const struct timeline_query *q);

/* --- for the reads of timelines --- */

/* Ids of a reply (strings of digits; "0" is skipped), sorted newest first, duplicates removed. */
struct timeline_ids timeline_ids_of(struct arena *a, const struct store_reply *r);

/* The same as they stand there, duplicates and all. */
struct timeline_ids timeline_ids_in_order(struct arena *a, const struct store_reply *r);
void timeline_sort(struct timeline_ids *ids);

/* Whether the id is among them. */
bool timeline_has(const struct timeline_ids *ids, uint64_t id);

/* The part of `ids` that the cursors allow, `need` of them at most: next to min_id if there is one, else the newest. */
struct timeline_ids timeline_cut(const struct timeline_ids *ids, const struct timeline_query *q, size_t need);

/* Removes from a page the posts that since_id excludes: the last step of every read. Older posts still exist, so
 * has_older stays; of a page without posts only if it goes on (older_id) above since_id. */
void timeline_since(const struct timeline_query *q, struct timeline_page *page);

/* Adds the read of the ids of a (folded) tag, `most` of them, that the cursors allow: for timeline_ids_of. Returns the
 * index of the reply. */
size_t timeline_tag_add(struct visit *v, const char *tag, const struct timeline_query *q, size_t most);

/* One post_load for each id, for post_ask. */
struct post_load *timeline_loads(struct arena *a, const struct timeline_ids *ids);

/* How many of them are there and not hidden. */
size_t timeline_visible(const struct post_load *loads, size_t count);

/* Fills the page from loaded candidates (newest first; only those with post.id). Cuts to the limit, sets has_*. */
void timeline_fill(struct arena *a, const struct timeline_query *q, const struct post_load *loads, size_t count,
                   struct timeline_page *out);

#endif
