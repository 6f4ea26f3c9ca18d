/* test_entity_scan.c - what is a link, a tag, a mention (base/entity_scan.h). Random texts go through the scanner
 * in test_content.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/entity_scan.h"

/* The entities of the text as "kind:name|kind:name". */
static void scan(const char *text, const char *expected)
{
    static const char *const kinds[] = {"link", "tag", "mention"};
    struct arena *a = arena_new();
    struct buffer out = buffer_make(a);
    struct entity_scan s = entity_scan_start(text, strlen(text));
    for (struct entity e; entity_scan_next(&s, &e);) {
        buffer_printf(&out, "%s%s:%.*s", out.length ? "|" : "", kinds[e.kind], (int)e.name_length, e.name);
    }
    if (strcmp(buffer_string(&out), expected) != 0) {
        fail_msg("\"%s\": \"%s\", expected \"%s\"", text, buffer_string(&out), expected);
    }
    arena_free(a);
}

static void test_links(void **state)
{
    (void)state;
    scan("https://example.org", "link:https://example.org");
    scan("see HTTPS://Example.org/A b", "link:HTTPS://Example.org/A");
    scan("http://localhost:8080/x?y=1&z=2#f", "link:http://localhost:8080/x?y=1&z=2#f");
    scan("a http://b.c, http://d.e/f.", "link:http://b.c|link:http://d.e/f");
    scan("\"http://a.b/c\" <http://a.b/d> 'http://a.b/e'", "link:http://a.b/c|link:http://a.b/d|link:http://a.b/e");
    scan("http://a.b/c!?... http://a.b/?", "link:http://a.b/c|link:http://a.b/");
    scan("ftp://a.b javascript://a.b/ data:text/html,x file:///etc", "");
    scan("http:// https:/// http://. http://- http", "");
    scan("xhttp://a.b 1https://a.b _http://a.b", "");
    scan("http://a.b:80 http://a.b:8x/ http://a.b:/c http://a.b:",
         "link:http://a.b:80|link:http://a.b|link:http://a.b");
    scan("http://a.b/\\c http://a.b/`c", "link:http://a.b/|link:http://a.b/");
    scan("http://a.b/#tag http://a.b/@name", "link:http://a.b/#tag|link:http://a.b/@name");
    scan("http://a.b\nhttp://c.d", "link:http://a.b|link:http://c.d");
}

static void test_links_with_user_info_are_none(void **state)
{
    (void)state;
    scan("https://bank.example@evil.example/", "");
    scan("https://bank.example:secret@evil.example/", "");
    scan("https://bank.example:80@evil.example/", "");
}

static void test_brackets_around_links(void **state)
{
    (void)state;
    scan("(http://a.b/c)", "link:http://a.b/c");
    scan("(see http://a.b/c).", "link:http://a.b/c");
    scan("http://en.example/wiki/C_(language)", "link:http://en.example/wiki/C_(language)");
    scan("(http://en.example/wiki/C_(language))", "link:http://en.example/wiki/C_(language)");
    scan("[http://a.b/c] http://a.b/x[1]", "link:http://a.b/c|link:http://a.b/x[1]");
    scan("http://a.b/c(d", "link:http://a.b/c(d");
    scan("http://a.b/c(", "link:http://a.b/c");
    scan("*http://a.b/c*", "link:http://a.b/c");
}

static void test_links_in_other_scripts(void **state)
{
    (void)state;
    scan("http://münchen.example/straße", "link:http://münchen.example/straße");
    scan("看https://example.com/路径/页。好", "link:https://example.com/路径/页");
    scan("（https://example.com/a）", "link:https://example.com/a");
    scan("https://example.com/a，https://example.com/b！", "link:https://example.com/a|link:https://example.com/b");
    scan("https://example.com/a\xC2\xA0"
         "b https://example.com/c\xE3\x80\x80"
         "d",
         "link:https://example.com/a|link:https://example.com/c");
    scan("“https://example.com/a” https://example.com/b…", "link:https://example.com/a|link:https://example.com/b");
    scan("https://example.com/😀", "link:https://example.com/😀");
}

