/* featured.h - featured tags: those that somebody shows on his profile, FEATURED_MOST at most, with how often he used each of
 * late. Everybody may know of them but whom he blocks. Following a tag is something else (people/interest.h).
 *
 * Nobody counts the posts of a person by tag: the numbers are those of the newest FEATURED_LOOK posts of his, of which those
 * count that everybody may read. What nobody but some may read is not told by a number either.
 *
 * Threads: any; a visit belongs to one.
 */
#ifndef SOCIAL_POSTS_FEATURED_H
#define SOCIAL_POSTS_FEATURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"
#include "social/people/people.h"

struct actor;
struct arena;
struct remains;
struct social;

#define FEATURED_MOST 10
#define FEATURED_LOOK 200

struct featured_tag {
    const char *tag;  /* folded */
    uint64_t id;      /* the time when it was put there, us: no other of his has it */
    int64_t posts;    /* with it, of those that are looked at */
    uint64_t last_ms; /* when the newest of them was written; 0: there is none */
};

/* Actions (action.h): the actor shows the tag (as somebody wrote it, without its sign) on his profile, which *out tells; or the
 * one of that id no more. One that is there stays as it is, and is not counted. ERR_INVALID: it is no tag; ERR_CONFLICT: he
 * shows FEATURED_MOST others; ERR_NOT_FOUND: there is none of that id. One round trip. */
enum err featured_add(struct social *s, struct arena *a, const struct actor *by, const char *tag,
                      struct featured_tag *out, struct problems *p);
enum err featured_remove(struct social *s, struct arena *a, const struct actor *by, uint64_t id, struct problems *p);

struct featured {
    struct people who; /* one: whose they are */
    struct featured_tag tags[FEATURED_MOST];
    size_t count;
    const char *suggested[FEATURED_MOST]; /* tags that he could put there */
    size_t suggested_count;
};

/* Those of somebody (0: the visitor), those that he used most first; none for whom he blocks. ERR_NOT_FOUND: there is no such
 * user. */
const struct featured *featured_ask(struct visit *v, uint64_t uid);

/* The visitor's own, and the tags that he used most and does not show there, with the next round. */
const struct featured *featured_suggested_ask(struct visit *v);

/* Handed over at start: what a deleted user leaves. */
extern const struct remains featured_remains;

#endif
