/* test_template.c - each rule of the Mustache specification that the templates rely on, and the limits of ours.
 *
 * The cases are our own; the official specification's were run once with the same interface.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/err.h"
#include "base/json.h"
#include "view/json.h"
#include "view/template.h"

struct partial {
    const char *name;
    const char *text;
};

static const struct partial none[] = {{NULL, NULL}};

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

static struct templates *compile(const char *text, const struct partial *partials, FILE *report)
{
    struct template_source sources[16] = {source("main", text)};
    size_t count = 1;
    for (; partials->name; partials++) {
        sources[count++] = source(partials->name, partials->text);
    }
    return templates_compile(sources, count, NULL, "v1", report);
}

static void render(const char *text, const struct partial *partials, const char *json, const char *expected)
{
    struct arena *a = arena_new();
    struct templates *t = compile(text, partials, stderr);
    assert_non_null(t);
    struct buffer out = buffer_make(a);
    assert_int_equal(template_render(t, NULL, "main", document(a, json), &out), ERR_OK);
    assert_string_equal(buffer_string(&out), expected);
    templates_free(t);
    arena_free(a);
}

/* Compiles what must be refused, and looks for `expected` in the report. */
static void refuse(const char *text, const struct partial *partials, const char *expected)
{
    char *said = NULL;
    size_t size = 0;
    FILE *report = open_memstream(&said, &size);
    assert_null(compile(text, partials, report));
    fclose(report);
    if (!strstr(said, expected)) {
        fail_msg("\"%s\" is not in \"%s\"", expected, said);
    }
    free(said);
}

#define PARTIALS(...) ((const struct partial[]){__VA_ARGS__, {NULL, NULL}})

/* --- variables ---------------------------------------------------------------------------------------------- */

static void test_variables(void **state)
{
    (void)state;
    render("", none, "{}", "");
    render("Hello {Mustache}!\n", none, "{}", "Hello {Mustache}!\n");
    render("Hello {{name}}, {{ name }}!", none, "{\"name\": \"Joe\"}", "Hello Joe, Joe!");
    render("({{none}}{{{none}}}{{&none}})", none, "{}", "()");
    render("({{n}}{{{n}}}{{&n}})", none, "{\"n\": null}", "()");
    render("({{o}}{{l}})", none, "{\"o\": {\"a\": 1}, \"l\": [1]}", "()");
    render("  {{s}}\n", none, "{\"s\": \"-\"}", "  -\n");
}

static void test_escaping(void **state)
{
    (void)state;
    const char *json = "{\"x\": \"<a href=\\\"b\\\">'&'\"}";
    render("{{x}}", none, json, "&lt;a href=&quot;b&quot;&gt;&#39;&amp;&#39;");
    render("{{{x}}}", none, json, "<a href=\"b\">'&'");
    render("{{{ x }}}{{& x }}", none, json, "<a href=\"b\">'&'<a href=\"b\">'&'");
    render("{{x}}", none, "{\"x\": \"a\\u0000<\"}", "a"); /* a C string ends there; the rest is checked below */
}

static void test_numbers(void **state)
{
    (void)state;
    render("{{n}} {{{n}}} {{&n}}", none, "{\"n\": 85}", "85 85 85");
    render("{{n}}", none, "{\"n\": 18446744073709551615}", "18446744073709551615");
    render("{{n}}", none, "{\"n\": -9223372036854775808}", "-9223372036854775808");
    render("{{n}}", none, "{\"n\": 1.210}", "1.21");
    render("{{n}}", none, "{\"n\": 0.1}", "0.1");
    render("{{t}} {{f}}", none, "{\"t\": true, \"f\": false}", "true false");
}

