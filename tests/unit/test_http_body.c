/* test_http_body.c - bodies: of which kinds, how large, and the pairs that come of them. Files: test_http_upload.c. */
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
#include "http/body.h"
#include "http/form.h"
#include "http/json_form.h"
#include "http/multipart.h"
#include "http/pairs.h"
#include "http/upload.h"

#define MOST 1000
#define FORM "application/x-www-form-urlencoded"
#define JSON "application/json"
#define MULTIPART "multipart/form-data; boundary=xyz"

static struct arena *arena;
static struct http_request req;
static struct http_route route;

/* A POST to a route that takes these kinds; in pieces of `piece` bytes. Status, 0: taken. */
static int take_pieces(unsigned kinds, const char *type, const char *bytes, size_t size, size_t piece)
{
    struct body body;
    const char *why = NULL;
    route = (struct http_route){.bodies = kinds, .max_upload = 200 * 1024};
    req = (struct http_request){.arena = arena, .method = HTTP_POST, .route = &route};
    if (type) {
        pairs_add(arena, &req.headers, "content-type", type);
    }
    int status = body_begin(&body, &req, size, MOST, &why);
    while (status == 0 && size > 0) {
        size_t room, n = piece < size ? piece : size;
        char *to = body_room(&body, &room);
        assert_true(room > 0);
        n = n < room ? n : room;
        memcpy(to, bytes, n);
        bytes += n;
        size -= n;
        status = body_took(&body, n, &why);
    }
    status = status ? status : body_end(&body, &why);
    assert_true((status == 0) == (why == NULL));
    return status;
}

static int take(unsigned kinds, const char *type, const char *text)
{
    return take_pieces(kinds, type, text, strlen(text), SIZE_MAX);
}

/* "a=1 b=2" */
static const char *pairs(void)
{
    struct buffer b = buffer_make(arena);
    for (size_t i = 0; i < req.form.count; i++) {
        buffer_printf(&b, "%s%s=%s", i ? " " : "", req.form.items[i].name, req.form.items[i].value);
    }
    return buffer_string(&b);
}

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

/* --- multipart ----------------------------------------------------------------------------------------------------- */

#define PART(name) "--xyz\r\nContent-Disposition: form-data; name=\"" name "\"\r\n\r\n"
#define LAST "\r\n--xyz--\r\n"

static int form(const char *text)
{
    return take(HTTP_MULTIPART, MULTIPART, text);
}

static void parts_become_pairs_and_files(void **state)
{
    static const char text[] = PART("a") "one\r\n" PART("id[]") "\r\n" PART(
        "id[]") "two\r\nlines\r\n--xy\r\n"
                "--xyz\r\ncontent-type: image/png\r\nContent-Length: 5\r\nCONTENT-DISPOSITION: form-data; "
                "filename=\"C:\\dir\\a \\\"b%22.png\"; filename*=utf-8''c; name=file\r\nContent-Transfer-Encoding: "
                "binary\r\n\r\n"
                "\0\r\n-\xff\r\n"
                "--xyz\r\nContent-Disposition: form-data; name=\"none\"; filename=\"\"\r\nContent-Type: "
                "application/octet-stream\r\n\r\n" LAST;
    (void)state;
    for (size_t piece = 1; piece < sizeof(text); piece++) {
        assert_int_equal(take_pieces(HTTP_MULTIPART, MULTIPART, text, sizeof(text) - 1, piece), 0);
        assert_string_equal(pairs(), "a=one id[]= id[]=two\r\nlines\r\n--xy");
        assert_int_equal(req.files.count, 1);
        const struct http_file *f = &req.files.items[0];
        assert_string_equal(f->name, "file");
        assert_string_equal(f->filename, "a \"b\".png");
        assert_string_equal(f->type, "image/png");
        assert_int_equal(f->size, 5);
        assert_memory_equal(f->data, "\0\r\n-\xff", 5);
        assert_int_equal(f->fd, -1);
    }
}

/* Cut once, at every place, so that each boundary, line and header is. */
static void it_does_not_matter_where_it_was_cut(void **state)
{
    static const char text[] = PART("a") "\r\r\n\r\n--xyzz\r\n--xy" LAST;
    (void)state;
    assert_int_equal(form(PART("a") "\r\r\n\r\n--xyzz\r\n" LAST), 400); /* the boundary, and more behind it */
    for (size_t piece = 1; piece < sizeof(text); piece++) {
        assert_int_equal(take_pieces(HTTP_MULTIPART, MULTIPART, text, sizeof(text) - 1, piece), 400);
    }
    static const char fine[] = PART("a") "\r\r\n\r\n--xy\r\n--xz\r\n-" LAST;
    for (size_t piece = 1; piece < sizeof(fine); piece++) {
        assert_int_equal(take_pieces(HTTP_MULTIPART, MULTIPART, fine, sizeof(fine) - 1, piece), 0);
        assert_string_equal(pairs(), "a=\r\r\n\r\n--xy\r\n--xz\r\n-");
    }
}

static void a_form_may_be_empty(void **state)
{
    (void)state;
    assert_int_equal(form("--xyz--"), 0);
    assert_int_equal(form("--xyz--\r\n"), 0);
    assert_int_equal(form(PART("a") LAST), 0);
    assert_string_equal(pairs(), "a=");
}

