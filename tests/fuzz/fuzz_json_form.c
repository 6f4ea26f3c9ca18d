/* fuzz_json_form.c - JSON bodies: what is taken is text of bounded size, and as a form it is the same pairs. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "http/form.h"
#include "http/json_form.h"

void fuzz_json_form(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    struct http_pairs fields = {0};
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
    }
    fuzz_write_again(a, &fields);
}
