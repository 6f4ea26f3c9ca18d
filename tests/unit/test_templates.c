/* test_templates.c - what is ours beyond Mustache: a set of templates for each locale, and developer mode.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <unistd.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/err.h"
#include "base/json.h"
#include "view/json.h"
#include "view/locale.h"
#include "view/template.h"

static struct template_source source(const char *name, const char *text)
{
    return (struct template_source){name, text, strlen(text)};
}

static yyjson_mut_val *document(struct arena *a, const char *json)
{
    yyjson_alc allocator = json_allocator(a);
    yyjson_doc *doc = yyjson_read_opts((char *)(uintptr_t)json, strlen(json), 0, &allocator, NULL);
    assert_non_null(doc);
    yyjson_mut_doc *copy = view_doc(a);
    return yyjson_val_mut_copy(copy, yyjson_doc_get_root(doc));
}

static struct locales *two_locales(void)
{
    static const char en[] = "{\"hi\": \"Hello & <you>\", \"only_en\": \"x\"}";
    static const char ro[] = "{\"hi\": \"Salut\"}";
    const struct locale_source sources[] = {{"ro", ro, sizeof(ro) - 1}, {"en", en, sizeof(en) - 1}};
    return locales_read(sources, 2, stderr);
}

static void test_locales(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct locales *l = two_locales();
    struct template_source s = source("main", "{{t.hi}} {{{t.hi}}} /{{assets_version}}/ {{name}}");
    struct templates *t = templates_compile(&s, 1, l, "abc", stderr);
    static const char *const expected[][2] = {{"en", "Hello &amp; &lt;you&gt; Hello & <you> /abc/ n"},
                                              {"ro", "Salut Salut /abc/ n"},
                                              {"xx", "Hello &amp; &lt;you&gt; Hello & <you> /abc/ n"}};
    for (size_t i = 0; i < 3; i++) {
        struct buffer out = buffer_make(a);
        assert_int_equal(template_render(t, expected[i][0], "main", document(a, "{\"name\": \"n\"}"), &out), ERR_OK);
        assert_string_equal(buffer_string(&out), expected[i][1]);
    }
    templates_free(t);

    char *said = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&said, &size);
    s = source("main", "\n{{t.only_en}}\n{{t.nowhere}}");
    assert_null(templates_compile(&s, 1, l, "abc", report));
    fclose(report);
    assert_string_equal(said, "templates/main.html:3: {{t.nowhere}} is not in locales/en.json\n"
                              "templates/main.html:2: {{t.only_en}} is not in locales/ro.json\n"
                              "templates/main.html:3: {{t.nowhere}} is not in locales/ro.json\n");
    free(said);
    locales_free(l);
    arena_free(a);
}

/* What stands in a page for who reads the template is not sent; what people read is, as it is. */
static void test_small_pages(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"<ul>\n<li class=\"a\">\n{{name}}\n</li>\n</ul>\n", "<ul><li class=a>n</ul>"},
        {"<select><option>a</option>\n<option>b</option></select><li>x</lix>",
         "<select><option>a<option>b</select><li>x</lix>"},
        {"<p>one\ntwo</p>", "<p>one\ntwo</p>"},
        {"<a href=\"/x\" class=\"a b\" title=\"\">", "<a href=/x class=\"a b\" title=\"\">"},
        {"<a href=\"{{name}}\" id=\"p{{name}}\">", "<a href=n id=\"pn\">"},
        {"<a href=\"{{path}}\" id=\"{{nothing}}\" title=\"{{odd}}\">{{odd}}",
         "<a href=/@a/b#c id=\"\" title=\"a b\">a b"},
        {"<a x=\"{{name}}\"{{#name}} y=\"{{{name}}}\"{{/name}}>", "<a x=n y=\"n\">"},
        {"<a x=\"{{sign}}\" y=\"{{quote}}\" z=\"{{t.hi}}\">",
         "<a x=\"a=b\" y=\"&quot;&gt;\" z=\"Hello &amp; &lt;you&gt;\">"},
        {"a=\"{{name}}\"b \"{{name}}\" {{name}}", "a=\"n\"b \"n\" n"},
        {"<a class=\"a{{#name}} b{{/name}}\">", "<a class=\"a b\">"},
        {"<a class=\"a\"{{#name}} b{{/name}}>", "<a class=a b>"},
        {"<br class=\"a\"/><a x=\"a=b\" y=\"a'b\" z=\"<\">", "<br class=\"a\"/><a x=\"a=b\" y=\"a'b\" z=\"<\">"},
        {"say=\"{{t.hi}}\"", "say=\"Hello &amp; &lt;you&gt;\""},
    };
    static const char small_page[] =
        "{\"name\": \"n\", \"path\": \"/@a/b#c\", \"odd\": \"a b\", \"sign\": \"a=b\", \"quote\": \"\\\">\"}";
    struct arena *a = arena_new();
    struct locales *l = two_locales();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct template_source s = source("main", cases[i][0]);
        struct templates *t = templates_compile(&s, 1, l, "abc", stderr);
        struct buffer out = buffer_make(a);
        assert_int_equal(template_render(t, "en", "main", document(a, small_page), &out), ERR_OK);
        assert_string_equal(buffer_string(&out), cases[i][1]);
        templates_free(t);
    }
    locales_free(l);
    arena_free(a);
}

