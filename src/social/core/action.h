/* action.h - the table of all changes: the name of each, who may make it, and which limit counts it.
 *
 * An action is one function, of the room that it concerns:
 *
 *     enum err x(struct social *s, struct arena *a, const struct actor *by, ..., struct problems *p);
 *
 * Pages, API and command line call the same function and differ only in how they show its result. The function itself
 * checks that the actor may do it (action_check, and whose the thing is), that the input keeps the rules, and that the
 * limit allows it. The script that writes takes the limit, or a read before it does, so the limit costs no round trip
 * of its own. A change that is refused has written nothing. Every answer but ERR_OK is a refusal:
 *
 *     ERR_UNAUTHORIZED nobody is signed in ERR_TOO_MANY p->retry_after says for how many seconds ERR_FORBIDDEN he may
 *     not ERR_NOT_FOUND there is none, or none that he may see ERR_INVALID, ERR_TAKEN, ERR_CONFLICT the problems say of
 *     which field
 *
 * Threads: any.
 */
#ifndef SOCIAL_CORE_ACTION_H
#define SOCIAL_CORE_ACTION_H

#include "base/err.h"
#include "base/who.h"
#include "social/core/actor.h"
#include "social/core/limit.h"

/* Whose thing it changes; only the function itself can find that out. */
enum action_upon {
    UPON_NOTHING,   /* or upon the actor's own account */
    UPON_OWN,       /* nobody but its owner learns that it exists */
    UPON_OWN_SEEN,  /* everybody sees it; administrators may too */
    UPON_OWN_WORDS, /* everybody sees it; nobody but its author may */
};

