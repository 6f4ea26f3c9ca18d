/* test_format.c - our own formatting and calendar against those of the C library; likeness of words, lists of
 * entries. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/id.h"
#include "base/text.h"

static size_t ours(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static size_t ours(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t length = format_write(out, size, format, args);
    va_end(args);
    return length;
}

/* Both write the same into any room, and return the same. */
#define same(...)                                                                                                      \
    do {                                                                                                               \
        for (size_t room = 0; room < 90; room++) {                                                                     \
            char a[100], b[100];                                                                                       \
            memset(a, '#', sizeof(a));                                                                                 \
            memset(b, '#', sizeof(b));                                                                                 \
            assert_int_equal(ours(a, room, __VA_ARGS__), snprintf(b, room, __VA_ARGS__));                              \
            assert_memory_equal(a, b, sizeof(a));                                                                      \
        }                                                                                                              \
    } while (0)

static void test_plain(void **state)
{
    (void)state;
    same("nothing");
    same("%s", "");
    same("/@%s/%s", "alice", "123456789012345678");
    same("%s%c%s", "a", '%', "b");
    same("{%u}:%u", 0u, UINT_MAX);
    same("%d %d %d", 0, INT_MAX, INT_MIN);
    same("%llu %llu", 0ull, ULLONG_MAX);
    same("%lld %lld %lld", -1ll, LLONG_MAX, LLONG_MIN);
    same("%zu", (size_t)1000);
}

static void test_others(void **state)
{
    (void)state;
    same("%s %%", "percent");
    same("%02d:%5s|%-5s|%.3s", 7, "a", "b", "abcdef");
    same("%.*s and %s", 2, "abc", "def");
    same("%s %x %.2f", "then", 255u, 1.5);
    same("%ld", 5l);
}

static void test_numbers(void **state)
{
    (void)state;
    for (uint64_t n = 1, i = 0; i < 64; i++, n = n * 2 + i % 2) {
        char expected[32], digits[FORMAT_DIGITS + 1], id[ID_SIZE];
        snprintf(expected, sizeof(expected), "%llu", (unsigned long long)n);
        digits[format_number(digits, n)] = '\0';
        assert_string_equal(digits, expected);
        assert_string_equal(id_write(n, id), expected);
    }
}

/* Around the end of a block, and for texts longer than one. */
static void test_arena(void **state)
{
    (void)state;
    static char text[100000];
    memset(text, 'x', sizeof(text) - 1);
    struct arena *a = arena_new();
    for (size_t i = 0; i < 20000; i++) {
        char expected[64];
        snprintf(expected, sizeof(expected), "%.*s:%zu", (int)(i % 40), text, i);
        text[i % 40] = '\0';
        assert_string_equal(arena_printf(a, "%s:%zu", text, i), expected);
        text[i % 40] = 'x';
    }
    assert_string_equal(arena_printf(a, "%s", text), text);
    struct buffer b = buffer_make(a);
    for (size_t i = 0; i < 1000; i++) {
        buffer_printf(&b, "%s", "0123456789");
    }
    assert_int_equal(b.length, 10000);
    assert_int_equal(strspn(buffer_string(&b), "0123456789"), 10000);
    arena_free(a);
}

