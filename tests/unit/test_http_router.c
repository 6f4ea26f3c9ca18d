/* test_http_router.c - which route a path finds, what its variables are, and what 404 and 405 say. */
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
#include "http/router.h"

static void handler(struct http_request *req, struct http_response *resp)
{
    (void)req;
    (void)resp;
}

#define ROUTE(methods, path)                                                                                           \
    {                                                                                                                  \
        methods, path, handler, WHO_ANYONE, .help = NULL                                                               \
    }

static const struct http_route pages[] = {
    ROUTE(HTTP_GET, "/"),
    ROUTE(HTTP_GET, "/@:name"),
    ROUTE(HTTP_GET, "/@:name/followers"),
    ROUTE(HTTP_GET, "/@:name/:id"),
    ROUTE(HTTP_POST, "/@:name/follow"),
    ROUTE(HTTP_GET, "/:page"),
    ROUTE(HTTP_GET, "/home"),
    ROUTE(HTTP_POST, "/home"),
    ROUTE(HTTP_GET, "/posts/:id"),
    ROUTE(HTTP_DELETE, "/posts/latest"),
    ROUTE(HTTP_GET, "/static/:version/*path"),
    {0},
};
static const struct http_route more[] = {
    ROUTE(HTTP_GET, "/home"), /* the first table wins */
    ROUTE(HTTP_PUT, "/posts/:id"),
    ROUTE(HTTP_PATCH, "/:page/:id"),
    {0},
};
static const struct http_route *const tables[] = {pages, more, NULL};

struct fixture {
    struct arena *arena;
    struct router *router;
};

static int setup(void **state)
{
    struct fixture *f = malloc(sizeof(*f));
    f->arena = arena_new();
    f->router = router_new(tables);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;
    router_free(f->router);
    arena_free(f->arena);
    free(f);
    return 0;
}

static struct router_match find(void **state, enum http_method method, const char *path)
{
    struct fixture *f = *state;
    return router_find(f->router, f->arena, method, path);
}

static void expect(void **state, enum http_method method, const char *path, const char *pattern)
{
    struct router_match m = find(state, method, path);
    assert_non_null(m.route);
    assert_string_equal(m.route->path, pattern);
}

static void finds_the_most_literal_route(void **state)
{
    expect(state, HTTP_GET, "/", "/");
    expect(state, HTTP_GET, "/home", "/home");
    expect(state, HTTP_GET, "/@alice", "/@:name");
    expect(state, HTTP_GET, "/elsewhere", "/:page");
    expect(state, HTTP_GET, "/@alice/followers", "/@:name/followers");
    expect(state, HTTP_GET, "/@alice/17", "/@:name/:id");
    expect(state, HTTP_POST, "/@alice/follow", "/@:name/follow");
    assert_ptr_equal(find(state, HTTP_GET, "/home").route, &pages[6]);
}

static void goes_back_when_a_branch_has_not_the_method(void **state)
{
    expect(state, HTTP_GET, "/posts/latest", "/posts/:id");
    expect(state, HTTP_DELETE, "/posts/latest", "/posts/latest");
    expect(state, HTTP_PUT, "/posts/17", "/posts/:id");
    struct router_match m =
        find(state, HTTP_PATCH, "/@alice/17"); /* what it bound on the way to "/@:name/:id" is left behind */
    assert_int_equal(m.variables.count, 2);
    assert_string_equal(m.variables.items[0].name, "page");
}

static void binds_variables(void **state)
{
    struct router_match m = find(state, HTTP_GET, "/@alice/17");
    assert_int_equal(m.variables.count, 2);
    assert_string_equal(m.variables.items[0].name, "name");
    assert_string_equal(m.variables.items[0].value, "alice");
    assert_string_equal(m.variables.items[1].value, "17");
    m = find(state, HTTP_GET, "/static/v1/css/a/b.css");
    assert_int_equal(m.variables.count, 2);
    assert_string_equal(m.variables.items[1].name, "path");
    assert_string_equal(m.variables.items[1].value, "css/a/b.css");
    assert_int_equal(find(state, HTTP_GET, "/posts/latest").variables.count, 1);
}

static void an_empty_variable_is_none(void **state)
{
    struct router_match m = find(state, HTTP_GET, "/@");
    assert_string_equal(m.route->path, "/:page");
    assert_null(find(state, HTTP_GET, "/static/v1").route);
}

static void head_is_get(void **state)
{
    expect(state, HTTP_HEAD, "/home", "/home");
    assert_null(find(state, HTTP_HEAD, "/@a/follow/x").route);
}

static void tells_404_from_405(void **state)
{
    struct router_match m = find(state, HTTP_GET, "/no/such/page/at/all");
    assert_null(m.route);
    assert_int_equal(m.allowed, 0);
    m = find(state, HTTP_DELETE, "/home");
    assert_null(m.route);
    struct fixture *f = *state;
    assert_string_equal(router_allow(f->arena, m.allowed), "GET, HEAD, POST, OPTIONS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_the_most_literal_route, setup, teardown),
        cmocka_unit_test_setup_teardown(goes_back_when_a_branch_has_not_the_method, setup, teardown),
        cmocka_unit_test_setup_teardown(binds_variables, setup, teardown),
        cmocka_unit_test_setup_teardown(an_empty_variable_is_none, setup, teardown),
        cmocka_unit_test_setup_teardown(head_is_get, setup, teardown),
        cmocka_unit_test_setup_teardown(tells_404_from_405, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