static void test_dotted_names(void **state)
{
    (void)state;
    render("{{a.b.c.name}}", none, "{\"a\": {\"b\": {\"c\": {\"name\": \"Phil\"}}}}", "Phil");
    render("{{a.b.c}}", none, "{\"a\": {}}", "");
    render("{{a.b.c}}", none, "{\"a\": {\"b\": \"text\"}}", "");
    render("{{a.b.name}}", none, "{\"a\": {\"b\": {}}, \"name\": \"x\"}", "");
    render("{{#a}}{{b.c}}{{/a}}", none, "{\"a\": {\"b\": {\"c\": 1}}, \"b\": {\"c\": 2}}", "1");
    render("{{#a}}{{b.c}}{{/a}}", none, "{\"a\": {\"b\": {}}, \"b\": {\"c\": 2}}", "");
    render("{{a.b}}", none, "{\"a.b\": 1}", "");
    render("{{#a.b}}yes{{/a.b}}{{^a.c}}no{{/a.c}}", none, "{\"a\": {\"b\": {\"x\": 1}}}", "yesno");
}

/* --- sections ----------------------------------------------------------------------------------------------- */

static void test_truth(void **state)
{
    (void)state;
    static const char *const falses[] = {"false", "null", "[]", "\"\""};
    static const char *const truths[] = {"true", "0", "1", "{}", "\"x\"", "[0]", "[null]"};
    char json[64];
    for (size_t i = 0; i < sizeof(falses) / sizeof(falses[0]); i++) {
        snprintf(json, sizeof(json), "{\"v\": %s}", falses[i]);
        render("{{#v}}yes{{/v}}{{^v}}no{{/v}}", none, json, "no");
    }
    for (size_t i = 0; i < sizeof(truths) / sizeof(truths[0]); i++) {
        snprintf(json, sizeof(json), "{\"v\": %s}", truths[i]);
        render("{{#v}}yes{{/v}}{{^v}}no{{/v}}", none, json, "yes");
    }
    render("{{#v}}yes{{/v}}{{^v}}no{{/v}}", none, "{}", "no");
}

static void test_context(void **state)
{
    (void)state;
    render("{{#o}}Hi {{name}}{{x}}.{{/o}}", none, "{\"o\": {\"name\": \"Joe\"}, \"x\": \"!\"}", "Hi Joe!.");
    render("{{#o}}{{name}}{{/o}}{{name}}", none, "{\"o\": {\"name\": \"in\"}, \"name\": \"out\"}", "inout");
    render("{{#a}}{{one}}{{#b}}{{one}}{{two}}{{#c}}{{one}}{{two}}{{three}}{{/c}}{{/b}}{{one}}{{/a}}{{one}}", none,
           "{\"a\": {\"one\": 1}, \"b\": {\"two\": 2}, \"c\": {\"three\": 3}}", "1121231");
    render("{{#s}}{{.}}, {{name}}{{/s}}", none, "{\"s\": \"str\", \"name\": \"n\"}", "str, n");
    render("{{^a}}{{name}}{{/a}}", none, "{\"name\": \"n\"}", "n");
}

static void test_lists(void **state)
{
    (void)state;
    render("{{#l}}{{i}}{{/l}}", none, "{\"l\": [{\"i\": 1}, {\"i\": 2}, {\"i\": 3}]}", "123");
    render("{{#l}}{{n}}{{i}}{{/l}}", none, "{\"n\": 0, \"l\": [{\"i\": 1}, {\"i\": 2}]}", "0102");
    render("{{#l}}({{.}}){{/l}}", none, "{\"l\": [1, 2.5, \"<\", true]}", "(1)(2.5)(&lt;)(true)");
    render("{{#l}}({{{.}}}{{&.}}){{/l}}", none, "{\"l\": [\"<\"]}", "(<<)");
    render("{{#l}}({{#.}}{{.}}{{/.}}){{/l}}", none, "{\"l\": [[1, 2], [], [3]]}", "(12)()(3)");
    render("{{#.}}({{v}}){{/.}}", none, "[{\"v\": \"a\"}, {\"v\": \"b\"}]", "(a)(b)");
    render("{{#l}}{{#m}}{{a}}{{b}} {{/m}}{{/l}}", none,
           "{\"l\": [{\"a\": 1, \"m\": [{\"b\": 2}, {\"b\": 3}]}, {\"a\": 4, \"m\": [{\"b\": 5}]}]}", "12 13 45 ");
    render("{{#l}}{{^.}}-{{/.}}{{#.}}+{{/.}}{{/l}}", none, "{\"l\": [false, true, null, \"\"]}", "-+--");
}

