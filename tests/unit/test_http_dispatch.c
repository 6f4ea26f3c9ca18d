/* test_http_dispatch.c - from a request to its answer: routes, CSRF, parameters, error pages, headers on the wire. */
#include "dispatch_case.h"

/* A POST that is right but for what the caller changes. */
static void prepare_post(void)
{
    const char *token = token_of("retwis", "7.secret");
    prepare(HTTP_POST, "/form");
    with_cookie("retwis", "7.secret");
    with_field("csrf_token", token);
    with_field("text", "hello");
}

/* --- tests --------------------------------------------------------------------------------------------------------- */

static void answers_unknown_paths_and_methods(void **state)
{
    (void)state;
    prepare(HTTP_GET, "/nowhere");
    assert_int_equal(run(), 404);
    assert_string_equal(buffer_string(&resp.body), "page of 404: ");
    prepare(HTTP_DELETE, "/form");
    assert_int_equal(run(), 405);
    assert_string_equal(out_header("Allow"), "GET, HEAD, POST, OPTIONS");
    prepare(HTTP_OPTIONS, "/posts/1");
    assert_int_equal(run(), 204);
    assert_string_equal(out_header("Allow"), "GET, HEAD, OPTIONS");
    prepare(HTTP_HEAD, "/form");
    assert_int_equal(run(), 200);
}

static void denies_who_is_not_signed_in(void **state)
{
    (void)state;
    prepare(HTTP_GET, "/home");
    assert_int_equal(run(), 401);
    prepare(HTTP_GET, "/home");
    with_cookie("retwis", "7.secret");
    assert_int_equal(run(), 303);
    prepare(HTTP_GET, "/home");
    with_cookie("retwis", "7.secret");
    with_cookie("retwis", "8.secret");
    assert_int_equal(run(), 401);
}

static void a_form_works_with_its_token(void **state)
{
    (void)state;
    prepare_post();
    assert_int_equal(run(), 303);
    assert_string_equal(out_header("Location"), "/home");
    prepare_post();
    req.form.count = 0;
    assert_int_equal(run(), 403);
    prepare_post();
    req.form.items[0].value = "wrong";
    assert_int_equal(run(), 403);
    prepare_post();
    req.cookies.items[0].value = "8.secret";
    assert_int_equal(run(), 403);
    prepare_post();
    req.secret_key = NULL;
    assert_int_equal(run(), 403);
    static const enum http_method others[] = {HTTP_PUT, HTTP_PATCH, HTTP_DELETE};
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        prepare(others[i], "/thing");
        with_cookie("retwis", "7.secret");
        assert_int_equal(run(), 403);
    }
}

static void a_visitor_gets_a_cookie_for_his_token(void **state)
{
    (void)state;
    const char *token = token_of(NULL, NULL);
    const char *cookie = out_header("Set-Cookie");
    assert_non_null(strstr(cookie, "retwis_visitor="));
    assert_null(strstr(cookie, "Max-Age"));
    char *value = arena_dup(arena, strchr(cookie, '=') + 1);
    *strchr(value, ';') = '\0';
    prepare(HTTP_POST, "/form");
    with_cookie("retwis_visitor", value);
    with_field("csrf_token", token);
    with_field("text", "x");
    assert_int_equal(run(), 303);
    assert_null(out_header("Set-Cookie"));
}

static int post_token(const char *token)
{
    prepare_post();
    req.form.items[0].value = token;
    return run();
}

/* Answers are compressed, so what stands in many of them could be guessed by their lengths. */
static void no_two_answers_have_the_same_token(void **state)
{
    (void)state;
    const char *one = arena_dup(arena, token_of("retwis", "7.secret"));
    const char *two = arena_dup(arena, token_of("retwis", "7.secret"));
    assert_int_equal(strlen(one), strlen(two));
    for (size_t i = 0; i + 6 <= strlen(one); i++) {
        char piece[7];
        snprintf(piece, sizeof(piece), "%s", one + i);
        assert_null(strstr(two, piece));
    }
    assert_int_equal(post_token(one), 303);
    assert_int_equal(post_token(two), 303);
    char *mixed = arena_dup(arena, one);
    memcpy(mixed, two, 20);
    assert_int_equal(post_token(mixed), 403);
    assert_int_equal(post_token(arena_printf(arena, "%sA", one)), 403);
    assert_int_equal(post_token(arena_dup_n(arena, one, strlen(one) - 1)), 403);
    for (size_t i = 0; i < strlen(one); i += 7) {
        char *changed = arena_dup(arena, one);
        changed[i] = changed[i] == 'Q' ? 'g' : 'Q';
        assert_int_equal(post_token(changed), 403);
    }
}

