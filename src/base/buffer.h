/* buffer.h - a growing byte string in an arena: what answers and templates are written into.
 *
 * One thread at a time. Nothing to free: the arena owns the bytes.
 */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stddef.h>

struct arena;

struct buffer {
    struct arena *arena;
    char *data; /* always NUL-terminated after the first append; NULL before */
    size_t length;
    size_t capacity;
};

/* An empty buffer that allocates from a. */
struct buffer buffer_make(struct arena *a);

void buffer_add(struct buffer *b, const void *bytes, size_t length);
void buffer_text(struct buffer *b, const char *text);
void buffer_char(struct buffer *b, char c);
void buffer_printf(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for so many bytes at the end. The caller writes at most that many there and says with buffer_took how many. */
char *buffer_room(struct buffer *b, size_t most);
void buffer_took(struct buffer *b, size_t length);

/* Appends text with & < > " ' as HTML character references: safe as element content and in quoted attributes. */
void buffer_html(struct buffer *b, const char *text, size_t length);

/* The bytes as a C string; "" when empty. Valid until the next append. */
const char *buffer_string(const struct buffer *b);

#endif
