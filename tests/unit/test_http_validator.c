/* test_http_validator.c - what a stranger's browser may keep, and when it is told that it has the page already. */
#include "dispatch_case.h"

static const char *tag; /* of the page that was got last */

static int get(const char *path, const char *visitor, const char *known)
{
    prepare(HTTP_GET, path);
    if (visitor) {
        with_cookie("retwis_visitor", visitor);
    }
    if (known) {
        with_header("if-none-match", known);
    }
    int status = run();
    tag = out_header("ETag");
    return status;
}

static const char *keep(const char *path, const char *visitor)
{
    front_text = "as it was";
    assert_int_equal(get(path, visitor, NULL), 200);
    assert_non_null(tag);
    assert_memory_equal(tag, "W/\"", 3);
    return arena_dup(arena, tag);
}

static void the_same_page_is_not_sent_again(void **state)
{
    (void)state;
    const char *known = keep("/front", "visitor");
    assert_string_equal(out_header("Cache-Control"), "private, no-cache");
    assert_int_equal(get("/front", "visitor", known), 304);
    assert_string_equal(tag, known);
    assert_string_equal(out_header("Cache-Control"), "private, no-cache");
    const struct response_wire wire = {.keep_alive = true};
    const unsigned char *rest;
    size_t rest_size;
    struct buffer out = response_write(&req, &resp, &wire, &rest, &rest_size);
    assert_null(strstr(buffer_string(&out), "as it was"));
    assert_null(strstr(buffer_string(&out), "Content-Length"));
    assert_int_equal(get("/front", "visitor", known + 2), 304); /* a strong one is taken for it: RFC 9110, 13.1.2 */
    assert_int_equal(get("/front", "visitor", arena_printf(arena, "\"x\", %s", known)), 304);
    assert_int_equal(get("/front", "visitor", "*"), 304);
    assert_int_equal(get("/front", "visitor", "W/\"0000000000000000\""), 200);
    assert_int_equal(get("/front", "visitor", "\"\""), 200);
    prepare(HTTP_HEAD, "/front");
    with_cookie("retwis_visitor", "visitor");
    with_header("if-none-match", known);
    assert_int_equal(run(), 304);
}

static void another_page_is_sent(void **state)
{
    (void)state;
    const char *known = keep("/front", "visitor");
    front_text = "as it is";
    assert_int_equal(get("/front", "visitor", known), 200);
    assert_string_not_equal(tag, known);
    /* what stands behind the token counts as well */
    front_text = "as it was";
    front_end = "!";
    assert_int_equal(get("/front", "visitor", known), 200);
    front_end = "";
    assert_int_equal(get("/front", "visitor", known), 304);
    /* the form of the kept page would not be taken from him */
    assert_int_equal(get("/front", "another visitor", known), 200);
    assert_int_equal(get("/front", NULL, known), 200);
    assert_non_null(out_header("Set-Cookie"));
}

static void a_kept_form_works(void **state)
{
    (void)state;
    const char *known = keep("/front", "visitor");
    const char *token = arena_dup(arena, req.csrf_token);
    assert_int_equal(get("/front", "visitor", known), 304);
    prepare(HTTP_POST, "/form");
    with_cookie("retwis_visitor", "visitor");
    with_field("csrf_token", token);
    with_field("text", "x");
    assert_int_equal(run(), 303);
}

/* Neither kept nor compared. */
static void assert_not_kept(int status)
{
    assert_int_equal(run(), status);
    assert_null(out_header("ETag"));
    assert_null(out_header("Cache-Control")); /* response.c says no-store then */
}

static void nothing_else_is_kept(void **state)
{
    (void)state;
    keep("/front", "visitor");
    prepare(HTTP_GET, "/front");
    with_cookie("retwis", "7.secret");
    with_header("if-none-match", "*");
    assert_not_kept(200);
    prepare(HTTP_GET, "/form");
    with_header("if-none-match", "*");
    assert_not_kept(200);
    prepare(HTTP_POST, "/front");
    with_header("if-none-match", "*");
    assert_not_kept(403);
    prepare(HTTP_GET, "/nowhere");
    with_header("if-none-match", "*");
    assert_not_kept(404);
    front_status = 503;
    prepare(HTTP_GET, "/front");
    with_header("if-none-match", "*");
    assert_not_kept(503);
    front_status = 200;
    prepare(HTTP_GET, "/front");
    req.secret_key = NULL; /* not known yet */
    with_header("if-none-match", "*");
    assert_not_kept(200);
}

/* Each byte counts, at each length, and so do zeros at the end, their place, and the key. */
static void every_byte_counts(void **state)
{
    (void)state;
    unsigned char bytes[130], other[32];
    memset(bytes, 0, sizeof(bytes));
    uint64_t seen[700];
    size_t count = 0;
    for (size_t size = 0; size <= sizeof(bytes); size++) {
        seen[count++] = secret_digest(key, bytes, size);
    }
    for (size_t i = 0; i < sizeof(bytes); i++) {
        for (unsigned bit = 0; bit < 8; bit += 2) {
            bytes[i] = (unsigned char)(1u << bit);
            seen[count++] = secret_digest(key, bytes, sizeof(bytes));
        }
        bytes[i] = 0;
    }
    memcpy(other, key, sizeof(other));
    other[9] ^= 1;
    seen[count++] = secret_digest(other, bytes, sizeof(bytes));
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_true(seen[i] != seen[j]);
        }
    }
    assert_true(secret_digest(key, bytes, 100) == seen[100]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_page_is_not_sent_again),
        TEST(another_page_is_sent),
        TEST(a_kept_form_works),
        TEST(nothing_else_is_kept),
        TEST(every_byte_counts),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
