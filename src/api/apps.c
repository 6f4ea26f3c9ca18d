/* apps.c - applications register themselves, and ask whether their token is good. Connection threads. */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "social/people/app.h"
#include "social/people/scope.h"
#include "social/people/token.h"

/* The parts of a text between these characters, as an array. */
static void put_parts(struct api *c, yyjson_mut_val *o, const char *name, const char *text, char between)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(c->entity.doc, o, name);
    const char stops[] = {between, '\0'};
    for (const char *at = text; *at; at += *at == between) {
        size_t length = strcspn(at, stops);
        yyjson_mut_arr_add_strn(c->entity.doc, list, at, length);
        at += length;
    }
}

/* Application, by what its token knows. */
static yyjson_mut_val *entity_app(struct api *c, uint64_t id, const char *name, const char *website)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, o, "id", id_text(c->arena, id));
    yyjson_mut_obj_add_str(doc, o, "name", name);
    if (*website) {
        yyjson_mut_obj_add_str(doc, o, "website", website);
    } else {
        yyjson_mut_obj_add_null(doc, o, "website");
    }
    yyjson_mut_obj_add_str(doc, o, "vapid_key", "");
    return o;
}

/* CredentialApplication. */
static yyjson_mut_val *entity_registered(struct api *c, const struct app *app, const char *secret)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = entity_app(c, app->id, app->name, app->website);
    put_parts(c, o, "scopes", scope_words(c->arena, app->scopes), ' ');
    put_parts(c, o, "redirect_uris", app->redirects, '\n');
    yyjson_mut_obj_add_str(doc, o, "redirect_uri", app->redirects);
    yyjson_mut_obj_add_str(doc, o, "client_id", id_text(c->arena, app->id));
    yyjson_mut_obj_add_str(doc, o, "client_secret", secret);
    yyjson_mut_obj_add_uint(doc, o, "client_secret_expires_at", 0);
    return o;
}

/* A text with a redirect a line, or an array of them. */
static const char *redirects_given(const struct api *c)
{
    size_t count;
    const char *const *texts = api_texts(c, "redirect_uris", &count);
    struct buffer out = buffer_make(c->arena);
    for (size_t i = 0; i < count; i++) {
        buffer_printf(&out, "%s%s", i ? "\n" : "", texts[i]);
    }
    return buffer_string(&out);
}

static void api_app_create(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct app_form form = {.name = api_text(&c, "client_name"),
                                  .website = api_text(&c, "website"),
                                  .redirects = redirects_given(&c),
                                  .scopes = api_text(&c, "scopes")};
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    struct app app;
    const char *secret;
    enum err e = app_create(c.site->social, c.arena, &by, &form, &app, &secret, &problems);
    http_header(resp, "Cache-Control", "no-store");
    if (e == ERR_OK) {
        api_answer(&c, entity_registered(&c, &app, secret));
    } else {
        api_refuse(&c, e, &problems);
    }
}

static void api_app_verify(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    if (!api_read(&c)) {
        return;
    }
    const struct token *token = visit_app(c.visit);
    if (!token) {
        api_error(&c, ERR_UNAUTHORIZED, NULL);
        return;
    }
    yyjson_mut_val *o = entity_app(&c, token->app_id, token->app_name, token->app_website);
    put_parts(&c, o, "scopes", scope_words(c.arena, token->scopes), ' ');
    api_answer(&c, o);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_apps[] = {
    {HTTP_POST, "/api/v1/apps", api_app_create, WHO_ANYONE, .bodies = API_BODIES, .answer = "CredentialApplication",
     .forgiven = "client_name redirect_uris scopes website", .help = "registers an application"},
    {HTTP_GET, "/api/v1/apps/verify_credentials", api_app_verify, WHO_ANYONE, .answer = "Application",
     .help = "whose token it is: the application's name"},
    {0},
};
/* clang-format on */
