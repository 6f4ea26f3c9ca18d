/* test_http_acme.c - proofs for a certificate authority: which files of the directory are one, and which are not
 * there. */
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
#include "base/secret.h"
#include "http/acme.h"
#include "http/application.h"
#include "http/dispatch.h"
#include "http/pairs.h"
#include "http/response.h"

static struct arena *arena;
static char root[] = "/tmp/retwis-acme-XXXXXX";
static struct http_request req;
static struct http_response resp;

static const char *inside(const char *name)
{
    return arena_printf(arena, "%s/.well-known/acme-challenge/%s", root, name);
}

static void write_bytes(const char *path, size_t size)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t i = 0; i < size; i++) {
        fputc('p', f);
    }
    fclose(f);
}

/* Status of the answer for a token; in *length the size of its body. */
static int get(const char *token, size_t *length)
{
    const struct http_application app = {.areas = NULL};
    struct dispatch *d = dispatch_new(&app, "", 0);
    req = (struct http_request){
        .arena = arena, .method = HTTP_GET, .path = arena_printf(arena, "/.well-known/acme-challenge/%s", token)};
    resp = response_make(arena);
    dispatch_run(d, &req, &resp, dispatch_route(d, &req));
    dispatch_free(d);
    *length = resp.body.length;
    return resp.status;
}

static void serves_proofs(void **state)
{
    size_t length;
    (void)state;
    write_bytes(inside("Ab-_9"), 87);
    assert_int_equal(get("Ab-_9", &length), 200);
    assert_int_equal(length, 87);
    assert_string_equal(resp.content_type, "application/octet-stream");
    write_bytes(inside("full"), 1024);
    assert_int_equal(get("full", &length), 200);
    assert_int_equal(length, 1024);
    assert_true(req.route->flags & HTTP_IN_CLEAR);
}

static void serves_nothing_else(void **state)
{
    static const char *const bad[] = {"nothing", "..", "a.txt", "a b", "a/b", "%2e%2e", "\xc3\xa9", ""};
    size_t length;
    (void)state;
    write_bytes(inside("empty"), 0);
    write_bytes(inside("large"), 1025);
    write_bytes(inside("a.txt"), 10);
    write_bytes(inside("real"), 10);
    assert_int_equal(symlink("real", inside("link")), 0);
    assert_int_equal(mkdir(inside("directory"), 0700), 0);
    assert_int_equal(mkfifo(inside("fifo"), 0600), 0); /* must not wait for a writer */
    assert_int_equal(get("real", &length), 200);
    static const char *const odd[] = {"empty", "large", "link", "directory", "fifo"};
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        assert_int_equal(get(odd[i], &length), 404);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        assert_int_equal(get(bad[i], &length), 404);
    }
    char name[250];
    memset(name, 'a', sizeof(name));
    name[201] = '\0';
    write_bytes(inside(name), 10);
    assert_int_equal(get(name, &length), 404);
    name[200] = '\0';
    write_bytes(inside(name), 10);
    assert_int_equal(get(name, &length), 200);
}

/* Whoever may write the directory must not make the server show a file of its own or of others. */
static void follows_no_directory_out_of_it(void **state)
{
    size_t length;
    (void)state;
    const char *directory = arena_printf(arena, "%s/.well-known/acme-challenge", root);
    const char *away = arena_printf(arena, "%s/elsewhere", root);
    write_bytes(inside("secret"), 10);
    assert_int_equal(get("secret", &length), 200);
    assert_int_equal(rename(directory, away), 0);
    assert_int_equal(symlink(away, directory), 0);
    assert_int_equal(get("secret", &length), 404);
    assert_int_equal(unlink(directory), 0);
    assert_int_equal(get("secret", &length), 404);
    assert_int_equal(rename(away, directory), 0);
    assert_int_equal(get("secret", &length), 200);
}

static void is_not_there_without_a_directory(void **state)
{
    size_t length;
    (void)state;
    write_bytes(inside("real"), 10);
    acme_setup("");
    assert_int_equal(get("real", &length), 404);
    assert_null(req.route);
}

static int setup(void **state)
{
    (void)state;
    arena = arena_new();
    strcpy(root + strlen(root) - 6, "XXXXXX");
    if (!mkdtemp(root) || mkdir(arena_printf(arena, "%s/.well-known", root), 0700) != 0 ||
        mkdir(inside(""), 0700) != 0) {
        return -1;
    }
    acme_setup(root);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    acme_setup(NULL);
    int status = system(arena_printf(arena, "rm -r %s", root));
    arena_free(arena);
    return status;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(serves_proofs),
        TEST(serves_nothing_else),
        TEST(follows_no_directory_out_of_it),
        TEST(is_not_there_without_a_directory),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
