/* notice.h - what people are told: somebody mentioned, answered, followed them, favourited or boosted what they wrote. Begin here.
 *
 * A notice is a group: all favourites of one post are one, and so are all who began to follow on one day. Its entry in the sorted set
 * `notices` (keys.h) says only which group and when the newest thing in it came; who it was stands where the truth is (favourites:<post>,
 * followers:<uid>), so a storm of favourites is one entry, and nobody is in a group who took his back. Whoever writes such a set tells in
 * the same script (store/scripts/include/notice.lua); of posts, which lie in the bucket of their author, the fan-out tells (notice_post.c).
 *
 * The room notices/: notice.c (kinds, and what a user does with his notices), notice_post.c (telling of posts), notice_list.c (the page),
 * notice_unread.c (the number in the menu).
 *
 * Threads: any.
 */
#ifndef SOCIAL_NOTICES_NOTICE_H
#define SOCIAL_NOTICES_NOTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct notify;
struct remains;

#define NOTICE_MOST 1000 /* of one user: notice.lua keeps no more */

/*    id         letter  word: of ?types= and of templates   its group is named by */
#define NOTICE_TABLE(X)                                                                                                \
    X(FAVOURITE, 'f', "favourite") /* a post */                                                                        \
    X(BOOST, 'b', "boost")         /* a post */                                                                        \
    X(MENTION, 'm', "mention")     /* the post that does it */                                                         \
    X(REPLY, 'r', "reply")         /* the post that does it */                                                         \
    X(FOLLOW, 'F', "follow")       /* a day */                                                                         \
    X(REQUEST, 'q', "request")     /* who asks */                                                                      \
    X(EDIT, 'e', "edit")           /* a post */

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

/* What is handed over at start: how posts tell people, and what a deleted user leaves. */
extern const struct notify notice_notify;
extern const struct remains notice_remains;

#endif
