/* place.h - where a post was written, if its author says so: latitude and longitude in degrees. Threads: any. */
#ifndef SOCIAL_POSTS_PLACE_H
#define SOCIAL_POSTS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct problems;

/* Reads a place as somebody typed it; NULL is as good as empty. The record's form, "48.85837,2.29448", with at most five
 * decimals, which is a metre; "" if both are empty. What is wrong with it is added to the problems of the fields `lat`
 * and `long`; then "" too. Belongs to the arena. */
const char *place_read(struct arena *a, const char *latitude, const char *longitude, struct problems *p);

/* The two halves of a place of a record, in the arena; of "", which is none, both are "". */
struct place_parts {
    const char *latitude, *longitude;
};
struct place_parts place_parts(struct arena *a, const char *place);

#define PLACE_UNIT 100000 /* of a degree; 10 to the power of the decimals that are kept */

/* Reads degrees as -48.85837: an optional sign, digits, perhaps a point and more digits. False: they are none, or more
 * than `most`. In units. */
bool place_degrees(const char *text, int most, int64_t *units);

#endif
