/* test_http_host.c - what is a host with a port, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "http/host.h"

static void takes_names_and_addresses(void **state)
{
    static const char *const good[] = {"a",
                                       "localhost:1",
                                       "example.org",
                                       "example.org.",
                                       "Example.ORG:65535",
                                       "a_b-c.d",
                                       "127.0.0.1",
                                       "10.0.0.1:80",
                                       "[::1]",
                                       "[2001:db8::1]:8443",
                                       "[::ffff:1.2.3.4]",
                                       "1and1.com",
                                       "xn--bcher-kva.example"};
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_true(host_is_valid(good[i], strlen(good[i])));
    }
    assert_true(host_is_valid("a:80/path", 4)); /* only so many bytes are looked at */
}

static void takes_nothing_else(void **state)
{
    static const char *const bad[] = {":",
                                      ":80",
                                      ":::",
                                      "[[]",
                                      "[]",
                                      "[::1",
                                      "::1",
                                      "[::1]x",
                                      "[::1]]",
                                      "[::1]:",
                                      "[fe80::1%25eth0]",
                                      "[v1.a]",
                                      "a:",
                                      "a:0",
                                      "a:99999",
                                      "a:65536",
                                      "a:000080",
                                      "a:8x",
                                      "a:-1",
                                      "a:1:2",
                                      "a b",
                                      "a/b",
                                      "a@b",
                                      "a?b",
                                      "a,b",
                                      ".",
                                      "a..b",
                                      ".a",
                                      "a%41",
                                      "\xc3\xa9",
                                      "256.1.1.1",
                                      "1.2.3",
                                      "8080",
                                      "a.1",
                                      "[1.2.3.4]",
                                      "a#b",
                                      "<a>",
                                      "a\\b"};
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(host_is_valid(bad[i], strlen(bad[i])));
    }
    assert_false(host_is_valid("", 0));
    assert_false(host_is_valid("a\0b", 3));
    assert_false(host_is_valid("[::\0]", 5));
    assert_false(host_is_valid("a:8\0", 4));
}

static void knows_how_long_names_are(void **state)
{
    char name[260];
    (void)state;
    memset(name, 'a', sizeof(name));
    assert_true(host_is_valid(name, 63));
    assert_false(host_is_valid(name, 64));
    for (size_t at = 63; at < sizeof(name); at += 64) {
        name[at] = '.';
    }
    assert_true(host_is_valid(name, 253));
    assert_false(host_is_valid(name, 254));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_names_and_addresses),
        cmocka_unit_test(takes_nothing_else),
        cmocka_unit_test(knows_how_long_names_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
