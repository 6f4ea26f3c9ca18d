/* newest.h - some of the newest public posts, for the first page that a stranger sees.
 *
 * Which posts they are is remembered for some seconds: then most visitors cost the engine nothing. Whether each of them is still
 * there, and may be seen, is asked as of all posts.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_NEWEST_H
#define SOCIAL_TIMELINES_NEWEST_H

#include "social/timelines/timeline.h"

#define NEWEST_MOST 5
#define NEWEST_SECONDS 10

/* NEWEST_MOST posts; fewer if the site has not more, or some of the newest are gone. */
const struct timeline_page *newest_posts_ask(struct visit *v);

/* Asks in the first round which they are, if that is not remembered: for a visitor who will mostly not be shown them, and who can
 * then be, with one round more. */
void newest_ids_ask(struct visit *v);

#endif
