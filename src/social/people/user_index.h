/* user_index.h - how people come to be found by their names: what search (social/search) hands over (struct social_parts).
 *
 * Whoever changes a name adds the new one before the change, and again with it: so nobody is ever missing, and what is left of an old
 * one is found to be old when it is read.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_USER_INDEX_H
#define SOCIAL_PEOPLE_USER_INDEX_H

struct arena;
struct store_batch;
struct user;

struct user_index {
    /* Adds what makes him findable by his name and his display name. Harmless when repeated. */
    void (*add)(struct store_batch *b, struct arena *a, const struct user *u);

    /* Adds what takes away by which `old` was found and `now` is not; NULL: he is gone. */
    void (*end_add)(struct store_batch *b, struct arena *a, const struct user *old, const struct user *now);
};

#endif
