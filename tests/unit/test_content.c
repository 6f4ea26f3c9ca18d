/* test_content.c - the HTML of posts (view/content.h).
 *
 * The last tests put random texts through it and hold the output to its promise: it is well formed, has only the
 * elements and attributes of the lists below, and without its markup it is the text again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/entity_scan.h"
#include "view/content.h"

static const struct content_mention people[] = {{"Alice", "alice", 1}, {"bob", "bob", 2}};

static void html(const char *text, const char *expected)
{
    struct arena *a = arena_new();
    struct buffer out = buffer_make(a);
    content_html(&out, text, strlen(text), "https://r.example", people, 2);
    assert_string_equal(buffer_string(&out), expected);
    arena_free(a);
}

/* In a profile every name is a link, whether there is such a person or not. */
static void test_names_of_anybody(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct buffer out = buffer_make(a);
    const char *text = "with @Bob_2 and a@b.example";
    content_html(&out, text, strlen(text), "https://r.example", NULL, CONTENT_ANYBODY);
    assert_string_equal(buffer_string(&out),
                        "<p>with <span class=\"h-card\"><a href=\"https://r.example/@Bob_2\" "
                        "class=\"u-url mention\">@<span>Bob_2</span></a></span> and a@b.example</p>");
    arena_free(a);
}

/* Lines of a profile: no p, and links that are the author's own pages. */
static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", ""},
        {"a <b> & @", "a &lt;b&gt; &amp; @"},
        {"@x_y", "<span class=\"h-card\"><a href=\"https://r.example/@x_y\" class=\"u-url "
                 "mention\">@<span>x_y</span></a></span>"},
        {"https://a.b/c", "<a href=\"https://a.b/c\" target=\"_blank\" rel=\"me nofollow noopener\"><span "
                          "class=\"invisible\">https://</span>"
                          "<span class=\"\">a.b/c</span><span class=\"invisible\"></span></a>"},
        {"javascript:alert(1)", "javascript:alert(1)"},
        {"#tag", "<a href=\"https://r.example/tags/tag\" class=\"mention hashtag\" rel=\"tag\">#<span>tag</span></a>"},
    };
    struct arena *a = arena_new();
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buffer out = buffer_make(a);
        content_html_line(&out, cases[i].text, "https://r.example");
        assert_string_equal(buffer_string(&out), cases[i].expected);
    }
    arena_free(a);
}

static void test_paragraphs(void **state)
{
    (void)state;
    html("", "");
    html("\n\n", "");
    html("hello", "<p>hello</p>");
    html("a\nb\n\nc\n\n\n\nd", "<p>a<br />b</p><p>c</p><p>d</p>");
    html("\na\n", "<p>a</p>");
    html("#a\n\n@bob\n",
         "<p><a href=\"https://r.example/tags/a\" class=\"mention hashtag\" rel=\"tag\">#<span>a</span></a></p>"
         "<p><span class=\"h-card\"><a href=\"https://r.example/@bob\" class=\"u-url mention\">@<span>bob"
         "</span></a></span></p>");
}

static void test_markup_is_escaped(void **state)
{
    (void)state;
    html("<script>alert('x')</script> & \"q\"",
         "<p>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;q&quot;</p>");
    html("&lt;", "<p>&amp;lt;</p>");
}

static void test_link_html(void **state)
{
    (void)state;
    html("http://a.b/?c=d&e='f",
         "<p><a href=\"http://a.b/?c=d&amp;e=&#39;f\" target=\"_blank\" rel=\"nofollow noopener noreferrer\">"
         "<span class=\"invisible\">http://</span><span class=\"\">a.b/?c=d&amp;e=&#39;f</span>"
         "<span class=\"invisible\"></span></a></p>");
    html("https://www.example.org/123456789012345678901234567890",
         "<p><a href=\"https://www.example.org/123456789012345678901234567890\" target=\"_blank\" "
         "rel=\"nofollow noopener noreferrer\"><span class=\"invisible\">https://www.</span>"
         "<span class=\"ellipsis\">example.org/123456789012345678</span>"
         "<span class=\"invisible\">901234567890</span></a></p>");
    html("https://a.b/一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十",
         "<p><a href=\"https://a.b/一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十\" target=\"_blank\" "
         "rel=\"nofollow noopener noreferrer\"><span class=\"invisible\">https://</span>"
         "<span class=\"ellipsis\">a.b/一二三四五六七八九十一二三四五六七八九十一二三四五六</span>"
         "<span class=\"invisible\">七八九十</span></a></p>");
}