static void test_html(void **state)
{
    (void)state;
    struct arena *a = arena_new();
    struct buffer b = buffer_make(a);
    buffer_html(&b, "<a href=\"x\">&'\xc3\xa9\0end", 20);
    assert_int_equal(b.length, strlen("&lt;a href=&quot;x&quot;&gt;&amp;&#39;\xc3\xa9") + 4);
    assert_memory_equal(b.data, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\xc3\xa9\0end", b.length);
    arena_free(a);
}

static void check_iso(uint64_t ms)
{
    char expected[80], iso[CLOCK_ISO_SIZE];
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    size_t n = strftime(expected, sizeof(expected), "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(expected + n, sizeof(expected) - n, ".%03uZ", (unsigned)(ms % 1000));
    clock_iso(ms, iso);
    assert_string_equal(iso, expected);
}

static void test_iso(void **state)
{
    (void)state;
    const uint64_t day = 86400000;
    for (uint64_t d = 0; d < 150000; d++) { /* 400 years: all kinds of leap years */
        check_iso(d * day);
        check_iso(d * day + day - 1);
    }
    check_iso(253402300799999);
    char iso[CLOCK_ISO_SIZE];
    clock_iso(253402300800000, iso);
    assert_string_equal(iso, "1970-01-01T00:00:00.000Z");
    clock_iso(UINT64_MAX, iso);
    assert_string_equal(iso, "1970-01-01T00:00:00.000Z");
}

static void test_distance(void **state)
{
    (void)state;
    char longest[TEXT_DISTANCE_MAX + 1], longer[TEXT_DISTANCE_MAX + 2];
    memset(longest, 'a', sizeof(longest));
    memset(longer, 'a', sizeof(longer));
    longest[sizeof(longest) - 1] = longer[sizeof(longer) - 1] = '\0';
    const struct {
        const char *a, *b;
        unsigned distance;
    } pairs[] = {
        {"", "", 0},
        {"", "port", 4},
        {"port", "port", 0},
        {"port", "part", 1},  /* changed */
        {"port", "ports", 1}, /* added */
        {"port", "pot", 1},   /* dropped */
        {"port", "prot", 1},  /* swapped, in the middle */
        {"port", "opr", 2},   /* swapped in front, and dropped at the end */
        {"port", "potr", 1},  /* swapped at the end */
        {"abcd", "badc", 2},  /* two swaps */
        {"ca", "abc", 3},     /* nothing comes between letters once swapped */
        {"port", "Port", 1},  /* a capital is another letter */
        {"kitten", "sitting", 3},
        {"port", "limit", 4},
        {longest, longest, 0}, /* as long as may be */
        {longest, "", TEXT_DISTANCE_MAX},
        {longest, longest + 1, 1},
        {longer, longer, TEXT_DISTANCE_MAX}, /* too long even if alike */
        {longer, "", TEXT_DISTANCE_MAX},
    };
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        assert_int_equal(text_distance(pairs[i].a, pairs[i].b), pairs[i].distance);
        assert_int_equal(text_distance(pairs[i].b, pairs[i].a), pairs[i].distance);
    }
}

static void check_entries(const char *list, const char *const *expected)
{
    size_t length;
    for (const char *entry; (entry = text_entry(&list, &length)); expected++) {
        assert_non_null(*expected);
        assert_int_equal(length, strlen(*expected));
        assert_memory_equal(entry, *expected, length);
    }
    assert_null(*expected);
}

static void test_entries(void **state)
{
    (void)state;
    check_entries("", (const char *const[]){NULL});
    check_entries("one", (const char *const[]){"one", NULL});
    check_entries("one,two", (const char *const[]){"one", "two", NULL});
    check_entries(",one,,two,", (const char *const[]){"", "one", "", "two", NULL});
}

static void test_tokens(void **state)
{
    (void)state;
    static const char *const lists[] = {"one,two", " one , two ", "one two", ",,one\t, two,"};
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        const char *list = lists[i];
        size_t length;
        assert_memory_equal(text_token(&list, ", \t", &length), "one", 3);
        assert_int_equal(length, 3);
        assert_memory_equal(text_token(&list, ", \t", &length), "two", 3);
        assert_int_equal(length, 3);
        assert_null(text_token(&list, ", \t", &length));
        assert_null(text_token(&list, ", \t", &length)); /* and it stays at the end */
    }
    const char *blank = " ,\t";
    size_t length;
    assert_null(text_token(&blank, ", \t", &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),    cmocka_unit_test(test_others),  cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_arena),    cmocka_unit_test(test_html),    cmocka_unit_test(test_iso),
        cmocka_unit_test(test_distance), cmocka_unit_test(test_entries), cmocka_unit_test(test_tokens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
