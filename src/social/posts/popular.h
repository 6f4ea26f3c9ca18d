/* popular.h - which posts of the last day many people favourite or boost: the candidates, from which timelines/post_trends.h
 * chooses.
 *
 * They lie by the hour in which they were written (keys.h: popular), POPULAR_KEPT of each, and run out by themselves. Their order
 * there is that of their last reaction, which nothing takes back: it is too much rather than too little. What is shown is
 * counted when it is read.
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_POPULAR_H
#define SOCIAL_POSTS_POPULAR_H

#include <stddef.h>
#include <stdint.h>

struct arena;
struct store_batch;

#define POPULAR_KEPT 200 /* posts of an hour */
#define POPULAR_HOURS 25 /* that hold the posts of a day: the first and the last only in part */
#define POPULAR_LEAST 2  /* people: nobody makes a trend alone */

/* Adds that so many people have reacted to the post (the answer of the scripts `favourited` and `boosted`). Nothing is added for
 * a post that cannot be shown: an old one, or of too few people. Harmless when it is repeated. */
void popular_add(struct store_batch *b, struct arena *a, uint64_t post, int64_t people);

/* Adds that the post is gone. */
void popular_end_add(struct store_batch *b, struct arena *a, uint64_t post);

/* Adds the read of the candidates of each hour, `most` of each at most: POPULAR_HOURS replies, of which the index of the first is
 * returned. Each is of ids and numbers in turn, the greatest number first. */
size_t popular_ask(struct store_batch *b, struct arena *a, size_t most);

#endif
