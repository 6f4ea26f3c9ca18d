/* test_http_form.c - form bodies, query strings and cookies: what is decoded, what is refused. */
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
#include "http/cookie.h"
#include "http/form.h"
#include "http/pairs.h"

static struct arena *arena;

static bool parse(const char *text, struct http_pairs *out)
{
    *out = (struct http_pairs){0};
    return form_parse(arena, text, strlen(text), out);
}

static void decodes_fields(void **state)
{
    struct http_pairs p;
    (void)state;
    assert_true(parse("a=1&b=two+words&c=%C3%A9%26&d&=e&&a=2", &p));
    assert_int_equal(p.count, 6);
    assert_string_equal(pairs_get(&p, "a"), "1");
    assert_string_equal(pairs_get(&p, "b"), "two words");
    assert_string_equal(pairs_get(&p, "c"), "\xc3\xa9&");
    assert_string_equal(pairs_get(&p, "d"), "");
    assert_string_equal(pairs_get(&p, ""), "e");
    assert_int_equal(pairs_count(&p, "a"), 2);
    assert_string_equal(p.items[5].value, "2");
}

static void refuses_what_is_not_right(void **state)
{
    static const char *const bad[] = {
        "a=%",      "a=%4",  "a=%zz", "a=%00", "%00=a", "a=\xff", "a=%c3%28", "a=%ed%a0%80", "a=%f8%88%80%80%80",
        "a=%C0%80", "a=x%1", "a=%4g", "a=%g4"};
    struct http_pairs p;
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_false(parse(bad[i], &p));
    }
    assert_false(form_parse(arena, "a=b\0c", 5, &(struct http_pairs){0}));
}

static void counts_fields(void **state)
{
    char text[3 * (FORM_FIELDS + 1)];
    struct http_pairs p;
    (void)state;
    for (size_t i = 0; i < FORM_FIELDS + 1; i++) {
        memcpy(text + 3 * i, "a=&", 3);
    }
    text[3 * FORM_FIELDS] = '\0';
    assert_true(parse(text, &p));
    assert_int_equal(p.count, FORM_FIELDS);
    text[3 * FORM_FIELDS] = 'a';
    text[sizeof(text) - 1] = '\0';
    assert_false(parse(text, &p));
}

static struct http_pairs cookies(const char *header)
{
    struct http_pairs p = {0};
    cookie_parse(arena, header, &p);
    return p;
}

static void reads_cookies(void **state)
{
    (void)state;
    struct http_pairs p = cookies("a=1; b=\"2\";c=3 ;d=;  ;e=x=y; b=4");
    assert_int_equal(p.count, 6);
    assert_string_equal(pairs_get(&p, "a"), "1");
    assert_string_equal(pairs_get(&p, "b"), "2");
    assert_string_equal(pairs_get(&p, "c"), "3");
    assert_string_equal(pairs_get(&p, "d"), "");
    assert_string_equal(pairs_get(&p, "e"), "x=y");
}

static void skips_malformed_cookies(void **state)
{
    (void)state;
    assert_int_equal(cookies("nothing; =x; a b=1; c=1 2; d=\"; e=a,b; f=\x80").count, 0);
    assert_int_equal(cookies("").count, 0);
    assert_int_equal(cookies(";;; ").count, 0);
    struct http_pairs p = cookies("bad bad=1; good=1");
    assert_string_equal(pairs_get(&p, "good"), "1");
}

static void a_doubled_cookie_is_none(void **state)
{
    (void)state;
    struct http_request req = {.cookies = cookies("retwis=a; other=1; retwis=b")};
    assert_null(http_cookie(&req, "retwis"));
    assert_string_equal(http_cookie(&req, "other"), "1");
    assert_null(http_cookie(&req, "retwi"));
}

static void sets_cookies(void **state)
{
    (void)state;
    struct http_request req = {.arena = arena, .secure = true};
    struct http_response resp = {.arena = arena};
    assert_string_equal(http_session_cookie(&req), "__Host-retwis");
    http_set_cookie(&req, &resp, "__Host-retwis", "1.abc", 60);
    assert_string_equal(resp.headers.items[0].name, "Set-Cookie");
    assert_string_equal(resp.headers.items[0].value,
                        "__Host-retwis=1.abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure");
    req.secure = false;
    assert_string_equal(http_session_cookie(&req), "retwis");
    http_set_cookie(&req, &resp, "retwis", "", 0);
    assert_string_equal(resp.headers.items[1].value, "retwis=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    http_set_cookie(&req, &resp, "v", "x", HTTP_COOKIE_BROWSER);
    assert_string_equal(resp.headers.items[2].value, "v=x; Path=/; HttpOnly; SameSite=Lax");
    assert_false(resp.broken);
    http_set_cookie(&req, &resp, "v", "x; Domain=evil", 1);
    assert_true(resp.broken);
    assert_int_equal(resp.headers.count, 3);
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_fields),
        cmocka_unit_test(refuses_what_is_not_right),
        cmocka_unit_test(counts_fields),
        cmocka_unit_test(reads_cookies),
        cmocka_unit_test(skips_malformed_cookies),
        cmocka_unit_test(a_doubled_cookie_is_none),
        cmocka_unit_test(sets_cookies),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
