/* csrf.c - see csrf.h. Pure functions over one request; any thread.
 *
 * Two independent checks, both needed. What the browser says of the request's origin (Sec-Fetch-Site, else Origin, as
 * Go's CrossOriginProtection does) cannot be forged by another site, but old browsers say nothing. The token in the
 * form is a keyed code of the visitor's own cookie, so it costs no memory, works for sign-in forms before there is a
 * session, and dies with the session. It is veiled anew in each answer, because answers are compressed: secret.h says how,
 * response.c why.
 *
 * Areas whose credential is no cookie need no check: browsers send nothing along unasked.
 *
 * Referrer-Policy must not be no-referrer anywhere, or browsers send "Origin: null" with every form.
 */
#include "http/csrf.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/secret.h"

static const char *visitor_cookie(const struct http_request *req)
{
    return req->secure ? "__Host-retwis_visitor" : "retwis_visitor";
}

bool csrf_is_visitor(const struct http_request *req, const char *name)
{
    size_t length = strlen(visitor_cookie(req));
    return strncmp(name, visitor_cookie(req), length) == 0 && (name[length] == '\0' || name[length] == '=');
}

/* What the visitor's tokens are bound to; NULL if he has no cookie of ours. */
static const char *binding(const struct http_request *req)
{
    const char *session = http_cookie(req, http_session_cookie(req));
    return session && session[0] ? session : http_cookie(req, visitor_cookie(req));
}

/* What a token is the code of. */
static const char *token_text(const struct http_request *req, const char *cookie)
{
    return arena_printf(req->arena, "csrf %s", cookie);
}

const char *http_csrf_token(struct http_request *req, struct http_response *resp)
{
    if (req->csrf_token || !req->secret_key) {
        return req->csrf_token ? req->csrf_token : "";
    }
    const char *cookie = binding(req);
    if (!cookie || !cookie[0]) {
        char *fresh = arena_alloc(req->arena, SECRET_TOKEN_SIZE);
        secret_token(fresh);
        http_set_cookie(req, resp, visitor_cookie(req), fresh, HTTP_COOKIE_BROWSER);
        cookie = fresh;
    }
    char *token = arena_alloc(req->arena, SECRET_HASH_SIZE);
    secret_veiled(req->secret_key, token_text(req, cookie), token);
    req->csrf_token = token;
    req->csrf_cookie = cookie;
    return token;
}

/* Compares hosts, not schemes: behind a proxy that ends TLS and is not listed as trusted the scheme is unknown here. */
static bool origin_is_ours(const struct http_request *req, const char *origin, const char *public_url)
{
    if (public_url && public_url[0] && strcasecmp(origin, public_url) == 0) {
        return true;
    }
    const char *host = strstr(origin, "://");
    return host && req->host && strcasecmp(host + 3, req->host) == 0;
}

bool csrf_is_same_site(const struct http_request *req, const char *public_url)
{
    const char *fetch_site = http_header_in(req, "sec-fetch-site");
    if (fetch_site) {
        return strcmp(fetch_site, "same-origin") == 0 || strcmp(fetch_site, "none") == 0;
    }
    const char *origin = http_header_in(req, "origin");
    return !origin || origin_is_ours(req, origin, public_url);
}

/* Pages of servers before 0.4.0 have tokens without a veil. Ends with 0.5.0. */
static bool is_plain_token(const struct http_request *req, const char *cookie, const char *given)
{
    char wanted[SECRET_HASH_SIZE];
    secret_mac(req->secret_key, token_text(req, cookie), wanted);
    return secret_equal(given, wanted);
}

static bool form_has_token(const struct http_request *req)
{
    const char *given = http_form(req, "csrf_token");
    const char *cookie = binding(req);
    if (!given) {
        given = http_header_in(req, "x-csrf-token");
    }
    if (!given || !cookie || !req->secret_key) {
        return false;
    }
    return secret_veiled_equal(req->secret_key, token_text(req, cookie), given) || is_plain_token(req, cookie, given);
}

bool csrf_check(const struct http_request *req, const char *public_url, const char **why)
{
    if (!(req->method & (HTTP_POST | HTTP_PUT | HTTP_PATCH | HTTP_DELETE))) {
        return true;
    }
    if (!csrf_is_same_site(req, public_url)) {
        *why = "the request comes from another site";
        return false;
    }
    if (!form_has_token(req)) {
        *why = "the form is out of date; reload the page and try again";
        return false;
    }
    return true;
}
