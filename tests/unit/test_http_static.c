/* test_http_static.c - style sheets and icons: versions, compression, caching, and what is not served. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/embedded.h"
#include "base/secret.h"
#include "http/application.h"
#include "http/dispatch.h"
#include "http/pairs.h"
#include "http/response.h"
#include "http/static.h"

static struct arena *arena;
static struct dispatch *dispatcher;
static struct http_request req;
static struct http_response resp;

/* Some style sheet of the program. */
static const struct embedded_file *some_file(void)
{
    for (size_t i = 0; i < embedded_file_count; i++) {
        if (strncmp(embedded_files[i].path, "web/css/", 8) == 0 && embedded_files[i].gzip) {
            return &embedded_files[i];
        }
    }
    return NULL;
}

static int get(const char *path, const char *header, const char *value)
{
    req = (struct http_request){.arena = arena, .method = HTTP_GET, .path = path};
    if (header) {
        pairs_add(arena, &req.headers, header, value);
    }
    resp = response_make(arena);
    dispatch_run(dispatcher, &req, &resp, dispatch_route(dispatcher, &req));
    return resp.status;
}

static const char *address_of(const struct embedded_file *f, const char *version)
{
    return arena_printf(arena, "/static/%s/%s", version, f->path + strlen("web/"));
}

static const char *out_header(const char *name)
{
    return pairs_get(&resp.headers, name);
}

static void serves_embedded_files(void **state)
{
    (void)state;
    const struct embedded_file *f = some_file();
    assert_non_null(f);
    assert_int_equal(strlen(static_version()), 12);
    assert_int_equal(get(address_of(f, static_version()), NULL, NULL), 200);
    assert_ptr_equal(resp.body_static, f->data);
    assert_int_equal(resp.body_static_size, f->size);
    assert_string_equal(resp.content_type, f->type);
    assert_string_equal(out_header("Cache-Control"), "public, max-age=31536000, immutable");
    assert_string_equal(out_header("Vary"), "Accept-Encoding");
    assert_null(out_header("Content-Encoding"));
    assert_int_equal(get(address_of(f, "000000000000"), NULL, NULL), 200);
    assert_string_equal(out_header("Cache-Control"), "no-cache");
}

static bool is_zipped(const char *accept)
{
    const struct embedded_file *f = some_file();
    assert_int_equal(get(address_of(f, static_version()), "accept-encoding", accept), 200);
    bool zipped = out_header("Content-Encoding") != NULL;
    assert_ptr_equal(resp.body_static, zipped ? f->gzip : f->data);
    return zipped;
}

static void sends_the_compressed_form_to_those_who_take_it(void **state)
{
    (void)state;
    assert_true(is_zipped("gzip"));
    assert_true(is_zipped("br, GZIP;q=0.5, *"));
    assert_true(is_zipped("deflate,gzip"));
    assert_false(is_zipped("gzip;q=0"));
    assert_false(is_zipped("gzip; q=0.0, br"));
    assert_false(is_zipped("xgzip, gzipped"));
    assert_false(is_zipped("identity"));
    assert_false(is_zipped(""));
}

static void says_when_nothing_changed(void **state)
{
    (void)state;
    const char *address = address_of(some_file(), static_version());
    assert_int_equal(get(address, NULL, NULL), 200);
    const char *tag = out_header("ETag");
    assert_int_equal(get(address, "if-none-match", tag), 304);
    assert_null(resp.body_static);
    assert_string_equal(out_header("ETag"), tag);
    assert_int_equal(get(address, "if-none-match", arena_printf(arena, "\"x\", W/%s", tag)), 304);
    assert_int_equal(get(address, "if-none-match", "*"), 304);
    assert_int_equal(get(address, "if-none-match", "\"other\""), 200);
}

static void keeps_the_rest_to_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < embedded_file_count; i++) {
        const char *path = embedded_files[i].path;
        bool is_public = strncmp(path, "web/css/", 8) == 0 || strncmp(path, "web/js/", 7) == 0 ||
                         strncmp(path, "web/icons/", 10) == 0;
        const char *rest = strncmp(path, "web/", 4) == 0 ? path + 4 : path;
        assert_int_equal(get(arena_printf(arena, "/static/v/%s", rest), NULL, NULL), is_public ? 200 : 404);
    }
    assert_int_equal(get("/static/v/css/nothing.css", NULL, NULL), 404);
    assert_int_equal(get("/static/v/css", NULL, NULL), 404);
    assert_int_equal(get("/static/v", NULL, NULL), 404);
    assert_int_equal(get("/robots.txt", NULL, NULL), 200);
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void serves_a_directory_while_developing(void **state)
{
    (void)state;
    char dir[] = "/tmp/retwis-static-XXXXXX";
    assert_non_null(mkdtemp(dir));
    assert_int_equal(mkdir(arena_printf(arena, "%s/css", dir), 0700), 0);
    write_file(arena_printf(arena, "%s/css/a.css", dir), "p{}");
    write_file(arena_printf(arena, "%s/secret", dir), "no");
    static_setup(dir);
    assert_int_equal(get("/static/v/css/a.css", NULL, NULL), 200);
    assert_string_equal(buffer_string(&resp.body), "p{}");
    assert_string_equal(resp.content_type, "text/css; charset=utf-8");
    assert_string_equal(out_header("Cache-Control"), "no-cache");
    assert_int_equal(get("/static/v/css", NULL, NULL), 404);
    assert_int_equal(get("/static/v/secret", NULL, NULL), 404);
    assert_int_equal(get("/static/v/css/../secret", NULL, NULL), 404); /* request.c refuses it before, too */
    assert_int_equal(get("/static/v/css//../secret", NULL, NULL), 404);
    assert_int_equal(get("/static/v/css/.hidden", NULL, NULL), 404);
    static_setup(NULL);
    remove(arena_printf(arena, "%s/css/a.css", dir));
    remove(arena_printf(arena, "%s/css", dir));
    remove(arena_printf(arena, "%s/secret", dir));
    assert_int_equal(remove(dir), 0);
}

static int setup(void **state)
{
    static const struct http_application app = {0};
    (void)state;
    arena = arena_new();
    static_setup(NULL);
    dispatcher = dispatch_new(&app, "", 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    dispatch_free(dispatcher);
    arena_free(arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(serves_embedded_files),
        TEST(sends_the_compressed_form_to_those_who_take_it),
        TEST(says_when_nothing_changed),
        TEST(keeps_the_rest_to_itself),
        TEST(serves_a_directory_while_developing),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
