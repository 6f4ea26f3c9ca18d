/* names.h - a form with many user names: reads what was typed, and shows the result for each name. Inside pages/ only.
 *
 * Threads: a page belongs to one connection thread.
 */
#ifndef PAGES_NAMES_H
#define PAGES_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "social/core/problem.h"
#include "social/people/follow.h"

struct page;

/* The names of the field "names", between commas, white space, semicolons or @. ERR_INVALID with a problem: none, or
 * more than `most`. */
enum err names_read(struct page *p, size_t most, struct follow_item **items, size_t *count, struct problems *problems);

/* Puts results[] and has_results: the words for each result come from the catalogue. */
void names_put_results(struct page *p, const struct follow_item *items, size_t count, const char *const *keys);

#endif
