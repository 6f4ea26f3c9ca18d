/* post_event.h - what listeners (streaming/) learn of a post by its events: that it is new, was edited, is gone, and
 * whom that may concern. Nobody who hears of a post that is gone can load it any more, so the event says whose it was.
 *
 * The text of such an event: for EVENT_POST "d " or "e "; then the author's id, the visibility as a digit ('?': not
 * known) with "b" behind it for a boost, and the tags, separated by commas.
 *
 * What this is not: a judgement. Who may see a post is decided when it is loaded for a listener (post_read.h).
 *
 * Threads: any.
 */
#ifndef SOCIAL_POSTS_POST_EVENT_H
#define SOCIAL_POSTS_POST_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct post;
struct social;
struct store_batch;

enum post_event_kind { POST_EVENT_NONE, POST_EVENT_NEW, POST_EVENT_EDITED, POST_EVENT_GONE };

struct post_event {
    enum post_event_kind kind;
    uint64_t author;
    bool is_public; /* strangers found it in their timelines */
    bool is_boost;
    const char *tags; /* folded, separated by commas */
};

/* Add the event behind the change. Harmless when repeated. */
void post_event_new(struct store_batch *b, struct arena *a, const struct post *p);
void post_event_edited(struct social *s, struct store_batch *b, struct arena *a, const struct post *p);
void post_event_gone(struct social *s, struct store_batch *b, struct arena *a, const struct post *p);

/* The same for whoever knows no more of it. */
void post_event_gone_of(struct social *s, struct store_batch *b, struct arena *a, uint64_t id, uint64_t author,
                        const char *tags);

/* What a text says; `is_new`: of EVENT_NEW. POST_EVENT_NONE: nothing for listeners. The tags stay the text's. */
struct post_event post_event_read(bool is_new, const char *text);

#endif
