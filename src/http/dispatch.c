/* dispatch.c - see dispatch.h. Any connection thread.
 *
 * The order of the checks: is there such a page (404); for this method (405); did the visitor mean it (403); is there a
 * credential where one is needed (the area's own answer); do the inputs fit their declarations (422); and, where
 * something may change, is the credential good and is he allowed (the area's answer). Only then does the handler run.
 * It cannot send an answer that breaks HTTP: a refused header turns the whole answer into a 500.
 *
 * Checking the credential costs a round trip. Where nothing changes, the handler checks it together with its reads and
 * obeys the result; if it has made an answer without checking, the check is made here before anybody sees the answer.
 */
#include "http/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/panic.h"
#include "http/acme.h"
#include "http/application.h"
#include "http/area.h"
#include "http/csrf.h"
#include "http/parameter.h"
#include "http/recall.h"
#include "http/response.h"
#include "http/router.h"
#include "http/static.h"
#include "http/validator.h"

#define MAX_TABLES 100

struct dispatch {
    const struct http_area *const *areas;
    const char *public_url;
    struct router *router;
    struct recall *recall;
};

static size_t add_tables(const struct http_area *area, const struct http_route **tables, size_t n)
{
    for (size_t i = 0; area->tables && area->tables[i]; i++) {
        require(n < MAX_TABLES);
        tables[n++] = area->tables[i];
        for (const struct http_route *r = area->tables[i]; r->path; r++) {
            require(area_has(area, r->path) && (r->who == WHO_ANYONE || area->verify));
        }
    }
    return n;
}

struct dispatch *dispatch_new(const struct http_application *app, const char *public_url, size_t recalled)
{
    const struct http_route *tables[MAX_TABLES + 1] = {static_routes};
    size_t n = 1;
    if (acme_is_set()) {
        tables[n++] = acme_routes;
    }
    for (size_t i = 0; app->areas && app->areas[i]; i++) {
        n = add_tables(app->areas[i], tables, n);
    }
    struct dispatch *d = mem_zero(1, sizeof(*d));
    d->areas = app->areas;
    d->public_url = public_url;
    d->router = router_new(tables);
    d->recall = recall_new(recalled);
    return d;
}

void dispatch_free(struct dispatch *d)
{
    if (d) {
        router_free(d->router);
        recall_free(d->recall);
        free(d);
    }
}

unsigned dispatch_route(const struct dispatch *d, struct http_request *req)
{
    req->area = area_find(d->areas, req->path);
    if (strcmp(req->path, "*") == 0) {
        return ~0u; /* the server as a whole */
    }
    struct router_match match = router_find(d->router, req->arena, req->method, req->path);
    req->route = match.route;
    req->variables = match.variables;
    return match.allowed;
}

/* --- answers without a handler ------------------------------------------------------------------------------------- */

static void answer_error(struct http_request *req, struct http_response *resp, int status, const char *text)
{
    *resp = response_make(req->arena);
    resp->status = status;
    if (req->area->error) {
        req->area->error(req, resp, status, text);
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

void dispatch_fail(const struct dispatch *d, struct http_request *req, struct http_response *resp, int status,
                   const char *text)
{
    req->area = area_find(d->areas, req->path);
    answer_error(req, resp, status, text);
    area_cors(req, resp);
    area_limits(req, resp);
}

static void answer_methods(struct http_request *req, struct http_response *resp, unsigned allowed)
{
    if (req->method == HTTP_OPTIONS) {
        resp->status = 204;
    } else {
        answer_error(req, resp, 405, NULL);
    }
    http_header(resp, "Allow", router_allow(req->arena, allowed));
}

static void answer_invalid(struct http_request *req, struct http_response *resp, const struct http_parameter *wrong)
{
    resp->status = 422;
    if (req->area->invalid) {
        req->area->invalid(req, resp, wrong);
    } else {
        answer_error(req, resp, 422, wrong->name);
    }
}

/* The visitor may not, or it could not be found out whether he may. */
static void answer_denied(struct http_request *req, struct http_response *resp, enum err e)
{
    *resp = response_make(req->arena);
    resp->status = err_info(e)->http_status;
    if ((e == ERR_UNAUTHORIZED || e == ERR_FORBIDDEN) && req->area->denied) {
        req->area->denied(req, resp, e);
    } else {
        answer_error(req, resp, resp->status, NULL);
    }
}

/* --- the handler --------------------------------------------------------------------------------------------------- */

static bool is_safe(const struct http_request *req)
{
    return req->method & (HTTP_GET | HTTP_HEAD | HTTP_OPTIONS);
}

static void dispatch_change(struct http_request *req, struct http_response *resp)
{
    enum err e = req->route->who == WHO_ANYONE ? ERR_OK : req->area->verify(req);
    if (e == ERR_OK) {
        req->route->handler(req, resp);
    } else if (e != ERR_UNAUTHORIZED && e != ERR_FORBIDDEN && req->route->unverified) {
        req->route->unverified(req, resp, e);
    } else {
        answer_denied(req, resp, e);
    }
}

static void show(struct http_request *req, struct http_response *resp)
{
    req->route->handler(req, resp);
    if (req->route->who != WHO_ANYONE && !req->is_settled) {
        enum err e = req->area->verify(req);
        if (e != ERR_OK) {
            answer_denied(req, resp, e);
        }
    }
}

static void dispatch_show(const struct dispatch *d, struct http_request *req, struct http_response *resp)
{
    if (req->route->flags & HTTP_MONITOR) {
        recall_measure(d->recall);
    }
    if (!(req->route->flags & HTTP_RECALLED)) {
        show(req, resp);
    } else if (!recall_find(d->recall, req, resp)) {
        show(req, resp);
        validator_prepare(req, resp);
        recall_keep(d->recall, req, resp);
    }
}

static void handle(const struct dispatch *d, struct http_request *req, struct http_response *resp)
{
    const struct http_parameter *wrong;
    const char *why = NULL;
    if (req->area->credential == HTTP_COOKIE && !csrf_check(req, d->public_url, &why)) {
        log_info("http", "request %s refused: %s", req->id, why);
        answer_error(req, resp, 403, why);
    } else if (req->route->who != WHO_ANYONE && !area_credential(req)) {
        answer_denied(req, resp, ERR_UNAUTHORIZED);
    } else if ((wrong = parameter_check(req, req->route))) {
        answer_invalid(req, resp, wrong);
    } else if (is_safe(req)) {
        dispatch_show(d, req, resp);
    } else {
        dispatch_change(req, resp);
    }
}

void dispatch_run(const struct dispatch *d, struct http_request *req, struct http_response *resp, unsigned allowed)
{
    if (req->route) {
        handle(d, req, resp);
    } else if (allowed) {
        answer_methods(req, resp, allowed);
    } else {
        answer_error(req, resp, 404, NULL);
    }
    validator_apply(req, resp);
    if (resp->broken) {
        log_error("http", "request %s: the answer of %s cannot be sent", req->id, req->path);
        answer_error(req, resp, 500, NULL);
    }
    area_cors(req, resp);
    area_limits(req, resp);
}
