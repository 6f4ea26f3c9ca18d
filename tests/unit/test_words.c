/* test_words.c - a text as words (base/words.h, base/fold.h): case and accents, scripts without gaps, emoji, and bytes that are no text.
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
#include "base/fold.h"
#include "base/words.h"

#define MOST 1000

/* The words with blanks between; a + stands before one that joins the one before it. */
static const char *shown(struct arena *a, const struct words *w)
{
    struct buffer out = buffer_make(a);
    for (size_t i = 0; i < w->count; i++) {
        const struct word *one = &w->items[i];
        buffer_printf(&out, "%s%s%.*s", i ? " " : "", one->joins ? "+" : "", (int)one->length, one->text);
    }
    return buffer_string(&out);
}

static void words_n(const char *text, size_t length, const char *expected)
{
    struct arena *a = arena_new();
    struct words w = words_split(a, text, length, MOST);
    if (strcmp(shown(a, &w), expected) != 0) {
        fail_msg("\"%.*s\": \"%s\", expected \"%s\"", (int)length, text, shown(a, &w), expected);
    }
    arena_free(a);
}

static void words(const char *text, const char *expected)
{
    words_n(text, strlen(text), expected);
}

static void test_gaps(void **state)
{
    (void)state;
    words("", "");
    words(" \n\t.,;:!?-_/()[]{}<>#@&%$", "");
    words("The quick-brown fox_jumps", "the quick brown fox jumps");
    words("don't l\xE2\x80\x99"
          "amour",
          "don t l amour");
    words("#tag @name https://a.org/B?c=1", "tag name https a org b c 1");
    words("3.14 \xC2\xBD \xD9\xA1\xD9\xA2", "3 14 \xC2\xBD \xD9\xA1\xD9\xA2");
    words("a\xC2\xA0"
          "b\xE2\x80\x8B"
          "c\xE2\x80\xA8"
          "d",
          "a b c d");
    words("\xE2\x82\xAC"
          "5 \xC3\x97 2",
          "5 2");
}

static void test_case_and_accents(void **state)
{
    (void)state;
    words("\xC3\x89T\xC3\x89 \xC3\xA9t\xC3\xA9 ete", "ete ete ete");
    words("e\xCC\x81te\xCC\x81", "ete"); /* the same in two code points */
    words("\xC4\xB0stanbul \xC8\x98i \xC8\x99i \xC5\xA2i", "istanbul si si ti");
    words("\xCE\x91\xCE\xB8\xCE\xAE\xCE\xBD\xCE\xB1", "\xCE\xB1\xCE\xB8\xCE\xB7\xCE\xBD\xCE\xB1"); /* Greek */
    words("\xCE\xA3\xCE\x91\xCE\xA3 \xCF\x83\xCE\xB1\xCF\x82", "\xCF\x83\xCE\xB1\xCF\x83 \xCF\x83\xCE\xB1\xCF\x83");
    words("\xD0\x81\xD0\xB6", "\xD0\xB5\xD0\xB6");
    words("\xD0\x9C\xD0\x9E\xD0\xA1\xD0\x9A\xD0\x92\xD0\x90", "\xD0\xBC\xD0\xBE\xD1\x81\xD0\xBA\xD0\xB2\xD0\xB0");
    words("\xE1\xBB\x87 \xE1\xBA\xA0", "e a");                     /* Vietnamese: two accents */
    words("\xEF\xBC\xA1\xEF\xBD\x82\xEF\xBC\x91", "ab1");          /* full width */
    words("\xD7\xA9\xD6\xB8\xD7\x81\xD7\x9C", "\xD7\xA9\xD7\x9C"); /* Hebrew points */
    words("\xD8\xA8\xD9\x8E\xD8\xAA\xD9\x80", "\xD8\xA8\xD8\xAA"); /* Arabic points, tatweel */
    words("co\xC2\xADop", "coop");                                 /* a soft hyphen */
    words("\xCC\x81", "");                                         /* an accent of nothing */
}

/* Vowel signs of Indic scripts belong to their words. */
static void test_marks_inside(void **state)
{
    (void)state;
    words("\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80 a",
          "\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80 a");
}