static void test_tag_and_mention_html(void **state)
{
    (void)state;
    html("#ReDis", "<p><a href=\"https://r.example/tags/redis\" class=\"mention hashtag\" "
                   "rel=\"tag\">#<span>ReDis</span></a></p>");
    html("＃标", "<p><a href=\"https://r.example/tags/%E6%A0%87\" class=\"mention hashtag\" "
                 "rel=\"tag\">＃<span>标</span></a></p>");
    html(
        "@ALICE @nobody",
        "<p><span class=\"h-card\"><a href=\"https://r.example/@Alice\" class=\"u-url mention\">@<span>Alice</span></a>"
        "</span> @nobody</p>");
}

/* --- random texts ------------------------------------------------------------------------------------------- */

static uint64_t random_state = 88172645463325252u;

static size_t random_below(size_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (size_t)(random_state % limit);
}

static void random_text(struct buffer *out)
{
    static const char *const pieces[] = {
        "<",
        ">",
        "\"",
        "'",
        "&",
        "&lt;",
        "&#",
        ";",
        "/",
        "\\",
        "=",
        "<script>",
        "</p>",
        "<!--",
        "-->",
        "]]>",
        "http://",
        "https://",
        "https://www.",
        "HTTP://",
        "javascript:",
        "a.b",
        "example.org/",
        ":80",
        "@",
        "#",
        "＃",
        "@alice",
        "@BOB",
        "@nobody",
        "@bob@x.y",
        "#tag",
        "#Тег",
        "#1",
        "?",
        "!",
        ".",
        ",",
        "(",
        ")",
        "[",
        "]",
        " ",
        " ",
        " ",
        "\n",
        "\n\n",
        "\n\n\n",
        "\t",
        "\r",
        "a",
        "Z",
        "0",
        "_",
        "-",
        "é",
        "标签",
        "。",
        "，",
        "😀",
        "\xC2\xA0",
        "\xE2\x80\x8B",
        "\xE2\x80\xAE",
        "\xFF",
        "\xC3",
        "\xE2\x80",
        "\xF0\x9F",
        "\x01",
        "\x7F",
        "onclick=",
        "x y",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "路径路径路径路径路径路径路径路径路径路径路径",
    };
    for (size_t n = random_below(24); n > 0; n--) {
        buffer_text(out, pieces[random_below(sizeof(pieces) / sizeof(pieces[0]))]);
    }
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The one reference at the text as its character. */
static char dereference(const char **at)
{
    static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (size_t i = 0; i < 5; i++) {
        if (starts(*at, names[i])) {
            *at += strlen(names[i]);
            return "&<>\"'"[i];
        }
    }
    fail_msg("unknown reference at %s", *at);
    return 0;
}

/* Reads a quoted value behind `before`, whose text must begin with one of the beginnings. */
static void skip_value(const char **at, const char *before, const char *const *beginnings)
{
    assert_true(starts(*at, before));
    *at += strlen(before);
    bool good = false;
    for (; *beginnings; beginnings++) {
        good |= strncasecmp(*at, *beginnings, strlen(*beginnings)) == 0;
    }
    assert_true(good);
    while (**at != '"') {
        assert_true(**at != '<' && **at != '>' && **at != '\'' && (unsigned char)**at > ' ');
        if (**at == '&') {
            dereference(at);
        } else {
            ++*at;
        }
    }
    ++*at;
}

/* The start tag at the text: one of those that content_html writes. Returns its element. */
static char start_tag(const char **at)
{
    static const char *const addresses[] = {"http://", "https://", NULL};
    static const char *const fixed[] = {"<p>",
                                        "<span>",
                                        "<span class=\"invisible\">",
                                        "<span class=\"ellipsis\">",
                                        "<span class=\"\">",
                                        "<span class=\"h-card\">"};
    static const char *const rests[] = {" target=\"_blank\" rel=\"nofollow noopener noreferrer\">",
                                        " class=\"mention hashtag\" rel=\"tag\">", " class=\"u-url mention\">"};
    for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
        if (starts(*at, fixed[i])) {
            char element = (*at)[1];
            *at += strlen(fixed[i]);
            return element;
        }
    }
    skip_value(at, "<a href=\"", addresses);
    for (size_t i = 0; i < 3; i++) {
        if (starts(*at, rests[i])) {
            *at += strlen(rests[i]);
            return 'a';
        }
    }
    fail_msg("unknown tag at %s", *at);
    return 0;
}

