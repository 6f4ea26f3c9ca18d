/* multipart_head.c - see multipart_head.h. */
#include "http/multipart_head.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "http/form.h"

/* A text, and a place in it. */
struct cursor {
    const char *at, *end;
};

static bool skip(struct cursor *c, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || strncasecmp(c->at, word, length) != 0) {
        return false;
    }
    c->at += length;
    return true;
}

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t')) {
        c->at++;
    }
}

/* token of RFC 9110; its length. */
static size_t token(const struct cursor *c)
{
    size_t n = 0;
    while (c->at + n < c->end && c->at[n] > 0x20 && c->at[n] < 0x7f && !strchr("()<>@,;:\\\"/[]?={}", c->at[n])) {
        n++;
    }
    return n;
}

static bool is_clean(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) {
            return false;
        }
    }
    return length <= MULTIPART_NAME && form_is_utf8(text, length);
}

/* One byte of a quoted text. Browsers write a quotation mark as %22, some programs as \". */
static char unquote(struct cursor *c)
{
    if (skip(c, "%22") || skip(c, "\\\"")) {
        return '"';
    }
    if (skip(c, "\\\\")) {
        return '\\';
    }
    return *c->at++;
}

/* The value behind "name=", quoted or a token. NULL if it is malformed. */
static const char *parameter(struct arena *a, struct cursor *c)
{
    if (c->at == c->end || *c->at != '"') {
        size_t length = token(c);
        const char *value = length && length <= MULTIPART_NAME ? arena_dup_n(a, c->at, length) : NULL;
        c->at += length;
        return value;
    }
    c->at++;
    char out[MULTIPART_NAME];
    size_t n = 0;
    while (c->at < c->end && *c->at != '"' && n < sizeof(out)) {
        out[n++] = unquote(c);
    }
    return c->at < c->end && *c->at++ == '"' && is_clean(out, n) ? arena_dup_n(a, out, n) : NULL;
}

/* ; name="…"; filename="…" */
static bool read_disposition(struct arena *a, struct cursor c, struct multipart_head *out)
{
    if (out->name || !skip(&c, "form-data")) {
        return false;
    }
    for (skip_blanks(&c); c.at < c.end; skip_blanks(&c)) {
        struct cursor key = c;
        if (!skip(&key, ";")) {
            return false;
        }
        skip_blanks(&key);
        c = key;
        c.at += token(&key);
        if (c.at == key.at || !skip(&c, "=")) {
            return false;
        }
        const char *value = parameter(a, &c);
        const char **place = skip(&key, "name=") ? &out->name : skip(&key, "filename=") ? &out->filename : NULL;
        if (!value || (place && *place)) {
            return false;
        }
        if (place) {
            *place = value;
        }
    }
    return out->name != NULL;
}

static bool head_read_line(struct arena *a, struct cursor c, struct multipart_head *out)
{
    struct cursor name = c;
    c.at += token(&c);
    if (c.at == name.at || !skip(&c, ":")) {
        return false;
    }
    skip_blanks(&c);
    while (c.end > c.at && (c.end[-1] == ' ' || c.end[-1] == '\t')) {
        c.end--;
    }
    if (skip(&name, "content-disposition:")) {
        return read_disposition(a, c, out);
    }
    if (skip(&name, "content-type:")) {
        bool good = !out->type && is_clean(c.at, (size_t)(c.end - c.at));
        out->type = arena_dup_n(a, c.at, (size_t)(c.end - c.at));
        return good;
    }
    if (skip(&name, "content-transfer-encoding:")) { /* these say: none */
        return (skip(&c, "7bit") || skip(&c, "8bit") || skip(&c, "binary")) && c.at == c.end;
    }
    return true;
}

static const char *base_name(const char *path)
{
    const char *name = path + strlen(path);
    while (name > path && name[-1] != '/' && name[-1] != '\\') {
        name--;
    }
    return name;
}

bool multipart_head_parse(struct arena *a, const char *text, size_t length, struct multipart_head *out)
{
    *out = (struct multipart_head){0};
    while (length > 0) {
        const char *end = memchr(text, '\r', length);
        size_t size = end ? (size_t)(end - text) : length;
        if (size + 1 >= length || text[size + 1] != '\n' || memchr(text, '\n', size) ||
            !head_read_line(a, (struct cursor){text, text + size}, out)) {
            return false;
        }
        text += size + 2;
        length -= size + 2;
    }
    out->filename = out->filename ? base_name(out->filename) : NULL;
    return out->name != NULL;
}