static void test_nesting(void **state)
{
    (void)state;
    render("{{#t}}A{{#t}}B{{/t}}C{{/t}}D", none, "{\"t\": true}", "ABCD");
    render("{{#f}}A{{#f}}B{{/f}}C{{/f}}D{{^f}}E{{^f}}F{{/f}}{{/f}}", none, "{\"f\": false}", "DEF");
    render("{{#t}}{{^f}}1{{/f}}{{^t}}2{{/t}}{{/t}}", none, "{\"t\": true}", "1");
}

/* --- white space -------------------------------------------------------------------------------------------- */

static void test_standalone_lines(void **state)
{
    (void)state;
    const char *json = "{\"t\": true}";
    render("|\n{{#t}}\n|\n{{/t}}\n|\n", none, json, "|\n|\n|\n");
    render("|\n  {{#t}}  \n|\n\t{{/t}}\n|\n", none, json, "|\n|\n|\n");
    render("|\r\n{{#t}}\r\n{{/t}}\r\n|", none, json, "|\r\n|");
    render("  {{#t}}\n#{{/t}}\n/", none, json, "#\n/");
    render("#{{#t}}\n/\n  {{/t}}", none, json, "#\n/\n");
    render(" {{#t}}YES{{/t}}\n {{#t}}GOOD{{/t}}\n", none, json, " YES\n GOOD\n");
    render(" | {{#t}} {{! x }}\n {{/t}} | \n", none, json, " |  \n  | \n");
    render("{{#t}}{{/t}}\n", none, json, "\n"); /* two tags on a line: neither is alone */
    render("a\n{{^n}}\nb\n{{/n}}\nc", none, json, "a\nb\nc");
}

static void test_comments(void **state)
{
    (void)state;
    render("12345{{! a comment }}67890", none, "{}", "1234567890");
    render("12345{{!\n  of\n  lines\n}}67890\n", none, "{}", "1234567890\n");
    render("a\n  {{! alone }}\nb\n", none, "{}", "a\nb\n");
    render("a\n  {{!\n alone\n  }}\nb\n", none, "{}", "a\nb\n");
    render("  12 {{! 34 }}\n", none, "{}", "  12 \n");
    render("{{! {{#x }}", none, "{}", "");
}

static void test_delimiters(void **state)
{
    (void)state;
    const char *json = "{\"s\": true, \"d\": \"<\"}";
    render("{{=<% %>=}}(<%d%>)", none, json, "(&lt;)");
    render("{{=| |=}}|&d||{d}|", none, json, "<<");
    render("{{= @   @ =}}@d@{{d}}", none, json, "&lt;{{d}}");
    render("[\n{{#s}}\n{{d}}|d|\n{{/s}}\n{{= | | =}}\n|#s|\n{{d}}|d|\n|/s|\n]\n", none, json,
           "[\n&lt;|d|\n{{d}}&lt;\n]\n");
    render("{{=<% %>=}}<%> p %>", PARTIALS({"p", "{{d}}<%d%>"}), json, "&lt;<%d%>");
    render("{{> p}}{{d}}", PARTIALS({"p", "{{=<% %>=}}<%d%>"}), json, "&lt;&lt;");
    render("a\n  {{=<% %>=}}  \nb", none, json, "a\nb");
}

static void test_partials(void **state)
{
    (void)state;
    render("\"{{>p}}\"", PARTIALS({"p", "from {{x}}"}), "{\"x\": 1}", "\"from 1\"");
    render("{{#l}}{{> p }}{{/l}}", PARTIALS({"p", "*{{.}}*"}), "{\"l\": [1, 2]}", "*1**2*");
    render("{{>a}}", PARTIALS({"a", "({{>b}})"}, {"b", "{{x}}"}), "{\"x\": 1}", "(1)");
    render("| {{>p}} |", PARTIALS({"p", "\t|\t"}), "{}", "| \t|\t |");
    render("{{>node}}", PARTIALS({"node", "{{c}}<{{#n}}{{>node}}{{/n}}>"}),
           "{\"c\": \"X\", \"n\": [{\"c\": \"Y\", \"n\": []}]}", "X<Y<>>");
}