/* Checks the HTML and takes the markup off: <br /> is one line break, the end of a paragraph two. */
static void plain(const char *at, struct buffer *out)
{
    char open[8];
    size_t depth = 0;
    while (*at) {
        if (starts(at, "<br />")) {
            assert_true(depth == 1 && open[0] == 'p');
            buffer_char(out, '\n');
            at += 6;
        } else if (starts(at, "</")) {
            const char *end = strchr(at, '>');
            assert_true(depth > 0 && end && open[--depth] == at[2]);
            assert_true(starts(at, "</p>") || starts(at, "</a>") || starts(at, "</span>"));
            at = end + 1;
            buffer_text(out, depth == 0 && *at ? "\n\n" : "");
        } else if (*at == '<') {
            char element = start_tag(&at);
            assert_true(depth < sizeof(open) && (element == 'p') == (depth == 0));
            open[depth++] = element;
        } else {
            assert_true(depth > 0 && *at != '>' && *at != '"' && *at != '\'');
            buffer_char(out, *at == '&' ? dereference(&at) : *at++);
        }
    }
    assert_int_equal(depth, 0);
}

/* What plain() gives back of a text: no line breaks at its ends, at most two in a row. */
static void normal(const char *text, struct buffer *out)
{
    text += strspn(text, "\n");
    while (*text) {
        size_t breaks = strspn(text, "\n");
        size_t rest = strcspn(text + breaks, "\n");
        if (text[breaks]) {
            buffer_add(out, "\n\n", breaks > 2 ? 2 : breaks);
        }
        buffer_add(out, text + breaks, rest);
        text += breaks + rest;
    }
}

static void test_random_texts(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    for (int i = 0; i < 100000; i++) {
        struct buffer text = buffer_make(a);
        struct buffer out = buffer_make(a);
        struct buffer got = buffer_make(a);
        struct buffer expected = buffer_make(a);
        random_text(&text);
        content_html(&out, buffer_string(&text), text.length, "https://r.example", people, 2);
        plain(buffer_string(&out), &got);
        normal(buffer_string(&text), &expected);
        if (strcasecmp(buffer_string(&got), buffer_string(&expected)) != 0) { /* mentions show the owner's case */
            fail_msg("\"%s\" came back as \"%s\"", buffer_string(&expected), buffer_string(&got));
        }
        arena_reset(a);
    }
    arena_free(a);
}

static void test_random_bytes(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    for (int i = 0; i < 50000; i++) {
        char bytes[40];
        size_t length = random_below(sizeof(bytes));
        for (size_t n = 0; n < length; n++) {
            bytes[n] = (char)random_below(256);
            bytes[n] = bytes[n] ? bytes[n] : '#';
        }
        char *text = arena_dup_n(a, bytes, length);
        struct buffer out = buffer_make(a);
        struct buffer got = buffer_make(a);
        content_html(&out, text, length, "https://r.example", people, 2);
        plain(buffer_string(&out), &got);
        entity_scan_fold(text, length, bytes);
        arena_reset(a);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paragraphs),   cmocka_unit_test(test_names_of_anybody),
        cmocka_unit_test(test_lines),        cmocka_unit_test(test_markup_is_escaped),
        cmocka_unit_test(test_link_html),    cmocka_unit_test(test_tag_and_mention_html),
        cmocka_unit_test(test_random_texts), cmocka_unit_test(test_random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