/* Pages of an older server that were open while it was upgraded. */
static void a_token_without_veil_is_taken_for_a_while(void **state)
{
    (void)state;
    char plain[SECRET_HASH_SIZE];
    secret_mac(key, "csrf 7.secret", plain);
    assert_int_equal(post_token(plain), 303);
    secret_mac(key, "csrf 8.secret", plain);
    assert_int_equal(post_token(plain), 403);
}

static int post_from(const char *header, const char *value)
{
    prepare_post();
    with_header(header, value);
    return run();
}

static void other_sites_are_refused(void **state)
{
    (void)state;
    assert_int_equal(post_from("sec-fetch-site", "same-origin"), 303);
    assert_int_equal(post_from("sec-fetch-site", "none"), 303);
    assert_int_equal(post_from("sec-fetch-site", "same-site"), 403);
    assert_int_equal(post_from("sec-fetch-site", "cross-site"), 403);
    assert_int_equal(post_from("origin", "http://site.example:8080"), 303);
    assert_int_equal(post_from("origin", "https://SITE.example:8080"), 303);
    assert_int_equal(post_from("origin", "https://public.example"), 303);
    assert_int_equal(post_from("origin", "http://site.example"), 403);
    assert_int_equal(post_from("origin", "http://evil.example/http://site.example:8080"), 403);
    assert_int_equal(post_from("origin", "null"), 403);
    assert_int_equal(post_from("origin", ""), 403);
}

static void a_token_is_taken_from_a_header_too(void **state)
{
    (void)state;
    prepare_post();
    with_header("x-csrf-token", req.form.items[0].value);
    req.form.items[0].name = "other";
    assert_int_equal(run(), 303);
    prepare(HTTP_POST, "/form"); /* another credential is none here */
    with_header("authorization", "Bearer abc");
    with_field("text", "x");
    assert_int_equal(run(), 403);
}

static int post_with(const char *name, const char *value)
{
    prepare_post();
    with_field(name, value);
    return run();
}

static void inputs_are_checked(void **state)
{
    (void)state;
    assert_int_equal(post_with("count", "-5"), 303);
    assert_int_equal(post_with("count", "6"), 422);
    assert_string_equal(buffer_string(&resp.body), "count");
    assert_int_equal(post_with("count", "1x"), 422);
    assert_int_equal(post_with("count", "99999999999999999999"), 422);
    assert_int_equal(post_with("count", "-"), 422);
    assert_int_equal(post_with("count", ""), 303);
    assert_int_equal(post_with("reply", "123456789012345678"), 303);
    assert_int_equal(post_with("reply", "12"), 422);
    assert_int_equal(post_with("names", "Alice_1"), 303);
    assert_int_equal(post_with("names", "a b"), 422);
    assert_int_equal(post_with("text", ""), 422); /* the second of two */
    assert_int_equal(post_with("text", "12345678901"), 422);
    prepare_post();
    req.form.count = 1;
    assert_int_equal(run(), 422);
    assert_string_equal(buffer_string(&resp.body), "text");
}

static void variables_and_queries_are_checked(void **state)
{
    (void)state;
    prepare(HTTP_GET, "/posts/123456789012345678");
    assert_int_equal(run(), 303);
    prepare(HTTP_GET, "/posts/12");
    assert_int_equal(run(), 422);
    prepare(HTTP_GET, "/posts/123456789012345678");
    pairs_add(arena, &req.query, "page", "10");
    assert_int_equal(run(), 422);
}

static void a_control_byte_in_a_header_is_500(void **state)
{
    (void)state;
    prepare(HTTP_GET, "/split");
    pairs_add(arena, &req.query, "to", "/x\r\nSet-Cookie: a=b");
    assert_int_equal(run(), 500);
    assert_null(out_header("Location"));
}

