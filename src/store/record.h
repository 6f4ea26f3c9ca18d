/* record.h - the fields of every hash of the data: one table per record, for C and for the Lua scripts.
 *
 * A field is one row. Its id is the constant by which Lua (HGET, key, USER_BIO) and C (record_ask, fields as bits:
 * USER_NAME | USER_BIO) name it; its member is the word in the data and the member of struct record_user. A field that
 * is not there reads as its default: "", 0 or false. SHOWN fields are those that pages want of everybody: USER_SHOWN
 * stands for all of them, in Lua and in C.
 *
 * What this is not: keys (keys.h), or what the fields mean to the product (social/).
 *
 * Threads: constant.
 */
#ifndef STORE_RECORD_H
#define STORE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buffer;
struct store_batch;
struct store_reply;

/* TEXT const char *, ID and NUMBER (decimal), HEX (an uint64_t, in hexadecimal digits), FLAG ("1": true) */
/* clang-format off */
/*     record      id          member        type    view    holds */
#define USER_FIELDS(X)                                                                                                       \
    X(USER,        NAME,       name,         TEXT,   SHOWN,  "as he wrote it when he signed up; the folded name is the text of his key `name`") \
    X(USER,        DISPLAY,    display,      TEXT,   SHOWN,  "display name; empty: the name is shown")                       \
    X(USER,        BIO,        bio,          TEXT,   SHOWN,  "what he says of himself")                                      \
    X(USER,        ROLE,       role,         TEXT,   SHOWN,  "admin, or empty")                                              \
    X(USER,        DELETED,    deleted,      FLAG,   SHOWN,  "the account is gone; its name stays taken")                    \
    X(USER,        PROFILE_FIELDS, profile_fields, TEXT, SHOWN, "of his profile: name, tab, value, a line each")             \
    X(USER,        VISIBILITY, visibility,   TEXT,   SHOWN,  "of his posts, unless he says otherwise: unlisted, private; empty: public") \
    X(USER,        LANGUAGE,   language,     TEXT,   SHOWN,  "of his posts; empty: that of the pages")                       \
    X(USER,        LOCALE,     locale,       TEXT,   SHOWN,  "language of the pages; empty: what his browser asks for")      \
    X(USER,        LOCKED,     locked,       FLAG,   SHOWN,  "whoever wants to follow him has to ask")                     \
    X(USER,        STATE,      state,        TEXT,   SHOWN,  "limited: only his followers see what he writes; suspended: nobody does; empty: as everybody") \
    X(USER,        PASSWORD,   password,     TEXT,   KEPT,   "argon2id")                                                     \
    X(USER,        HOME_REPLIES, home_replies, TEXT, SHOWN,  "all: his home also shows answers to people whom he does not follow") \
    X(USER,        THEME,      theme,        TEXT,   SHOWN,  "light, dark; empty: as his browser has it")                     \
    X(USER,        DISCOVERABLE, discoverable, TEXT, SHOWN,  "no: he is not put before people who do not look for him") \
    X(USER,        INDEXABLE,  indexable,    TEXT,   SHOWN,  "no: others do not find his posts by their words")              \
    X(USER,        HIDE_COLLECTIONS, hide_collections, TEXT, SHOWN, "yes: nobody else sees whom he follows and who follows him") \
    X(USER,        BOT,        bot,          TEXT,   SHOWN,  "yes: a program writes his posts")                              \
    X(USER,        SENSITIVE,  sensitive,    TEXT,   SHOWN,  "yes: his posts are sensitive, unless he says otherwise")     \
    X(USER,        DELETION,   deletion,     TEXT,   KEPT,   "nonce of the call that deleted him")                           \
    X(USER,        CELEBRITY,  celebrity,    FLAG,   KEPT,   "hybrid: posts are not delivered")
#define SESSION_FIELDS(X)                                                                                                    \
    X(SESSION,     CREATED,    created,      NUMBER, SHOWN,  "ms")                                                           \
    X(SESSION,     SEEN,       seen,         NUMBER, SHOWN,  "ms; not renewed by every request")                                     \
    X(SESSION,     AGENT,      agent,        TEXT,   SHOWN,  "what the browser calls itself, in two words")                  \
    X(SESSION,     ADDRESS,    address,      TEXT,   SHOWN,  "where it was begun")
#define APP_FIELDS(X)                                                                                                        \
    X(APP,         NAME,       name,         TEXT,   SHOWN,  "as it calls itself")                                           \
    X(APP,         WEBSITE,    website,      TEXT,   SHOWN,  "its address, or empty")                                        \
    X(APP,         REDIRECTS,  redirects,    TEXT,   SHOWN,  "where people may be sent back to, a line each")                \
    X(APP,         SCOPES,     scopes,       HEX,    SHOWN,  "the most that it may ask for (social/people/scope.h)")         \
    X(APP,         SECRET,     secret,       TEXT,   SHOWN,  "a hash of the secret that it proves itself by")
