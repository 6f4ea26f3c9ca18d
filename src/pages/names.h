/* names.h - a form with many user names: reading what was typed, and saying what came of each. Inside pages/ only.
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

/* The names of the field "names", between commas, white space, semicolons or @. ERR_INVALID with a problem: none, or more
 * than `most`. */
enum err names_read(struct page *p, size_t most, struct follow_item **items, size_t *count, struct problems *problems);

/* results[] and has_results: the words of each are the catalogue's, by what came of it. */
void names_put_results(struct page *p, const struct follow_item *items, size_t count, const char *const *keys);

#endif
