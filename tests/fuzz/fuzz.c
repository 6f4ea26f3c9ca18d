/* fuzz.c - see fuzz.h: what the targets share. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "http/form.h"

fuzz_target fuzz_find(const char *name)
{
    static const struct {
        const char *name;
        fuzz_target target;
    } table[] = {
#define X(name) {#name, fuzz_##name},
        FUZZ_TABLE(X)
#undef X
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(table[i].name, name) == 0) {
            return table[i].target;
        }
    }
    return NULL;
}

void fuzz_fail(const char *promise, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, promise);
    abort();
}

bool fuzz_has(const char *data, size_t size, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= size; i++) {
        if (memcmp(data + i, word, n) == 0) {
            return true;
        }
    }
    return false;
}

struct arena *fuzz_arena(void)
{
    static struct arena *arena;
    if (arena) {
        arena_free(arena); /* not reset: the sanitizer then sees who holds on to it */
    }
    arena = arena_new();
    return arena;
}

static void encode(struct buffer *b, const char *text)
{
    FUZZ_CHECK(form_is_utf8(text, strlen(text)));
    for (const char *p = text; *p; p++) {
        buffer_printf(b, "%%%02x", (unsigned char)*p);
    }
}

void fuzz_write_again(struct arena *a, const struct http_pairs *fields)
{
    struct http_pairs again = {0};
    struct buffer b = buffer_make(a);
    for (size_t i = 0; i < fields->count; i++) {
        buffer_text(&b, i ? "&" : "");
        encode(&b, fields->items[i].name);
        buffer_char(&b, '=');
        encode(&b, fields->items[i].value);
    }
    FUZZ_CHECK(form_parse(a, buffer_string(&b), b.length, &again));
    FUZZ_CHECK(again.count == fields->count);
    for (size_t i = 0; i < fields->count; i++) {
        FUZZ_CHECK(strcmp(fields->items[i].name, again.items[i].name) == 0);
        FUZZ_CHECK(strcmp(fields->items[i].value, again.items[i].value) == 0);
    }
}
