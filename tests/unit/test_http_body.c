/* test_http_body.c - bodies: of which kinds, how large, and the pairs that come of them. Forms with files:
 * test_http_multipart.c and test_http_upload.c. */
#include "body_case.h"

/* --- kinds --------------------------------------------------------------------------------------------------------- */

static void takes_forms_and_nothing_else_unless_the_row_says_so(void **state)
{
    (void)state;
    assert_int_equal(take(0, FORM, "a=b"), 0);
    assert_string_equal(pairs(), "a=b");
    assert_int_equal(take(0, "Application/X-WWW-Form-Urlencoded;charset=utf-8", "a=c"), 0);
    assert_string_equal(pairs(), "a=c");
    assert_int_equal(take(0, FORM "x", "a=c"), 415);
    assert_int_equal(take(0, "text/plain", "a=c"), 415);
    assert_int_equal(take(0, NULL, "a=c"), 415);
    assert_int_equal(take(0, JSON, "{}"), 415);
    assert_int_equal(take(0, MULTIPART, "--xyz--"), 415);
    assert_int_equal(take(HTTP_JSON, FORM, "a=b"), 415);
    assert_int_equal(take(HTTP_JSON | HTTP_FORM, FORM, "a=b"), 0);
    assert_int_equal(take(HTTP_JSON | HTTP_FORM, JSON "; charset=utf-8", "{\"a\":\"d\"}"), 0);
    assert_string_equal(pairs(), "a=d");
    assert_int_equal(take(0, FORM, "a=%"), 400);
    assert_int_equal(take(0, NULL, ""), 0);
    assert_int_equal(req.form.count, 0);
}

static void names_the_kinds_that_are_taken(void **state)
{
    struct body body;
    const char *why;
    (void)state;
    route = (struct http_route){0};
    req = (struct http_request){.arena = arena, .method = HTTP_POST, .route = &route};
    assert_int_equal(body_begin(&body, &req, 1, MOST, &why), 415);
    assert_string_equal(why, "the body must be application/x-www-form-urlencoded");
    route.bodies = HTTP_JSON | HTTP_MULTIPART;
    assert_int_equal(body_begin(&body, &req, 1, MOST, &why), 415);
    assert_string_equal(why, "the body must be application/json or multipart/form-data");
}

/* Of a GET, and to nowhere. */
static void leaves_alone_what_nobody_reads(void **state)
{
    struct body body;
    const char *why;
    size_t room;
    (void)state;
    req = (struct http_request){.arena = arena, .method = HTTP_POST};
    pairs_add(arena, &req.headers, "content-type", JSON);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(body_begin(&body, &req, 5, MOST, &why), 0);
        memcpy(body_room(&body, &room), "{\"a\":", 5);
        assert_int_equal(room, 5);
        assert_int_equal(body_took(&body, 5, &why), 0);
        assert_int_equal(body_end(&body, &why), 0);
        assert_int_equal(req.form.count, 0);
        req.method = HTTP_GET;
        req.route = &route;
    }
}

/* An area may have its own limit, for all that its rows do not say. */
static void areas_limit_the_size_too(void **state)
{
    static const struct http_area small = {.path = "/api", .max_body = 10};
    struct body body;
    const char *why;
    (void)state;
    route = (struct http_route){.bodies = HTTP_FORM | HTTP_MULTIPART, .max_upload = 2000};
    req = (struct http_request){.arena = arena, .method = HTTP_POST, .route = &route, .area = &small};
    pairs_add(arena, &req.headers, "content-type", FORM);
    assert_int_equal(body_begin(&body, &req, 10, MOST, &why), 0);
    assert_int_equal(body_begin(&body, &req, 11, MOST, &why), 413);
    req.headers.items[0].value = MULTIPART;
    assert_int_equal(body_begin(&body, &req, 2000, MOST, &why), 0);
    req.area = area_find(NULL, "/");
    req.headers.items[0].value = FORM;
    assert_int_equal(body_begin(&body, &req, MOST, MOST, &why), 0);
    assert_int_equal(body_begin(&body, &req, MOST + 1, MOST, &why), 413);
}

static void limits_the_size(void **state)
{
    char *text = arena_alloc(arena, MOST + 2);
    (void)state;
    memset(text, 'a', MOST + 1);
    assert_int_equal(take_pieces(0, FORM, text, MOST, SIZE_MAX), 0);
    assert_int_equal(take_pieces(0, FORM, text, MOST + 1, SIZE_MAX), 413);
    assert_int_equal(take_pieces(0, FORM, text, SIZE_MAX, SIZE_MAX), 413);
    assert_int_equal(take_pieces(0, "text/plain", text, MOST + 1, SIZE_MAX), 413);
    memset(text, ' ', MOST + 1);
    memcpy(text, "{}", 2);
    assert_int_equal(take_pieces(HTTP_JSON, JSON, text, MOST, SIZE_MAX), 0);
    assert_int_equal(take_pieces(HTTP_JSON, JSON, text, MOST + 1, SIZE_MAX), 413); /* max_upload is not for JSON */
    assert_int_equal(take_pieces(HTTP_MULTIPART, MULTIPART, text, 200 * 1024 + 1, SIZE_MAX), 413);
    assert_int_equal(take_pieces(HTTP_MULTIPART, MULTIPART, text, MOST + 1, SIZE_MAX), 400); /* not for its size */
}

/* --- JSON ---------------------------------------------------------------------------------------------------------- */

