/* notice.h - what people are told: somebody mentioned, answered, followed them, favourited or boosted what they wrote.
 * Begin here.
 *
 * A notice is a group: all favourites of one post are one, and so are all who began to follow on one day. Its entry in
 * the sorted set `notices` (keys.h) says only which group and when the newest thing in it came; who it was stands where
 * the truth is (favourites:<post>, followers:<uid>), so a storm of favourites is one entry, and nobody is in a group
 * who took his back. Whoever writes such a set tells in the same script (store/scripts/include/notice.lua); of posts,
 * which lie in the bucket of their author, the fan-out tells (notice_post.c).
 *
 * Apps want each favourite by itself: one that lies in a group is known by its time in the set, which no other thing
 * has that he was ever told (HOMESTATE_TOLD). So it costs nothing beside the favourite, lasts as long as that, and is
 * gone with it; and a page of single things is read out of the groups that can have them (notice_list.lua).
 *
 * The room notices/: notice.c (kinds, and what a user does with his notices), notice_post.c (telling of posts),
 * notice_list.c (the page), notice_unread.c (the number in the menu); talk.h (direct posts by conversation).
 *
 * Threads: any.
 */
#ifndef SOCIAL_NOTICES_NOTICE_H
#define SOCIAL_NOTICES_NOTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/people/follow.h"
#include "social/posts/post.h"

struct actor;
struct arena;
struct notify;
struct remains;
struct social;
struct visit;

#define NOTICE_MOST 1000 /* of one user: notice.lua keeps no more */

/*    id         letter  word: of ?types= and of templates   its group is named by */
#define NOTICE_TABLE(X)                                                                                                \
    X(FAVOURITE, 'f', "favourite") /* a post */                                                                        \
    X(BOOST, 'b', "boost")         /* a post */                                                                        \
    X(MENTION, 'm', "mention")     /* the post that does it */                                                         \
    X(REPLY, 'r', "reply")         /* the post that does it */                                                         \
    X(FOLLOW, 'F', "follow")       /* a day */                                                                         \
    X(REQUEST, 'q', "request")     /* who asks */                                                                      \
    X(EDIT, 'e', "update")         /* a post that he boosts */                                                         \
    X(STATUS, 's', "status")       /* a post of somebody of whose posts he wants to be told */

enum notice_kind {
#define X(id, letter, word) NOTICE_##id,
    NOTICE_TABLE(X)
#undef X
        NOTICE_KINDS
};

struct notice_info {
    char letter;
    const char *word;
};
const struct notice_info *notice_info(enum notice_kind k);

/* The group of a kind and a number, as `notices` has it. */
const char *notice_group(struct arena *a, enum notice_kind k, uint64_t number);

/* Takes one apart; false if it is none. */
bool notice_group_parse(const char *group, enum notice_kind *k, uint64_t *number);

/* --- the page ------------------------------------------------------------------------------------------------------
 * */

#define NOTICE_PEOPLE 5 /* of one notice who are shown on pages */

struct notice {
    enum notice_kind kind;
    const char *group;
    uint64_t at_us; /* of the newest thing in it: the cursor; of a single thing its id */
    uint64_t newest_us,
        oldest_us; /* of its people who are there: of all, and on this page (struct notice_query, spans) */
    bool is_unread;
    struct post post;          /* id 0: of a kind that is about none */
    const struct user *people; /* the newest first */
    size_t people_count;
    int64_t count; /* of all people */
};

struct notice_query {
    struct follow_query at; /* cursors and length */
    unsigned kinds;         /* bits 1 << NOTICE_…; 0: all */
    unsigned single;        /* kinds whose people come one by one, not as a group */
    uint64_t who;           /* only what this one did; 0: anybody */
    const char *group;      /* only this one; NULL: any */
    unsigned shown;         /* people of each; 0: NOTICE_PEOPLE */
    bool spans;             /* oldest_us is wanted */
    bool bare;              /* only which there are, and the ids of people: for who wants to dismiss one */
    bool sees;              /* what is there now counts as seen from now on */
};

struct notice_page {
    struct notice *items;
    size_t count;
    uint64_t older_us, newer_us; /* cursors; 0: nothing there */
    uint64_t newest_us;          /* of all notices, whatever was asked for; 0: there are none */
};

/* The visitor's notices, newest first; nothing for nobody. Posts that he may not see are left out, and so are people
 * who are gone. */
const struct notice_page *notice_page_ask(struct visit *v, const struct notice_query *q);

/* How many there are of a query that the visitor has not seen, at.limit at most. Posts are not looked at: those that he
 * may not see count. */
const size_t *notice_count_ask(struct visit *v, const struct notice_query *q);

/* Kinds whose people are many in one notice. */
#define NOTICE_GROUPED (1u << NOTICE_FAVOURITE | 1u << NOTICE_BOOST | 1u << NOTICE_FOLLOW)

/* The numbers in the menu: how many notices he has not seen, and how many people ask to follow him. Costs no round trip
 * but when they changed since this process last knew. */
struct notice_unread {
    int64_t count, requests;
};
const struct notice_unread *notice_unread_ask(struct visit *v);

/* --- actions (action.h) --------------------------------------------------------------------------------------------
 * */

/* The actor has seen what he was told up to this time. */
enum err notice_read(struct social *s, struct arena *a, const struct actor *by, uint64_t until_us);

/* Takes away what the actor was told up to this time: of one group, of all. What is not there is gone. */
enum err notice_dismiss(struct social *s, struct arena *a, const struct actor *by, const char *group,
                        uint64_t until_us);
enum err notice_clear(struct social *s, struct arena *a, const struct actor *by, uint64_t until_us);

/* The same of a notice as a page has it: of one that came by itself out of a group, only that. */
enum err notice_dismiss_one(struct social *s, struct arena *a, const struct actor *by, const struct notice *n);

/* Handed over at start: takes away what each of two people was told of the other's posts. */
enum err notice_part(struct social *s, struct arena *a, uint64_t one, uint64_t other);

/* What is handed over at start: how posts tell people, and what a deleted user leaves. */
extern const struct notify notice_notify;
extern const struct remains notice_remains;

#endif
