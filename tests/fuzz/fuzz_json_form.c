/* fuzz_json_form.c - JSON bodies: what is taken is text of bounded size, and as a form it is the same pairs. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "fuzz.h"
#include "http/form.h"
#include "http/json_form.h"

static void encode(struct buffer *b, const char *text)
{
    FUZZ_CHECK(form_is_utf8(text, strlen(text)));
    for (const char *p = text; *p; p++) {
        buffer_printf(b, "%%%02x", (unsigned char)*p);
    }
}

void fuzz_json_form(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    struct http_pairs fields = {0};
    struct http_pairs again = {0};
    struct buffer b = buffer_make(a);
    char *exact = malloc(size + 1);
    FUZZ_CHECK(exact != NULL);
    memcpy(exact, data, size);
    bool good = json_form_parse(a, exact, size, &fields);
    FUZZ_CHECK(memcmp(exact, data, size) == 0);
    free(exact);
    FUZZ_CHECK(fields.count <= FORM_FIELDS);
    if (!good) {
        return;
    }
    for (size_t i = 0; i < fields.count; i++) {
        const struct http_pair *f = &fields.items[i];
        FUZZ_CHECK(strlen(f->name) <= JSON_FORM_NAME && strlen(f->value) <= size);
        buffer_text(&b, i ? "&" : "");
        encode(&b, f->name);
        buffer_char(&b, '=');
        encode(&b, f->value);
    }
    FUZZ_CHECK(form_parse(a, buffer_string(&b), b.length, &again) && again.count == fields.count);
    for (size_t i = 0; i < fields.count; i++) {
        FUZZ_CHECK(strcmp(fields.items[i].name, again.items[i].name) == 0);
        FUZZ_CHECK(strcmp(fields.items[i].value, again.items[i].value) == 0);
    }
}
