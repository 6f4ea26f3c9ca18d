/* validator.c - see validator.h.
 *
 * The tag is made of the page as it was rendered, so it cannot miss a change, whatever the page shows (times in words
 * change too). What it spares is compressing and sending, which cost more than the tag; the reads are made anyway. It
 * leaves out the token of the forms, which differs in each answer, and covers the cookie that the token is good for: a
 * browser with another cookie must get another page.
 *
 * Members get none: their pages are not to be kept (no-store), and somebody who signs in must not see a stranger's page.
 */
#include "http/validator.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/secret.h"
#include "http/response.h"

bool validator_is_known(const struct http_request *req, const char *tag)
{
    const char *list = http_header_in(req, "if-none-match");
    return list && (strcmp(list, "*") == 0 || strstr(list, tag));
}

/* Whether the answer is what every stranger with this cookie would get. */
static bool is_strangers_page(const struct http_request *req, const struct http_response *resp)
{
    return req->route && (req->route->flags & HTTP_PUBLIC) && (req->method & (HTTP_GET | HTTP_HEAD)) &&
           resp->status == 200 && !resp->broken && req->secret_key && !http_cookie(req, http_session_cookie(req)) &&
           !response_has(resp, "Cache-Control");
}

static uint64_t digest_of(const struct http_request *req, const struct http_response *resp)
{
    const char *token = req->csrf_token, *from = buffer_string(&resp->body);
    uint64_t digest = 0;
    while (from) {
        const char *next = token ? strstr(from, token) : NULL;
        uint64_t piece = secret_digest(req->secret_key, from, next ? (size_t)(next - from) : strlen(from));
        digest = digest * UINT64_C(0x9e3779b97f4a7c15) + piece;
        from = next ? next + strlen(token) : NULL;
    }
    return digest ? digest : 1;
}

void validator_prepare(const struct http_request *req, struct http_response *resp)
{
    if (!resp->digest && is_strangers_page(req, resp)) {
        resp->digest = digest_of(req, resp);
    }
}

/* Of the page, and of the cookie that its forms belong to. */
static uint64_t tag_of(const struct http_request *req, const struct http_response *resp)
{
    const char *cookie = req->csrf_token ? req->csrf_cookie : "";
    uint64_t of_cookie = *cookie ? secret_digest(req->secret_key, cookie, strlen(cookie)) : 0;
    return resp->digest * UINT64_C(0x9e3779b97f4a7c15) + of_cookie;
}

void validator_apply(const struct http_request *req, struct http_response *resp)
{
    if (!is_strangers_page(req, resp)) {
        return;
    }
    validator_prepare(req, resp);
    char tag[24]; /* weak: the same for every encoding, and but for the token */
    snprintf(tag, sizeof(tag), "W/\"%016" PRIx64 "\"", tag_of(req, resp));
    http_header(resp, "Cache-Control", "private, no-cache");
    http_header(resp, "ETag", tag);
    if (validator_is_known(req, tag + 2)) {
        resp->status = 304;
    }
}
