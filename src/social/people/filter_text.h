/* filter_text.h - a filter as the hash `filters` keeps it (keys.h): one value. Inside people/, and for the check.
 *
 * Letters (where, and what happens), ":", when it ends (ms; 0: never), ":", and
 * - the word, when it is all that there is: it is the title too, and has the number of the filter. w: only whole words.
 *   So were all filters once.
 * - e: its title; it has no word yet.
 * - m: lines: the title, then for each word k<number>[w] <word>, and for each single post s<number> <post>.
 *
 * Threads: pure but for the arena.
 */
#ifndef SOCIAL_PEOPLE_FILTER_TEXT_H
#define SOCIAL_PEOPLE_FILTER_TEXT_H

#include <stdbool.h>

#include "social/people/filter.h"

struct arena;

/* Texts are without line ends (filter.c sees to that). */
const char *filter_text(struct arena *a, const struct filter *f);

/* id, value: as they stand in the hash. False if it is damaged. Folds the words. The texts are in the arena. */
bool filter_parse(struct arena *a, const char *id, const char *value, struct filter *out);

#endif
