/* once.h - a timeline shows a post once, though it and several boosts of it stand there.
 *
 * Of those on one page the oldest stays: the post itself, or who boosted it first, so that nothing comes up again that
 * the reader has just seen. Across pages it is the newer page: what stands near the cursor on its other side was seen
 * just before. Only so much is looked at, and nothing is remembered: much later the same post may come again.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_TIMELINES_ONCE_H
#define SOCIAL_TIMELINES_ONCE_H

#include <stddef.h>
#include <stdint.h>

#include "social/timelines/timeline.h"

struct visit;

#define ONCE_BEHIND 10 /* posts on the other side of a cursor */

/* What the reader has just seen: the posts that stand behind the cursor, or that boosts there boost. */
struct once {
    uint64_t behind[ONCE_BEHIND];
    size_t count;
};

/* Looks at the ids of a home behind the cursor of the query; those of `tagged` are there by a tag. Which of them the reader sees is asked with the next round,
 * and known in the step that the caller names after this call; until then it is a guess that he sees all. */
void once_ask(struct visit *v, const struct timeline_ids *ids, const struct timeline_ids *tagged,
              const struct timeline_query *q, struct once *out);

/* How many of these ids will be hidden, as far as the process remembers. */
size_t once_guess(struct visit *v, const struct timeline_ids *ids, const struct once *o);

/* Hides (id 0) among the loaded posts, newest first, those that the page, up to the query's limit, has already. */
void once_hide(const struct timeline_query *q, const struct once *o, struct post_load *loads, size_t count);

#endif