/* --- developer mode ----------------------------------------------------------------------------------------- */

/* At once, as editors do: nobody sees half a file. */
static void write_file(const char *directory, const char *name, const char *text)
{
    char fresh[256];
    char path[256];
    snprintf(fresh, sizeof(fresh), "%s/.fresh", directory);
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *out = fopen(fresh, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    assert_int_equal(rename(fresh, path), 0);
}

static void expect_page(const struct templates *t, const char *expected)
{
    struct arena *a = arena_new();
    struct buffer out = buffer_make(a);
    assert_int_equal(template_render(t, "en", "main", document(a, "{}"), &out), ERR_OK);
    assert_string_equal(buffer_string(&out), expected);
    arena_free(a);
}

static void remove_site(const char *directory)
{
    static const char *const paths[] = {
        "templates/main.html", "templates/more.html", "locales/en.json", "templates", "locales", ""};
    char path[256];
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s", directory, paths[i]);
        remove(path);
    }
}

static void make_site(char *directory)
{
    char path[256];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof(path), "%s/templates", directory);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/locales", directory);
    assert_int_equal(mkdir(path, 0700), 0);
    write_file(directory, "templates/main.html", "one {{t.a}}");
    write_file(directory, "locales/en.json", "{\"a\": \"A\"}");
}

static void test_developer_mode(void **state)
{
    (void)state;
    char directory[] = "/tmp/retwis-test-XXXXXX";
    make_site(directory);
    struct locales *l = locales_load(directory, stderr);
    struct templates *t =
        templates_load(&(struct template_options){.directory = directory, .locales = l, .assets_version = "1"}, stderr);
    assert_non_null(t);
    expect_page(t, "one A");
    write_file(directory, "templates/main.html", "two {{t.a}}, {{> more}}");
    expect_page(t, "one A"); /* a mistake: there is no `more`; the old page stays */
    write_file(directory, "templates/more.html", "more");
    expect_page(t, "two A, more");
    write_file(directory, "locales/en.json", "{\"a\": \"letter\"}");
    expect_page(t, "two letter, more");
    templates_free(t);
    locales_free(l);
    remove_site(directory);
}

static void *visit(void *templates)
{
    for (int i = 0; i < 50; i++) {
        struct arena *a = arena_new();
        struct buffer out = buffer_make(a);
        enum err e = template_render(templates, "en", "main", document(a, "{}"), &out);
        bool good = e == ERR_OK && out.length >= 4;
        arena_free(a);
        if (!good) {
            return templates;
        }
    }
    return NULL;
}

static void test_visitors_while_files_change(void **state)
{
    (void)state;
    char directory[] = "/tmp/retwis-test-XXXXXX";
    make_site(directory);
    struct templates *t = templates_load(&(struct template_options){.directory = directory}, stderr);
    assert_non_null(t);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, visit, t), 0);
    }
    for (int i = 0; i < 50; i++) {
        write_file(directory, "templates/more.html", i % 2 ? "odd" : "even");
        write_file(directory, "templates/main.html", i % 2 ? "{{t.a}} {{> more}}" : "{{> more}}{{> more}}");
    }
    for (size_t i = 0; i < 4; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    templates_free(t);
    remove_site(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locales),
        cmocka_unit_test(test_small_pages),
        cmocka_unit_test(test_developer_mode),
        cmocka_unit_test(test_visitors_while_files_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
