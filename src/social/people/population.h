/* population.h - how many people the site has, for pages and documents that anybody may ask for at any time.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_POPULATION_H
#define SOCIAL_PEOPLE_POPULATION_H

#include <stdint.h>

struct arena;
struct social;

/* Counting asks every bucket: once a minute is enough, and callers in between get the last number instead of waiting for
 * an engine that may be slow. 0 while nobody has counted. */
int64_t population(struct social *s, struct arena *a);

#endif
