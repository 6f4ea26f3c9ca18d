/* entity_scan.h - finds links, hashtags and mentions in the plain text of a post.
 *
 * The one definition of what they are: the social layer uses it when a post is written (indexes of tags,
 * notifications), the view when it is shown, so the two cannot disagree. Pure functions, any thread, no
 * allocation, one pass. Whether a mentioned user exists is not known here. The text should be valid UTF-8;
 * invalid bytes are ordinary text.
 *
 *   link     http:// or https:// (any case), a host without user info, then everything up to white space, a quote,
 *            an angle bracket, a backslash or CJK punctuation; without the punctuation at its end and without closing
 *            brackets that were not opened in it. Letters of any script may stand in host and path.
 *   hashtag  # (or U+FF03, its full-width form) and letters, digits or underscores; at least one is a letter.
 *            Letters are A-Z, a-z and every code point from U+00C0 on that is no punctuation, space, symbol, emoji.
 *   mention  @ and letters A-Z, a-z, digits or underscores, not followed by @host (an account of another server).
 *
 * None of them begins within a word: "a@b" and "x#y" are plain text. Scripts written without spaces are no
 * obstacle: a CJK character may stand directly before any of the three.
 */
#ifndef BASE_ENTITY_SCAN_H
#define BASE_ENTITY_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum entity_kind { ENTITY_LINK, ENTITY_TAG, ENTITY_MENTION };

struct entity {
    enum entity_kind kind;
    size_t offset; /* of the whole, in bytes */
    size_t length;
    const char *name; /* tag or mention without its sign, link as written; points into the text, not terminated */
    size_t name_length;
};

struct entity_scan {
    const char *text;
    size_t length;
    size_t at; /* where the search goes on */
};

struct entity_scan entity_scan_start(const char *text, size_t length);

/* The next entity in order of the text; entities never overlap. False at the end. */
bool entity_scan_next(struct entity_scan *s, struct entity *found);

/* The name of a tag by which it is compared, stored and linked: lower case of Latin, Greek, Cyrillic and Armenian
 * letters, everything else as it is. `out` has room for length + 1 bytes: the result is as long as the name and
 * NUL-terminated. Works for user names too. Returns out. */
char *entity_scan_fold(const char *name, size_t length, char *out);

/* True if the whole is one tag name as the scanner would find it behind a #: what /tags/<name> accepts. */
bool entity_scan_is_tag(const char *name, size_t length);

#endif
