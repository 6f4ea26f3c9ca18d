/* trim.h - scripts and styles without what only people read. */
#ifndef EMBED_TRIM_H
#define EMBED_TRIM_H

#include <stddef.h>

/* Takes out comments that begin behind white space, indentation and empty lines. Line breaks stay, so that scripts mean the
 * same. No text in quotes may look like a comment; tests/view says so. Returns the new length; a NUL is behind it. */
size_t trim_lines(const char *path, char *text);

/* Takes out the line breaks and blanks that a style sheet (that has no comments any more) does not need: not those in quotes.
 * Returns the new length. */
size_t trim_style(char *text);

#endif
