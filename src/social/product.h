/* product.h - the product as a whole: begin here.
 *
 * social/ is the product: people, who follows whom, posts, timelines. It knows nothing of HTTP, HTML or JSON. The truth
 * lies in the engine only; a process keeps nothing that another process needs. Its rooms are layers, each of which sees
 * itself and those below it; from the bottom, which is also the order to read them in:
 *
 *   core/ the context (social.h), what is remembered (cache.h), the rounds of a request (read.h), durable work (job.h),
 *   limits
 *               (limit.h). It knows no feature.
 *   people/     users (user.h), signing up and in, sessions, who follows whom (follow.h), and the visit: who asks
 *               (visit.h, and for those who write reads visit_read.h)
 *   posts/      posts and how they are loaded (post.h), writing and taking back (publish.h)
 *   timelines/  pages of posts (timeline.h): home, tags, lists; and how a post gets there (fanout.h)
 *   notices/    what people are told (notice.h)
 *
 * A room sometimes needs something that only a higher one can do: a queue runs the jobs of all, a deleted user leaves
 * things everywhere, a new post belongs in homes. Then the higher one hands over a row; product.c is the place where
 * all such rows meet.
 *
 * Threads: opened and closed by the main thread; what it opens is used by all.
 */
#ifndef SOCIAL_PRODUCT_H
#define SOCIAL_PRODUCT_H

#include <stdbool.h>

#include "base/err.h"

struct arena;
struct buffer;
struct config;
struct settings_store;
struct social;
struct store;

/* All rooms over an open store. Never fails: the engine may be away at this moment. product_close takes NULL too. */
struct social *product_open(const struct config *c, struct settings_store *settings, struct store *store);
void product_close(struct social *s);

/* Reads from the data what a process must know to begin. Called at start and each time the engine was away; `begins` as
 * in social_enter_epoch. */
enum err product_enter(struct social *s, bool begins);

/* Sets the numbers of metric.h that are kept elsewhere: engine, cache, users, jobs (three round trips: it is for
 * metrics). */
enum err product_measure(struct social *s, struct arena *a);

/* Whether people can read and post (one round trip); writes lines about what is wrong or doubtful. */
enum err product_health(struct social *s, struct buffer *say);

#endif
