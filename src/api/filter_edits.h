/* filter_edits.h - what requests change in a filter of the caller's: from what it is to what it shall be. Inside api/ only.
 *
 * Nothing is stored here: filters.c does.
 *
 * Threads: a call belongs to one connection thread.
 */
#ifndef API_FILTER_EDITS_H
#define API_FILTER_EDITS_H

#include <stddef.h>

#include "social/people/filter.h"

struct api;
struct post_picked;

/* A filter in whose lists there is room for what the request adds, up to what a filter may have. */
struct filter_found {
    struct filter filter;
    size_t at;                        /* which of its keywords or posts is meant */
    const struct post_picked *picked; /* the post that the request names; NULL: it names none */
};

/* Changes it as the request says; what the request does not say stays. NULL, what is wrong, or filter_edit_missing: it
 * speaks of what is not there. */
typedef const char *filter_edit(struct api *c, struct filter_found *f);

extern const char filter_edit_missing[];

filter_edit filter_edit_v1, filter_edit_v2, filter_edit_keyword, filter_edit_keyword_add, filter_edit_keyword_drop,
    filter_edit_post_add, filter_edit_post_drop;

#endif
