/* oauth.c - where somebody lets an app act in his name (OAuth 2, the authorization endpoint), and where he takes that
 * back. What apps ask without him (/oauth/token) is in api/. Connection threads.
 *
 * Nothing that an app asks wrongly sends anybody away: that is an error page here. A browser leaves the site only after
 * a button was pressed, and only to an address that the app was registered with.
 */
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/oauth_target.h"
#include "pages/page.h"
#include "social/people/app.h"
#include "social/people/code.h"
#include "social/people/scope.h"
#include "social/people/token.h"
#include "view/locale.h"

/* What an app asks for. */
struct asked {
    struct app app;
    const char *redirect, *state, *challenge;
    uint64_t scopes;
};

static const char *asked_value(const struct page *p, const char *name)
{
    const char *value = p->req->method == HTTP_POST ? http_form(p->req, name) : http_query(p->req, name);
    return value ? value : "";
}

/* --- what is asked ------------------------------------------------------------------------------------------------- */

static bool ask_wrong(struct page *p, const char *text_key)
{
    page_error_saying(p, ERR_INVALID, text_key);
    return false;
}

/* Finds out what is asked, by whom. False: it was not right, and an error was answered. One round trip. */
static bool read_asked(struct page *p, struct asked *out)
{
    *out = (struct asked){.redirect = asked_value(p, "redirect_uri"), .state = asked_value(p, "state")};
    enum err e = app_find(p->site->social, p->arena, asked_value(p, "client_id"), &out->app);
    if (e != ERR_OK && e != ERR_NOT_FOUND) {
        page_error(p, e);
        return false;
    }
    if (e != ERR_OK) {
        return ask_wrong(p, "oauth_no_app");
    }
    if (!app_has_redirect(&out->app, out->redirect)) {
        return ask_wrong(p, "oauth_no_redirect");
    }
    if (p->req->method != HTTP_POST && strcmp(asked_value(p, "response_type"), "code") != 0) {
        return ask_wrong(p, "oauth_no_type");
    }
    if (!scope_parse(asked_value(p, "scope"), &out->scopes) || !scope_covers(out->app.scopes, out->scopes)) {
        return ask_wrong(p, "oauth_no_scope");
    }
    const char *challenge = asked_value(p, "code_challenge"), *method = asked_value(p, "code_challenge_method");
    out->challenge = challenge[0] ? challenge : NULL;
    if ((challenge[0] || method[0]) && (strcmp(method, "S256") != 0 || !code_challenge_is_fit(challenge))) {
        return ask_wrong(p, "oauth_no_challenge");
    }
    return true;
}

/* --- what it means, in words --------------------------------------------------------------------------------------- */

static void add_words(struct page *p, yyjson_mut_val *list, const char *text)
{
    page_put(p, yyjson_mut_arr_add_obj(p->entity.doc, list), "text", text, NULL);
}

/* "Read your bookmarks, lists": the things of which the scopes have only single ones. */
static void add_things(struct page *p, yyjson_mut_val *list, uint64_t scopes, const char *verb)
{
    struct buffer things = buffer_make(p->arena);
    size_t length = strlen(verb);
    for (unsigned i = 0; i < SCOPE_COUNT; i++) {
        const char *name = scope_name(i);
        if (scopes & SCOPE_BIT(i) && strncmp(name, verb, length) == 0 && name[length] == ':') {
            const char *key = arena_printf(p->arena, "scope_thing_%s", name + length + 1);
            buffer_printf(&things, "%s%s", things.length ? ", " : "", locale_text(p->locale, key));
        }
    }
    if (things.length) {
        const char *key = arena_printf(p->arena, "scope_%s_some", verb);
        add_words(p, list, locale_format(p->arena, p->locale, key, "things", buffer_string(&things), NULL));
    }
}