/* clang-format off */
/*     id            name             who may      upon           limit         what */
#define ACTION_TABLE(X)                                                                                                  \
    X(POST_CREATE,   "post_create",   WHO_MEMBER,  UPON_NOTHING,  LIMIT_POST,   "writes a post")                         \
    X(POST_DELETE,   "post_delete",   WHO_MEMBER,  UPON_OWN_SEEN, LIMIT_DELETE, "takes a post back")                     \
    X(POST_EDIT,     "post_edit",     WHO_MEMBER,  UPON_OWN_WORDS, LIMIT_POST,  "changes the words of a post")           \
    X(FAVOURITE,     "favourite",   WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "favourites a post")                     \
    X(UNFAVOURITE,   "unfavourite", WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "takes a favourite back")                \
    X(BOOKMARK,      "bookmark",    WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "puts a post aside")                     \
    X(UNBOOKMARK,    "unbookmark",  WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "takes a bookmark away")                 \
    X(BOOST,         "boost",       WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "boosts a post")                         \
    X(UNBOOST,       "unboost",     WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "takes a boost back")                    \
    X(PIN,           "pin",         WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "pins a post on the profile")            \
    X(UNPIN,         "unpin",       WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "takes a pin off")                       \
    X(POST_MUTE,     "post_mute",     WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "mutes a conversation")                  \
    X(POST_UNMUTE,   "post_unmute",   WHO_MEMBER,  UPON_NOTHING,  LIMIT_REACT,  "mutes a conversation no more")          \
    X(FOLLOW,        "follow",        WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "follows people")                        \
    X(UNFOLLOW,      "unfollow",      WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "follows people no more")                \
    X(TAG_FOLLOW,    "tag_follow",    WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "follows a tag")                         \
    X(TAG_UNFOLLOW,  "tag_unfollow",  WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "follows a tag no more")                 \
    X(FEATURE,       "feature",      WHO_MEMBER,  UPON_NOTHING,  LIMIT_SETTINGS, "shows a tag on the profile")          \
    X(UNFEATURE,     "unfeature",    WHO_MEMBER,  UPON_OWN,      LIMIT_SETTINGS, "shows a tag there no more")           \
    X(BLOCK,         "block",        WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "blocks somebody")                       \
    X(UNBLOCK,       "unblock",      WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "blocks somebody no more")               \
    X(MUTE,          "mute",         WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "mutes somebody")                        \
    X(UNMUTE,        "unmute",       WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "mutes somebody no more")                \
    X(ENDORSE,       "endorse",      WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "recommends somebody")                   \
    X(UNENDORSE,     "unendorse",    WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "recommends somebody no more")           \
    X(REMARK,        "remark",       WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "notes something about somebody")        \
    X(UNSUGGEST,     "unsuggest",    WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "does not want somebody suggested")      \
    X(REMOVE,        "remove",       WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "takes a follower away")                 \
    X(ACCEPT,        "accept",       WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "lets people follow who ask")            \
    X(REJECT,        "reject",       WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "rejects people who ask to follow")      \
    X(LIST_CREATE,   "list_create",   WHO_MEMBER,  UPON_NOTHING,  LIMIT_FOLLOW, "makes a list of people")                \
    X(LIST_RENAME,   "list_rename",   WHO_MEMBER,  UPON_OWN,      LIMIT_FOLLOW, "gives a list another title")            \
    X(LIST_SET,      "list_set",      WHO_MEMBER,  UPON_OWN,      LIMIT_FOLLOW, "says what a list shows, and what home does")       \
    X(LIST_DELETE,   "list_delete",   WHO_MEMBER,  UPON_OWN,      LIMIT_NONE,   "takes a list away")                     \
    X(LIST_ADD,      "list_add",      WHO_MEMBER,  UPON_OWN,      LIMIT_FOLLOW, "puts people on a list")                 \
    X(LIST_REMOVE,   "list_remove",   WHO_MEMBER,  UPON_OWN,      LIMIT_FOLLOW, "takes people off a list")               \
    X(NOTICE_READ,   "notice_read",  WHO_MEMBER,   UPON_NOTHING,  LIMIT_NONE,   "has seen notices")                      \
    X(NOTICE_DISMISS, "notice_dismiss", WHO_MEMBER, UPON_NOTHING, LIMIT_NONE,   "takes a notice away")                   \
    X(NOTICE_CLEAR,  "notice_clear", WHO_MEMBER,   UPON_NOTHING,  LIMIT_NONE,   "takes all notices away")                \
    X(TALK_MARK,     "talk_mark",    WHO_MEMBER,   UPON_OWN,      LIMIT_NONE,   "has read a conversation of direct posts, or not") \
    X(TALK_DISMISS,  "talk_dismiss", WHO_MEMBER,   UPON_OWN,      LIMIT_NONE,   "takes such a conversation away from himself") \
    X(MARKER_SET,    "marker_set",   WHO_MEMBER,   UPON_NOTHING,  LIMIT_NONE,   "notes how far he has read")             \
    X(SIGN_UP,       "sign_up",       WHO_ANYONE,  UPON_NOTHING,  LIMIT_SIGN_UP, "creates an account")                   \
    X(SIGN_IN,       "sign_in",       WHO_ANYONE,  UPON_NOTHING,  LIMIT_SIGN_IN, "begins a session")                     \
    X(SIGN_OUT,      "sign_out",      WHO_ANYONE,  UPON_NOTHING,  LIMIT_NONE,   "ends the session of a cookie")          \
    X(SESSION_END,   "session_end",   WHO_MEMBER,  UPON_NOTHING,  LIMIT_NONE,   "ends sessions")                         \
    X(PASSWORD,      "password",      WHO_MEMBER,  UPON_NOTHING,  LIMIT_SETTINGS, "changes the password")                \
    X(PROFILE,       "profile",       WHO_MEMBER,  UPON_NOTHING,  LIMIT_SETTINGS, "changes name and bio")                \
    X(PREFERENCES,   "preferences",   WHO_MEMBER,  UPON_NOTHING,  LIMIT_SETTINGS, "changes what he prefers")             \
    X(LOCK,          "lock",          WHO_MEMBER,  UPON_NOTHING,  LIMIT_SETTINGS, "locks the account, or opens it")      \
    X(FILTER_ADD,    "filter_add",    WHO_MEMBER,  UPON_NOTHING,  LIMIT_SETTINGS, "filters what he reads")               \
    X(FILTER_SET,    "filter_set",    WHO_MEMBER,  UPON_OWN,      LIMIT_SETTINGS, "changes a filter")                    \
    X(FILTER_REMOVE, "filter_remove", WHO_MEMBER,  UPON_OWN,      LIMIT_SETTINGS, "takes a filter away")                 \
    X(USER_DELETE,   "user_delete",   WHO_ADMINISTRATOR, UPON_NOTHING, LIMIT_NONE, "deletes an account")                 \
    X(USER_ADMIN,    "user_admin",    WHO_ADMINISTRATOR, UPON_NOTHING, LIMIT_NONE, "makes somebody administrator, or not") \
    X(USER_STATE,    "user_state",    WHO_ADMINISTRATOR, UPON_NOTHING, LIMIT_NONE, "limits or suspends somebody, or not") \
    X(INVITE_CREATE, "invite_create", WHO_ADMINISTRATOR, UPON_NOTHING, LIMIT_NONE, "makes an invitation")                \
    X(APP_CREATE,    "app_create",    WHO_ANYONE,  UPON_NOTHING,  LIMIT_APP,    "registers an application")              \
    X(APP_TOKEN,     "app_token",     WHO_ANYONE,  UPON_NOTHING,  LIMIT_APP,    "gives an application a token of its own") \
    X(APP_ALLOW,     "app_allow",     WHO_MEMBER,  UPON_NOTHING,  LIMIT_NONE,   "lets an application act in his name")   \
    X(APP_END,       "app_end",       WHO_ADMINISTRATOR, UPON_NOTHING, LIMIT_NONE, "takes an application away")          \
    X(TOKEN_END,     "token_end",     WHO_MEMBER,  UPON_NOTHING,  LIMIT_NONE,   "ends a token of his")                   \
    X(TOKEN_REVOKE,  "token_revoke",  WHO_ANYONE,  UPON_NOTHING,  LIMIT_NONE,   "ends the token that he has")            \
    X(SITE_SET,      "site_set",      WHO_ADMINISTRATOR, UPON_NOTHING, LIMIT_NONE, "changes a setting of the site")
/* clang-format on */

enum action {
#define X(id, name, who, upon, limit, what) ACTION_##id,
    ACTION_TABLE(X)
#undef X
        ACTION_COUNT
};

struct action_info {
    const char *name;
    enum who who;
    enum action_upon upon;
    enum limit limit;
    const char *what;
};

const struct action_info *action_info(enum action what);

/* The checks that do not need the thing itself: ERR_UNAUTHORIZED when nobody is signed in, ERR_FORBIDDEN when the actor
 * must be an administrator and is none. */
enum err action_check(enum action what, const struct actor *by);

/* How the limit of the action counts `cost` for the user who acts; actors other than users are not counted. In the
 * arena. */
struct script_limit action_limit(struct social *s, enum action what, const struct actor *by, unsigned cost);

/* Takes the limit in a round trip of its own: for a change that goes to several buckets at once, whose scripts cannot
 * see the limit in another bucket. */
enum err action_count(struct social *s, struct arena *a, enum action what, const struct actor *by, struct problems *p);

/* The same by the actor's address, if he has one. */
enum err action_count_address(struct social *s, struct arena *a, enum action what, const struct actor *by,
                              struct problems *p);

#endif
