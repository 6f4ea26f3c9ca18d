/* list.h - named lists of people, and the timeline of each: the posts of its members.
 *
 * A list is its owner's alone: nobody else sees that it exists (ERR_NOT_FOUND), and its members need not be followed.
 * It lies in its owner's bucket, so every change is one script.
 *
 * The timeline is stored nowhere. It is merged from its members' own posts (merge.h) by the visit that reads it, in
 * every timeline.mode: so no delivery can be missed, and a new member is there with all his posts.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_LIST_H
#define SOCIAL_TIMELINES_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"
#include "social/people/follow.h"
#include "social/timelines/timeline.h"

struct actor;
struct arena;
struct post;
struct remains;
struct social;
struct visit;

#define LIST_MOST 50 /* lists of one user */
#define LIST_MEMBERS_MOST 500
#define LIST_TITLE_MAX 60 /* code points */

/* Which answers to others a list shows. Those to its owner, and those that people give to their own posts, it shows
 * always. The words are those of the Mastodon API, and, but for the first, of the record. */
enum list_replies { LIST_REPLIES_LIST, LIST_REPLIES_FOLLOWED, LIST_REPLIES_NONE, LIST_REPLIES_COUNT };

/* Its word; and which has this word: LIST_REPLIES_COUNT: none. "" stands for the first. */
const char *list_replies_word(enum list_replies r);
enum list_replies list_replies_of(const char *word);

struct list {
    uint64_t id;
    const char *title;
    int64_t members;
    bool is_exclusive;         /* its people do not stand in its owner's home */
    enum list_replies replies; /* which answers it shows */
    bool has;                  /* list_all_ask: that person is on it */
};

/* --- changing, which are actions (action.h) upon the actor's own lists; list.c --- */

/* ERR_INVALID or ERR_CONFLICT with problems of the field "title". A list that already has this title is taken for the
 * new one. */
enum err list_create(struct social *s, struct arena *a, const struct actor *by, const char *title, uint64_t *id,
                     struct problems *p);

/* Likewise; ERR_TAKEN with a problem when another of his lists has the title. */
enum err list_rename(struct social *s, struct arena *a, const struct actor *by, uint64_t id, const char *title,
                     struct problems *p);

/* ERR_INVALID: there is no such rule for answers. */
enum err list_set(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool is_exclusive,
                  enum list_replies replies, struct problems *p);

enum err list_delete(struct social *s, struct arena *a, const struct actor *by, uint64_t id);

/* Puts everybody named on the list or takes them off it (at most LIST_MEMBERS_MOST names). Sets uid and result of each
 * item: FOLLOW_CHANGED: was put on it; FOLLOW_UNCHANGED: was on it already, or is off it now; FOLLOW_UNKNOWN.
 * ERR_CONFLICT with a problem: there is no room for them, and nobody was put on it. Two round trips. */
enum err list_change_members(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool on,
                             struct follow_item *items, size_t count, struct problems *p);

/* Takes people who no longer exist off the list, without waiting for it. */
void list_forget(struct visit *v, uint64_t id, const uint64_t *uids, size_t count);

/* Handed over at start: what a deleted user leaves. */
extern const struct remains list_remains;

/* --- asking; list_read.c. ERR_NOT_FOUND: there is no such list, or it is not the visitor's --- */

/* All lists of the visitor, oldest first. With `who`, the answer of a read that is asked before this one, also whether
 * that person is on them. The visitor is never on his own lists. */
struct lists {
    struct list *items;
    size_t count;
};
const struct lists *list_all_ask(struct visit *v, const struct user *who);

/* A page of its members, the latest first; user and counts of the page stay empty. */
struct list_members {
    struct list list;
    struct follow_page page;
};
const struct list_members *list_members_ask(struct visit *v, uint64_t id, const struct follow_query *q);

/* Its timeline; list_timeline.c. More than two rounds only when the cache lacks posts of a list with more than 64
 * members, or when nearly everything on the page was hidden. */
struct list_timeline {
    struct list list;
    struct timeline_page page;
};
const struct list_timeline *list_timeline_ask(struct visit *v, uint64_t id, const struct timeline_query *q);

/* By what a post stands in it; list_rule.c. After visit_read: whether somebody is on the list, and whether it shows a post of
 * one who is (answers to others as its owner wants them), which the visitor sees in lists (SEE_LIST). */
struct list_rule {
    struct list list;
    struct timeline_ids members;
};
const struct list_rule *list_rule_ask(struct visit *v, uint64_t id);
bool list_rule_has(const struct list_rule *r, uint64_t author);
bool list_shows(const struct visit *v, const struct list *list, const struct timeline_ids *members,
                const struct post *p);

#endif
