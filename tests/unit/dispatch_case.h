/* dispatch_case.h - what the tests of the dispatcher share: a small site of two areas, and asking it. */
#ifndef TESTS_DISPATCH_CASE_H
#define TESTS_DISPATCH_CASE_H

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

/* A page for everybody, with two forms. */
static const char *front_text = "", *front_end = "";
static int front_status = 200;

static inline void get_front(struct http_request *r, struct http_response *out)
{
    out->status = front_status;
    for (int i = 0; i < 2; i++) {
        buffer_text(&out->body, front_text);
        buffer_text(&out->body, http_csrf_token(r, out));
    }
    buffer_text(&out->body, front_end);
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
    {HTTP_GET | HTTP_POST, "/front", get_front, WHO_ANYONE, .help = "", .flags = HTTP_PUBLIC},
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

static inline void with_field(const char *name, const char *value)
{
    pairs_add(arena, &req.form, name, value);
}

static void with_header(const char *name, const char *value)
{
    pairs_add(arena, &req.headers, name, value);
}

/* The token that a visitor with this cookie finds in his form. */
static inline const char *token_of(const char *cookie_name, const char *cookie)
{
    prepare(HTTP_GET, "/form");
    if (cookie) {
        with_cookie(cookie_name, cookie);
    }
    assert_int_equal(run(), 200);
    return buffer_string(&resp.body);
}

static int setup(void **state)
{
    static const struct http_application app = {.areas = areas};
    (void)state;
    arena = arena_new();
    dispatcher = dispatch_new(&app, "https://public.example", 0);
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

#endif
