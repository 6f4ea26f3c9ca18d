/* wire.c - see wire.h. Written by hand because printf and a copy per argument would cost more than the round trip. */
#include "store/wire.h"

#include <string.h>

#include "base/buffer.h"
#include "base/format.h"

#define HEADER_MOST (1 + FORMAT_DIGITS + 2)

/* <sign><n>\r\n; returns its end. */
static char *put_header(char *out, char sign, size_t n)
{
    *out++ = sign;
    out += format_number(out, n);
    *out++ = '\r';
    *out++ = '\n';
    return out;
}

void wire_begin(struct buffer *b, size_t count)
{
    char *start = buffer_room(b, HEADER_MOST);
    buffer_took(b, (size_t)(put_header(start, '*', count) - start));
}

void wire_bytes(struct buffer *b, const char *bytes, size_t length)
{
    char *start = buffer_room(b, HEADER_MOST + length + 2);
    char *end = put_header(start, '$', length);
    memcpy(end, bytes, length);
    memcpy(end + length, "\r\n", 2);
    buffer_took(b, (size_t)(end - start) + length + 2);
}

void wire_text(struct buffer *b, const char *text)
{
    wire_bytes(b, text, strlen(text));
}

void wire_number(struct buffer *b, size_t n)
{
    char digits[FORMAT_DIGITS];
    size_t length = format_number(digits, n);
    wire_bytes(b, digits, length);
}

void wire_command(struct buffer *b, size_t count, const char *const *arguments)
{
    wire_begin(b, count);
    for (size_t i = 0; i < count; i++) {
        wire_text(b, arguments[i]);
    }
}
