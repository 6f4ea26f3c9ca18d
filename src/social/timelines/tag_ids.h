/* tag_ids.h - the posts of several tags as one set of ids: for homes (home_tags.h) and timelines of tags (timeline_read.c).
 *
 * Each tag answers with a part of its posts. Together they are known as far, in the direction of reading, as the first of
 * those goes that have more: the edge.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_TIMELINES_TAG_IDS_H
#define SOCIAL_TIMELINES_TAG_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "social/timelines/timeline.h"

struct visit;

/* Asks each (folded) tag for `each` ids that the cursors allow; the index of the first reply. */
size_t tag_ids_add(struct visit *v, const char *const *tags, size_t count, const struct timeline_query *q, size_t each);

/* The answers of so many tags as one set; *edge: as far as all of them are known; 0: all the way. What lies beyond it is
 * there, too. */
struct timeline_ids tag_ids_take(struct visit *v, const struct timeline_query *q, size_t first_reply, size_t count,
                                 size_t each, uint64_t *edge);

/* Cuts off what lies beyond an edge; 0: nothing does. */
void tag_ids_cut(struct timeline_ids *ids, const struct timeline_query *q, uint64_t edge);

/* The last id in the direction of reading; there is one. */
uint64_t tag_ids_last(const struct timeline_ids *ids, const struct timeline_query *q);

/* Adds ids behind others; there is room for them. */
void tag_ids_append(struct timeline_ids *to, const struct timeline_ids *more);

#endif
