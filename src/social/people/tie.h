/* tie.h - what somebody wants otherwise of one whom he follows: no boosts of his, only posts in some languages, to be told
 * of his posts. The form of a value of the key `ties` (keys.h), which follow.lua writes; nothing of it holds for whoever is not followed.
 *
 * What this is not: setting it (follow.h), and what a visit knows of it (visit_ties.h).
 *
 * Threads: pure functions.
 */
#ifndef SOCIAL_PEOPLE_TIE_H
#define SOCIAL_PEOPLE_TIE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

#define TIE_LANGUAGES_MOST 20
#define TIE_WATCHERS_MOST 500 /* who may want to be told of one's posts (scripts/include/watchers.lua) */

struct tie {
    uint64_t uid;
    bool hides_boosts, is_told; /* no boosts of his; he is told of his new posts */
    const char *languages;      /* codes of two or three letters, comma separated; "": all */
};

/* Out of a value; the languages stay in it. */
struct tie tie_parse(uint64_t uid, const char *value);

/* Whether it is one that says something. */
bool tie_is_sound(const char *value);

/* The languages as they are stored, of codes as people and programs write them ("pt-BR" is pt), each once. NULL: one is
 * no code, or they are too many. An empty text counts for nothing. */
const char *tie_languages(struct arena *a, const char *const *texts, size_t count);

/* Whether posts in this language are wanted; those of which nobody knows the language ("") always are. */
bool tie_wants(const struct tie *t, const char *language);

#endif
