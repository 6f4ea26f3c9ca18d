/* boost.h - boosting a post: handing it on to one's own followers.
 *
 * A boost is a post of its author's that points at another: it is stored, delivered, paged and taken back as any post
 * is (publish.h), and what it boosts is loaded and judged with it (post_read.h). Nobody can do anything with it but
 * take it back: all else is done with what it boosts. Somebody has at most one boost of a post. Only posts that all may
 * see are boosted, and of followers-only ones one's own, for the same people.
 *
 * It has two sides: `boosted` in the bucket of whoever boosts is the truth, and written with the boost; `boosts` of the
 * post, which is counted and shown, is brought after it by the job that delivers the boost, and by the one that cleans
 * up after it. When a post goes, so do its boosts.
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_BOOST_H
#define SOCIAL_POSTS_BOOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"
#include "social/posts/post.h"

struct actor;
struct arena;
struct fanout_wave;
struct remains;
struct social;
struct store_batch;

/* Action (action.h): the actor boosts a post, or the one that it boosts, or takes that back. What is so already is left
 * as it is. ERR_NOT_FOUND: there is no such post that he may see; ERR_FORBIDDEN: it is not for all. *wave is for
 * fanout_wait (fanout.h), after he has his answer. */
enum err post_boost(struct social *s, struct arena *a, const struct actor *by, uint64_t post, bool on,
                    struct fanout_wave **wave, struct problems *p);

/* Action: boosts it for these people, or fewer: whom the post itself is for. *boost is the boost, also one that was
 * there already, as it is. ERR_INVALID: a boost cannot be direct. */
enum err post_boost_for(struct social *s, struct arena *a, const struct actor *by, uint64_t post,
                        enum visibility visibility, uint64_t *boost, struct fanout_wave **wave, struct problems *p);

/* For the first deliveries of a boost: adds what brings the other side after it. The take, with what this returned,
 * is false when that has to be done again: by boost_mend. *people: for popular_add (popular.h). */
size_t boost_other_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *boost);
bool boost_other_take(const struct store_batch *b, size_t reply, const struct post *boost, int64_t *people);

/* Makes the other side what this one is, whoever changes it meanwhile; a boost of a post that is gone is taken back.
 * For jobs and the repair. */
enum err boost_mend(struct social *s, struct arena *a, uint64_t uid, uint64_t post);

/* Takes back the next boosts of a post that is gone; *more: there may be others. For the job that cleans up after
 * it. */
enum err boost_forget(struct social *s, struct arena *a, uint64_t post, bool *more);

/* Handed over at start: what a deleted user leaves, besides his boosts, which are among his posts. */
extern const struct remains boost_remains;

#endif
