/* sift.h - of what the hub heard (hub.h), the posts that an index of filters (match.h) wants.
 *
 * Only what was posted for all goes through filters; it is loaded as a stranger sees it, once for all who may want it. Who
 * is told looks for himself whether it is for him.
 *
 * Threads: as the index's.
 */
#ifndef SOCIAL_STREAMING_SIFT_H
#define SOCIAL_STREAMING_SIFT_H

#include <stddef.h>

#include "base/err.h"
#include "social/streaming/hub.h"

struct arena;
struct match_index;
struct post;
struct social;

#define SIFT_ENTRIES 40 /* at a time, at most */

/* What filters are asked of. */
struct sift_entry {
    const struct hub_entry *entry;
    const struct post *post; /* NULL: it is gone */
};

/* Those of the entries that filters can be asked of, at most SIFT_ENTRIES, with their posts; in their order, in the arena. One round trip
 * at most. */
enum err sift_load(struct social *s, struct arena *a, const struct hub_entry *entries, size_t count,
                   struct sift_entry **out, size_t *out_count);

/* Calls `hit` for each who wants the post of one that is not gone. */
void sift_match(struct arena *a, struct match_index *m, const struct sift_entry *e,
                void (*hit)(void *context, void *owner), void *context);

#endif
