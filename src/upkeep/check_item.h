/* check_item.h - internal to check*.c: the things that are looked at, and helpers for all looks.
 *
 * An item names something that may be wrong: a key, or an entry in a key. Helpers that ask the engine are pairs: one
 * adds to the caller's batch, the other takes from it after the run.
 *
 * Threads: that of the check.
 */
#ifndef UPKEEP_CHECK_ITEM_H
#define UPKEEP_CHECK_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "store/keys.h"
#include "upkeep/check_report.h"

struct arena;
struct social;
struct store_batch;

/* What an item's fields mean: `key` is the key it was found in, always; `id` the id in this key (user, post,
 * job). */
enum look {
    LOOK_TYPE,       /* key: does it belong there at all */
    LOOK_NAME,       /* text: folded name */
    LOOK_USER,       /* id */
    LOOK_LISTED,     /* an entry of `users`: other */
    LOOK_OWNED,      /* a key that belongs to user `id` */
    LOOK_SESSION,    /* id: user, text: hash */
    LOOK_TOKEN,      /* id: user or application, text: hash */
    LOOK_TOKENS,     /* id: user or application */
    LOOK_LOGIN,      /* an entry of `sessions` or `tokens`: id, text */
    LOOK_LATEST,     /* an entry of `latest`: other */
    LOOK_FAMOUS,     /* an entry of `celebrities`: other */
    LOOK_NEWCOMER,   /* id: user; is he among the newest users */
    LOOK_POST,       /* id */
    LOOK_OWN,        /* an entry of `posts`: id, other */
    LOOK_NEWEST,     /* id: user */
    LOOK_FOLLOWS,    /* an entry of `following`: id, other */
    LOOK_FOLLOWED,   /* an entry of `followers`: id, other */
    LOOK_ASKS,       /* an entry of `asked`: id, other */
    LOOK_ASKED,      /* an entry of `requests`: id, other */
    LOOK_APART,      /* an entry of `apart`: id, other */
    LOOK_TIE,        /* an entry of `ties` or `endorsed`: id, other */
    LOOK_WATCHER,    /* an entry of `watchers`: id, other */
    LOOK_REMARK,     /* an entry of `remarks`: id, other */
    LOOK_TIMES,      /* two entries of following, followers or members: other, text */
    LOOK_LIST,       /* id: list */
    LOOK_LISTING,    /* an entry of `lists`: id, other */
    LOOK_MEMBERS,    /* id: list */
    LOOK_MEMBER,     /* an entry of `members`: id, other */
    LOOK_FAVOURITED, /* an entry of `favourited`: id, other */
    LOOK_FAVOURITES, /* id: post */
    LOOK_FAVOURER,   /* an entry of `favourites`: id, other */
    LOOK_BOOKMARK,   /* an entry of `bookmarks`: id, other */
    LOOK_BOOST,      /* id: post; if it is a boost, do its author's boosts have it */
    LOOK_BOOSTED,    /* an entry of `boosted`: id, text; other: the post that is boosted */
    LOOK_BOOSTS,     /* id: post */
    LOOK_BOOSTER,    /* an entry of `boosts`: id, other */
    LOOK_PIN,        /* an entry of `pins`: id, other */
    LOOK_QUIET,      /* an entry of `quiet`: id, other */
    LOOK_INTEREST,   /* an entry of `interests` or `featured`: id, text */
    LOOK_INDEX,      /* an entry of `timeline`, `tag`, `replies`, `fresh`: other */
    LOOK_INDEXED,    /* id: post; do these have it */
    LOOK_REPLIES,    /* id: post */
    LOOK_HISTORY,    /* id: post */
    LOOK_LENGTH,     /* a key of bounded length */
    LOOK_PUBLIC,     /* the public timeline as a whole */
    LOOK_JOB,        /* id */
    LOOK_QUEUED,     /* an entry of `jobs`: other */
    LOOK_DEAD,       /* an entry of `dead`: other */
    LOOK_HOME,       /* id: user; other: the post that does not belong */
    LOOK_STRANGE,    /* an entry that is no id: text */
    LOOK_NOTICE,     /* an entry of `notices`: id: user, text: group; other: the post that it is about */
    LOOK_DIRECT,     /* an entry of `directs`: id, other */
    LOOK_TALK,       /* an entry of `talks`, `talkpeople`, `talknews`: id: user, text: the conversation */
    LOOK_TALKED,     /* an entry of `talkposts`: id: user, other: post */
    LOOK_TALKS,      /* id: user; how many he has not read */
    LOOK_WORDED,     /* id: post; does search find it by its words */
    LOOK_FINDABLE,   /* id: user; by his names */
    LOOK_NAMING,     /* an entry of `people`: text */
    LOOK_TAGNAME,    /* an entry of `tagnames`: text */
    LOOK_WORD,       /* an entry of `words`: text */
    LOOK_WORDPART,   /* text: of the key */
    LOOK_POSTED,     /* the number of posts of a bucket */
    LOOK_ENDLESS,    /* a key that must run out */
    LOOKS
};

