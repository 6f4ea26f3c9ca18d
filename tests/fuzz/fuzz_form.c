/* fuzz_form.c - bodies of forms: what is taken is text, and encoding it again gives the same fields. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "fuzz.h"
#include "http/form.h"

static void encode(struct buffer *b, const char *text)
{
    FUZZ_CHECK(form_is_utf8(text, strlen(text)));
    for (const char *p = text; *p; p++) {
        buffer_printf(b, "%%%02x", (unsigned char)*p);
    }
}

void fuzz_form(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    struct http_pairs fields = {0};
    struct http_pairs again = {0};
    struct buffer b = buffer_make(a);
    char *exact = malloc(size + 1);
    FUZZ_CHECK(exact != NULL);
    memcpy(exact, data, size);
    bool good = form_parse(a, exact, size, &fields);
    free(exact);
    FUZZ_CHECK(fields.count <= FORM_FIELDS);
    if (!good) {
        return;
    }
    for (size_t i = 0; i < fields.count; i++) {
        buffer_text(&b, i ? "&" : "");
        encode(&b, fields.items[i].name);
        buffer_char(&b, '=');
        encode(&b, fields.items[i].value);
    }
    FUZZ_CHECK(form_parse(a, buffer_string(&b), b.length, &again));
    FUZZ_CHECK(again.count == fields.count);
    for (size_t i = 0; i < fields.count; i++) {
        FUZZ_CHECK(strcmp(fields.items[i].name, again.items[i].name) == 0);
        FUZZ_CHECK(strcmp(fields.items[i].value, again.items[i].value) == 0);
    }
}
