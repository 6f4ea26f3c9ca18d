/* text.h - UTF-8 and the rules that people's text must keep.
 *
 * Pure functions over bytes, any thread. Not Unicode normalisation and not HTML.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The digits of a number that a macro names, for a command or a page that wants them as text. */
#define TEXT_OF(number) TEXT_OF_WORD(number)
#define TEXT_OF_WORD(word) #word

/* Decodes the code point at text (length bytes left). Returns its size in bytes, 0 if it is not valid UTF-8
 * (overlong, surrogate, above U+10FFFF, cut off). */
size_t text_decode(const char *text, size_t length, uint32_t *code_point);

/* True if it shows nothing: it holds blanks, zero-width and filler characters only. */
bool text_is_blank(const char *text, size_t length);

/* True if the whole is valid UTF-8 and holds none of: C0 controls but newline and tab, DEL, C1, bidirectional
 * overrides and isolates (U+202A-202E, U+2066-2069), line and paragraph separators, byte order mark. */
bool text_is_clean(const char *text, size_t length);

/* Code points of valid UTF-8. */
size_t text_count(const char *text, size_t length);

/* Removes white space at both ends and turns CR LF and CR into LF, in place; returns the new length. NUL-terminates. */
size_t text_tidy(char *text);

/* ASCII lower case; out has room for strlen(name) + 1 bytes. Returns out. */
char *text_fold(const char *name, char *out);

/* How unlike two short words are: the number of letters to change, add, drop or swap. TEXT_DISTANCE_MAX if one is
 * longer than that. */
#define TEXT_DISTANCE_MAX 64
unsigned text_distance(const char *a, const char *b);

/* Takes the next entry off a list separated by commas: where it begins (not NUL-terminated) and its length. NULL: none
 * is left. */
const char *text_entry(const char **list, size_t *length);

/* The same for a list with several separators. Any number of them may stand between, before and behind the entries, so
 * none is empty. */
const char *text_token(const char **list, const char *separators, size_t *length);

bool text_is_word(unsigned char c); /* ASCII letter, digit or underscore: what user names are made of */

#endif
