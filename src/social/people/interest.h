/* interest.h - following a tag: public posts with it stand in the home of whoever follows it (timelines/home_tags.h),
 * from the first moment and as long as he does. Nobody else learns of it.
 *
 * A visit knows which tags its visitor follows by visit_interests.h.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_INTEREST_H
#define SOCIAL_PEOPLE_INTEREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"

struct actor;
struct arena;
struct follow_query;
struct remains;
struct social;
struct visit;

#define INTEREST_MOST 50 /* tags that one may follow: a visit to his home asks each of them */

/* Action (action.h): the actor follows the tag (on), or does so no more. The tag is as somebody wrote it, without its
 * sign. What is so already is left as it is, and not counted. ERR_NOT_FOUND: it is no tag; ERR_CONFLICT: he follows
 * INTEREST_MOST others. */
enum err interest_change(struct social *s, struct arena *a, const struct actor *by, const char *tag, bool on,
                         struct problems *p);

/* A page of the tags that the visitor follows, those followed last first; its cursors are the times when he began. */
struct interest_page {
    struct interest_row {
        const char *tag; /* folded */
        uint64_t since_us;
    } * rows;
    size_t count;
    uint64_t older_us; /* for max_us; 0: nothing there */
};
const struct interest_page *interest_list_ask(struct visit *v, const struct follow_query *q);

/* Handed over at start: what a deleted user leaves. */
extern const struct remains interest_remains;

#endif
