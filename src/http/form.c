/* form.c - see form.h. Pure functions, any thread.
 *
 * Strict on purpose: browsers always send well-formed bodies, and anything else is answered with 400 instead of a
 * guess. Control bytes are allowed here, because a text area has newlines; each field's own rule refuses the rest.
 */
#include "http/form.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "http/pairs.h"

static int form_hex(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

size_t form_decode(const char *text, size_t length, bool plus, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '%') {
            int high = i + 2 < length ? form_hex(text[i + 1]) : -1;
            int low = i + 2 < length ? form_hex(text[i + 2]) : -1;
            if (high < 0 || low < 0) {
                return (size_t)-1;
            }
            c = (char)(high * 16 + low);
            i += 2;
        } else if (plus && c == '+') {
            c = ' ';
        }
        out[n++] = c;
    }
    out[n] = '\0';
    return n;
}

bool form_is_utf8(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length) {
        unsigned char c = (unsigned char)text[i];
        if (c == 0) {
            return false;
        }
        uint32_t code_point;
        size_t size = c < 0x80 ? 1 : text_decode(text + i, length - i, &code_point);
        if (size == 0) {
            return false;
        }
        i += size;
    }
    return true;
}

/* One decoded half of a field, NULL if it is not right. */
static const char *decoded(struct arena *a, const char *text, size_t length)
{
    char *out = arena_alloc(a, length + 1);
    size_t n = form_decode(text, length, true, out);
    return n != (size_t)-1 && form_is_utf8(out, n) ? out : NULL;
}

static bool add_field(struct arena *a, const char *text, size_t length, struct http_pairs *out)
{
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : length;
    const char *name = decoded(a, text, name_length);
    const char *value = equals ? decoded(a, equals + 1, length - name_length - 1) : "";
    if (!name || !value || out->count == FORM_FIELDS) {
        return false;
    }
    pairs_add(a, out, name, value);
    return true;
}

bool form_parse(struct arena *a, const char *text, size_t length, struct http_pairs *out)
{
    size_t start = 0;
    while (start < length) {
        const char *end = memchr(text + start, '&', length - start);
        size_t size = end ? (size_t)(end - text) - start : length - start;
        if (size > 0 && !add_field(a, text + start, size, out)) {
            return false;
        }
        start += size + 1;
    }
    return true;
}

void http_encode(struct buffer *b, const char *text, const char *plain)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool is_plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (is_plain || strchr(plain, *c)) {
            buffer_char(b, (char)*c);
        } else {
            buffer_printf(b, "%%%02X", *c);
        }
    }
}
