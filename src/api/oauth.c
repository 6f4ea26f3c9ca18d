/* oauth.c - OAuth 2 (RFC 6749) as clients of Mastodon speak it: tokens for codes, for passwords and for applications
 * themselves; their end; and the document that says so. The page on which people let an application in is
 * pages/oauth.c.
 *
 * Tokens do not run out, and there are none to renew them. Errors are those of RFC 6749, 5.2. Connection threads.
 */
#include <string.h>
#include <strings.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "config/settings.h"
#include "social/people/app.h"
#include "social/people/code.h"
#include "social/people/device.h"
#include "social/people/scope.h"
#include "social/people/sign_in.h"
#include "social/people/token.h"
#include "view/instance.h"

/* A call of a program that has to prove which application it is. */
struct oauth_call {
    struct api api;
    struct app app;
};

/* --- answers ------------------------------------------------------------------------------------------------------- */

static void refuse_grant(struct api *c, int status, const char *error, const char *description)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, o, "error", error);
    yyjson_mut_obj_add_str(doc, o, "error_description", description);
    api_answer(c, o);
    c->resp->status = status;
}

static void refuse_invalid_grant(struct api *c)
{
    refuse_grant(c, 400, "invalid_grant",
                 "The code or the password is wrong, has run out, was used before, or is not for this application.");
}

void api_answer_token(struct api *c, const struct token_made *token)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, o, "access_token", token->text);
    yyjson_mut_obj_add_str(doc, o, "token_type", "Bearer");
    yyjson_mut_obj_add_str(doc, o, "scope", scope_words(c->arena, token->scopes));
    yyjson_mut_obj_add_uint(doc, o, "created_at", token->created_ms / 1000);
    api_answer(c, o);
}

/* --- which application it is --------------------------------------------------------------------------------------- */

/* Id and secret of an Authorization: Basic header; false: there is none. */
static bool basic_client(const struct api *c, const char **id, const char **secret)
{
    static const char scheme[] = "Basic ";
    const char *value = http_header_in(c->req, "authorization");
    char *text = value ? arena_alloc(c->arena, strlen(value) + 1) : NULL;
    if (!value || strncasecmp(value, scheme, sizeof(scheme) - 1) != 0 ||
        !secret_decode(value + sizeof(scheme) - 1, text, strlen(value) + 1)) {
        return false;
    }
    char *colon = strchr(text, ':');
    *id = text;
    *secret = colon ? colon + 1 : "";
    if (colon) {
        *colon = '\0';
    }
    return true;
}

/* Finds the application, which proves itself by its secret. ERR_NOT_FOUND: it does not. */
static enum err find_client(struct oauth_call *o)
{
    struct api *c = &o->api;
    const char *id = api_text(c, "client_id"), *secret = api_text(c, "client_secret");
    if (!secret) {
        basic_client(c, &id, &secret);
    }
    enum err e = app_find(c->site->social, c->arena, id, &o->app);
    return e == ERR_OK && !(secret && app_secret_is(&o->app, secret)) ? ERR_NOT_FOUND : e;
}

/* --- /oauth/token -------------------------------------------------------------------------------------------------- */

/* What the application asks for. False: answered. */
static bool scopes_wanted(struct oauth_call *o, uint64_t *scopes)
{
    bool is_good = scope_parse(api_text(&o->api, "scope"), scopes) && scope_covers(o->app.scopes, *scopes);
    if (!is_good) {
        refuse_grant(&o->api, 400, "invalid_scope",
                     "The requested scope is unknown, or more than the application has registered.");
    }
    return is_good;
}

static void answer_made(struct api *c, enum err e, const struct token_made *token, const struct problems *p)
{
    if (e == ERR_OK) {
        api_answer_token(c, token);
    } else if (e == ERR_NOT_FOUND || e == ERR_UNAUTHORIZED || e == ERR_INVALID) {
        refuse_invalid_grant(c);
    } else {
        api_refuse(c, e, p);
    }
}