#define TOKEN_FIELDS(X)                                                                                                      \
    X(TOKEN,       APP,        app,          ID,     SHOWN,  "the application. Its name and website stand here as well, as they were") \
    X(TOKEN,       APP_NAME,   app_name,     TEXT,   SHOWN,  "")                                                              \
    X(TOKEN,       APP_WEBSITE, app_website, TEXT,   SHOWN,  "")                                                              \
    X(TOKEN,       SCOPES,     scopes,       HEX,    SHOWN,  "what it allows")                                                \
    X(TOKEN,       CREATED,    created,      NUMBER, SHOWN,  "ms")                                                            \
    X(TOKEN,       SEEN,       seen,         NUMBER, SHOWN,  "ms; not renewed by every request")
#define CODE_FIELDS(X)                                                                                                       \
    X(CODE,        APP,        app,          ID,     SHOWN,  "the application that may use it, with its name and website, as in the token") \
    X(CODE,        APP_NAME,   app_name,     TEXT,   SHOWN,  "")                                                              \
    X(CODE,        APP_WEBSITE, app_website, TEXT,   SHOWN,  "")                                                              \
    X(CODE,        SCOPES,     scopes,       HEX,    SHOWN,  "what the token will allow")                                     \
    X(CODE,        REDIRECT,   redirect,     TEXT,   SHOWN,  "where it was sent")                                             \
    X(CODE,        CHALLENGE,  challenge,    TEXT,   SHOWN,  "S256 of what the application has to prove that it knows; empty: nothing") \
    X(CODE,        TOKEN,      token,        TEXT,   SHOWN,  "hash of the token that it was used for; empty: not yet")
#define LIST_FIELDS(X)                                                                                                       \
    X(LIST,        OWNER,      owner,        ID,     SHOWN,  "whose list it is")                                             \
    X(LIST,        TITLE,      title,        TEXT,   SHOWN,  "no two of an owner are alike") \
    X(LIST,        EXCLUSIVE,  exclusive,    FLAG,   SHOWN,  "who is on it does not stand in its owner's home") \
    X(LIST,        REPLIES,    replies,      TEXT,   SHOWN,  "which answers to others it shows: none, followed (to people whom its owner follows); empty: to people on the list")
#define POST_FIELDS(X)                                                                                                       \
    X(POST,        AUTHOR,     author,       ID,     SHOWN,  "the time is in the post's id")                                 \
    X(POST,        TEXT,       text,         TEXT,   SHOWN,  "as it was written")                                            \
    X(POST,        REPLY_TO,   reply_to,     ID,     SHOWN,  "the post that it answers")                                     \
    X(POST,        REPLY_AUTHOR, reply_author, TEXT, SHOWN,  "its author, uid:name")                                      \
    X(POST,        THREAD,     thread,       ID,     SHOWN,  "of a reply: the first post of the conversation (before 0.3.0: none)") \
    X(POST,        MENTIONS,   mentions,     TEXT,   SHOWN,  "name:uid name:uid, of those who existed when it was written") \
    X(POST,        VISIBILITY, visibility,   TEXT,   SHOWN,  "unlisted, private (followers only), direct (those it mentions or answers); empty: public") \
    X(POST,        SPOILER,    spoiler,      TEXT,   SHOWN,  "content warning: shown before the text, which is hidden behind it") \
    X(POST,        LANGUAGE,   language,     TEXT,   SHOWN,  "of the text, ISO 639; empty: unknown")                  \
    X(POST,        BOOST,      boost,        ID,     SHOWN,  "the post that this one boosts; its text is empty then")  \
    X(POST,        BOOST_AUTHOR, boost_author, TEXT, SHOWN,  "its author, uid:name") \
    X(POST,        EDITED,     edited,       NUMBER, SHOWN,  "ms: since when it has these words; 0: since it was written") \
    X(POST,        PLACE,      place,        TEXT,   SHOWN,  "where it was written, if its author says so: latitude,longitude in degrees; empty: unsaid") \
    X(POST,        APP,        app,          TEXT,   SHOWN,  "by which application it was written: its name, a tab, its website; empty: on the pages") \
    X(POST,        SENSITIVE,  sensitive,    FLAG,   SHOWN,  "its author says that not everybody wants to see what goes with it; a warning says so too")
