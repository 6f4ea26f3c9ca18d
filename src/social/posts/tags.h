/* tags.h - the tags of a post's text, as one string: folded, each once, separated by commas. Any thread. */
#ifndef SOCIAL_POSTS_TAGS_H
#define SOCIAL_POSTS_TAGS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* The first tags of the text; "" if it has none. Belongs to the arena. */
const char *tags_of(struct arena *a, const char *text, size_t length);

/* Takes the next tag off a list of tags. NULL: none is left. Belongs to the arena. */
const char *tags_next(struct arena *a, const char **tags);

/* Whether a list of tags has this one. */
bool tags_have(const char *tags, const char *tag);

#endif
