/* format.c - see format.h. Any thread. */
#include "base/format.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/panic.h"

struct output {
    char *at;
    size_t room; /* bytes left, that of the NUL not among them */
    size_t length;
};

static void format_put(struct output *o, const char *bytes, size_t length)
{
    size_t fits = length < o->room ? length : o->room;
    memcpy(o->at, bytes, fits);
    o->at += fits;
    o->room -= fits;
    o->length += length;
}

size_t format_number(char *out, uint64_t n)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
        "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
        "9899";
    char digits[FORMAT_DIGITS];
    size_t i = FORMAT_DIGITS;
    while (n >= 10) {
        i -= 2;
        memcpy(digits + i, pairs + n % 100 * 2, 2);
        n /= 100;
    }
    if (n || i == FORMAT_DIGITS) {
        digits[--i] = (char)('0' + n);
    }
    memcpy(out, digits + i, FORMAT_DIGITS - i);
    return FORMAT_DIGITS - i;
}

static void put_unsigned(struct output *o, uint64_t n)
{
    char digits[FORMAT_DIGITS];
    size_t length = format_number(digits, n);
    format_put(o, digits, length);
}

static void put_signed(struct output *o, int64_t n)
{
    if (n < 0) {
        format_put(o, "-", 1);
    }
    put_unsigned(o, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

/* One directive behind its '%', with its argument. Returns its length; 0 when it is not a plain one. */
static size_t put_directive(struct output *o, const char *directive, va_list *args)
{
    if (directive[0] == 's') {
        const char *text = va_arg(*args, const char *);
        format_put(o, text, strlen(text));
        return 1;
    }
    if (directive[0] == 'c') {
        const char c = (char)va_arg(*args, int);
        format_put(o, &c, 1);
        return 1;
    }
    if (directive[0] == 'u') {
        put_unsigned(o, va_arg(*args, unsigned));
        return 1;
    }
    if (directive[0] == 'd') {
        put_signed(o, va_arg(*args, int));
        return 1;
    }
    if (strncmp(directive, "llu", 3) == 0) {
        put_unsigned(o, va_arg(*args, unsigned long long));
        return 3;
    }
    if (strncmp(directive, "lld", 3) == 0) {
        put_signed(o, va_arg(*args, long long));
        return 3;
    }
    if (strncmp(directive, "zu", 2) == 0) {
        put_unsigned(o, va_arg(*args, size_t));
        return 2;
    }
    return 0;
}

/* False when the format has more than plain directives. */
static bool put_plain(struct output *o, const char *format, va_list *args)
{
    for (;;) {
        size_t length = strcspn(format, "%");
        format_put(o, format, length);
        format += length;
        if (!*format) {
            return true;
        }
        size_t directive = put_directive(o, format + 1, args);
        if (!directive) {
            return false;
        }
        format += 1 + directive;
    }
}

size_t format_write(char *out, size_t size, const char *format, va_list args)
{
    char nothing = '\0';
    struct output o = {.at = size ? out : &nothing, .room = size ? size - 1 : 0};
    va_list plain;
    va_copy(plain, args);
    bool good = put_plain(&o, format, &plain);
    va_end(plain);
    if (!good) {
        int length = vsnprintf(out, size, format, args);
        require(length >= 0);
        return (size_t)length;
    }
    *o.at = '\0';
    return o.length;
}