#define HOMESTATE_FIELDS(X)                                                                                                  \
    X(HOMESTATE,   EPOCH,      epoch,        NUMBER, SHOWN,  "of the timelines, in which the home was built")                \
    X(HOMESTATE,   STAMP,      stamp,        TEXT,   SHOWN,  "changes whenever the home is emptied or stored")               \
    X(HOMESTATE,   BUILD,      build,        FLAG,   SHOWN,  "the next visit is to build the home")                          \
    X(HOMESTATE,   MARK,       mark,         NUMBER, SHOWN,  "pull: time (ms) of the newest id that was there when authors were asked") \
    X(HOMESTATE,   LATE,       late,         NUMBER, SHOWN,  "counts the posts that were put at their place in the home, behind others") \
    X(HOMESTATE,   VERSION,    version,      NUMBER, SHOWN,  "of following and asked: counts their changes")             \
    X(HOMESTATE,   APART,      apart,        NUMBER, SHOWN,  "of the key apart: counts its changes")                     \
    X(HOMESTATE,   TIES,       ties,         NUMBER, SHOWN,  "of the key ties: counts its changes")                      \
    X(HOMESTATE,   EXCLUSIVE,  exclusive,    NUMBER, SHOWN,  "version of who is on his exclusive lists: counts the changes") \
    X(HOMESTATE,   FILTERS,    filters,      NUMBER, SHOWN,  "of the key filters: counts its changes")                   \
    X(HOMESTATE,   INTERESTS,  interests,    NUMBER, SHOWN,  "of the key interests: counts its changes")                 \
    X(HOMESTATE,   MARKS,      marks,        NUMBER, SHOWN,  "version of what he has favourited, put aside, boosted, pinned and muted: counts the changes") \
    X(HOMESTATE,   NOTICES,    notices,      NUMBER, SHOWN,  "time (us) of the last change of his notices, or later: it only grows") \
    X(HOMESTATE,   TOLD,       told,         NUMBER, KEPT,   "time (us) and id of the newest notice that he was ever told: it only grows") \
    X(HOMESTATE,   TALKS,      talks,        NUMBER, SHOWN,  "how many of his conversations of direct posts he has not read")
#define JOB_FIELDS(X)                                                                                                        \
    X(JOB,         TYPE,       type,         TEXT,   SHOWN,  "which class of job (social/core/job.h)")                       \
    X(JOB,         UID,        uid,          ID,     SHOWN,  "the owner")                                                    \
    X(JOB,         POST,       post,         ID,     SHOWN,  "fanout, unpost: the post")                                     \
    X(JOB,         MODE,       mode,         TEXT,   SHOWN,  "fanout: the mode of the site that its post was written in")    \
    X(JOB,         DELIVERS,   delivers,     FLAG,   SHOWN,  "fanout: to homes; else only to indexes")                       \
    X(JOB,         TARGETS,    targets,      TEXT,   SHOWN,  "follow, requests: uids; unpost: tags; comma separated; apart: a uid")                  \
    X(JOB,         GRANTS,     grants,       FLAG,   SHOWN,  "requests: they are accepted, else rejected")                   \
    X(JOB,         UPTO,       upto,         TEXT,   SHOWN,  "requests: all up to this time (us) are answered; empty: only those of targets") \
    X(JOB,         REPLY_TO,   reply_to,     ID,     SHOWN,  "unpost: the post that was answered")                           \
    X(JOB,         PEOPLE,     people,       TEXT,   SHOWN,  "unpost: who was told of the post: uids, comma separated")     \
    X(JOB,         BOOST,      boost,        ID,     SHOWN,  "fanout, unpost: the post that was boosted")              \
    X(JOB,         THREAD,     thread,       ID,     SHOWN,  "unpost: the first post of its conversation")                   \
    X(JOB,         CURSOR,     cursor,       TEXT,   SHOWN,  "how far it is; 0 at the beginning")                            \
    X(JOB,         ATTEMPTS,   attempts,     NUMBER, SHOWN,  "how often it was begun without any progress")              \
    X(JOB,         NONCE,      nonce,        HEX,    SHOWN,  "tells it from a job of the same id: ids can collide; absent: version 0.1.0 wrote it")
#define INVITE_FIELDS(X)                                                                                                     \
    X(INVITE,      LEFT,       left,         NUMBER, SHOWN,  "uses; each one taken also leaves a field by:<nonce of the sign-up>") \
    X(INVITE,      CREATED,    created,      NUMBER, SHOWN,  "ms")                                                           \
    X(INVITE,      BY,         by,           TEXT,   SHOWN,  "who made it")
#define SITE_FIELDS(X)                                                                                                       \
    X(SITE,        MODE,       mode,         TEXT,   SHOWN,  "of the timelines: push, pull, hybrid")                         \
    X(SITE,        EPOCH,      epoch,        NUMBER, SHOWN,  "of the timelines: homes of another are built again")           \
    X(SITE,        AHEAD,      ahead,        NUMBER, SHOWN,  "time (ms) up to which ids may lie ahead of the clock, which was set back") \
    X(SITE,        BEGUN,      begun,        TEXT,   SHOWN,  "run id of the engine when a server last began: shows a restored backup") \
    X(SITE,        SEARCH,     search,       TEXT,   SHOWN,  "how far the index of search is built: \"all\", or the id from which on it has every post; empty: no post") \
    X(SITE,        TALKS,      talks,        TEXT,   SHOWN,  "\"all\": direct posts of before 0.4.0 stand in the conversations of their people, too") \
    X(SITE,        KEY,        key,          TEXT,   SHOWN,  "64 hexadecimal digits: signs the forms of all servers")

