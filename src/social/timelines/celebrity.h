/* celebrity.h - authors whose posts are not delivered in hybrid mode: their readers ask for them (home.c).
 *
 * An author who once was one stays in the set, so that a post that was not delivered is never missed, however often he
 * crosses the threshold; a post that was both delivered and asked for is one id in the union. Order: the set and its
 * announcement come first, the flag in the author's record, which stops deliveries, after both: so a page that begins
 * after such a post was acknowledged knows that it must ask.
 *
 * Threads: any. The process keeps the set until an event says that it has grown.
 */
#ifndef SOCIAL_TIMELINES_CELEBRITY_H
#define SOCIAL_TIMELINES_CELEBRITY_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct celebrities;
struct event;
struct social;

struct celebrities *celebrity_open(void);
void celebrity_close(struct celebrities *c);

/* From the author's next post on, his readers ask. */
enum err celebrity_mark(struct social *s, struct arena *a, uint64_t uid);

/* The set has changed: read it again before the next use. */
void celebrity_forget(struct social *s);

/* Forgets the set when an event says that it has changed. */
void celebrity_hear(struct social *s, const struct event *e);

/* Reads the set beforehand, so that no page has to. */
enum err celebrity_read(struct social *s, struct arena *a);

/* Those of the sorted ids who are in the set, sorted; a round trip only after a change. */
enum err celebrity_among(struct social *s, struct arena *a, const uint64_t *ids, size_t count, uint64_t **out,
                         size_t *found);

#endif
