/* test_http_dispatch.c - from a request to its answer: routes, CSRF, parameters, error pages, headers on the wire. */
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
#include "base/secret.h"
#include "http/application.h"
#include "http/area.h"
#include "http/dispatch.h"
#include "http/pairs.h"
#include "http/response.h"
#include "http/static.h"

static struct arena *arena;
static struct dispatch *dispatcher;
static const unsigned char key[32] = "a key of thirty-two bytes, or so";
static struct http_request req;
static struct http_response resp;

/* --- a small site -------------------------------------------------------------------------------------------------- */

static void get_form(struct http_request *r, struct http_response *out)
{
    buffer_text(&out->body, http_csrf_token(r, out));
    assert_string_equal(http_csrf_token(r, out), buffer_string(&out->body));
}

static void post_form(struct http_request *r, struct http_response *out)
{
    (void)r;
    http_redirect(out, "/home");
}

/* How often the handlers below ran, how often `verify` was asked, and what it finds. */
static unsigned handled, verified;
static enum err found;

static void change_mine(struct http_request *r, struct http_response *out)
{
    handled++;
    assert_ptr_equal(r->visitor, &found);
    http_redirect(out, "/mine");
}

static void show_mine(struct http_request *r, struct http_response *out)
{
    (void)r;
    handled++;
    http_header(out, "X-Mine", "1");
    buffer_text(&out->body, "mine");
}

static void show_settled(struct http_request *r, struct http_response *out)
{
    r->is_settled = true;
    show_mine(r, out);
}

static void keep_text(struct http_request *r, struct http_response *out, enum err e)
{
    (void)r;
    out->status = err_info(e)->http_status;
    buffer_text(&out->body, "your text");
}

static void get_split(struct http_request *r, struct http_response *out)
{
    http_redirect(out, http_query(r, "to"));
}

