/* words.h - a text as the words that people look for: folded (fold.h), one after the other.
 *
 * A word is a run of letters and digits; in scripts without gaps between words, and of emoji, every sign is one. What cannot be
 * decoded is a gap. The words of a text and those of a question are made by the same function, so they agree.
 *
 * Threads: any; pure but for the arena.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

#define WORDS_LONGEST 40 /* bytes; what is longer is as good as its beginning */

struct word {
    const char
        *text; /* not terminated. Of a word that joins the one before it lies directly behind that: both are one pair */
    size_t length;
    bool is_sign; /* of a script without gaps */
    bool joins;   /* it and the word before are signs with no gap between */
};

struct words {
    struct word *items;
    size_t count;
};

/* The first `most` words. Belongs to the arena. */
struct words words_split(struct arena *a, const char *text, size_t length, size_t most);

/* Whether the words of `part` stand in `all` one after the other. */
bool words_have(const struct words *all, const struct words *part);

#endif