static void grant_code(struct oauth_call *o)
{
    struct api *c = &o->api;
    const char *code = api_text(c, "code"), *redirect = api_text(c, "redirect_uri");
    const struct problems none = {.count = 0};
    struct token_made token;
    if (!code || !redirect) {
        refuse_grant(c, 400, "invalid_request", "A code is used with code and redirect_uri.");
        return;
    }
    enum err e = code_use(c->site->social, c->arena, &o->app, code, redirect, api_text(c, "code_verifier"), &token);
    answer_made(c, e, &token, &none);
}

/* The name of "name", "@name" and, as programs ask for an e-mail address, of "name@" and this site's host. */
static const char *name_given(const struct api *c)
{
    const char *given = api_text(c, "username");
    given = given ? given : "";
    given += *given == '@';
    const char *at = strchr(given, '@');
    bool is_here = at && strcasecmp(at + 1, instance_host(c->req->origin)) == 0;
    return is_here ? arena_dup_n(c->arena, given, (size_t)(at - given)) : given;
}

static bool is_password_allowed(const struct api *c)
{
    const struct settings *settings = settings_get(c->site->settings);
    bool is_allowed = settings->password_grant == GRANT_YES;
    settings_release(c->site->settings, settings);
    return is_allowed;
}

static void grant_password(struct oauth_call *o)
{
    struct api *c = &o->api;
    const char *password = api_text(c, "password");
    const struct sign_in form = {.name = name_given(c), .password = password ? password : ""};
    struct actor by = actor_nobody(c->req->networks, c->req->id);
    struct problems problems = {.count = 0};
    struct device_account account;
    struct token_grant grant = {.app = &o->app};
    struct token_made token;
    if (!is_password_allowed(c)) {
        refuse_grant(c, 400, "unsupported_grant_type", "This site lets apps in by its own page only.");
        return;
    }
    if (!scopes_wanted(o, &grant.scopes)) {
        return;
    }
    enum err e = sign_in_check(c->site->social, c->arena, &by, &form, &account, &problems);
    if (e == ERR_OK) {
        by.kind = ACTOR_USER;
        by.uid = account.uid;
        grant.checked = account.password;
        e = token_create(c->site->social, c->arena, &by, &grant, &token);
    }
    answer_made(c, e, &token, &problems);
}

static void grant_own(struct oauth_call *o)
{
    struct api *c = &o->api;
    const struct actor by = actor_nobody(c->req->networks, c->req->id);
    struct problems problems = {.count = 0};
    struct token_grant grant = {.app = &o->app};
    struct token_made token;
    if (scopes_wanted(o, &grant.scopes)) {
        enum err e = token_create_own(c->site->social, c->arena, &by, &grant, &token, &problems);
        answer_made(c, e, &token, &problems);
    }
}

static const struct {
    const char *word;
    void (*answer)(struct oauth_call *o);
} grants[] = {{"authorization_code", grant_code}, {"password", grant_password}, {"client_credentials", grant_own}};

static void api_token(struct http_request *req, struct http_response *resp)
{
    struct oauth_call o;
    api_begin(&o.api, req, resp);
    http_header(resp, "Cache-Control", "no-store");
    const char *type = api_text(&o.api, "grant_type");
    size_t i = 0;
    while (i < sizeof(grants) / sizeof(*grants) && strcmp(type ? type : "", grants[i].word) != 0) {
        i++;
    }
    if (i == sizeof(grants) / sizeof(*grants)) {
        refuse_grant(&o.api, 400, type ? "unsupported_grant_type" : "invalid_request",
                     "grant_type is authorization_code, password or client_credentials.");
        return;
    }
    enum err e = find_client(&o);
    if (e == ERR_OK) {
        grants[i].answer(&o);
    } else if (e == ERR_NOT_FOUND) {
        refuse_grant(&o.api, 401, "invalid_client",
                     "There is no application of this client_id and client_secret. It may register itself again.");
    } else {
        api_error(&o.api, e, NULL);
    }
}

