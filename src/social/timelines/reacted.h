/* reacted.h - pages of what people did with posts (posts/react.h): the posts that the visitor has favourited or put
 * aside, and who has favourited or boosted a post. All are ordered by the time when it was done, newest first, and that time is
 * the cursor.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_REACTED_H
#define SOCIAL_TIMELINES_REACTED_H

#include <stdint.h>

#include "social/people/follow.h"
#include "social/timelines/timeline.h"

struct visit;

/* A page of posts; which were done when is said by the cursors alone. Short, or even empty, where more
 * posts are hidden than a page reads to spare: the cursors lead on behind those. */
struct reacted {
    struct timeline_page page;   /* has_older and has_newer stay false: the cursors say it */
    uint64_t older_us, newer_us; /* for max_us and min_us; 0: nothing there */
    uint64_t newest_us;          /* of the first post: for min_us, when something may come; 0: there is none */
};

/* Of the visitor's own; whoever is not signed in gets an empty page. */
const struct reacted *favourited_ask(struct visit *v, const struct follow_query *q);
const struct reacted *bookmarked_ask(struct visit *v, const struct follow_query *q);

/* Who has favourited a post, or boosted it. ERR_NOT_FOUND: there is no such post that the visitor may see. */
struct reacted_people {
    struct post post;
    struct follow_page page; /* its user and counts stay empty */
};
const struct reacted_people *favourites_ask(struct visit *v, uint64_t post, const struct follow_query *q);
const struct reacted_people *boosts_ask(struct visit *v, uint64_t post, const struct follow_query *q);

#endif
