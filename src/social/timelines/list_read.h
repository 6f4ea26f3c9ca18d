/* list_read.h - the beginning of all reads of one list: its record, and whether it is the visitor's. For list_read.c
 * and list_timeline.c only.
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
