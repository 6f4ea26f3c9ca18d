/* filter.h - keyword filters: what somebody does not want to read of others, where, and until when.
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
struct keyword_text;
struct remains;
struct social;
struct visit;

#define FILTER_MOST 50        /* of one user */
#define FILTER_PHRASE_MAX 100 /* code points */

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

struct filter {
    uint64_t id;       /* of its owner's */
    uint64_t until_ms; /* when it ends; 0: never */
    unsigned places;   /* bits 1 << FILTER_PLACE_… */
    bool whole_word;
    bool hides;    /* else the post stands behind a warning */
    bool is_empty; /* the phrase is a title: no word is looked for yet, and no post meets it */
    const char *phrase, *folded;
};

/* Actions (action.h). filter_add takes the phrase as it was typed; id is set. ERR_INVALID with problems; ERR_CONFLICT: the actor has
 * FILTER_MOST. filter_set makes the one of this id so; filter_set, filter_remove: ERR_NOT_FOUND: there is none such. */
enum err filter_add(struct social *s, struct arena *a, const struct actor *by, struct filter *f, struct problems *p);
enum err filter_set(struct social *s, struct arena *a, const struct actor *by, struct filter *f, struct problems *p);
enum err filter_remove(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p);

/* Asks for the visitor's: known after the next round at the latest, or after the second, if that is the first. */
void visit_want_filters(struct visit *v);

/* Whether they are known, or nobody wants them. */
bool visit_filters_are_known(const struct visit *v);

/* The visitor's filters, the oldest first; those that are over too. */
const struct filter *visit_filters(const struct visit *v, size_t *count);

/* The filter that the text meets in this place: one that hides, if there is any; NULL: none. */
const struct filter *visit_filter_of(const struct visit *v, unsigned place, const char *text, const char *warning);

/* For the visit: its version has come; and: nobody is signed in. */
void visit_filters_settle(struct visit *v, uint64_t version);
void visit_filters_none(struct visit *v);

/* What a deleted user leaves. */
extern const struct remains filter_remains;

#endif