static void test_partial_indentation(void **state)
{
    (void)state;
    render("  {{x}}  {{> p}}\n", PARTIALS({"p", ">\n>"}), "{\"x\": \"|\"}", "  |  >\n>\n");
    render("|\r\n{{>p}}\r\n|", PARTIALS({"p", ">"}), "{}", "|\r\n>|");
    render("  {{>p}}\n>", PARTIALS({"p", ">\n>"}), "{}", "  >\n  >>");
    render(">\n  {{>p}}", PARTIALS({"p", ">\n>"}), "{}", ">\n  >\n  >");
    render("/\n {{>p}}\n/\n", PARTIALS({"p", "|\n{{{x}}}\n|\n"}), "{\"x\": \"<\\n->\"}", "/\n |\n <\n->\n |\n/\n");
    render(" {{>a}}\n", PARTIALS({"a", "a\n  {{>b}}\n"}, {"b", "b\n{{#t}}\nc\n{{/t}}\n"}), "{\"t\": true}",
           " a\n   b\n   c\n");
}

/* --- ours --------------------------------------------------------------------------------------------------- */

static void test_mistakes(void **state)
{
    (void)state;
    refuse("a\nb {{#x}}", none, "templates/main.html:2: {{#x}} is not closed");
    refuse("{{#x}}\n{{/y}}{{/x}}", none, "templates/main.html:2: {{/y}} closes nothing; open is x");
    refuse("{{/y}}", none, "templates/main.html:1: {{/y}} closes nothing");
    refuse("a\n\n{{x", none, "templates/main.html:3: a tag without its \"}}\"");
    refuse("{{{x}}", none, "a tag without its \"}}}\"");
    refuse("{{>p}}", none, "templates/main.html:1: there is no template \"p\"");
    refuse("{{}}", none, "\"\" is not a name");
    refuse("{{a b}}", none, "\"a b\" is not a name");
    refuse("{{a\nb}}", none, "templates/main.html:1: \"a b\" is not a name\n");
    refuse("{{a..b}}", none, "\"a..b\" is not a name");
    refuse("{{=x=}}", none, "are not two delimiters");
    refuse("{{=<<<<<<<<< >=}}", none, "are not two delimiters");
    refuse("{{#assets_version}}{{/assets_version}}", none, "section over a constant");
    refuse(" {{>p}}", PARTIALS({"p", "a\n {{>p}}\n"}), "indented by more than");
    refuse("{{>p}}\n {{>p}}\n", PARTIALS({"p", "{{>q}}\n  {{>p}}\n"}, {"q", "\t{{>p}}\n   {{>q}}\n"}),
           "too many different indentations");
    refuse("{{/a}}", PARTIALS({"p", "{{/b}}"}), "p.html:1"); /* all of them are reported */
}

static void test_depth(void **state)
{
    (void)state;
    char text[40 * 20] = "";
    for (int i = 0; i < TEMPLATE_SECTIONS; i++) {
        strcat(text, "{{#a}}");
    }
    strcat(text, "x");
    for (int i = 0; i < TEMPLATE_SECTIONS; i++) {
        strcat(text, "{{/a}}");
    }
    render(text, none, "{\"a\": true}", "x");
    char more[sizeof(text) + 32];
    snprintf(more, sizeof(more), "{{#a}}%s{{/a}}", text);
    refuse(more, none, "more than 32 sections");

    struct arena *a = arena_new();
    struct templates *t = compile("{{>p}}", PARTIALS({"p", "{{>p}}"}), stderr);
    struct buffer out = buffer_make(a);
    assert_int_equal(template_render(t, NULL, "main", document(a, "{}"), &out), ERR_INVALID);
    templates_free(t);
    t = compile("{{#a}}{{>p}}{{/a}}", PARTIALS({"p", "{{#a}}{{#a}}{{#a}}{{>p}}{{/a}}{{/a}}{{/a}}"}), stderr);
    assert_int_equal(template_render(t, NULL, "main", document(a, "{\"a\": 1}"), &out), ERR_INVALID);
    assert_int_equal(template_render(t, NULL, "nothing", document(a, "{}"), &out), ERR_NOT_FOUND);
    templates_free(t);
    arena_free(a);
}

