/* dispatch.c - see dispatch.h. Any connection thread.
 *
 * The order of the checks: is there such a page (404), for this method (405), was it meant by the visitor (403), is he
 * signed in (the page's own answer), are the inputs of the declared form (422). Only then does the handler run. It cannot
 * answer with something that breaks HTTP: a refused header turns the whole answer into a 500.
 */
#include "http/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/panic.h"
#include "http/acme.h"
#include "http/csrf.h"
#include "http/parameter.h"
#include "http/response.h"
#include "http/router.h"
#include "http/static.h"

#define MAX_TABLES 16

struct dispatch {
    struct http_application app;
    const char *public_url;
    struct router *router;
};

struct dispatch *dispatch_new(const struct http_application *app, const char *public_url)
{
    const struct http_route *tables[MAX_TABLES + 3] = {static_routes};
    size_t n = 1;
    if (acme_is_set()) {
        tables[n++] = acme_routes;
    }
    for (size_t i = 0; app->tables && app->tables[i]; i++) {
        require(n <= MAX_TABLES + 1);
        tables[n++] = app->tables[i];
    }
    struct dispatch *d = mem_zero(1, sizeof(*d));
    d->app = *app;
    d->public_url = public_url;
    d->router = router_new(tables);
    return d;
}

void dispatch_free(struct dispatch *d)
{
    if (d) {
        router_free(d->router);
        free(d);
    }
}

void dispatch_fail(const struct dispatch *d, struct http_request *req, struct http_response *resp, int status,
                   const char *text)
{
    *resp = response_make(req->arena);
    resp->status = status;
    if (d->app.on_error) {
        d->app.on_error(req, resp, status, text);
    } else {
        response_plain(resp, status, text);
    }
    if (resp->broken) {
        *resp = response_make(req->arena);
        response_plain(resp, status, text);
    }
    if (req->retry_after && !response_has(resp, "Retry-After")) {
        http_header(resp, "Retry-After", arena_printf(req->arena, "%u", req->retry_after));
    }
    if (status == 503 && !response_has(resp, "Retry-After")) {
        http_header(resp, "Retry-After", "2");
    }
}

unsigned dispatch_route(const struct dispatch *d, struct http_request *req)
{
    if (strcmp(req->path, "*") == 0) {
        return ~0u; /* the server as a whole */
    }
    struct router_match match = router_find(d->router, req->arena, req->method, req->path);
    req->route = match.route;
    req->variables = match.variables;
    return match.allowed;
}

static void answer_methods(const struct dispatch *d, struct http_request *req, struct http_response *resp,
                           unsigned allowed)
{
    if (req->method == HTTP_OPTIONS) {
        resp->status = 204;
    } else {
        dispatch_fail(d, req, resp, 405, NULL);
    }
    http_header(resp, "Allow", router_allow(req->arena, allowed));
}

static bool is_signed_in(const struct http_request *req)
{
    const char *cookie = http_cookie(req, http_session_cookie(req));
    return cookie && cookie[0];
}

static void deny(const struct dispatch *d, struct http_request *req, struct http_response *resp)
{
    if (d->app.on_denied) {
        d->app.on_denied(req, resp);
    } else {
        dispatch_fail(d, req, resp, 401, NULL);
    }
}

static void complain(const struct dispatch *d, struct http_request *req, struct http_response *resp,
                     const struct http_parameter *wrong)
{
    resp->status = 422;
    if (d->app.on_invalid) {
        d->app.on_invalid(req, resp, wrong);
    } else {
        dispatch_fail(d, req, resp, 422, wrong->name);
    }
}

static void handle(const struct dispatch *d, struct http_request *req, struct http_response *resp)
{
    const struct http_parameter *wrong;
    const char *why = NULL;
    if (!csrf_check(req, d->public_url, &why)) {
        log_info("http", "request %s refused: %s", req->id, why);
        dispatch_fail(d, req, resp, 403, why);
    } else if ((req->route->access & HTTP_SIGNED_IN) && !is_signed_in(req)) {
        deny(d, req, resp);
    } else if ((wrong = parameter_check(req, req->route))) {
        complain(d, req, resp, wrong);
    } else {
        req->route->handler(req, resp);
    }
}

void dispatch_run(const struct dispatch *d, struct http_request *req, struct http_response *resp, unsigned allowed)
{
    if (req->route) {
        handle(d, req, resp);
    } else if (allowed) {
        answer_methods(d, req, resp, allowed);
    } else {
        dispatch_fail(d, req, resp, 404, NULL);
    }
    if (resp->broken) {
        log_error("http", "request %s: the answer of %s cannot be sent", req->id, req->path);
        dispatch_fail(d, req, resp, 500, NULL);
    }
}
