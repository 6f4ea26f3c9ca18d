/* fuzz_form.c - bodies of forms: what is taken is text, and encoding it again gives the same fields. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "fuzz.h"
#include "http/form.h"

void fuzz_form(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    struct http_pairs fields = {0};
    char *exact = malloc(size + 1);
    FUZZ_CHECK(exact != NULL);
    memcpy(exact, data, size);
    bool good = form_parse(a, exact, size, &fields);
    free(exact);
    FUZZ_CHECK(fields.count <= FORM_FIELDS);
    if (!good) {
        return;
    }
    fuzz_write_again(a, &fields);
}