/* A line for each thing that the app will be able to do. */
static void put_scopes(struct page *p, yyjson_mut_val *object, uint64_t scopes)
{
    static const enum scope whole[] = {SCOPE_READ, SCOPE_WRITE, SCOPE_FOLLOW, SCOPE_PUSH, SCOPE_PROFILE};
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(p->entity.doc, object, "scopes");
    for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
        if (scopes & SCOPE_BIT(whole[i])) {
            add_words(p, list, locale_text(p->locale, arena_printf(p->arena, "scope_%s", scope_name(whole[i]))));
        }
    }
    add_things(p, list, scopes & SCOPE_BIT(SCOPE_READ) ? 0 : scopes, "read");
    add_things(p, list, scopes & SCOPE_BIT(SCOPE_WRITE) ? 0 : scopes, "write");
    for (unsigned i = 0; i < SCOPE_COUNT; i++) {
        if (scopes & SCOPE_BIT(i) && strncmp(scope_name(i), "admin", 5) == 0) {
            add_words(p, list, locale_text(p->locale, "scope_admin"));
            break;
        }
    }
}

static void put_app_words(struct page *p, yyjson_mut_val *object, const char *name, const char *website)
{
    page_put(p, object, "name", name, "website", oauth_target_is_web(website) ? website : NULL, NULL);
}

/* --- the question -------------------------------------------------------------------------------------------------- */

/* The same question once more, for somebody who signs in first. Without force_login: then he has. */
static const char *path_of_question(struct page *p)
{
    static const char *const kept[] = {"response_type", "client_id",      "redirect_uri",         "scope",
                                       "state",         "code_challenge", "code_challenge_method"};
    struct buffer b = buffer_make(p->arena);
    buffer_text(&b, "/oauth/authorize?");
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        buffer_printf(&b, "%s%s=", i ? "&" : "", kept[i]);
        http_encode(&b, asked_value(p, kept[i]), "-._~");
    }
    return buffer_string(&b);
}

static void ask_to_sign_in(struct page *p, const struct asked *asked)
{
    http_header(p->resp, "X-Frame-Options", "DENY"); /* in old browsers, as the question itself has it */
    page_way_back(p, path_of_question(p));
    put_app_words(p, page_object(p, "app"), asked->app.name, asked->app.website);
    page_title(p, "title_sign_in", NULL, NULL);
    page_is(p, "is_sign_in");
    page_render(p, "sign_in");
}

static void render_question(struct page *p, const struct asked *asked)
{
    yyjson_mut_val *app = page_object(p, "app");
    put_app_words(p, app, asked->app.name, asked->app.website);
    put_scopes(p, app, asked->scopes);
    page_put(p, page_object(p, "asked"), "client_id", asked_value(p, "client_id"), "redirect_uri", asked->redirect,
             "scope", asked_value(p, "scope"), "state", asked->state, "code_challenge", asked->challenge, "next",
             path_of_question(p), "target", strcmp(asked->redirect, APP_OUT_OF_BAND) == 0 ? NULL : asked->redirect,
             "other", arena_printf(p->arena, "%s&force_login=true", path_of_question(p)), NULL);
    page_title(p, "title_oauth", NULL, NULL);
    page_is(p, "is_oauth");
    page_path(p, "/home");
    page_render(p, "oauth");
}

static void page_oauth(struct http_request *req, struct http_response *resp)
{
    struct page p;
    struct asked asked;
    page_begin(&p, req, resp);
    if (!page_read(&p) || !read_asked(&p, &asked)) {
        return;
    }
    const char *again = http_query(req, "force_login");
    if (!p.viewer.id || (again && (strcasecmp(again, "true") == 0 || strcmp(again, "1") == 0))) {
        ask_to_sign_in(&p, &asked);
        return;
    }
    if (!oauth_target_is_plain(asked.redirect)) {
        ask_wrong(&p, "oauth_no_redirect");
        return;
    }
    http_allow_leaving(resp);
    render_question(&p, &asked);
}

/* --- the answer ---------------------------------------------------------------------------------------------------- */

static void send_to_app(struct page *p, const struct asked *asked, struct oauth_told told)
{
    told.state = asked->state;
    http_redirect(p->resp, oauth_target_with(p->arena, asked->redirect, &told));
}

static void show_code(struct page *p, const char *code)
{
    page_title(p, "title_oauth_code", NULL, NULL);
    page_is(p, "is_oauth");
    page_set(p, "code", code);
    page_path(p, "/home");
    page_render(p, "oauth_code");
}