static void test_tags(void **state)
{
    (void)state;
    scan("#redis", "tag:redis");
    scan("a #b_1, #c.#d #E!", "tag:b_1|tag:c|tag:d|tag:E");
    scan("#1 #2024 #_ #1_2 # ## #!", "");
    scan("#1st #_a #a1", "tag:1st|tag:_a|tag:a1");
    scan("a#b http://x.y/#c /#d &#39; =#e ##f", "link:http://x.y/#c");
    scan("#naïve #Ünïcode #Привет #ελληνικά #עברית #हिन्दी",
         "tag:naïve|tag:Ünïcode|tag:Привет|tag:ελληνικά|tag:עברית|tag:हिन्दी");
    scan("好#标签。#日本語、#한국어!", "tag:标签|tag:日本語|tag:한국어");
    scan("＃全角 #a·b #a—b #a…", "tag:全角|tag:a|tag:a|tag:a");
    scan("#😀 #a😀 #×", "tag:a");
    scan("é#a", "");
}

static void test_mentions(void **state)
{
    (void)state;
    scan("@alice", "mention:alice");
    scan("@alice,@bob @Bob_2!", "mention:alice|mention:bob|mention:Bob_2");
    scan("a@b.c é@b http://x.y/@c /@d =@e @@f @ @-", "link:http://x.y/@c");
    scan("@alice@example.org @bob@ @carol@.", "mention:bob|mention:carol");
    scan("你好@alice你好", "mention:alice");
    scan("(@alice) \"@bob\" @carol's", "mention:alice|mention:bob|mention:carol");
    scan("@élan", "");
}

static void test_scan_of_invalid_bytes(void **state)
{
    (void)state;
    scan("#a\xFF#b \xC3@c \xE4\xBD", "tag:a|tag:b|mention:c");
    scan("http://a.b/\xFFx #\xEF\xBC \xEF\xBC\x83", "link:http://a.b/");
}

static void test_fold(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"ReDiS_1", "redis_1"}, {"ÀÖØÞß÷×", "àöøþß÷×"}, {"ĂÂÎȘȚ", "ăâîșț"},
        {"ŁŹŸ", "łźÿ"},         {"ΑΩΆΈ", "αωάέ"},       {"ПРИВЕТЁЇ", "приветёї"},
        {"标签", "标签"},       {"ԱՖ", "աֆ"},           {"áñçİı\xFF", "áñçİı\xFF"},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        char out[64];
        assert_string_equal(entity_scan_fold(pairs[i][0], strlen(pairs[i][0]), out), pairs[i][1]);
        assert_string_equal(entity_scan_fold(pairs[i][1], strlen(pairs[i][1]), out), pairs[i][1]);
    }
}

static void test_tag_names(void **state)
{
    (void)state;
    assert_true(entity_scan_is_tag("redis", 5));
    assert_true(entity_scan_is_tag("标签", 6));
    assert_false(entity_scan_is_tag("", 0));
    assert_false(entity_scan_is_tag("123", 3));
    assert_false(entity_scan_is_tag("a b", 3));
    assert_false(entity_scan_is_tag("#a", 2));
}

/* Texts that would be slow if the scanner looked at anything more than a few times. */
static void test_scan_is_linear(void **state)
{
    (void)state;
    static const char *const units[] = {"http://", "http://a:", "#", "@a@", "#1", "http://a(", "h", "＃", "@", "#a"};
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        struct buffer text = buffer_make(a);
        while (text.length < 1000 * 1000) {
            buffer_text(&text, units[i]);
        }
        clock_t start = clock();
        struct entity_scan s = entity_scan_start(text.data, text.length);
        for (struct entity e; entity_scan_next(&s, &e);) {
            assert_true(e.length > 0 && e.offset + e.length <= text.length);
        }
        assert_true(clock() - start < 2 * CLOCKS_PER_SEC); /* of this processor, whatever else the machine does */
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_links_with_user_info_are_none),
        cmocka_unit_test(test_brackets_around_links),
        cmocka_unit_test(test_links_in_other_scripts),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_mentions),
        cmocka_unit_test(test_scan_of_invalid_bytes),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_tag_names),
        cmocka_unit_test(test_scan_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
