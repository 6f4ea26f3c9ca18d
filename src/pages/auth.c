/* auth.c - landing, signing up, in and out. Connection threads. */

#include "base/clock.h"
#include "config/config.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/session.h"
#include "social/people/sign_in.h"
#include "social/people/sign_up.h"
#include "social/timelines/newest.h"

static struct session_origin origin_of(const struct page *p)
{
    return (struct session_origin){.agent = http_header_in(p->req, "user-agent"),
                                   .address = p->req->address,
                                   .device = page_device(p),
                                   .session = http_cookie(p->req, http_session_cookie(p->req))};
}

static void set_session(struct page *p, const struct session_cookies *cookies)
{
    int64_t seconds = p->site->config->session.lifetime_days * CLOCK_DAY_SECONDS;
    http_set_cookie(p->req, p->resp, http_session_cookie(p->req), cookies->session, seconds);
    page_set_device(p, cookies->device);
}

static void page_landing(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct timeline_page *newest = NULL;
    if (http_cookie(req, http_session_cookie(req))) {
        newest_ids_ask(p.visit); /* he is led to his home, unless the session has ended */
    } else {
        newest = newest_posts_ask(p.visit);
    }
    if (!page_read(&p)) {
        return;
    }
    if (p.viewer.id) {
        page_redirect(&p, "/home", NULL, NULL);
        return;
    }
    if (!newest) {
        newest = newest_posts_ask(p.visit);
        if (!page_read(&p)) {
            return;
        }
    }
    page_title(&p, "title_landing", NULL, NULL);
    page_is(&p, "is_landing");
    if (newest->count) {
        page_statuses(&p, "statuses", newest);
        yyjson_mut_obj_add_bool(p.entity.doc, p.root, "has_statuses", true);
    }
    page_render(&p, "landing");
}

static bool fill_sign_up(struct page *p, const char *subject)
{
    (void)subject;
    page_title(p, "title_sign_up", NULL, NULL);
    page_is(p, "is_sign_up");
    page_path(p, "/auth/sign_up");
    return true;
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
    fill_sign_up(&p, NULL);
    page_render(&p, "sign_up");
}

static void page_sign_up(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry retry = {.template = "sign_up",
                                            .fill = fill_sign_up,
                                            .asks_nothing = true,
                                            .fields = {"username", "invite_code", "next"}};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    const struct session_origin origin = origin_of(&p);
    struct problems problems = {.count = 0};
    struct sign_up form = {.name = page_field(&p, "username"),
                           .password = page_field(&p, "password"),
                           .password2 = page_field(&p, "password2"),
                           .invite = page_field(&p, "invite_code"),
                           .origin = &origin};
    uint64_t uid;
    struct session_cookies cookies;
    enum err e = user_sign_up(p.site->social, p.arena, &by, &form, &uid, &cookies, &problems);
    if (e == ERR_OK) {
        set_session(&p, &cookies);
        page_redirect(&p, page_next(&p, "/home"), "flash_welcome", form.name);
    } else {
        page_refuse(&p, e, &problems, &retry);
    }
}

static bool fill_sign_in(struct page *p, const char *subject)
{
    (void)subject;
    page_title(p, "title_sign_in", NULL, NULL);
    page_is(p, "is_sign_in");
    page_path(p, "/auth/sign_in");
    return true;
}

static void page_sign_in_form(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (!page_read(&p)) {
        return;
    }
    page_way_back(&p, http_safe_next(http_query(req, "next"), ""));
    fill_sign_in(&p, NULL);
    page_render(&p, "sign_in");
}

static void page_sign_in(struct http_request *req, struct http_response *resp)
{
    static const struct page_retry retry = {
        .template = "sign_in", .fill = fill_sign_in, .asks_nothing = true, .fields = {"username", "next"}};
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    struct sign_in form = {
        .name = page_field(&p, "username"), .password = page_field(&p, "password"), .origin = origin_of(&p)};
    struct session_cookies cookies;
    enum err e = sign_in(p.site->social, p.arena, &by, &form, &cookies, &problems);
    if (e == ERR_OK) {
        set_session(&p, &cookies);
        page_redirect(&p, page_next(&p, "/home"), NULL, NULL);
    } else {
        /* a wrong password is a mistake in the form, which can be shown again */
        page_refuse(&p, e == ERR_UNAUTHORIZED ? ERR_INVALID : e, &problems, &retry);
    }
}

/* The browser forgets the session in any case. If the engine could not end it, the visitor is told, because somebody
 * with a copy of the cookie could still use it. */
static void page_sign_out(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    const char *cookie = http_cookie(req, http_session_cookie(req));
    http_set_cookie(req, resp, http_session_cookie(req), "", 0);
    enum err e = session_sign_out(p.site->social, p.arena, &by, cookie);
    if (e == ERR_OK) {
        page_redirect(&p, "/", "flash_signed_out", NULL);
    } else {
        page_error_saying(&p, e, "http_503_sign_out");
    }
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
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "sign in or sign up; the home timeline when signed in"},
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
