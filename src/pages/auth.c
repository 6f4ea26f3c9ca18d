/* auth.c - landing, signing up, in and out. Connection threads. */

#include <string.h>

#include "config/config.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/session.h"
#include "social/people/sign_in.h"
#include "social/people/sign_up.h"

#define SECONDS_PER_DAY 86400

static struct session_origin origin_of(const struct page *p)
{
    return (struct session_origin){http_header_in(p->req, "user-agent"), p->req->address, page_device(p)};
}

/* A new session takes the place of the one that this browser had, whoever's it was: the old cookie, if somebody has a copy
 * of it, is worth nothing any more. */
static void set_session(struct page *p, const struct session_cookies *cookies)
{
    visit_end_session(p->visit);
    int64_t seconds = p->site->config->session.lifetime_days * SECONDS_PER_DAY;
    http_set_cookie(p->req, p->resp, http_session_cookie(p->req), cookies->session, seconds);
    page_set_device(p, cookies->device);
}

static void page_landing(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (!page_read(&p)) {
        return;
    }
    if (p.viewer.id) {
        page_redirect(&p, "/home", NULL, NULL);
        return;
    }
    page_title(&p, "title_landing", NULL, NULL);
    page_is(&p, "is_landing");
    page_render(&p, "landing");
}

static void render_sign_up(struct page *p)
{
    page_title(p, "title_sign_up", NULL, NULL);
    page_is(p, "is_sign_up");
    page_path(p, "/auth/sign_up");
    page_render(p, "sign_up");
}

static void page_sign_up_form(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (!page_read(&p)) {
        return;
    }
    const char *invite = http_query(req, "invite"), *next = http_query(req, "next");
    page_put(&p, page_object(&p, "form"), "invite_code", invite, "next", http_safe_next(next, ""), NULL);
    render_sign_up(&p);
}

static void sign_up_again(struct page *p, struct problems *problems, enum err e, unsigned seconds)
{
    if (!page_is_form_error(e)) {
        page_error(p, e);
        return;
    }
    page_explain(p, problems, e, seconds);
    page_form(p, "username", "invite_code", "next", NULL);
    page_problems(p, problems, e);
    render_sign_up(p);
}

static void page_sign_up(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct problems problems = {0};
    unsigned seconds = 0;
    uint64_t uid;
    struct sign_up form = {.name = page_field(&p, "username"),
                           .password = page_field(&p, "password"),
                           .password2 = page_field(&p, "password2"),
                           .invite = page_field(&p, "invite_code"),
                           .networks = req->networks};
    struct session_cookies cookies;
    struct session_origin origin = origin_of(&p);
    enum err e = limit_take_networks(p.site->social, p.arena, LIMIT_SIGN_UP, req->networks, &seconds);
    e = e == ERR_OK ? user_sign_up(p.site->social, p.arena, &form, &uid, &problems) : e;
    e = e == ERR_OK ? session_create(p.site->social, p.arena, uid, NULL, &origin, &cookies) : e;
    if (e != ERR_OK) {
        sign_up_again(&p, &problems, e, seconds);
        return;
    }
    set_session(&p, &cookies);
    page_redirect(&p, page_next(&p, "/home"), "flash_welcome", form.name);
}

static void render_sign_in(struct page *p)
{
    page_title(p, "title_sign_in", NULL, NULL);
    page_is(p, "is_sign_in");
    page_path(p, "/auth/sign_in");
    page_render(p, "sign_in");
}

static void page_sign_in_form(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (!page_read(&p)) {
        return;
    }
    page_put(&p, page_object(&p, "form"), "next", http_safe_next(http_query(req, "next"), ""), NULL);
    render_sign_in(&p);
}

static void page_sign_in(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    struct problems problems = {0};
    unsigned seconds = 0;
    struct sign_in form = {.name = page_field(&p, "username"),
                           .password = page_field(&p, "password"),
                           .networks = req->networks,
                           .origin = origin_of(&p)};
    struct session_cookies cookies;
    enum err e = ERR_INVALID;
    if (!*form.name || !*form.password) {
        problem_add(&problems, "form", "sign_in_blank");
    } else {
        e = sign_in(p.site->social, p.arena, &form, &cookies, &seconds);
    }
    if (e == ERR_OK) {
        set_session(&p, &cookies);
        page_redirect(&p, page_next(&p, "/home"), NULL, NULL);
        return;
    }
    if (e == ERR_UNAUTHORIZED) {
        problem_add(&problems, "form", "sign_in");
        e = ERR_INVALID;
    }
    if (!page_is_form_error(e)) {
        page_error(&p, e);
        return;
    }
    page_explain(&p, &problems, e, seconds);
    page_form(&p, "username", "next", NULL);
    page_problems(&p, &problems, e);
    render_sign_in(&p);
}

/* Ends the visitor's session at the engine, if he has one. */
static enum err end_session(struct page *p)
{
    enum err e = visit_read(p->visit);
    return e == ERR_OK ? visit_end_session(p->visit) : e;
}

/* The browser forgets the session whatever the engine says. If that could not end it, the person is told: whoever has a copy
 * of the cookie could still use it. */
static void page_sign_out(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    bool had_session = http_cookie(req, http_session_cookie(req)) != NULL;
    http_set_cookie(req, resp, http_session_cookie(req), "", 0);
    enum err e = had_session ? end_session(&p) : ERR_OK;
    if (e == ERR_OK) {
        page_redirect(&p, "/", "flash_signed_out", NULL);
        return;
    }
    page_error_saying(&p, e, "http_503_sign_out");
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter credentials[] = {
    {"username", HTTP_TEXT, 0, 1000, false, "user name"},
    {"password", HTTP_TEXT, 0, 1000, false, "password"},
    {0},
};

static const struct http_parameter sign_up_fields[] = {
    {"password2", HTTP_TEXT, 0, 1000, false, "the same again"},
    {"invite_code", HTTP_TEXT, 0, 100, false, "invitation"},
    {0},
};

/* clang-format off */
const struct http_route routes_auth[] = {
    {HTTP_GET, "/", page_landing, WHO_ANYONE,
     .help = "sign in or sign up; the home timeline when signed in"},
    {HTTP_GET, "/auth/sign_up", page_sign_up_form, WHO_ANYONE,
     .help = "form to create an account"},
    {HTTP_POST, "/auth/sign_up", page_sign_up, WHO_ANYONE, {credentials, sign_up_fields, parameter_next},
     .help = "creates an account and signs in"},
    {HTTP_GET, "/auth/sign_in", page_sign_in_form, WHO_ANYONE,
     .help = "form to sign in"},
    {HTTP_POST, "/auth/sign_in", page_sign_in, WHO_ANYONE, {credentials, parameter_next},
     .help = "signs in"},
    {HTTP_POST, "/auth/sign_out", page_sign_out, WHO_ANYONE,
     .help = "ends this session"},
    {0},
};
/* clang-format on */