static void test_zero_bytes(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct templates *t = compile("{{x}}|", none, stderr);
    struct buffer out = buffer_make(a);
    assert_int_equal(template_render(t, NULL, "main", document(a, "{\"x\": \"a\\u0000<\"}"), &out), ERR_OK);
    assert_int_equal(out.length, 7);
    assert_memory_equal(out.data, "a\0&lt;|", 7);
    templates_free(t);
    arena_free(a);
}

/* Objects of all sizes, asked often: with and without the index of render.c, which is reused from item to item. */
static void test_large_objects(void **state)
{
    (void)state;
    static const unsigned sizes[] = {0, 1, 7, 8, 9, 40, 63, 64, 65, 200};
    struct arena *a = arena_new();
    struct buffer text = buffer_make(a);
    struct buffer json = buffer_make(a);
    struct buffer expected = buffer_make(a);
    buffer_text(&text, "{{#l}}");
    for (unsigned n = 0; n < 200; n++) {
        buffer_printf(&text, "{{k%u}},", n);
    }
    buffer_text(&text, "{{o.x}}{{deep}}{{/l}}");
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        buffer_text(&json, i ? "},{\"\":0" : "{\"k7\":\"root\",\"deep\":\"!\",\"o\":{\"x\":\"?\"},\"l\":[{\"\":0");
        for (unsigned n = 0; n < sizes[i]; n++) {
            buffer_printf(&json, ",\"k%u\":%zu,\"k%u\":\"second\"", n, i * 1000 + n, n);
        }
        for (unsigned n = 0; n < 200; n++) {
            if (n < sizes[i]) {
                buffer_printf(&expected, "%zu", i * 1000 + n);
            } else if (n == 7) {
                buffer_text(&expected, "root");
            }
            buffer_char(&expected, ',');
        }
        buffer_text(&expected, "?!");
    }
    buffer_text(&json, "}]}");
    render(buffer_string(&text), none, buffer_string(&json), buffer_string(&expected));
    arena_free(a);
}

/* Whatever the text is, it is refused with a reason or rendered. */
static void test_random_templates(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "{{",      "}}",     "{{{",       "}}}",         "{{#a}}", "{{/a}}",      "{{^a}}", "{{#b}}",
        "{{/b}}",  "{{>p}}", "{{>main}}", "{{=<% %>=}}", "<%a%>",  "<%={{ }}=%>", "{{!",    "{{.}}",
        "{{a.b}}", "{{&l}}", "{{#l}}",    "{{/l}}",      "=",      "&",           " ",      "  ",
        "\t",      "\n",     "\r\n",      "text",        "\xFF",   "{",           "}"};
    struct arena *a = arena_new();
    FILE *nowhere = fopen("/dev/null", "w");
    srandom(20250304);
    for (int i = 0; i < 30000; i++) {
        struct buffer text = buffer_make(a);
        for (long n = random() % 12; n >= 0; n--) {
            buffer_text(&text, pieces[(size_t)random() % (sizeof(pieces) / sizeof(pieces[0]))]);
        }
        struct templates *t =
            compile(buffer_string(&text), PARTIALS({"p", " {{a}}\n{{#b}}\n<{{.}}>\n{{/b}}\n"}), nowhere);
        if (t) {
            struct buffer out = buffer_make(a);
            yyjson_mut_val *root = document(a, "{\"a\": {\"b\": 1}, \"b\": [1, {}], \"l\": [0, 1, \"<\"]}");
            enum err e = template_render(t, NULL, "main", root, &out);
            assert_true(e == ERR_OK || e == ERR_INVALID);
        }
        templates_free(t);
        arena_reset(a);
    }
    fclose(nowhere);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_escaping),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_dotted_names),
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_standalone_lines),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_delimiters),
        cmocka_unit_test(test_partials),
        cmocka_unit_test(test_partial_indentation),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_zero_bytes),
        cmocka_unit_test(test_large_objects),
        cmocka_unit_test(test_random_templates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
