/* home_known.h - what this process remembers of a home's list beyond the part that a first page reads.
 *
 * A page needs the newest ids of the list, but the list is in the order in which they arrived, so the first part of it
 * is enough only where it reaches SOCIAL_DISORDER_MS below the page. In a busy home it does not, and the whole list
 * would be read at each visit. But ids come in only in front; what is put at a place behind is counted (`late` of
 * HOMESTATE_FIELDS), and whatever else changes the list changes its stamp. So when something of the part in hand was in
 * the list when its newest ids were read last, all that stands behind the part was there too: the newest ids of both
 * together are the newest of the list. Those that were taken out meanwhile are hidden like any deleted post.
 *
 * A server of version 0.2 on the same engine does not count what it puts at a place behind: a page of this one may show
 * such a post late, by as much as a page of a hundred ids lasts.
 *
 * For home_window.c only. Threads: those of the visit.
 */
#ifndef SOCIAL_TIMELINES_HOME_KNOWN_H
#define SOCIAL_TIMELINES_HOME_KNOWN_H

#include "social/timelines/timeline.h"

#define HOME_KNOWN 64 /* ids; more than any first page shows and has hidden */

struct visit;

/* Remembers that these, newest first, are the newest ids of the viewer's list, which was read in this round, as v->home
 * describes it. */
void home_known_keep(struct visit *v, const struct timeline_ids *newest);

/* The newest ids of the viewer's list, newest first, of its first ids in their order and what is remembered; remembers
 * them. None: what is remembered does not say what stands behind the first, or there are fewer than `need`. */
struct timeline_ids home_known_join(struct visit *v, struct timeline_ids first, size_t need);

#endif
