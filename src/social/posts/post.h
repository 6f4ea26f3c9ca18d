/* post.h - posts, and how they are loaded with their authors. Writing and taking back: publish.h.
 *
 * A post never changes once it is written, so processes keep it (cache.h). Its author is looked up, not copied.
 *
 * The room posts/, in the order to read it: post.h, see.h (who may see a post), marks.h (what the visitor has done with
 * them), post_read.h (how pages come by one) and post_pick.h (by its id), tags.h, thread.h (the shape of conversations), publish.h (writing and
 * taking back), delivery.h (how timelines learn of both), boost.h, react.h (favourites, bookmarks, pins),
 * quiet.h (muted conversations).
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_POST_H
#define SOCIAL_POSTS_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/people/user.h"

struct arena;
struct filter_match;
struct social;
struct store_batch;
struct store_reply;

#define POST_MENTIONS_MAX 20

/* Whom a post is for; post_sight (see.h) says what follows from that. The words are those of the Mastodon API, and, but
 * for the first, of the record. */
#define VISIBILITY_TABLE(X)                                                                                            \
    X(PUBLIC, "public")     /* all */                                                                                  \
    X(UNLISTED, "unlisted") /* all who come by: it stands on no public timeline and nobody finds it */                 \
    X(PRIVATE, "private")   /* those who follow its author, and those whom it addresses */                             \
    X(DIRECT, "direct")     /* those whom it addresses */

enum visibility {
#define X(id, word) VISIBILITY_##id,
    VISIBILITY_TABLE(X)
#undef X
        VISIBILITIES
};

const char *post_visibility_word(enum visibility v);

/* The visibility of this word; VISIBILITIES: there is none such. */
enum visibility post_visibility_of(const char *word);

/* A mentioned user who existed when the post was written. */
struct post_mention {
    const char *name;
    uint64_t uid;
};

/* How a post's record says whose the post is that it answers or boosts ("uid:name"), and who is mentioned ("name:uid
 * name:uid"). */
const char *post_author_text(struct arena *a, uint64_t uid, const char *name);
const char *post_mentions_text(struct arena *a, const struct post_mention *mentions, size_t count);

/* What a visitor has done with a post. */
struct post_marks {
    bool is_favourited, is_bookmarked, is_boosted, is_pinned;
    bool is_quiet; /* he has muted its conversation */
};

struct post {
    uint64_t id;
    struct user author;
    const char *text;
    uint64_t reply_to, reply_author; /* 0: no reply */
    uint64_t thread;                 /* of a reply: the first post of the conversation; 0: unknown (thread.h) */
    const char *reply_name;          /* name of reply_author; "" when unknown */
    uint64_t boost, boost_author;    /* of a boost: the post that it boosts, and whose that is; 0: it is none */
    const char *boost_name;          /* name of boost_author */
    const struct post *boosted;      /* that post, as post_ask alone loads it; NULL: not there */
    int64_t reply_count, favourite_count, boost_count;
    struct post_marks marks; /* of the visitor (marks.h), which post_ask alone asks for */
    struct post_mention *mentions;
    size_t mention_count;
    enum visibility visibility;
    const char *spoiler;                 /* content warning; "" for none */
    const char *language;                /* ISO 639; "": unknown */
    const char *place;                   /* where it was written (place.h); "": unsaid */
    const char *app;                     /* by which it was written (app_signature); "": on the pages */
    bool is_sensitive;                   /* as its author says; one with a warning is it too (post_is_sensitive) */
    uint64_t edited_ms;                  /* since when it has these words; 0: it was never edited */
    const struct filter_match *filtered; /* filters that it meets, those that warn first. post_ask alone sets it */
};

/* What a record says; of the author only the id is set, and the counts are 0. Texts are those of the record. */
void post_from_record(struct arena *a, uint64_t id, const struct record_post *r, struct post *out);

/* Whether it is for all (public or unlisted), so that all may know that it exists. */
bool post_is_for_all(const struct post *p);

/* Whether it is to be shown as sensitive: its author says so, or it has a warning. */
bool post_is_sensitive(const struct post *p);

/* Whether it speaks to this user: mentions or answers him. */
bool post_addresses(const struct post *p, uint64_t uid);

/* What is counted of a post: how many members its sets have. */
struct post_counts {
    int64_t replies, favourites, boosts;
};

/* Loading a set of posts within the caller's batch: add, run, take. What the cache holds is not asked for. Whoever may
 * see them or not: pages load posts by post_read.h. */
struct post_load {
    uint64_t id;
    struct post post; /* id 0 after take: there is no such post, or its author is gone */
    bool numbers;     /* those of its author are wanted, too */
    bool afresh;      /* its counts have changed just now: what is remembered of them is old */
    bool by_tag;      /* it came to a home by a tag that its reader follows (SEE_TAG) */
    bool cached, author_cached, counts_cached;
    size_t reply, author_reply, counts_reply;
};
void post_load_add(struct social *s, struct store_batch *b, struct arena *a, struct post_load *loads, size_t count);
void post_load_take(struct social *s, const struct store_batch *b, struct arena *a, struct post_load *loads,
                    size_t count);

/* A post and its author as the process remembers them, without asking; its counts are not there. False: it does not
 * remember both. */
bool post_recall_whole(struct social *s, struct arena *a, uint64_t id, struct post *out);

/* What the process remembers of a post, without asking. */
struct post_recalled {
    bool is_known;
    uint64_t boost; /* 0: it is none, or not known */
};
struct post_recalled post_recall(struct social *s, struct arena *a, uint64_t id);

/* Remembers a post that came from a script, with its counts. */
void post_remember(struct social *s, struct arena *a, uint64_t id, const struct record_post *r,
                   const struct post_counts *counts, uint64_t token);

#endif
