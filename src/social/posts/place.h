/* place.h - where a post was written, if its author says so: latitude and longitude in degrees. Threads: any. */
#ifndef SOCIAL_POSTS_PLACE_H
#define SOCIAL_POSTS_PLACE_H

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

#endif