struct check_item {
    enum look look;
    enum check_kind found;
    enum key in; /* the word of the key */
    unsigned bucket;
    uint64_t id, other;
    const char *key, *text;
};

#define CHECK_ALIVE_SLOTS (1u << 15)
#define CHECK_AUTHOR_SLOTS (1u << 17)

struct check {
    struct social *social;
    /* the first look at items of one sort: what is suspect is queued */
    enum err (*first_look)(struct check *c, struct check_item *items, size_t count);
    const struct check_options *options;
    struct check_report *report;
    struct arena *report_arena;
    struct arena *chunk;    /* of one step of the walk: keys */
    struct arena *rows;     /* of a part of it: entries */
    struct arena *work;     /* of one look */
    struct arena *suspects; /* texts of the queue */
    struct check_item *queue;
    size_t queued;
    uint64_t queued_ms; /* when the last one came */
    bool again;         /* this is not the first look: nothing is taken from memory */
    unsigned phase;
    uint64_t seen, total;
    uint64_t *alive;              /* users who exist, by hash: what was seen last */
    struct check_author *authors; /* posts that exist, likewise */
};

struct check_author {
    uint64_t post, author;
};

/* Runs a batch of look-ups. Keys of the wrong type do not stop it: their replies are errors and read as nothing. */
enum err check_ask(struct store_batch *b);

/* Reports an item, whose `found` is set. */
void check_note(struct check *c, const struct check_item *item);

/* Whether a user exists: asked in the caller's batch unless it is known. */
enum check_user { CHECK_USER_NONE, CHECK_USER_DELETED, CHECK_USER_ALIVE };
size_t check_user_add(struct check *c, struct store_batch *b, uint64_t uid);
enum check_user check_user_take(struct check *c, const struct store_batch *b, size_t reply, uint64_t uid);

/* Asks whether the item's entry is still in its key. Taking it says so, and notes an entry out of order in
 * item->found. */
size_t check_entry_add(struct store_batch *b, struct arena *a, const struct check_item *item);
bool check_entry_take(const struct store_batch *b, size_t reply, struct check_item *item);

/* Whether entries with this look are no ids. */
bool check_has_text(enum look look);

/* Whether the keys of this word are lists or hashes; else sorted sets. */
bool check_is_list(enum key k);
bool check_is_hash(enum key k);

/* Looks at entries that are users: found[CHECK_USER_NONE] and found[CHECK_USER_DELETED] are the findings for a user who
 * does not exist, or is deleted. */
enum err check_look_entries_of_users(struct check *c, struct arena *a, struct check_item *items, size_t count,
                                     const enum check_kind found[CHECK_USER_ALIVE]);

/* Looks at keys that belong to a record of the same id: `orphan` when there is none. */
enum err check_look_belongings(struct check *c, struct arena *a, struct check_item *items, size_t count,
                               enum key record, enum check_kind orphan);

/* The entry of an item as it stands in its key. */
const char *check_member(struct arena *a, const struct check_item *item);

#endif
