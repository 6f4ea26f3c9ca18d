/* tag_trends.h - which tags many people use: for each the people who used it in a public post within a day, each counted
 * once however much he writes. What deliveries add is harmless when it is repeated.
 *
 * All of it lies in one bucket (keys.h: trends, trendpeople), bounded in tags and in people of each, and runs out by
 * itself.
 *
 * Threads: any.
 */
#ifndef SOCIAL_TIMELINES_TAG_TRENDS_H
#define SOCIAL_TIMELINES_TAG_TRENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct store_batch;
struct visit;

#define TRENDS_KEPT 1000    /* tags */
#define TRENDS_PEOPLE 10000 /* who is counted of each */
#define TRENDS_MOST 10      /* that a page shows */
#define TRENDS_LEAST 2      /* people: nobody makes a trend alone */

/* Adds that this user used these tags (comma separated, folded) in the post of that id; and that the post is gone, or has
 * them no more. */
void trends_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t post, const char *tags);
void trends_end_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t post, const char *tags);

struct trends {
    struct {
        const char *tag;
        int64_t people;
    } items[TRENDS_MOST]; /* most people first */
    size_t count;
};

/* Those of now, with the next round; or (`may_be_old`) what the process remembers, for at most a minute. */
const struct trends *trends_ask(struct visit *v, bool may_be_old);

#endif
