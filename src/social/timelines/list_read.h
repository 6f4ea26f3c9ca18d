/* list_read.h - what all reads of one list begin with: its record, and whether it is the visitor's. Inside of
 * list_read.c's and list_timeline.c's work only.
 *
 * Threads: those of the visit.
 */
#ifndef SOCIAL_TIMELINES_LIST_READ_H
#define SOCIAL_TIMELINES_LIST_READ_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct list;
struct visit;

/* Adds the record and the number of members to the next round; returns the place of the reply. */
size_t list_head_add(struct visit *v, uint64_t id);

/* ERR_NOT_FOUND: there is no such list, or it is not the visitor's. */
enum err list_head_take(const struct visit *v, size_t reply, uint64_t id, struct list *out);

#endif
