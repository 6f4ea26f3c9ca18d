/* match.h - who of many listeners wants a post: an index from the keys of posts (match_post.h) to those who asked for them
 * (match_query.h).
 *
 * Each rule hangs under the one of its keys under which fewest others hang (boxes under all their cells). So a post costs what hangs under its
 * own keys, not what is registered. What the index does not know: who may see a post. The one who asks looks before he says anything.
 *
 * Threads: one at a time.
 */
#ifndef SOCIAL_STREAMING_MATCH_H
#define SOCIAL_STREAMING_MATCH_H

#include <stddef.h>

struct match_index;
struct match_listener;
struct match_post;
struct match_query;

struct match_index *match_new(void);
/* With all listeners that are left. */
void match_free(struct match_index *m);

/* A listener who wants this, copied; `owner` is the caller's. Ends with match_remove. */
struct match_listener *match_add(struct match_index *m, const struct match_query *q, void *owner);
void match_remove(struct match_index *m, struct match_listener *l);

/* Calls `hit` for each listener who wants the post, once, in no order. It must not add or remove any. Returns how many rules were looked at:
 * what it cost. */
size_t match_find(struct match_index *m, const struct match_post *p, void (*hit)(void *context, void *owner),
                  void *context);

#endif
