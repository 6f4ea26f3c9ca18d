/* test_http_area.c - who may ask for what, before anything is changed or shown; and that each area answers in its own
 * way. */
#include "dispatch_case.h"

/* --- who ----------------------------------------------------------------------------------------------------------- */

/* A form of a member with its token, to that path. */
static void prepare_change(const char *path)
{
    const char *token = token_of("retwis", "7.secret");
    prepare(HTTP_POST, path);
    with_cookie("retwis", "7.secret");
    with_field("csrf_token", token);
    with_field("text", "hello");
}

static int change_as(const char *path, enum err e)
{
    prepare_change(path);
    found = e;
    return run();
}

static void nothing_changes_before_it_is_known_who_asks(void **state)
{
    (void)state;
    assert_int_equal(change_as("/mine", ERR_OK), 303);
    assert_int_equal(handled, 1);
    assert_int_equal(verified, 1);
    assert_int_equal(change_as("/mine", ERR_UNAUTHORIZED), 401);
    assert_string_equal(buffer_string(&resp.body), "denied: unauthorized");
    assert_int_equal(handled, 0);
    assert_int_equal(change_as("/lost", ERR_FORBIDDEN), 403);
    assert_string_equal(buffer_string(&resp.body), "denied: forbidden");
    assert_int_equal(handled, 0);
    assert_int_equal(change_as("/lost", ERR_UNAVAILABLE), 503);
    assert_string_equal(buffer_string(&resp.body), "page of 503: ");
    assert_int_equal(handled, 0);
    assert_int_equal(change_as("/mine", ERR_UNAVAILABLE), 503);
    assert_string_equal(buffer_string(&resp.body), "your text");
    assert_int_equal(handled, 0);
}

/* What can be refused without a round trip is. */
static void nobody_is_asked_for_nothing(void **state)
{
    (void)state;
    prepare_change("/mine");
    req.cookies.items[0].name = "retwis_visitor";
    assert_int_equal(run(), 401);
    prepare_change("/mine");
    req.form.items[0].value = "wrong";
    assert_int_equal(run(), 403);
    prepare_change("/mine");
    req.form.items[1].value = "";
    assert_int_equal(run(), 422);
    assert_int_equal(handled + verified, 0);
    prepare(HTTP_GET, "/form");
    with_cookie("retwis", "7.secret");
    assert_int_equal(run(), 200);
    assert_int_equal(verified, 0);
}

static int show_as(const char *path, enum err e)
{
    prepare(HTTP_GET, path);
    with_cookie("retwis", "7.secret");
    found = e;
    return run();
}

static void nothing_is_shown_before_it_is_known_who_asks(void **state)
{
    (void)state;
    assert_int_equal(show_as("/mine", ERR_OK), 200);
    assert_string_equal(buffer_string(&resp.body), "mine");
    assert_int_equal(verified, 1);
    assert_int_equal(show_as("/mine", ERR_FORBIDDEN), 403);
    assert_string_equal(buffer_string(&resp.body), "denied: forbidden");
    assert_null(out_header("X-Mine"));
    assert_int_equal(show_as("/mine", ERR_UNAVAILABLE), 503);
    assert_string_equal(buffer_string(&resp.body), "page of 503: ");
    assert_int_equal(show_as("/settled", ERR_FORBIDDEN), 200); /* the handler has asked, and said so */
    assert_int_equal(verified, 0);
    prepare(HTTP_GET, "/settled");
    assert_int_equal(run(), 401);
    assert_int_equal(handled, 0);
}

/* --- another area -------------------------------------------------------------------------------------------------- */

static void assert_json(int status, const char *text)
{
    assert_int_equal(resp.status, status);
    assert_string_equal(resp.content_type, "application/json");
    assert_string_equal(buffer_string(&resp.body), text);
}

