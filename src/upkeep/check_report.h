/* check_report.h - the findings that a check can have, and the report of one check.
 *
 * The table is the list of all that must hold between the keys of keys.h. Broken truth is an ERROR. CACHE is about
 * remainders in derived data that no reader ever sees (pages hide them, see home.h): a delivery that was a moment late
 * may leave some. A NOTE is about something ordinary.
 *
 * Threads: constant; a report belongs to one check.
 */
#ifndef UPKEEP_CHECK_REPORT_H
#define UPKEEP_CHECK_REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum check_class { CHECK_ERROR, CHECK_CACHE, CHECK_NOTE };

/* clang-format off */
/*     id                    class  word                  what was found                                               how it is mended */
#define CHECK_TABLE(X)                                                                                                                  \
    X(KEY_TYPE,              ERROR, "key_type",           "a key of the wrong type",                                   "removed")       \
    X(KEY_ASTRAY,            ERROR, "key_astray",         "a key in the wrong bucket",                                 "removed")       \
    X(MEMBER_STRANGE,        ERROR, "member_strange",     "an entry that is no id",                                    "removed")       \
    X(MEMBER_SCORE,          ERROR, "member_score",       "an entry that is out of order",                             "put in order")  \
    X(NAME_ORPHAN,           ERROR, "name_orphan",        "a name that leads to nobody of that name",                  "set or removed") \
    X(USER_DAMAGED,          ERROR, "user_damaged",       "a user record without a usable name",                       "removed")       \
    X(USER_UNNAMED,          ERROR, "user_unnamed",       "a user to whom his name does not lead",                     "name set")      \
    X(USER_TWICE,            ERROR, "user_twice",         "a user whose name is somebody else's",                      "user deleted")  \
    X(USER_UNLISTED,         ERROR, "user_unlisted",      "a user missing from the index of users",                    "added")         \
    X(USER_UNREAL,           ERROR, "user_unreal",        "an entry in the index of users without a user",             "removed")       \
    X(USER_REMAINS,          ERROR, "user_remains",       "a deleted user with data that are left over",                  "purged")        \
    X(OWNER_GONE,            ERROR, "owner_gone",         "data of somebody who does not exist",                       "removed")       \
    X(TOKEN_UNLISTED,        ERROR, "token_unlisted",     "a token that is missing from its owner's list",             "ended")         \
    X(POST_DAMAGED,          ERROR, "post_damaged",       "a post without text or author",                             "removed")       \
    X(POST_OWNERLESS,        ERROR, "post_ownerless",     "a post by somebody who does not exist",                     "removed")       \
    X(POST_UNLISTED,         ERROR, "post_unlisted",      "a post missing from its author's posts",                    "added")         \
    X(POST_MISSING,          ERROR, "post_missing",       "an entry in somebody's posts without a post",               "removed")       \
    X(POST_STRANGER,         ERROR, "post_stranger",      "an entry in somebody's posts that another one wrote",       "removed")       \
    X(POSTED_WRONG,          ERROR, "posted_wrong",       "a number of posts that is not theirs",                      "removed: it is counted anew when it is asked for") \
    X(NEWEST_BEHIND,         ERROR, "newest_behind",      "a mark that is older than the author's newest post",        "removed: the next post sets it") \
    X(RELATION_HALF,         ERROR, "relation_half",      "a relation that only one side knows",                       "set by the follower's side") \
    X(RELATION_NOBODY,       ERROR, "relation_nobody",    "a relation with somebody who does not exist",               "ended")         \
    X(RELATION_SELF,         ERROR, "relation_self",      "somebody who follows himself",                              "ended")         \
    X(RELATION_TIME,         ERROR, "relation_time",      "two entries of the same time",                              "set apart")     \
    X(REQUEST_OPEN,          ERROR, "request_open",       "a request to follow an account that is open",               "accepted")      \
    X(APART_DAMAGED,         ERROR, "apart_damaged",      "a block or mute that says nothing, or that is of oneself",  "removed")       \
    X(APART_NOBODY,          ERROR, "apart_nobody",       "a block or mute of somebody who does not exist",            "removed")       \
    X(APART_HALF,            ERROR, "apart_half",         "a block that only one side knows",                          "set by the side of who blocks") \
    X(APART_FOLLOWS,         ERROR, "apart_follows",      "a relation of two of whom one blocks the other",            "ended")         \
    X(FAVOURITE_HALF,        ERROR, "favourite_half",     "a favourite that only one side knows",                      "set by its maker's side") \
    X(FAVOURITE_NOBODY,      ERROR, "favourite_nobody",   "a favourite of somebody who does not exist",                "removed")       \
    X(BOOST_HALF,            ERROR, "boost_half",         "a boost that only one side knows",                          "set by its maker's side") \
    X(BOOST_NOBODY,          ERROR, "boost_nobody",       "a boost by somebody who does not exist",                    "removed")       \
    X(BOOST_UNLISTED,        ERROR, "boost_unlisted",     "a boost missing from its author's boosts",                  "added")         \
    X(BOOST_TWICE,           ERROR, "boost_twice",        "a second boost of the same post by the same person",        "removed")       \
    X(BOOST_STRANGER,        ERROR, "boost_stranger",     "an entry in somebody's boosts that is no boost of his",     "removed")       \
    X(TIE_STRANGE,           ERROR, "tie_strange",        "what is wanted of somebody, or a recommendation, without following him", "removed") \
    X(TIE_HALF,              ERROR, "tie_half",           "somebody who wants to be told of posts, as only one side knows", "set by the side of who wants it") \
    X(REMARK_NOBODY,         ERROR, "remark_nobody",      "a note about somebody who does not exist",                  "removed")       \
    X(PIN_STRANGER,          ERROR, "pin_stranger",       "a pin of a post that is gone, or that may not be pinned",   "removed")       \
    X(LIST_OWNERLESS,          ERROR, "list_ownerless",      "a list of people that is nobody's",                         "removed")       \
    X(LIST_UNLISTED,           ERROR, "list_unlisted",       "a list missing from its owner's lists",                     "added")         \
    X(LIST_UNTITLED,           ERROR, "list_untitled",       "a list without a title",                                    "named by its id")\
    X(LIST_MISSING,            ERROR, "list_missing",        "an entry in somebody's lists without a list of his",        "removed")       \
    X(MEMBERS_ORPHAN,          ERROR, "members_orphan",      "members of a list that does not exist",                     "removed")       \
    X(MEMBER_NOBODY,           ERROR, "member_nobody",       "somebody who does not exist on a list",                     "taken off")     \
    X(SESSION_UNLISTED,      ERROR, "session_unlisted",   "a login that is missing from its user's list",                "ended")         \
    X(SESSION_ENDLESS,       ERROR, "session_endless",    "a login that never runs out",                               "made to")       \
    X(JOB_DAMAGED,           ERROR, "job_damaged",        "a job without a type or owner",                             "removed")       \
    X(JOB_UNLISTED,          ERROR, "job_unlisted",       "a job that nobody would take up",                           "queued")        \
    X(JOB_MISSING,           ERROR, "job_missing",        "an entry in the queue without a job",                       "removed")       \
    X(JOB_DEAD,              ERROR, "job_dead",           "a job given up after too many attempts",                    "queued again")  \
    X(CELEBRITY_UNLISTED,    ERROR, "celebrity_unlisted", "a celebrity whom readers do not ask",                       "added")         \
    X(INDEX_LACKS,           ERROR, "index_lacks",        "a post missing from the public timeline, a tag, replies or a conversation", "added")         \
    X(INDEX_STRANGER,        ERROR, "index_stranger",     "a post with a tag that it does not have, or among replies or in a conversation that it is none of", "removed") \
    X(WORDS_LACK,            ERROR, "words_lack",         "a post that search does not find by its words",             "added")         \
    X(NAMES_LACK,            ERROR, "names_lack",         "somebody whom search does not find by his names",           "added")         \
    X(WORD_DAMAGED,          ERROR, "word_damaged",       "a list of the posts with a word that cannot be read",       "removed")       \
    X(LATEST_LACKS,          ERROR, "latest_lacks",       "somebody missing from the newest users",                    "added")         \
    X(INTEREST_STRANGE,      ERROR, "interest_strange",   "somebody follows what can be no tag",                       "removed")       \
    X(FEATURED_STRANGE,      ERROR, "featured_strange",   "somebody shows on his profile what can be no tag",          "removed")       \
    X(TALK_LACKS,            ERROR, "talk_lacks",         "a direct post missing from the conversations of somebody who takes part", "added") \
    X(HOME_LACKS,            ERROR, "home_lacks",         "a home timeline that lacks a post",                         "dropped: built anew at the next visit") \
    X(HOME_DAMAGED,          CACHE, "home_damaged",       "a home timeline that is no list of ids",                    "dropped")       \
    X(HOME_LONG,             CACHE, "home_long",          "a home timeline much longer than timeline.size",            "dropped")       \
    X(HOME_TWICE,            CACHE, "home_twice",         "a home timeline with a post twice",                         "dropped")       \
    X(HOME_GONE,             CACHE, "home_gone",          "a home timeline with a deleted post",                       "dropped")       \
    X(HOME_STRANGER,         CACHE, "home_stranger",      "a home timeline with a post of somebody not followed",      "dropped")       \
    X(HOME_NOBODY,           CACHE, "home_nobody",        "a home timeline of nobody",                                 "removed")       \
    X(NOTICE_STRANGE,        CACHE, "notice_strange",     "a notice of nothing that there can be",                     "removed")       \
    X(NOTICE_GONE,           CACHE, "notice_gone",        "a notice of a deleted post",                                "removed")       \
    X(TALK_STRANGER,         CACHE, "talk_stranger",      "a post in a conversation of direct posts that it is none of", "removed")    \
    X(TALK_ASTRAY,           CACHE, "talk_astray",        "a conversation of direct posts without posts, or not where its newest belongs", "put in order") \
    X(TALK_COUNT,            CACHE, "talk_count",         "a wrong number of conversations that somebody has not read", "counted") \
    X(PUBLIC_TWICE,          CACHE, "public_twice",       "the public timeline has a post twice",                      "removed")       \
    X(INDEX_GONE,            CACHE, "index_gone",         "a deleted post in the public timeline, a tag, replies, or waiting for search", "removed")       \
    X(INDEX_LONG,            CACHE, "index_long",         "a public timeline, tag or other list that is too long",     "cut")           \
    X(NAMES_GONE,            CACHE, "names_gone",         "a name by which search found somebody who does not have it", "removed")      \
    X(WORD_LEFT,             CACHE, "word_left",          "part of a list of the posts with a word that is nobody's",  "removed")       \
    X(FAVOURITE_GONE,        CACHE, "favourite_gone",     "favourites of a post that is gone",                         "removed")       \
    X(BOOST_GONE,            CACHE, "boost_gone",         "a boost of a post that is gone",                            "taken back")    \
    X(REPLIES_NOBODY,        CACHE, "replies_nobody",     "replies to a post that does not exist",                     "removed")       \
    X(HISTORY_NOBODY,        CACHE, "history_nobody",     "earlier versions of a post that does not exist",            "removed")       \
    X(LATEST_GONE,           CACHE, "latest_gone",        "somebody who does not exist among the newest users",        "removed")       \
    X(CELEBRITY_GONE,        CACHE, "celebrity_gone",     "a celebrity who does not exist",                            "removed")       \
    X(KEY_ENDLESS,           CACHE, "key_endless",        "a key that never runs out and should",                      "made to")       \
    X(BOOKMARK_GONE,         NOTE,  "bookmark_gone",      "a bookmark of a post that is gone",                         "removed")       \
    X(QUIET_GONE,            NOTE,  "quiet_gone",         "a muted conversation that is gone",                         "removed")       \
    X(TAGNAME_GONE,          NOTE,  "tagname_gone",       "a tag in search that no post has",                          "removed")       \
    X(SESSION_EXPIRED,       NOTE,  "session_expired",    "a login or token that ran out and is still listed",         "removed")       \
    X(MEMBER_DELETED,          NOTE,  "member_deleted",      "somebody on a list who was deleted",                        "taken off")     \
    X(REMARK_DELETED,        NOTE,  "remark_deleted",     "a note about somebody who was deleted",                     "removed")       \
    X(APART_DELETED,         NOTE,  "apart_deleted",      "a mute of somebody who was deleted",                        "removed")       \
    X(JOB_WAITING,           NOTE,  "job_waiting",        "a job that is still to be done",                            "")              \
    X(JOB_ENDS,              NOTE,  "job_ends",           "a delivery of a post that is gone: it will end",            "")              \
    X(KEY_UNKNOWN,           NOTE,  "key_unknown",        "a key that this version does not know",                     "")
/* clang-format on */

enum check_kind {
    CHECK_NONE,
#define X(id, class, word, what, mended) CHECK_##id,
    CHECK_TABLE(X)
#undef X
        CHECK_KINDS
};

struct check_info {
    enum check_class class;
    const char *word; /* stable: for scripts */
    const char *what;
    const char *mended; /* "" : never */
};

/* Description of a kind, from 1 to CHECK_KINDS - 1. */
const struct check_info *check_info(enum check_kind k);

#define CHECK_EXAMPLES 3
#define CHECK_PHASES 5

struct check_options {
    bool repair;
    bool homes; /* compare each home with the truth too: as much work as all readers' visits together */
    /* May be NULL. `total` comes from the engine; it is not exact while data change, or when the engine holds other
     * data too. */
    void (*progress)(void *context, unsigned phase, uint64_t done, uint64_t total);
    void *context;
};

struct check_report {
    struct {
        uint64_t count, mended;
        const char *examples[CHECK_EXAMPLES]; /* keys and members; NULL: no more */
    } kinds[CHECK_KINDS];
    uint64_t keys, users, posts, relations;
};

#endif
