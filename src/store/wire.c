/* wire.c - see wire.h. Written by hand because printf and a copy per argument would cost more than the round trip. */
#include "store/wire.h"

#include <string.h>

#include "base/buffer.h"

/* <sign><n>\r\n */
static void put_header(struct buffer *b, char sign, size_t n)
{
    char text[24];
    char *p = text + sizeof(text);
    *--p = '\n';
    *--p = '\r';
    do {
        *--p = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    *--p = sign;
    buffer_add(b, p, (size_t)(text + sizeof(text) - p));
}

void wire_begin(struct buffer *b, size_t count)
{
    put_header(b, '*', count);
}

void wire_bytes(struct buffer *b, const char *bytes, size_t length)
{
    put_header(b, '$', length);
    buffer_add(b, bytes, length);
    buffer_add(b, "\r\n", 2);
}

void wire_text(struct buffer *b, const char *text)
{
    wire_bytes(b, text, strlen(text));
}

void wire_number(struct buffer *b, size_t n)
{
    char text[24];
    char *p = text + sizeof(text);
    do {
        *--p = (char)('0' + n % 10);
        n /= 10;
    } while (n);
    wire_bytes(b, p, (size_t)(text + sizeof(text) - p));
}

void wire_command(struct buffer *b, size_t count, const char *const *arguments)
{
    wire_begin(b, count);
    for (size_t i = 0; i < count; i++) {
        wire_text(b, arguments[i]);
    }
}