/* Which record lies under which key: KEY_USER holds struct record_user. */
#define RECORD_TABLE(R)                     \
    R(USER,      user,      USER_FIELDS)      \
    R(SESSION,   session,   SESSION_FIELDS)   \
    R(APP,       app,       APP_FIELDS)       \
    R(TOKEN,     token,     TOKEN_FIELDS)     \
    R(CODE,      code,      CODE_FIELDS)      \
    R(LIST,      list,      LIST_FIELDS)      \
    R(POST,      post,      POST_FIELDS)      \
    R(HOMESTATE, homestate, HOMESTATE_FIELDS) \
    R(JOB,       job,       JOB_FIELDS)       \
    R(INVITE,    invite,    INVITE_FIELDS)    \
    R(SITE,      site,      SITE_FIELDS)
/* clang-format on */

enum record {
#define R(id, member, fields) RECORD_##id,
    RECORD_TABLE(R)
#undef R
        RECORD_COUNT
};

/* struct record_user … with a member for each field. */
#define RECORD_TYPE_TEXT const char *
#define RECORD_TYPE_ID uint64_t
#define RECORD_TYPE_NUMBER int64_t
#define RECORD_TYPE_HEX uint64_t
#define RECORD_TYPE_FLAG bool
#define X(record, id, member, type, view, holds) RECORD_TYPE_##type member;
#define R(id, member, fields)                                                                                          \
    struct record_##member {                                                                                           \
        fields(X)                                                                                                      \
    };
RECORD_TABLE(R)
#undef R
#undef X

/* Fields as bits: USER_NAME, USER_BIO …; those to be shown: USER_SHOWN … */
#define X(record, id, member, type, view, holds) RECORD_AT_##record##_##id,
#define R(id, member, fields) enum { fields(X) RECORD_END_##id };
RECORD_TABLE(R)
#undef R
#undef X
#define RECORD_BIT_SHOWN(bit) | (bit)
#define RECORD_BIT_KEPT(bit)
#define X(record, id, member, type, view, holds) record##_##id = 1 << RECORD_AT_##record##_##id,
#define R(id, member, fields) enum { fields(X) };
RECORD_TABLE(R)
#undef R
#undef X
#define X(record, id, member, type, view, holds) RECORD_BIT_##view(record##_##id)
#define R(id, member, fields) enum { id##_SHOWN = 0 fields(X) };
RECORD_TABLE(R)
#undef R
#undef X

/* The word of one field. */
const char *record_word(enum record r, unsigned field);

/* Adds the read of some fields (HMGET) of the record of this id, or under this key. Returns the index of the reply,
 * which is for record_<name>_take with the same fields. */
size_t record_ask(struct store_batch *b, enum record r, uint64_t id, unsigned fields);
size_t record_ask_at(struct store_batch *b, unsigned bucket, const char *key, enum record r, unsigned fields);

/* Adds the write (HSET) of those of the fields that are not NULL, 0 or false; there must be one. */
size_t record_put(struct store_batch *b, enum record r, uint64_t id, const void *values);
size_t record_put_at(struct store_batch *b, unsigned bucket, const char *key, enum record r, const void *values);

/* For callers that write commands by themselves: how many fields are given, and these as field, value, … in wire
 * form. */
size_t record_given(enum record r, const void *values);
void record_write(struct buffer *wire, enum record r, const void *values);

/* Reads the answer to record_ask, or of a script that reads the same fields; false when it is no such answer or no
 * field is there. All members are set; texts live as long as the reply. */
bool record_take(enum record r, const struct store_reply *reply, unsigned fields, void *out);

/* The same of HGETALL: names and values in turn. */
bool record_take_all(enum record r, const struct store_reply *reply, void *out);

/* The values as bytes, without those that are the default, for whoever remembers a record; and back: texts are those of
 * the bytes. Only for the process that packed it: the form is that of its table. */
const void *record_pack(struct arena *a, enum record r, const void *values, size_t *size);
void record_unpack(enum record r, const void *bytes, void *out);

#define R(id, member, fields)                                                                                          \
    static inline bool record_##member##_take(const struct store_reply *reply, unsigned of, struct record_##member *o) \
    {                                                                                                                  \
        return record_take(RECORD_##id, reply, of, o);                                                                 \
    }
RECORD_TABLE(R)
#undef R

#endif
