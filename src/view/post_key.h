/* post_key.h - all that a post's rendering is made of, byte by byte: the key under which what was made of it is kept.
 *
 * What is kept is made of the key, unpacked, and of nothing else: what is not in the tables of post_key.c cannot be shown
 * in it, so nothing of a visitor can, and what has changed has another key.
 *
 * Threads: pure functions.
 */
#ifndef VIEW_POST_KEY_H
#define VIEW_POST_KEY_H

#include "base/buffer.h"
#include "view/entity_context.h"

struct post;

/* Of the post, and of locale and origin of the context. Begins at an address aligned for any type, once it is copied. */
struct buffer post_key(const struct entity_context *c, const struct post *p);

/* The post that a key tells of, and the context's locale and origin; texts lie in the key, mentions in c->arena. */
struct post post_key_read(const char *key, struct entity_context *c);

/* Texts of a key: one more, and the next. For other keys of this kind. */
void key_text_add(struct buffer *key, const char *text);
const char *key_text_take(const char **at);

#endif
