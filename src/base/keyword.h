/* keyword.h - whether a word or phrase stands in a text, as people mean it: whatever the case and the width of letters.
 *
 * Case is that of tags (entity_scan.h). A word ends where no letter or digit of a script with gaps between words stands beside it; the
 * others (Chinese, Japanese, Korean, Thai …) have no such ends. Not Unicode normalisation.
 *
 * Threads: any; pure but for the arena.
 */
#ifndef BASE_KEYWORD_H
#define BASE_KEYWORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

/* A text in which many keywords are looked for. */
struct keyword_text {
    const char *folded;
    size_t length;
    uint64_t pairs[16]; /* which two bytes stand side by side in it, by hash: most keywords are not there */
};

/* Folds; the result belongs to the arena and is no longer than the text. */
char *keyword_fold(struct arena *a, const char *text);

struct keyword_text keyword_text_of(struct arena *a, const char *text);

/* `folded` by keyword_fold; nothing stands nowhere. */
bool keyword_is_in(const struct keyword_text *text, const char *folded, bool whole_word);

#endif