static const struct http_parameter post_inputs[] = {
    {"text", HTTP_TEXT, 1, 10, true, ""}, {"count", HTTP_NUMBER, -5, 5, false, ""},
    {"reply", HTTP_ID, 0, 0, false, ""},  {"names", HTTP_NAME, 0, 0, false, ""},
    {NULL, HTTP_TEXT, 0, 0, false, NULL},
};
static const struct http_parameter id_inputs[] = {
    {"id", HTTP_ID, 0, 0, true, ""},
    {NULL, HTTP_TEXT, 0, 0, false, NULL},
};
static const struct http_parameter page_inputs[] = {
    {"page", HTTP_NUMBER, 1, 9, false, ""},
    {NULL, HTTP_TEXT, 0, 0, false, NULL},
};
static const struct http_route routes[] = {
    {HTTP_GET, "/form", get_form, WHO_ANYONE, .help = ""},
    {HTTP_POST, "/form", post_form, WHO_ANYONE, {post_inputs}, .help = ""},
    {HTTP_PUT | HTTP_PATCH | HTTP_DELETE, "/thing", get_form, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/split", get_split, WHO_ANYONE, .help = ""},
    {HTTP_GET | HTTP_POST, "/home", post_form, WHO_MEMBER, .help = ""},
    {HTTP_GET, "/posts/:id", post_form, WHO_ANYONE, {id_inputs, page_inputs}, .help = ""},
    {HTTP_GET, "/mine", show_mine, WHO_MEMBER, .help = ""},
    {HTTP_GET, "/settled", show_settled, WHO_MEMBER, .help = ""},
    {HTTP_POST, "/mine", change_mine, WHO_MEMBER, {post_inputs}, .help = "", .unverified = keep_text},
    {HTTP_POST, "/lost", change_mine, WHO_ADMINISTRATOR, .help = ""},
    {0},
};
static const struct http_route *const tables[] = {routes, NULL};

static void on_error(struct http_request *r, struct http_response *out, int status, const char *text)
{
    (void)r;
    assert_int_equal(out->status, status);
    buffer_printf(&out->body, "page of %d: %s", status, text ? text : "");
}

static void on_invalid(struct http_request *r, struct http_response *out, const struct http_parameter *p)
{
    (void)r;
    assert_int_equal(out->status, 422);
    buffer_text(&out->body, p->name);
}

static void on_denied(struct http_request *r, struct http_response *out, enum err e)
{
    (void)r;
    assert_int_equal(out->status, err_info(e)->http_status);
    buffer_printf(&out->body, "denied: %s", err_info(e)->name);
}

static enum err verify(struct http_request *r)
{
    verified++;
    assert_non_null(area_credential(r));
    r->visitor = &found;
    return found;
}

static const struct http_area pages = {
    .path = "/", .tables = tables, .verify = verify, .error = on_error, .denied = on_denied, .invalid = on_invalid};

/* Another area: JSON, tokens, scripts of other sites. */

static void json(struct http_request *r, struct http_response *out, int status, const char *text)
{
    (void)r;
    out->status = status;
    out->content_type = "application/json";
    buffer_printf(&out->body, "{\"error\":\"%s\"}", text ? text : "");
}

static void json_denied(struct http_request *r, struct http_response *out, enum err e)
{
    json(r, out, err_info(e)->http_status, err_info(e)->name);
}

static void json_invalid(struct http_request *r, struct http_response *out, const struct http_parameter *p)
{
    json(r, out, 422, p->name);
}

/* Tokens say what they are good for. */
static enum err verify_token(struct http_request *r)
{
    const char *token = area_credential(r);
    verified++;
    if (strncmp(token, "token:", 6) != 0) {
        return ERR_UNAUTHORIZED;
    }
    r->visitor = &found;
    return !r->route->scopes || strcmp(token + 6, r->route->scopes) == 0 ? ERR_OK : ERR_FORBIDDEN;
}

static const struct http_route api_routes[] = {
    {HTTP_GET, "/api/split", get_split, WHO_ANYONE, .help = ""},
    {HTTP_GET, "/api/mine", show_mine, WHO_MEMBER, .help = "", .scopes = "read"},
    {HTTP_POST, "/api/mine", change_mine, WHO_MEMBER, {post_inputs}, .help = "", .scopes = "write"},
    {0},
};
static const struct http_route *const api_tables[] = {api_routes, NULL};
static const struct http_cors cors = {"*", "GET, POST", "Authorization", "Link", 600};
static const struct http_area api = {.path = "/api",
                                     .tables = api_tables,
                                     .credential = HTTP_BEARER,
                                     .cors = &cors,
                                     .verify = verify_token,
                                     .error = json,
                                     .denied = json_denied,
                                     .invalid = json_invalid};
static const struct http_area *const areas[] = {&pages, &api, NULL};

/* --- asking it ----------------------------------------------------------------------------------------------------- */

static void prepare(enum http_method method, const char *path)
{
    req = (struct http_request){
        .arena = arena, .method = method, .path = path, .host = "site.example:8080", .secret_key = key, .id = "id"};
    resp = response_make(arena);
    handled = verified = 0;
    found = ERR_OK;
}

static int run(void)
{
    unsigned allowed = dispatch_route(dispatcher, &req);
    dispatch_run(dispatcher, &req, &resp, allowed);
    return resp.status;
}

static const char *out_header(const char *name)
{
    return pairs_get(&resp.headers, name);
}

static void with_cookie(const char *name, const char *value)
{
    pairs_add(arena, &req.cookies, name, value);
}

static void with_field(const char *name, const char *value)
{
    pairs_add(arena, &req.form, name, value);
}

static void with_header(const char *name, const char *value)
{
    pairs_add(arena, &req.headers, name, value);
}

/* The token that a visitor with this cookie finds in his form. */
static const char *token_of(const char *cookie_name, const char *cookie)
{
    prepare(HTTP_GET, "/form");
    if (cookie) {
        with_cookie(cookie_name, cookie);
    }
    assert_int_equal(run(), 200);
    return buffer_string(&resp.body);
}

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
    assert_string_equal(token_of("retwis_visitor", value), token);
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

static void a_control_byte_in_a_header_is_500(void **state)
{
    (void)state;
    prepare(HTTP_GET, "/split");
    pairs_add(arena, &req.query, "to", "/x\r\nSet-Cookie: a=b");
    assert_int_equal(run(), 500);
    assert_null(out_header("Location"));
}

static const char *wire(bool keep_alive, bool old_protocol, bool head)
{
    const struct response_wire w = {keep_alive, old_protocol, head};
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

static int setup(void **state)
{
    static const struct http_application app = {.areas = areas};
    (void)state;
    arena = arena_new();
    dispatcher = dispatch_new(&app, "https://public.example");
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
        TEST(answers_unknown_paths_and_methods),
        TEST(denies_who_is_not_signed_in),
        TEST(a_form_works_with_its_token),
        TEST(a_visitor_gets_a_cookie_for_his_token),
        TEST(other_sites_are_refused),
        TEST(a_token_is_taken_from_a_header_too),
        TEST(inputs_are_checked),
        TEST(variables_and_queries_are_checked),
        TEST(nothing_changes_before_it_is_known_who_asks),
        TEST(nobody_is_asked_for_nothing),
        TEST(nothing_is_shown_before_it_is_known_who_asks),
        TEST(each_area_has_its_own_errors),
        TEST(a_token_is_its_credential),
        TEST(scripts_of_other_sites_may_come),
        TEST(a_control_byte_in_a_header_is_500),
        TEST(writes_the_answer),
        TEST(only_paths_of_this_site_are_safe),
    };
    secret_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
