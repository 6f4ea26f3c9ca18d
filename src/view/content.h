/* content.h - plain text of a post or profile to HTML, as Mastodon's clients expect it.
 *
 * The result is the only HTML that templates print unescaped. It consists of p, br, a and span, and of what the user
 * typed as escaped text. base/entity_scan.h decides what is a link, a tag or a mention.
 *
 * Pure function, any thread.
 */
#ifndef VIEW_CONTENT_H
#define VIEW_CONTENT_H

#include <stddef.h>
#include <stdint.h>

struct buffer;

/* A user who exists and whose name occurs in the text. */
struct content_mention {
    const char *name;   /* as its owner writes it */
    const char *folded; /* lower case: what is compared */
    uint64_t uid;
};

/* In place of the number of mentions: every @name that could be somebody's is a link. For texts of which nobody asked
 * whether the people exist (profiles). */
#define CONTENT_ANYBODY SIZE_MAX

/* Appends the HTML. origin ("https://example.org", or "") begins the links to tags and users; an @name that is not in
 * `mentions` stays text. Empty text gives nothing. */
void content_html(struct buffer *out, const char *text, size_t length, const char *origin,
                  const struct content_mention *mentions, size_t count);

/* The same of one line, whose links say that they are the author's own pages (rel="me"): without p,
 * and every name is a link. */
void content_html_line(struct buffer *out, const char *text, const char *origin);

/* Appends a tag as a part of an address: bytes outside of ASCII are percent-encoded; a tag has no other that would need
 * it. */
void content_path(struct buffer *out, const char *tag, size_t length);

#endif
