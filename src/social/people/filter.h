/* filter.h - filters: what somebody does not want to read of others, where, and until when.
 *
 * A filter is an entry of the hash `filters` (keys.h), remembered by the process with its version as blocks are (visit_apart.h), so it
 * costs no round trip. What it does to a post says post_sight (posts/see.h).
 *
 * Threads: any; a visit belongs to one.
 */
#ifndef SOCIAL_PEOPLE_FILTER_H
#define SOCIAL_PEOPLE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"

struct actor;
struct arena;
struct remains;
struct social;
struct visit;

#define FILTER_MOST 50          /* of one user */
#define FILTER_PHRASE_MAX 100   /* code points of a word or phrase, and of a title */
#define FILTER_KEYWORDS_MOST 30 /* of one filter */
#define FILTER_POSTS_MOST 100   /* single posts of one */

/* Where it is applied: the words are the form's and Mastodon's, the letters the record's. */
#define FILTER_CONTEXT_TABLE(X)                                                                                        \
    X(HOME, 'h', "home") /* and lists */                                                                               \
    X(NOTIFICATIONS, 'n', "notifications")                                                                             \
    X(PUBLIC, 'p', "public") /* tags and search too */                                                                 \
    X(THREAD, 't', "thread")                                                                                           \
    X(ACCOUNT, 'a', "account") /* the page of a person */

enum filter_place {
#define X(id, letter, word) FILTER_PLACE_##id,
    FILTER_CONTEXT_TABLE(X)
#undef X
        FILTER_PLACES
};

/* "home" …; NULL after the last. */
const char *filter_place_word(unsigned place);

/* A word or phrase that is looked for. The number is its filter's own, or another of the owner's. */
struct filter_keyword {
    uint64_t id; /* 0: new */
    bool whole_word;
    const char *phrase, *folded;
};

/* A post that is filtered whatever it says. */
struct filter_post {
    uint64_t id; /* of the entry; 0: new */
    uint64_t post;
};

/* Blurred are pictures, and there are none yet: such posts are shown, and apps know. */
enum filter_action { FILTER_WARN, FILTER_HIDE, FILTER_BLUR };

struct filter {
    uint64_t id;       /* of its owner's */
    uint64_t until_ms; /* when it ends; 0: never */
    unsigned places;   /* bits 1 << FILTER_PLACE_… */
    enum filter_action action;
    const char *title; /* what the warning says */
    struct filter_keyword *keywords;
    struct filter_post *posts;
    size_t keyword_count, post_count;
    const char *value; /* as it is kept; NULL: it is not yet */
};

/* A filter that a post meets. */
struct filter_match {
    const struct filter *filter;
    const char **keywords; /* of it, that stand in the post */
    size_t keyword_count;
    uint64_t post; /* of it, that the post is; 0: none */
    const struct filter_match *next;
};

/* Actions (action.h). filter_add takes the texts as they were typed; all ids are set. ERR_INVALID with problems; ERR_CONFLICT: the
 * actor has FILTER_MOST. filter_set makes the one of this id so, if it still is as `value` says: ERR_BUSY if it was changed
 * meanwhile. filter_set, filter_remove: ERR_NOT_FOUND: there is none such. There may not be more words and posts than above. */
enum err filter_add(struct social *s, struct arena *a, const struct actor *by, struct filter *f, struct problems *p);
enum err filter_set(struct social *s, struct arena *a, const struct actor *by, struct filter *f, struct problems *p);
enum err filter_remove(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p);

/* Asks for the visitor's: known after the next round at the latest, or after the second, if that is the first. */
void visit_want_filters(struct visit *v);

/* Whether they are known, or nobody wants them. */
bool visit_filters_are_known(const struct visit *v);

/* The visitor's filters, the oldest first; those that are over too. */
const struct filter *visit_filters(const struct visit *v, size_t *count);

/* What is held against filters: texts, and the ids of the post and of a boost of it (0: none). */
struct filter_subject {
    const char *text, *warning;
    uint64_t post, boost;
};

/* The filters that it meets in this place, those that warn first; NULL: none. *hides: one of them hides it. */
const struct filter_match *visit_filter_matches(const struct visit *v, unsigned place, const struct filter_subject *of,
                                                bool *hides);

/* For the visit: its version has come; and: nobody is signed in. */
void visit_filters_settle(struct visit *v, uint64_t version);
void visit_filters_none(struct visit *v);

/* What a deleted user leaves. */
extern const struct remains filter_remains;

#endif