static void doubtful_forms_are_refused(void **state)
{
    static const char *const bad[] = {
        "x",
        "\r\n",
        "--xy",
        "--xyz",
        "--xyz-",
        "--xyz\r\n",
        "--xyzz--",
        "--xyz--\r",
        "--xyz--\n",
        "--xyz--x",
        "--xyz--\r\nx",
        "--xyz\n",
        "--xyz x",
        "preamble\r\n" PART("a") LAST,
        "\r\n" PART("a") LAST,
        PART("a"),
        PART("a") "b",
        PART("a") "b\r\n--xyz",
        PART("a") "b\r\n--xyz-",
        PART("a") "b" LAST "x",
        PART("a") "\xff" LAST,
        PART("a") "\xc0\x80" LAST,
        PART("a\r\nb") LAST,
        PART("a\x01") LAST,
        PART("\xff") LAST,
        "--xyz\r\n\r\nb" LAST,
        "--xyz\r\nContent-Type: text/plain\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; filename=\"x\"\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-datas; name=\"a\"\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"; filename=x; filename=y\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; "
        "name=\"b\"\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=\"a\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=\"a\\\"\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=a b\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data name=a\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data;\r\n name=\"a\"\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition : form-data; name=a\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=a\n\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=a\rb: c\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: base64\r\n\r\nYQ==" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: 8bits\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=a\r\nContent-Type: a\r\nContent-Type: b\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=a; filename=\"\"\r\n\r\nb" LAST,
        "--xyz\r\nContent-Disposition: form-data; name=a; filename=\"dir/\"\r\n\r\nb" LAST};
    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        for (size_t piece = 1; piece <= strlen(bad[i]); piece += 7) {
            assert_int_equal(take_pieces(HTTP_MULTIPART, MULTIPART, bad[i], strlen(bad[i]), piece), 400);
        }
    }
    static const char nul[] = PART("a") "b\0c" LAST;
    assert_int_equal(take_pieces(HTTP_MULTIPART, MULTIPART, nul, sizeof(nul) - 1, SIZE_MAX), 400);
}

static void boundaries_are_checked(void **state)
{
    static const char *const good[] = {"multipart/form-data;boundary=xyz", "Multipart/Form-Data; BOUNDARY=\"xyz\"",
                                       "multipart/form-data; charset=utf-8; boundary=xyz; a=b"};
    static const char *const bad[] = {"multipart/form-data",
                                      "multipart/form-data; boundary=",
                                      "multipart/form-data; boundary=\"\"",
                                      "multipart/form-data; boundary=\"xyz",
                                      "multipart/form-data; boundary=x\x7fyz",
                                      "multipart/form-data; boundary=xyz; boundary=xyz",
                                      "multipart/form-data; boundary=\"xyz \"",
                                      "multipart/form-data; boundary=\"x\\yz\"",
                                      "multipart/form-data; boundaries=xyz"};
    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        assert_int_equal(take(HTTP_MULTIPART, good[i], "--xyz--"), 0);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(take(HTTP_MULTIPART, bad[i], "--xyz--"), 400);
    }
    char longest[72];
    memset(longest, 'b', 71);
    for (size_t i = 0; i < 2; i++) {
        longest[70 + i] = '\0';
        const char *type = arena_printf(arena, "multipart/form-data; boundary=%s", longest);
        assert_int_equal(take(HTTP_MULTIPART, type, arena_printf(arena, "--%s--", longest)), i ? 400 : 0);
        longest[70] = 'b';
    }
}

/* A form of one part with a name of so many bytes, and a header of so many more. */
static int with_name(size_t name, size_t more)
{
    char *text = arena_alloc(arena, name + more + 200);
    int n = sprintf(text, "--xyz\r\nContent-Disposition: form-data; name=\"");
    memset(text + n, 'n', name);
    n += (int)name + sprintf(text + n + name, "\"\r\nX: ");
    memset(text + n, 'x', more);
    sprintf(text + n + more, "\r\n\r\nb" LAST);
    return form(text);
}

static int with_parts(size_t count, const char *part)
{
    struct buffer b = buffer_make(arena);
    for (size_t i = 0; i < count; i++) {
        buffer_printf(&b, "%s--xyz\r\n%s\r\n\r\n", i ? "\r\n" : "", part);
    }
    buffer_text(&b, LAST);
    return form(buffer_string(&b));
}

static void forms_have_limits(void **state)
{
    static const char field[] = "Content-Disposition: form-data; name=a";
    static const char file[] = "Content-Disposition: form-data; name=a; filename=b";
    (void)state;
    assert_int_equal(with_name(MULTIPART_NAME, 0), 0);
    assert_int_equal(with_name(MULTIPART_NAME + 1, 0), 400);
    size_t head = strlen(field) + strlen("\"\"\r\nX: \r\n\r\n");
    assert_int_equal(with_name(1, MULTIPART_HEAD - head), 0);
    assert_int_equal(with_name(1, MULTIPART_HEAD - head + 1), 400);
    assert_int_equal(with_parts(FORM_FIELDS, field), 0);
    assert_int_equal(with_parts(FORM_FIELDS + 1, field), 400);
    assert_int_equal(with_parts(MULTIPART_FILES, file), 0);
    assert_int_equal(with_parts(MULTIPART_FILES + 1, file), 400);
    char *text = arena_alloc(arena, 3000);
    for (int i = 0; i < 2; i++) {
        sprintf(text, PART("a") "%0*d\r\n" PART("b") "%0*d" LAST, MOST / 2, 0, MOST / 2 + i, 0);
        assert_int_equal(form(text), i ? 413 : 0);
    }
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    upload_setup(NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(takes_forms_and_nothing_else_unless_the_row_says_so),
        TEST(names_the_kinds_that_are_taken),
        TEST(leaves_alone_what_nobody_reads),
        TEST(limits_the_size),
        TEST(json_becomes_the_pairs_of_a_form),
        TEST(doubtful_json_is_refused),
        TEST(json_has_limits),
        TEST(parts_become_pairs_and_files),
        TEST(it_does_not_matter_where_it_was_cut),
        TEST(a_form_may_be_empty),
        TEST(doubtful_forms_are_refused),
        TEST(boundaries_are_checked),
        TEST(forms_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
