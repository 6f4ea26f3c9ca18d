/* post_trends.h - posts of the last day that many people react to: who has favourited or boosted one counts once, its author not.
 *
 * Which they are comes from the candidates of posts/popular.h; how many people each has is counted in its own sets. Both are
 * remembered for some seconds. Whether each is still there, and may be seen, is asked as of all posts; those of people who do not
 * want to be put before others, or are not to be, are left out.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_POST_TRENDS_H
#define SOCIAL_TIMELINES_POST_TRENDS_H

#include <stdbool.h>
#include <stddef.h>

struct post;
struct visit;

#define POST_TRENDS_LOOK 60 /* candidates that are counted, and so the end of all pages */
#define POST_TRENDS_SECONDS 10

struct post_trends {
    struct post *posts; /* most people first, of those that have as many the newest */
    size_t count;
};

/* Those of now; or (`may_be_old`) of what the process remembers, for POST_TRENDS_SECONDS. Two rounds at most. */
const struct post_trends *post_trends_ask(struct visit *v, bool may_be_old);

#endif
