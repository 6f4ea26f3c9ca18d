/* demo_words.h - the words of which demo_text.c makes people and their posts: lists of our own in eight languages.
 *
 * In sentences {t} stands for a thing, {p} for a place, {n} for a number from 2 to 60. Threads: constant.
 */
#ifndef UPKEEP_DEMO_WORDS_H
#define UPKEEP_DEMO_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A name as it stands in a user name, and as its owner writes it. */
struct demo_name {
    const char *ascii, *shown;
};

#define DEMO_NAMES 24

struct demo_language {
    const char *code;
    unsigned share; /* of all people, in percent */
    bool family_first;
    const char *space; /* between words and sentences */
    struct demo_name given[DEMO_NAMES], family[DEMO_NAMES];
    const char *const *things, *const *places, *const *sentences, *const *replies, *const *bios,
                                                                                       *const *tags; /* NULL-ended */
};

#define DEMO_LANGUAGES 8

extern const struct demo_language demo_languages[DEMO_LANGUAGES];

#endif
