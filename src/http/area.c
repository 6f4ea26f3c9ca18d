/* area.c - see area.h. Pure functions over constant data and one request; any thread. */
#include "http/area.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/clock.h"
#include "http/csrf.h"
#include "http/pairs.h"

static const struct http_area plain = {.path = "/"};

bool area_has(const struct http_area *area, const char *path)
{
    size_t length = strlen(area->path);
    if (length == 1) {
        return true; /* "/" */
    }
    return strncmp(path, area->path, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

const struct http_area *area_find(const struct http_area *const *areas, const char *path)
{
    const struct http_area *found = NULL;
    for (; areas && *areas; areas++) {
        if (area_has(*areas, path) && (!found || strlen((*areas)->path) > strlen(found->path))) {
            found = *areas;
        }
    }
    return found ? found : &plain;
}

/* The text after "Bearer "; NULL if there are two such headers, because another program might read the other one. */
static const char *bearer_token(const struct http_request *req)
{
    static const char scheme[] = "Bearer ";
    const char *value = http_header_in(req, "authorization");
    if (!value || pairs_count(&req->headers, "authorization") > 1 ||
        strncasecmp(value, scheme, sizeof(scheme) - 1) != 0) {
        return NULL;
    }
    value += sizeof(scheme) - 1;
    return value + strspn(value, " ");
}

/* Of the header, which wins; of a stream also of the query. */
static const char *token_sent(const struct http_request *req)
{
    const char *token = bearer_token(req);
    bool may_ask = req->route && (req->route->flags & HTTP_STREAM) && !http_header_in(req, "authorization");
    return may_ask ? http_query(req, "access_token") : token;
}

/* Of a page of this site that opens a stream, which can send no header of its own. Another site's page could not read
 * the answer, which has no CORS for credentials; but to WebSocket CORS does not apply, so there the browser must say that
 * it is ours. */
static const char *session_sent(const struct http_request *req)
{
    bool is_stream = req->route && (req->route->flags & HTTP_STREAM) && !http_header_in(req, "authorization");
    bool tells = http_header_in(req, "origin") || !http_header_in(req, "upgrade");
    return is_stream && tells && csrf_is_same_site(req, req->origin) ? http_cookie(req, http_session_cookie(req))
                                                                     : NULL;
}

bool area_by_session(const struct http_request *req)
{
    return req->area->credential == HTTP_COOKIE || (!token_sent(req) && session_sent(req));
}

const char *area_credential(const struct http_request *req)
{
    const char *token = req->area->credential == HTTP_BEARER ? token_sent(req) : NULL;
    const char *value = token                                  ? token
                        : req->area->credential == HTTP_COOKIE ? http_cookie(req, http_session_cookie(req))
                                                               : session_sent(req);
    return value && value[0] ? value : NULL;
}

void area_cors(const struct http_request *req, struct http_response *resp)
{
    const struct http_cors *cors = req->area->cors;
    if (!cors || !http_header_in(req, "origin")) {
        return;
    }
    http_header(resp, "Access-Control-Allow-Origin", cors->origin);
    if (cors->exposed) {
        http_header(resp, "Access-Control-Expose-Headers", cors->exposed);
    }
    if (req->method == HTTP_OPTIONS && http_header_in(req, "access-control-request-method")) {
        http_header(resp, "Access-Control-Allow-Methods", cors->methods);
        http_header(resp, "Access-Control-Allow-Headers", cors->headers);
        http_header(resp, "Access-Control-Max-Age", arena_printf(req->arena, "%u", cors->max_age));
    }
}

void area_limits(const struct http_request *req, struct http_response *resp)
{
    if (!req->area->tells_limits || !req->rate.limit) {
        return;
    }
    char *reset = arena_alloc(req->arena, CLOCK_ISO_SIZE);
    clock_iso(req->rate.reset_ms, reset);
    http_header(resp, "X-RateLimit-Limit", arena_printf(req->arena, "%llu", (unsigned long long)req->rate.limit));
    http_header(resp, "X-RateLimit-Remaining",
                arena_printf(req->arena, "%llu", (unsigned long long)req->rate.remaining));
    http_header(resp, "X-RateLimit-Reset", reset);
}
