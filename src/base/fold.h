/* fold.h - letters as people mean them when they look for something: without case, accents and points.
 *
 * What is a letter, and which one it is without case and accents, says SQLite's tokenizer (fts5, unicode61), which is in the program
 * anyway; it is asked once for all scripts that have either, and the answers are kept in a table. Not Unicode normalisation, not
 * what tags are compared by (entity_scan.h).
 *
 * Threads: any; the first call makes the table.
 */
#ifndef BASE_FOLD_H
#define BASE_FOLD_H

#include <stdint.h>

enum fold_kind {
    FOLD_GAP,     /* between words: blanks, punctuation */
    FOLD_NOTHING, /* adds nothing to its word: an accent, a point, a selector of colours */
    FOLD_LETTER,  /* or digit, of a script that puts gaps between words */
    FOLD_SIGN,    /* of a script that does not (Chinese, Japanese, Korean, Thai …), or an emoji: a word by itself */
};

/* What a code point is; *folded is the letter or sign that it counts for. */
enum fold_kind fold_of(uint32_t c, uint32_t *folded);

#endif