/* --- /oauth/revoke ------------------------------------------------------------------------------------------------- */

static void api_revoke(struct http_request *req, struct http_response *resp)
{
    struct oauth_call o;
    struct api *c = &o.api;
    api_begin(c, req, resp);
    const struct actor by = actor_nobody(req->networks, req->id);
    const char *token = api_text(c, "token");
    enum err e = find_client(&o);
    e = e == ERR_OK ? token_revoke(c->site->social, c->arena, &by, token, o.app.id) : e;
    if (e == ERR_OK) {
        api_answer_empty(c);
    } else if (e == ERR_NOT_FOUND || e == ERR_FORBIDDEN) {
        refuse_grant(c, 403, "unauthorized_client", "The token is not this application's.");
    } else {
        api_error(c, e, NULL);
    }
}

/* --- what there is (RFC 8414) -------------------------------------------------------------------------------------- */

static void put_word_list(struct api *c, yyjson_mut_val *o, const char *name, const char *const *words)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(c->entity.doc, o, name);
    for (; *words; words++) {
        yyjson_mut_arr_add_str(c->entity.doc, list, *words);
    }
}

static void put_address(struct api *c, yyjson_mut_val *o, const char *name, const char *path)
{
    yyjson_mut_obj_add_str(c->entity.doc, o, name, arena_printf(c->arena, "%s%s", c->req->origin, path));
}

static void api_oauth_document(struct http_request *req, struct http_response *resp)
{
    static const char *const code[] = {"code", NULL}, *const query[] = {"query", NULL}, *const s256[] = {"S256", NULL};
    static const char *const ways[] = {"client_secret_basic", "client_secret_post", NULL};
    struct api c;
    api_begin(&c, req, resp);
    if (!api_read(&c)) {
        return;
    }
    const char *kinds[] = {"authorization_code", "client_credentials", is_password_allowed(&c) ? "password" : NULL,
                           NULL};
    const char *scopes[SCOPE_COUNT + 1] = {NULL};
    for (unsigned i = 0; i < SCOPE_COUNT; i++) {
        scopes[i] = scope_name(i);
    }
    yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc);
    put_address(&c, o, "issuer", "/");
    put_address(&c, o, "authorization_endpoint", "/oauth/authorize");
    put_address(&c, o, "token_endpoint", "/oauth/token");
    put_address(&c, o, "revocation_endpoint", "/oauth/revoke");
    put_address(&c, o, "app_registration_endpoint", "/api/v1/apps");
    put_word_list(&c, o, "scopes_supported", scopes);
    put_word_list(&c, o, "response_types_supported", code);
    put_word_list(&c, o, "response_modes_supported", query);
    put_word_list(&c, o, "grant_types_supported", kinds);
    put_word_list(&c, o, "code_challenge_methods_supported", s256);
    put_word_list(&c, o, "token_endpoint_auth_methods_supported", ways);
    api_answer(&c, o);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_token[] = {
    {HTTP_POST, "/oauth/token", api_token, WHO_ANYONE, .bodies = API_BODIES, .answer = "Token",
     .forgiven = "grant_type client_id client_secret code redirect_uri code_verifier username password scope",
     .help = "a token: for a code, for name and password, or the application's own"},
    {0},
};

const struct http_route api_routes_revoke[] = {
    {HTTP_POST, "/oauth/revoke", api_revoke, WHO_ANYONE, .bodies = API_BODIES,
     .forgiven = "client_id client_secret token", .answer = "Empty", .help = "ends a token of the application's"},
    {0},
};

const struct http_route api_routes_oauth[] = {
    {HTTP_GET, "/.well-known/oauth-authorization-server", api_oauth_document, WHO_ANYONE, .answer = "OAuthServer",
     .help = "what of OAuth 2 there is, and where (RFC 8414)"},
    {0},
};
/* clang-format on */