static void json_becomes_the_pairs_of_a_form(void **state)
{
    static const char *const good[][2] = {
        {"{}", ""},
        {" {\t\"a\" :\r\n \"b\" } ", "a=b"},
        {"{\"a\":\"\",\"b\":\"x y&=%\"}", "a= b=x y&=%"},
        {"{\"a\":\"\\u00e9\\n\\ud83d\\ude00\"}", "a=\xc3\xa9\n\xf0\x9f\x98\x80"},
        {"{\"n\":12345678901234567890123,\"m\":-0,\"f\":1.50,\"e\":1E+5}",
         "n=12345678901234567890123 m=-0 f=1.50 e=1E+5"},
        {"{\"t\":true,\"f\":false,\"n\":null}", "t=true f=false"},
        {"{\"id\":[\"1\",2,true,null,\"3\"]}", "id[]=1 id[]=2 id[]=true id[]=3"},
        {"{\"a\":{\"b\":\"c\",\"d\":{\"e\":1}},\"f\":2}", "a[b]=c a[d][e]=1 f=2"},
        {"{\"a\":[{\"b\":1,\"c\":[2]},{\"b\":3}]}", "a[0][b]=1 a[0][c][]=2 a[1][b]=3"},
        {"{\"a\":[[1,2],[3]]}", "a[0][]=1 a[0][]=2 a[1][]=3"},
        {"{\"a\":[],\"b\":{},\"c\":[{},[]]}", ""},
        {"{\"\":1,\"a b\":2,\"a[b]\":3}", "=1 a b=2 a[b]=3"},
        {"{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}", "a[a][a][a][a][a][a][a]=1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_int_equal(take(HTTP_JSON, JSON, good[i][0]), 0);
        assert_string_equal(pairs(), good[i][1]);
    }
}

static void doubtful_json_is_refused(void **state)
{
    static const char *const bad[] = {" ",
                                      "[]",
                                      "\"a\"",
                                      "1",
                                      "null",
                                      "[{\"a\":1}]",
                                      "{",
                                      "{\"a\":1",
                                      "{\"a\":1}}",
                                      "{\"a\":1}{}",
                                      "{'a':1}",
                                      "{a:1}",
                                      "{\"a\":1,}",
                                      "{\"a\":[1,]}",
                                      "{\"a\":01}",
                                      "{\"a\":+1}",
                                      "{\"a\":.5}",
                                      "{\"a\":NaN}",
                                      "{\"a\":Infinity}",
                                      "{\"a\":1}//",
                                      "{\"a\":\"\n\"}",
                                      "{\"a\":\"\\ud83d\"}",
                                      "{\"a\":\"\xff\"}",
                                      "{\"a\":\"\xc0\x80\"}",
                                      "{\"\xff\":1}",
                                      "\xef\xbb\xbf{\"a\":1}",
                                      "{\"a\":\"\\u0000\"}",
                                      "{\"a\":\"x\\u0000y\"}",
                                      "{\"a\\u0000\":1}",
                                      "{\"a\":1,\"a\":2}",
                                      "{\"a\":1,\"\\u0061\":2}",
                                      "{\"b\":{\"a\":1,\"c\":2,\"a\":null}}",
                                      "{\"a\":tru}",
                                      "{\"a\":\"\\x\"}",
                                      "{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":{\"a\":1}}}}}}}}}",
                                      "{\"a\":[[[[[[[[1]]]]]]]]}"};
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(take(HTTP_JSON, JSON, bad[i]), 400);
    }
    assert_int_equal(take_pieces(HTTP_JSON, JSON, "{\"a\":\"b\0c\"}", 11, SIZE_MAX), 400);
}

/* So many elements of a list, and members of an object. */
static bool parses_many(size_t count, bool members)
{
    struct buffer b = buffer_make(arena);
    struct http_pairs out = {0};
    buffer_text(&b, members ? "{" : "{\"a\":[");
    for (size_t i = 0; i < count; i++) {
        buffer_printf(&b, members ? "%s\"m%zu\":null" : "%s%zu", i ? "," : "", i);
    }
    buffer_text(&b, members ? "}" : "]}");
    return json_form_parse(arena, buffer_string(&b), b.length, &out) && out.count == (members ? 0 : count);
}

static void json_has_limits(void **state)
{
    (void)state;
    assert_true(parses_many(FORM_FIELDS, false));
    assert_false(parses_many(FORM_FIELDS + 1, false));
    assert_true(parses_many(FORM_FIELDS, true));
    assert_false(parses_many(FORM_FIELDS + 1, true));
    char *name = arena_alloc(arena, JSON_FORM_NAME + 2);
    for (size_t i = 0; i < 2; i++) {
        struct http_pairs out = {0};
        memset(name, 'n', JSON_FORM_NAME + 1);
        name[JSON_FORM_NAME + i] = '\0';
        const char *text = arena_printf(arena, "{\"%s\":1}", name);
        assert_int_equal(json_form_parse(arena, text, strlen(text), &out), i == 0);
        name[JSON_FORM_NAME - 2 + i] = '\0';
        text = arena_printf(arena, "{\"%s\":[1]}", name);
        assert_int_equal(json_form_parse(arena, text, strlen(text), &out), i == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(takes_forms_and_nothing_else_unless_the_row_says_so),
        TEST(names_the_kinds_that_are_taken),
        TEST(leaves_alone_what_nobody_reads),
        TEST(limits_the_size),
        TEST(areas_limit_the_size_too),
        TEST(json_becomes_the_pairs_of_a_form),
        TEST(doubtful_json_is_refused),
        TEST(json_has_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