static void test_signs(void **state)
{
    (void)state;
    words("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", "\xE6\x97\xA5 +\xE6\x9C\xAC +\xE8\xAA\x9E");
    words("\xE6\x97\xA5 \xE6\x9C\xAC\xE3\x80\x82\xE8\xAA\x9E", "\xE6\x97\xA5 \xE6\x9C\xAC \xE8\xAA\x9E");
    words("C\xE8\xAA\x9E"
          "x2",
          "c \xE8\xAA\x9E x2");
    words("\xEC\x84\x9C\xEC\x9A\xB8", "\xEC\x84\x9C +\xEC\x9A\xB8");
    words("\xE3\x81\x8B\xE3\x82\x99", "\xE3\x81\x8B");               /* a mark of voice by itself */
    words("\xE0\xB9\x84\xE0\xB8\x97", "\xE0\xB9\x84 +\xE0\xB8\x97"); /* Thai */
    words("\xF0\xA0\x80\x80\xF0\xA0\x80\x81", "\xF0\xA0\x80\x80 +\xF0\xA0\x80\x81");
}

static void test_emoji(void **state)
{
    (void)state;
    words("party\xF0\x9F\x8E\x89now", "party \xF0\x9F\x8E\x89 now");
    words("\xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD", "\xF0\x9F\x91\x8D");                               /* a colour of skin */
    words("\xE2\x9D\xA4\xEF\xB8\x8F", "\xE2\x9D\xA4");                                           /* a selector */
    words("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", "\xF0\x9F\x91\xA9 +\xF0\x9F\x92\xBB"); /* joined */
}

static void test_bytes_that_are_no_text(void **state)
{
    (void)state;
    words("a\xFF"
          "b",
          "a b");
    words("a\xC3", "a");
    words("\xE6\x97", "");
    words("\xC0\x80\xED\xA0\x80x\xF5\x80\x80\x80y", "x y");
    words_n("a\0b", 3, "a b");
}

static void test_lengths(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    char text[4 * WORDS_LONGEST + 1], cut[WORDS_LONGEST + 1];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    memset(cut, 'x', WORDS_LONGEST);
    cut[WORDS_LONGEST] = '\0';
    words(text, cut);
    /* no letter is cut in two: 39 bytes and one of three */
    memset(text, 'x', WORDS_LONGEST - 1);
    strcpy(text + WORDS_LONGEST - 1, "\xE1\x83\x90z");
    cut[WORDS_LONGEST - 1] = '\0';
    struct words w = words_split(a, text, strlen(text), MOST);
    assert_int_equal(w.count, 1);
    assert_memory_equal(w.items[0].text, cut, WORDS_LONGEST - 1);
    /* so many words and no more, whatever they are */
    w = words_split(a, "a b c\xE6\x97\xA5\xE6\x9C\xAC", 11, 3);
    assert_string_equal(shown(a, &w), "a b c");
    w = words_split(a, "a b \xE6\x97\xA5\xE6\x9C\xAC", 10, 3);
    assert_string_equal(shown(a, &w), "a b \xE6\x97\xA5");
    w = words_split(a, "a", 1, 0);
    assert_int_equal(w.count, 0);
    arena_free(a);
}

/* A letter that becomes longer when it is folded has room. */
static void test_growth(void **state)
{
    (void)state;
    char text[2 * 1000 + 1] = "";
    struct arena *a = arena_new();
    for (int i = 0; i < 1000; i += 2) {
        memcpy(text + 2 * i, "\xC8\xBA ", 3);
        text[2 * i + 3] = ' ';
    }
    struct words w = words_split(a, text, strlen(text), MOST);
    assert_int_equal(w.count, 500);
    assert_true(w.items[499].length >= 1);
    arena_free(a);
}

static bool have(const char *text, const char *part)
{
    struct arena *a = arena_new();
    struct words all = words_split(a, text, strlen(text), MOST), some = words_split(a, part, strlen(part), MOST);
    bool found = words_have(&all, &some);
    arena_free(a);
    return found;
}

static void test_phrases(void **state)
{
    (void)state;
    assert_true(have("one two three", "two three"));
    assert_true(have("one two three", "ONE"));
    assert_true(have("one, two", "one two"));
    assert_false(have("one two three", "one three"));
    assert_false(have("one two three", "three four"));
    assert_false(have("one two", "one two two"));
    assert_false(have("ones", "one"));
    assert_false(have("one", "ones"));
    assert_true(have("one one two", "one two"));
    assert_true(have("x", ""));
    assert_true(have("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E", "\xE6\x9C\xAC\xE8\xAA\x9E"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps),         cmocka_unit_test(test_case_and_accents),
        cmocka_unit_test(test_marks_inside), cmocka_unit_test(test_signs),
        cmocka_unit_test(test_emoji),        cmocka_unit_test(test_bytes_that_are_no_text),
        cmocka_unit_test(test_lengths),      cmocka_unit_test(test_growth),
        cmocka_unit_test(test_phrases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
