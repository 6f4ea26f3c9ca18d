/* test_http_multipart.c - forms with files: what becomes of their parts, wherever they are cut, and what is refused. */
#include "body_case.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(parts_become_pairs_and_files), TEST(it_does_not_matter_where_it_was_cut),
        TEST(a_form_may_be_empty),          TEST(doubtful_forms_are_refused),
        TEST(boundaries_are_checked),       TEST(forms_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