static void let_in(struct page *p, const struct asked *asked)
{
    const struct actor by = page_actor(p);
    const struct code_grant grant = {&asked->app, asked->scopes, asked->redirect, asked->challenge};
    const char *code;
    enum err e = code_create(p->site->social, p->arena, &by, &grant, &code);
    if (e != ERR_OK) {
        page_error(p, e);
    } else if (strcmp(asked->redirect, APP_OUT_OF_BAND) == 0) {
        show_code(p, code);
    } else {
        send_to_app(p, asked, (struct oauth_told){.name = "code", .value = code});
    }
}

static void page_oauth_answer(struct http_request *req, struct http_response *resp)
{
    struct page p;
    struct asked asked;
    page_begin(&p, req, resp);
    if (!read_asked(&p, &asked)) {
        return;
    }
    if (strcmp(page_field(&p, "decision"), "allow") == 0) {
        let_in(&p, &asked);
    } else if (strcmp(asked.redirect, APP_OUT_OF_BAND) == 0) {
        page_redirect(&p, "/home", "flash_oauth_denied", NULL);
    } else {
        send_to_app(&p, &asked,
                    (struct oauth_told){
                        .name = "error", .value = "access_denied", .more = "The person at the browser said no"});
    }
}

/* --- the apps that were let in ------------------------------------------------------------------------------------- */

static void page_settings_apps(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct token_list *all = token_list_ask(p.visit);
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_val *list = page_list(&p, "apps");
    for (size_t i = 0; i < all->count; i++) {
        const struct token *t = &all->tokens[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(p.entity.doc, list);
        put_app_words(&p, one, t->app_name, t->app_website);
        page_put(&p, one, "id", t->id, "created_at", decoration_time(p.arena, t->created_ms), "created_elapsed",
                 locale_elapsed(p.arena, p.locale, t->created_ms, p.entity.now_ms), "seen_at",
                 decoration_time(p.arena, t->seen_ms), "seen_elapsed",
                 locale_elapsed(p.arena, p.locale, t->seen_ms, p.entity.now_ms), NULL);
        put_scopes(&p, one, t->scopes);
    }
    page_settings_place(&p, "settings_apps", "/settings/apps");
    page_render(&p, "settings_apps");
}

static void page_settings_app_revoke(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems none = {.count = 0};
    size_t ended;
    enum err e = token_end(p.site->social, p.arena, &by, http_variable(req, "id"), &ended);
    if (e == ERR_OK) {
        page_redirect(&p, "/settings/apps", "flash_app_revoked", NULL);
    } else {
        page_refuse(&p, e, &none, NULL);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter question[] = {
    {"client_id", HTTP_TEXT, 0, 40, false, "the app"},
    {"redirect_uri", HTTP_TEXT, 0, APP_ADDRESS_MAX, false,
     "where the app waits for the answer: one of those that it was registered with"},
    {"scope", HTTP_TEXT, 0, 2000, false, "what it wants to be allowed, separated by blanks; read if it says nothing"},
    {"state", HTTP_TEXT, 0, 6000, false, "comes back to the app as it is"},
    {"code_challenge", HTTP_TEXT, 0, 200, false, "PKCE"},
    {"code_challenge_method", HTTP_TEXT, 0, 20, false, "S256"},
    {0},
};

static const struct http_parameter question_asked[] = {
    {"response_type", HTTP_TEXT, 0, 40, false, "code"},
    {"force_login", HTTP_TEXT, 0, 10, false, "true: asks for the password, also of somebody who is signed in"},
    {0},
};

static const struct http_parameter question_answer[] = {
    {"decision", HTTP_TEXT, 0, 10, false, "allow, or anything else for no"},
    {0},
};

static const struct http_parameter app_fields[] = {
    {"id", HTTP_TEXT, 1, 64, true, "name of the app's token"},
    {0},
};

/* clang-format off */
const struct http_route routes_oauth[] = {
    {HTTP_GET, "/oauth/authorize", page_oauth, WHO_ANYONE, {question, question_asked},
     .help = "asks whether an app may act in one's name"},
    {HTTP_POST, "/oauth/authorize", page_oauth_answer, WHO_MEMBER, {question, question_answer},
     .help = "lets the app in, or not"},
    {HTTP_GET, "/settings/apps", page_settings_apps, WHO_MEMBER,
     .help = "the apps that act in one's name"},
    {HTTP_POST, "/settings/apps/:id/revoke", page_settings_app_revoke, WHO_MEMBER, {app_fields},
     .help = "an app may no longer"},
    {0},
};
/* clang-format on */
