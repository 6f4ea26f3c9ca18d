/* tag_trends.h - which tags many people use: for each the people who used it in a public post within a day, each counted
 * once however much he writes; and how it was used on each of the last days. What deliveries add is harmless when it is repeated.
 * People who do not want to be put before others, or are not to be (user_is_recommended), do not count.
 *
 * All of it lies in one bucket (keys.h: trends, trendpeople, tagdays), bounded in tags and in people of each, and runs out by
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

/* --- day by day ---------------------------------------------------------------------------------------------------- */

#define TAG_DAYS 7        /* apps draw a line through so many */
#define TAG_DAYS_MOST 200 /* tags that are asked for at once */

struct tag_days {
    int64_t uses[TAG_DAYS], people[TAG_DAYS]; /* today's (UTC) first */
};

struct tag_history {
    const char *tags[TAG_DAYS_MOST];
    struct tag_days days[TAG_DAYS_MOST];
    size_t count;
};

/* Those of this (folded) tag, with the next round. */
const struct tag_history *tag_history_ask(struct visit *v, const char *tag);

/* Those of tags that another read brings, which was asked before this one: `names` is called behind its step and writes at most
 * TAG_DAYS_MOST of them. With the round after that one. */
typedef size_t tag_history_names(struct arena *a, const void *from, const char **out);
const struct tag_history *tag_history_behind_ask(struct visit *v, tag_history_names *names, const void *from);

/* For tag_history_behind_ask: those of a struct trends. */
tag_history_names trends_names;

/* What is known of the tag; of one that was not asked for nothing but zeros. */
const struct tag_days *tag_history_of(const struct tag_history *h, const char *tag);

#endif
