/* fuzz_template.c - any text as a template, rendered over hostile data: mistakes are reported with their lines, and no
 * < of the data comes out as it is unless the template says so with {{{x}}} or {{&x}}. Form feeds divide the input into
 * the templates main, a and b. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "fuzz.h"
#include "view/template.h"

#define MARK "\1<\1"

/* {{{x}}}, {{&x}}, or other delimiters, with which these cannot be recognised by a glance. */
static bool may_print_raw(const char *data, size_t size)
{
    return fuzz_has(data, size, "&") || fuzz_has(data, size, "=") || fuzz_has(data, size, "{{{") ||
           fuzz_has(data, size, MARK);
}

/* Partials that include each other several times multiply; that is their author's business and not to be waited for. */
static bool multiplies(const char *data, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        n += data[i] == '>';
    }
    return n > 2;
}

static yyjson_mut_val *document(yyjson_mut_doc *doc)
{
    static const char json[] =
        "{\"x\": \"\\u0001<\\u0001\", \"y\": \"\", \"n\": 7, \"t\": true, \"f\": false, \"z\": null,"
        "\"o\": {\"x\": \"\\u0001<\\u0001\", \"o\": {\"y\": \"<'\\\"&\"}}, \"l\": [\"\\u0001<\\u0001\"],"
        "\"m\": [{\"x\": \"inner\"}], \"e\": []}";
    yyjson_doc *parsed = yyjson_read(json, sizeof(json) - 1, 0);
    FUZZ_CHECK(parsed != NULL);
    yyjson_mut_val *root = yyjson_val_mut_copy(doc, yyjson_doc_get_root(parsed));
    yyjson_doc_free(parsed);
    return root;
}

static void render(const struct templates *t, struct arena *a, bool raw)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    struct buffer out = buffer_make(a);
    enum err e = template_render(t, NULL, "main", document(doc), &out);
    FUZZ_CHECK(e == ERR_OK || e == ERR_INVALID);
    FUZZ_CHECK(raw || !strstr(buffer_string(&out), MARK));
    yyjson_mut_doc_free(doc);
}

static void check_report(const char *report)
{
    FUZZ_CHECK(report[0] != '\0');
    for (const char *line = report; *line; line = strchr(line, '\n') + 1) {
        FUZZ_CHECK(strncmp(line, "templates/", 10) == 0 && strchr(line, '\n'));
    }
}

void fuzz_template(const char *data, size_t size)
{
    static const char *const names[] = {"main", "a", "b"};
    struct template_source sources[3];
    struct arena *a = fuzz_arena();
    size_t count = 0, start = 0;
    while (count < 3) {
        const char *end = count < 2 ? memchr(data + start, '\f', size - start) : NULL;
        size_t length = end ? (size_t)(end - data) - start : size - start;
        char *exact = malloc(length ? length : 1); /* not terminated: a read behind the end is seen */
        FUZZ_CHECK(exact != NULL);
        memcpy(exact, data + start, length);
        sources[count] = (struct template_source){names[count], exact, length};
        count++;
        start += length + 1;
        if (!end) {
            break;
        }
    }
    char *said = NULL;
    size_t said_size = 0;
    FILE *report = open_memstream(&said, &said_size);
    struct templates *t = templates_compile(sources, count, NULL, "v", report);
    fclose(report);
    for (size_t i = 0; i < count; i++) {
        free((char *)(uintptr_t)sources[i].text); /* programs do not point into it */
    }
    if (!t) {
        check_report(said);
    } else {
        FUZZ_CHECK(said[0] == '\0');
        if (!multiplies(data, size)) {
            render(t, a, may_print_raw(data, size));
        }
        templates_free(t);
    }
    free(said);
}