/* Where the area's page does not say when to come again. */
static void a_503_says_when_to_come_again(void **state)
{
    (void)state;
    prepare(HTTP_GET, "/form");
    dispatch_fail(dispatcher, &req, &resp, 503, NULL);
    assert_string_equal(out_header("Retry-After"), "2");
    prepare(HTTP_GET, "/form");
    req.retry_after = 30; /* the server knows better */
    dispatch_fail(dispatcher, &req, &resp, 503, NULL);
    assert_string_equal(out_header("Retry-After"), "30");
    prepare(HTTP_GET, "/form");
    dispatch_fail(dispatcher, &req, &resp, 500, NULL);
    assert_null(out_header("Retry-After"));
}

static const char *wire(bool keep_alive, bool old_protocol, bool head)
{
    const struct response_wire w = {.keep_alive = keep_alive, .old_protocol = old_protocol, .head = head};
    const unsigned char *rest;
    size_t rest_size;
    struct buffer out = response_write(&req, &resp, &w, &rest, &rest_size);
    assert_int_equal(rest_size, 0);
    return buffer_string(&out);
}

static void writes_the_answer(void **state)
{
    (void)state;
    prepare(HTTP_GET, "/form");
    buffer_text(&resp.body, "hello");
    const char *text = wire(true, false, false);
    assert_memory_equal(text, "HTTP/1.1 200 OK\r\nDate: ", 23);
    static const char *const wanted[] = {"Content-Length: 5\r\n",
                                         "Content-Type: text/html; charset=utf-8\r\n",
                                         "Cache-Control: no-store\r\n",
                                         "Content-Security-Policy: default-src 'none'; ",
                                         "img-src 'self' data:;",
                                         "frame-ancestors 'none'\r\n",
                                         "X-Content-Type-Options: nosniff\r\n",
                                         "Referrer-Policy: same-origin\r\n",
                                         "Cross-Origin-Opener-Policy: same-origin\r\n",
                                         "Cross-Origin-Resource-Policy: same-origin\r\n",
                                         "Permissions-Policy: ",
                                         "X-Request-Id: id\r\n",
                                         "\r\n\r\nhello"};
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        assert_non_null(strstr(text, wanted[i]));
    }
    assert_null(strstr(text, "Strict-Transport-Security"));
    assert_null(strstr(text, "Server:"));
    assert_null(strstr(text, "Connection:"));
    assert_non_null(strstr(wire(true, true, false), "Connection: keep-alive\r\n"));
    assert_non_null(strstr(wire(false, false, false), "Connection: close\r\n"));
    req.hsts = 31536000;
    assert_non_null(strstr(wire(true, false, false), "Strict-Transport-Security: max-age=31536000\r\n"));
    text = wire(true, false, true);
    assert_non_null(strstr(text, "Content-Length: 5\r\n"));
    assert_null(strstr(text, "hello"));
    http_header(&resp, "cache-control", "private");
    text = wire(true, false, false);
    assert_null(strstr(text, "no-store"));
    assert_non_null(strstr(text, "Content-Security-Policy: default-src"));
    resp.status = 304;
    text = wire(true, false, false);
    assert_null(strstr(text, "Content-Length"));
    assert_null(strstr(text, "hello"));
}

static void only_paths_of_this_site_are_safe(void **state)
{
    static const char *const bad[] = {"",      "home",   "//evil",  "/\\evil", "https://evil",
                                      "/a\nb", "/a\x7f", "\\/evil", " /a"};
    (void)state;
    assert_string_equal(http_safe_next("/home?a=1", "/"), "/home?a=1");
    assert_string_equal(http_safe_next("/", "/x"), "/");
    assert_string_equal(http_safe_next(NULL, "/x"), "/x");
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_string_equal(http_safe_next(bad[i], "/x"), "/x");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(answers_unknown_paths_and_methods),
        TEST(denies_who_is_not_signed_in),
        TEST(a_form_works_with_its_token),
        TEST(a_visitor_gets_a_cookie_for_his_token),
        TEST(other_sites_are_refused),
        TEST(a_token_is_taken_from_a_header_too),
        TEST(no_two_answers_have_the_same_token),
        TEST(a_token_without_veil_is_taken_for_a_while),
        TEST(inputs_are_checked),
        TEST(variables_and_queries_are_checked),
        TEST(a_control_byte_in_a_header_is_500),
        TEST(a_503_says_when_to_come_again),
        TEST(writes_the_answer),
        TEST(only_paths_of_this_site_are_safe),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
