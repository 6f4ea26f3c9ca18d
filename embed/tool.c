/* tool.c - see tool.h. */
#include "tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const char *format, va_list args)
{
    fputs("embed: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell(format, args);
    va_end(args);
    exit(1);
}

bool strict;

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tell(format, args);
    va_end(args);
    if (strict) {
        exit(1);
    }
}

void *allocate(size_t size)
{
    void *p = calloc(1, size);
    if (!p) {
        fail("out of memory");
    }
    return p;
}

char *copy(const char *text, size_t length)
{
    char *out = allocate(length + 1);
    memcpy(out, text, length);
    return out;
}

static char *print_args(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *out = allocate((size_t)length + 1);
    vsnprintf(out, (size_t)length + 1, format, args);
    return out;
}

char *print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *out = print_args(format, args);
    va_end(args);
    return out;
}

char *read_file(const char *name, size_t *size)
{
    FILE *in = fopen(name, "rb");
    long length;
    if (!in || fseek(in, 0, SEEK_END) != 0 || (length = ftell(in)) < 0) {
        fail("%s: %s", name, strerror(errno));
    }
    rewind(in);
    char *data = allocate((size_t)length + 1);
    if (fread(data, 1, (size_t)length, in) != (size_t)length) {
        fail("%s: cannot be read", name);
    }
    fclose(in);
    *size = (size_t)length;
    return data;
}

void text_add(struct text *t, const char *bytes, size_t length)
{
    if (t->length + length + 1 > t->room) {
        t->room = 2 * (t->length + length + 1);
        char *data = allocate(t->room);
        if (t->data) {
            memcpy(data, t->data, t->length);
        }
        t->data = data;
    }
    memcpy(t->data + t->length, bytes, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void text_print(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = print_args(format, args);
    va_end(args);
    text_add(t, text, strlen(text));
}
