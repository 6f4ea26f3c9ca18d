/* api.c - see api.h: begin, read, answers and errors. Connection threads. */
#include "api/api.h"

#include <string.h>

#include "api/parameters.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "http/area.h"
#include "social/people/people.h"
#include "social/people/scope.h"
#include "social/people/visit_numbers.h"
#include "view/locale.h"
#include "view/problem_words.h"

#define JSON_TYPE "application/json; charset=utf-8"

/* --- who asks ------------------------------------------------------------------------------------------------------ */

static struct visit *api_open_visit(const struct http_request *req)
{
    const struct site *site = req->app;
    const char *credential = area_credential(req);
    struct visit *v = area_by_session(req) ? visit_begin(site->social, req->arena, credential)
                                           : visit_begin_token(site->social, req->arena, credential);
    visit_require(v, req->route ? req->route->who : WHO_ANYONE);
    return v;
}

/* Makes the visit and judges the token. ERR_UNAUTHORIZED: there is none, or a bad one; ERR_FORBIDDEN: its scopes are too
 * small, or he is no administrator; ERR_INVALID: it is an application's, and somebody must be signed in. */
static enum err judge_token(struct http_request *req, struct visit *v)
{
    enum err e = visit_read(v);
    req->is_settled = true;
    if (!visit_is_known(v)) {
        return e;
    }
    req->is_asked = true;
    req->account = visit_viewer(v)->id;
    const char *scopes = req->route ? req->route->scopes : NULL;
    if (area_credential(req) && !area_by_session(req) && !visit_app(v)) {
        return ERR_UNAUTHORIZED;
    }
    if (visit_app(v) && scopes && !scope_allows(visit_scopes(v), scopes)) {
        return ERR_FORBIDDEN;
    }
    return e == ERR_UNAUTHORIZED && visit_app(v) ? ERR_INVALID : e;
}

enum err api_verify(struct http_request *req)
{
    const struct site *site = req->app;
    struct visit *v = visit_verify(site->social, req->arena, area_credential(req), !area_by_session(req));
    visit_require(v, req->route->who);
    if (req->route->parameters[0] == api_parameter_account) {
        people_foresee(v, NULL, id_parse(http_variable(req, "id")));
    }
    enum err e = judge_token(req, v);
    req->visitor = e == ERR_OK ? v : NULL;
    return e;
}

static void know_caller(struct api *c)
{
    c->viewer = *visit_viewer(c->visit);
    c->entity.viewer = c->viewer.id;
}

void api_begin(struct api *c, struct http_request *req, struct http_response *resp)
{
    memset(c, 0, sizeof(*c));
    c->site = req->app;
    c->req = req;
    c->resp = resp;
    c->arena = req->arena;
    c->entity = (struct entity_context){
        .arena = req->arena, .doc = view_doc(req->arena), .origin = req->origin, .now_ms = clock_site_ms()};
    if (req->visitor) {
        c->visit = visit_again(req->visitor); /* whom the dispatcher has verified */
        know_caller(c);
        req->visitor = NULL;
    } else {
        c->visit = api_open_visit(req);
    }
    visit_want_numbers(c->visit);
}

bool api_read(struct api *c)
{
    bool was_known = visit_is_known(c->visit);
    enum err e = judge_token(c->req, c->visit);
    know_caller(c);
    if (e != ERR_OK && !was_known && (e == ERR_UNAUTHORIZED || e == ERR_FORBIDDEN)) {
        api_denied(c->req, c->resp, e);
    } else if (e != ERR_OK) {
        api_error(c, e, NULL);
    }
    return e == ERR_OK;
}

struct actor api_actor(const struct api *c)
{
    struct actor by = actor_nobody(c->req->networks, c->req->id);
    if (c->viewer.id) {
        by.kind = ACTOR_USER;
        by.uid = c->viewer.id;
        by.name = c->viewer.name;
        by.is_admin = c->viewer.is_admin;
        by.credential = ACTOR_BY_TOKEN;
        by.scopes = visit_scopes(c->visit);
    }
    return by;
}

/* --- answers ------------------------------------------------------------------------------------------------------- */

void api_answer(struct api *c, yyjson_mut_val *value)
{
    yyjson_mut_doc_set_root(c->entity.doc, value);
    view_json(&c->resp->body, c->entity.doc);
    c->resp->content_type = JSON_TYPE;
    c->resp->status = 200;
}

void api_answer_empty(struct api *c)
{
    api_answer(c, yyjson_mut_obj(c->entity.doc));
}

void api_answer_none(struct api *c)
{
    api_answer(c, yyjson_mut_arr(c->entity.doc));
}

/* The words that Mastodon has for a status; clients look for some of them. */
static const char *standard_words(int status)
{
    switch (status) {
    case 401:
        return "The access token is invalid";
    case 403:
        return "This action is not allowed";
    case 404:
        return "Record not found";
    case 405:
        return "Method not allowed";
    case 409:
        return "Somebody else has just changed this: try again";
    case 422:
        return "This method requires an authenticated user";
    case 429:
        return "Too many requests";
    case 500:
        return "This request was ended by a fault of the server";
    case 503:
        return "The server cannot do this now: try again in a moment";
    default:
        return "The request is not right";
    }
}

static void put_error(struct arena *a, struct http_response *resp, int status, const char *text)
{
    yyjson_mut_doc *doc = view_doc(a);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "error", text ? text : standard_words(status));
    resp->body.length = 0;
    view_json(&resp->body, doc);
    resp->content_type = JSON_TYPE;
    resp->status = status;
}

void api_error(struct api *c, enum err e, const char *text)
{
    int status = err_info(e)->http_status;
    put_error(c->arena, c->resp, status, text);
    if (status == 503) {
        http_header(c->resp, "Retry-After", "2");
    }
}

void api_refuse(struct api *c, enum err e, const struct problems *p)
{
    if (e == ERR_TOO_MANY) {
        unsigned seconds = p->retry_after ? p->retry_after : 1;
        http_header(c->resp, "Retry-After", arena_printf(c->arena, "%u", seconds));
        api_error(c, e, NULL);
        return;
    }
    if (p->count == 0) {
        api_error(c, e, NULL);
        return;
    }
    const struct locale *english = locale_choose(c->site->locales, NULL, NULL, "en");
    struct buffer words = buffer_make(c->arena);
    buffer_text(&words, "Validation failed: ");
    for (unsigned i = 0; i < p->count; i++) {
        buffer_printf(&words, "%s%s", i ? ", " : "", problem_words(c->arena, english, &p->items[i]));
    }
    put_error(c->arena, c->resp, 422, buffer_string(&words));
}

/* --- the areas ----------------------------------------------------------------------------------------------------- */

void api_http_error(struct http_request *req, struct http_response *resp, int status, const char *text)
{
    put_error(req->arena, resp, status, text);
}

void api_denied(struct http_request *req, struct http_response *resp, enum err e)
{
    bool has_token = area_credential(req) != NULL;
    bool is_small = e == ERR_FORBIDDEN && req->route && req->route->scopes;
    put_error(req->arena, resp, err_info(e)->http_status,
              is_small                              ? "This action is outside the authorized scopes"
              : e == ERR_UNAUTHORIZED && !has_token ? "This API requires an authenticated user"
                                                    : NULL);
}

/* A path with an invalid part does not exist. */
void api_invalid(struct http_request *req, struct http_response *resp, const struct http_parameter *p)
{
    if (http_variable(req, p->name)) {
        put_error(req->arena, resp, 404, NULL);
    } else {
        put_error(req->arena, resp, 422, arena_printf(req->arena, "Validation failed: %s: %s", p->name, p->help));
    }
}