static void each_area_has_its_own_errors(void **state)
{
    static const int statuses[] = {400, 408, 413, 415, 429, 431, 500, 503};
    (void)state;
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        prepare(HTTP_GET, "/api/anything");
        dispatch_fail(dispatcher, &req, &resp, statuses[i], "why");
        assert_json(statuses[i], "{\"error\":\"why\"}");
        prepare(HTTP_GET, "");
        dispatch_fail(dispatcher, &req, &resp, statuses[i], "why");
        assert_string_equal(buffer_string(&resp.body), arena_printf(arena, "page of %d: why", statuses[i]));
    }
    prepare(HTTP_GET, "/api/nothing");
    run();
    assert_json(404, "{\"error\":\"\"}");
    prepare(HTTP_GET, "/api");
    run();
    assert_json(404, "{\"error\":\"\"}");
    prepare(HTTP_DELETE, "/api/mine");
    run();
    assert_json(405, "{\"error\":\"\"}");
    assert_string_equal(out_header("Allow"), "GET, HEAD, POST, OPTIONS");
    prepare(HTTP_GET, "/api/split");
    pairs_add(arena, &req.query, "to", "/x\r\ny");
    run();
    assert_json(500, "{\"error\":\"\"}");
    prepare(HTTP_GET, "/apish");
    assert_int_equal(run(), 404);
    assert_string_equal(buffer_string(&resp.body), "page of 404: ");
}

static void ask_api(enum http_method method, const char *authorization)
{
    prepare(method, "/api/mine");
    if (authorization) {
        with_header("authorization", authorization);
    }
    with_field("text", "hello");
    run();
}

static void a_token_is_its_credential(void **state)
{
    (void)state;
    ask_api(HTTP_POST, "Bearer token:write"); /* and no CSRF token */
    assert_int_equal(resp.status, 303);
    ask_api(HTTP_POST, "bearer  token:write");
    assert_int_equal(resp.status, 303);
    ask_api(HTTP_POST, "Bearer token:read");
    assert_json(403, "{\"error\":\"forbidden\"}");
    ask_api(HTTP_POST, "Bearer other");
    assert_json(401, "{\"error\":\"unauthorized\"}");
    assert_int_equal(handled, 0);
    static const char *const none[] = {NULL, "Bearer ", "Bearer", "Basic token:write", "token:write"};
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        ask_api(HTTP_POST, none[i]);
        assert_json(401, "{\"error\":\"unauthorized\"}");
        assert_int_equal(verified, 0);
    }
    ask_api(HTTP_GET, "Bearer token:read");
    assert_string_equal(buffer_string(&resp.body), "mine");
    ask_api(HTTP_GET, "Bearer token:write");
    assert_json(403, "{\"error\":\"forbidden\"}");
    prepare(HTTP_POST, "/api/mine");
    with_header("authorization", "Bearer token:write");
    run();
    assert_json(422, "{\"error\":\"text\"}");
    prepare(HTTP_GET, "/api/mine"); /* whose header is it? */
    with_header("authorization", "Bearer token:read");
    with_header("authorization", "Bearer token:read");
    run();
    assert_json(401, "{\"error\":\"unauthorized\"}");
    prepare(HTTP_GET, "/api/mine");
    with_cookie("retwis", "7.secret");
    run();
    assert_json(401, "{\"error\":\"unauthorized\"}");
}

static void scripts_of_other_sites_may_come(void **state)
{
    (void)state;
    prepare(HTTP_OPTIONS, "/api/mine");
    with_header("origin", "https://other.example");
    with_header("access-control-request-method", "POST");
    assert_int_equal(run(), 204);
    assert_string_equal(out_header("Access-Control-Allow-Origin"), "*");
    assert_string_equal(out_header("Access-Control-Allow-Methods"), "GET, POST");
    assert_string_equal(out_header("Access-Control-Allow-Headers"), "Authorization");
    assert_string_equal(out_header("Access-Control-Max-Age"), "600");
    prepare(HTTP_GET, "/api/nothing"); /* an error that a script may read */
    with_header("origin", "https://other.example");
    assert_int_equal(run(), 404);
    assert_string_equal(out_header("Access-Control-Allow-Origin"), "*");
    assert_string_equal(out_header("Access-Control-Expose-Headers"), "Link");
    assert_null(out_header("Access-Control-Allow-Methods"));
    dispatch_fail(dispatcher, &req, &resp, 429, NULL);
    assert_string_equal(out_header("Access-Control-Allow-Origin"), "*");
    prepare(HTTP_GET, "/api/nothing");
    run();
    assert_null(out_header("Access-Control-Allow-Origin"));
    prepare(HTTP_GET, "/form");
    with_header("origin", "https://other.example");
    run();
    assert_null(out_header("Access-Control-Allow-Origin"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_changes_before_it_is_known_who_asks),
        TEST(nobody_is_asked_for_nothing),
        TEST(nothing_is_shown_before_it_is_known_who_asks),
        TEST(each_area_has_its_own_errors),
        TEST(a_token_is_its_credential),
        TEST(scripts_of_other_sites_may_come),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
