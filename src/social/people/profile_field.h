/* profile_field.h - what somebody tells of himself in a few lines of a name and a value: "Web: https://…".
 *
 * They are one text of the user's record (record.h, profile_fields): a line each, a tab between name and value.
 *
 * Threads: any; pure functions.
 */
#ifndef SOCIAL_PEOPLE_PROFILE_FIELD_H
#define SOCIAL_PEOPLE_PROFILE_FIELD_H

#include <stddef.h>

struct arena;
struct problems;

#define PROFILE_FIELDS_MAX 4
#define PROFILE_FIELD_MAX 255 /* code points of a name, and of a value */

struct profile_field {
    const char *name, *value;
};

/* The text that is stored; fields that say nothing are left out. What is wrong becomes a problem of field_<n>_name or
 * field_<n>_value, n from 1. In the arena. */
const char *profile_fields_pack(struct arena *a, const struct profile_field fields[PROFILE_FIELDS_MAX],
                                struct problems *p);

/* The fields of a stored text; returns how many. In the arena. */
size_t profile_fields_read(struct arena *a, const char *packed, struct profile_field out[PROFILE_FIELDS_MAX]);

#endif
