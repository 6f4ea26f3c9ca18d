/* buffer.c - see buffer.h. One thread at a time per buffer. */
#include "base/buffer.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/format.h"

struct buffer buffer_make(struct arena *a)
{
    return (struct buffer){.arena = a};
}

static void buffer_reserve(struct buffer *b, size_t more)
{
    size_t need = b->length + more + 1;
    if (need <= b->capacity) {
        return;
    }
    size_t capacity = b->capacity ? b->capacity * 2 : 256;
    while (capacity < need) {
        capacity *= 2;
    }
    b->data = arena_grow(b->arena, b->data, b->capacity, capacity);
    b->capacity = capacity;
}

char *buffer_room(struct buffer *b, size_t most)
{
    buffer_reserve(b, most);
    return b->data + b->length;
}

void buffer_took(struct buffer *b, size_t length)
{
    b->length += length;
    b->data[b->length] = '\0';
}

void buffer_add(struct buffer *b, const void *bytes, size_t length)
{
    buffer_reserve(b, length);
    if (length) {
        memcpy(b->data + b->length, bytes, length);
    }
    b->length += length;
    b->data[b->length] = '\0';
}

void buffer_text(struct buffer *b, const char *text)
{
    buffer_add(b, text, strlen(text));
}

void buffer_char(struct buffer *b, char c)
{
    buffer_add(b, &c, 1);
}

void buffer_printf(struct buffer *b, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    buffer_reserve(b, 0);
    size_t room = b->capacity - b->length;
    size_t length = format_write(b->data + b->length, room, format, args);
    if (length >= room) {
        buffer_reserve(b, length);
        format_write(b->data + b->length, length + 1, format, again);
    }
    b->length += length;
    va_end(again);
    va_end(args);
}

/* The character references of the bytes that need one. */
static const struct {
    char text[7];
    unsigned char length;
} references[256] = {
    ['&'] = {"&amp;", 5}, ['<'] = {"&lt;", 4}, ['>'] = {"&gt;", 4}, ['"'] = {"&quot;", 6}, ['\''] = {"&#39;", 5},
};

void buffer_html(struct buffer *b, const char *text, size_t length)
{
    size_t start = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (references[c].length) {
            buffer_add(b, text + start, i - start);
            buffer_add(b, references[c].text, references[c].length);
            start = i + 1;
        }
    }
    buffer_add(b, text + start, length - start);
}

const char *buffer_string(const struct buffer *b)
{
    return b->data ? b->data : "";
}
