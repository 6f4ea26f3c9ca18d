/* response.c - what handlers do to their answer, and how it becomes bytes. One thread per answer.
 *
 * Header and body leave in one write: with TCP_NODELAY each write is a packet, and civetweb's own way (a write per
 * header) costs more than most handlers.
 *
 * Pages are compressed for clients that want it; static files are kept compressed (static.c). Compressed answers betray
 * by their length what they have in common with text that others chose (BREACH), so three things hold: no secret stands
 * in two answers alike (csrf.c veils the token anew each time); cookies are SameSite=Lax, so another site can have a
 * visitor's pages sent only by leading him there; and the answer to a request that another site caused is not
 * compressed if it came with a session (is_safe_to_compress).
 */
#include "http/response.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/panic.h"
#include "http/compress.h"
#include "http/encoding.h"
#include "http/pairs.h"
#include "http/recall.h"

#define COPY_LIMIT (64 * 1024) /* a larger body goes out in a write of its own */
#define HEAD_SIZE 2048         /* room for headers, so that the buffer seldom grows */
#define COMPRESS_FROM 1024     /* bytes; with the header, less fits into one packet anyhow */
#define COMPRESS_UP_TO (1024 * 1024)

#define CSP_WITH(form)                                                                                                 \
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "              \
    "manifest-src 'self'; " form "base-uri 'none'; object-src 'none'; frame-ancestors 'none'"
#define CSP CSP_WITH("form-action 'self'; ")

/* On every answer, errors and static files included (OWASP ASVS 3.4). */
#define NO_STORE "Cache-Control: no-store\r\n"
#define CSP_LINE "Content-Security-Policy: " CSP "\r\n"
#define SECURITY                                                                                                       \
    "X-Content-Type-Options: nosniff\r\n"                                                                              \
    "Referrer-Policy: same-origin\r\n"                                                                                 \
    "Cross-Origin-Opener-Policy: same-origin\r\n"                                                                      \
    "Permissions-Policy: camera=(), geolocation=(), microphone=()\r\n"

#define OWN_ORIGIN "Cross-Origin-Resource-Policy: same-origin\r\n"

struct http_response response_make(struct arena *a)
{
    return (struct http_response){.arena = a, .status = 200, .body = buffer_make(a)};
}

/* --- for handlers -------------------------------------------------------------------------------------------------- */

static bool is_header_value(const char *value)
{
    for (const unsigned char *p = (const unsigned char *)value; *p; p++) {
        if (*p < 0x20 || *p == 0x7f) {
            return false;
        }
    }
    return true;
}

void http_header(struct http_response *resp, const char *name, const char *value)
{
    if (!is_header_value(value)) {
        log_error("http", "control byte in the value of the header %s", name);
        resp->broken = true;
        return;
    }
    pairs_add(resp->arena, &resp->headers, arena_dup(resp->arena, name), arena_dup(resp->arena, value));
}

void http_redirect(struct http_response *resp, const char *location)
{
    resp->status = 303;
    http_header(resp, "Location", location);
}

void http_allow_leaving(struct http_response *resp)
{
    http_header(resp, "Content-Security-Policy", CSP_WITH(""));
    http_header(resp, "X-Frame-Options",
                "DENY"); /* in old browsers a program may open the page, and a click is all it asks for */
}

void http_after(struct http_request *req, void (*function)(void *context), void *context)
{
    require(!req->after);
    req->after = function;
    req->after_context = context;
}

const char *http_safe_next(const char *next, const char *fallback)
{
    if (!next || next[0] != '/' || next[1] == '/' || next[1] == '\\' || !is_header_value(next)) {
        return fallback;
    }
    return next;
}

/* --- to the wire --------------------------------------------------------------------------------------------------- */

/* "Not Found" of 404. */
static const char *response_reason(int status)
{
    static const struct {
        int status;
        const char *reason;
    } table[] = {{200, "OK"},
                 {201, "Created"},
                 {202, "Accepted"},
                 {204, "No Content"},
                 {301, "Moved Permanently"},
                 {302, "Found"},
                 {303, "See Other"},
                 {304, "Not Modified"},
                 {307, "Temporary Redirect"},
                 {308, "Permanent Redirect"},
                 {400, "Bad Request"},
                 {401, "Unauthorized"},
                 {403, "Forbidden"},
                 {404, "Not Found"},
                 {405, "Method Not Allowed"},
                 {406, "Not Acceptable"},
                 {408, "Request Timeout"},
                 {409, "Conflict"},
                 {410, "Gone"},
                 {411, "Length Required"},
                 {413, "Content Too Large"},
                 {414, "URI Too Long"},
                 {415, "Unsupported Media Type"},
                 {417, "Expectation Failed"},
                 {421, "Misdirected Request"},
                 {422, "Unprocessable Content"},
                 {429, "Too Many Requests"},
                 {431, "Request Header Fields Too Large"},
                 {500, "Internal Server Error"},
                 {501, "Not Implemented"},
                 {503, "Service Unavailable"},
                 {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (table[i].status == status) {
            return table[i].reason;
        }
    }
    return "Unknown";
}

/* "Date: …" of this second; made anew once a second by each thread. */
static const char *date_header(void)
{
    static _Thread_local time_t made;
    static _Thread_local char text[48];
    time_t now = time(NULL);
    if (now != made) {
        struct tm t;
        gmtime_r(&now, &t);
        strftime(text, sizeof(text), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &t);
        made = now;
    }
    return text;
}

bool response_has(const struct http_response *resp, const char *name)
{
    for (size_t i = 0; i < resp->headers.count; i++) {
        if (strcasecmp(resp->headers.items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* A string literal, whose length the compiler knows. */
#define add_literal(out, text) buffer_add((out), (text), sizeof(text) - 1)

static void add_header(struct buffer *out, const char *name, const char *value)
{
    buffer_text(out, name);
    add_literal(out, ": ");
    buffer_text(out, value);
    add_literal(out, "\r\n");
}

/* printf costs more than the rest of the header. */
static void add_number(struct buffer *out, size_t n)
{
    char digits[20];
    size_t i = sizeof(digits);
    do {
        digits[--i] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    buffer_add(out, digits + i, sizeof(digits) - i);
}

static void add_security(struct buffer *out, const struct http_request *req, const struct http_response *resp)
{
    bool caching = resp->cacheable || response_has(resp, "Cache-Control");
    bool own_policy = response_has(resp, "Content-Security-Policy");
    if (!caching && !own_policy) {
        add_literal(out, NO_STORE CSP_LINE SECURITY OWN_ORIGIN);
    } else {
        buffer_text(out, caching ? "" : NO_STORE);
        buffer_text(out, own_policy ? SECURITY : CSP_LINE SECURITY);
        buffer_text(out, response_has(resp, "Cross-Origin-Resource-Policy") ? "" : OWN_ORIGIN);
    }
    if (req->hsts > 0) {
        add_literal(out, "Strict-Transport-Security: max-age=");
        add_number(out, (size_t)req->hsts);
        add_literal(out, "\r\n");
    }
}

static void add_status(struct buffer *out, int status)
{
    if (status == 200) {
        add_literal(out, "HTTP/1.1 200 OK\r\n");
    } else {
        buffer_printf(out, "HTTP/1.1 %d %s\r\n", status, response_reason(status));
    }
}

/* The body as it goes out. */
struct wire_body {
    const void *data;
    size_t size;
    enum encoding encoding;
    bool varies; /* another client would get it in another encoding */
};

static bool is_text(const char *type)
{
    return !type || strncmp(type, "text/", 5) == 0 || strncmp(type, "application/", 12) == 0 ||
           strncmp(type, "image/svg", 9) == 0;
}

/* Browsers say by whom they were sent wherever there is something to protect (HTTPS); what says nothing there and has a
 * session is an old one. In the clear everybody on the way can read the page anyway. */
static bool is_safe_to_compress(const struct http_request *req)
{
    const char *sent_by = http_header_in(req, "sec-fetch-site");
    if (!http_cookie(req, http_session_cookie(req)) || (!sent_by && !req->secure)) {
        return true;
    }
    return sent_by && (strcmp(sent_by, "same-origin") == 0 || strcmp(sent_by, "none") == 0);
}

static void shrink(struct wire_body *body, const struct http_request *req, const struct http_response *resp)
{
    struct arena *a = resp->arena;
    enum encoding e = encoding_choose(http_header_in(req, "accept-encoding"));
    if (e == ENCODING_NONE || !is_safe_to_compress(req)) {
        return;
    }
    size_t made;
    const void *out = recall_compressed(resp, e, &made);
    if (!out) {
        size_t room = compress_bound(e, body->size);
        void *fresh = arena_alloc(a, room);
        made = compress_bytes(e, body->data, body->size, fresh, room);
        out = fresh;
    }
    if (made > 0 && made < body->size) {
        body->data = out;
        body->size = made;
        body->encoding = e;
    }
}

static struct wire_body body_of(const struct http_request *req, const struct http_response *resp)
{
    if (resp->status == 204 || resp->status == 304) {
        return (struct wire_body){.size = 0};
    }
    if (resp->body_static) {
        return (struct wire_body){.data = resp->body_static, .size = resp->body_static_size};
    }
    struct wire_body body = {.data = resp->body.data, .size = resp->body.length};
    body.varies = req->compresses && body.size >= COMPRESS_FROM && body.size <= COMPRESS_UP_TO &&
                  is_text(resp->content_type) && !response_has(resp, "Content-Encoding");
    if (body.varies) {
        shrink(&body, req, resp);
    }
    return body;
}

static void add_head(struct buffer *out, const struct http_request *req, const struct http_response *resp,
                     const struct response_wire *wire, const struct wire_body *body)
{
    add_status(out, resp->status);
    buffer_text(out, date_header());
    if (wire->chunked) {
        add_literal(out, "Transfer-Encoding: chunked\r\n");
    } else if (resp->status != 204 && resp->status != 304 && !resp->stream) {
        add_literal(out, "Content-Length: ");
        add_number(out, body->size);
        add_literal(out, "\r\n");
    }
    if (body->size > 0 || resp->stream) {
        add_header(out, "Content-Type", resp->content_type ? resp->content_type : "text/html; charset=utf-8");
    }
    if (body->encoding != ENCODING_NONE) {
        add_header(out, "Content-Encoding", encoding_name(body->encoding));
    }
    if (body->varies) {
        add_literal(out, "Vary: Accept-Encoding\r\n");
    }
    if (!wire->keep_alive) {
        add_literal(out, "Connection: close\r\n");
    } else if (wire->old_protocol) {
        add_literal(out, "Connection: keep-alive\r\n");
    }
    for (size_t i = 0; i < resp->headers.count; i++) {
        add_header(out, resp->headers.items[i].name, resp->headers.items[i].value);
    }
    add_security(out, req, resp);
    add_header(out, "X-Request-Id", req->id);
    add_literal(out, "\r\n");
}

struct buffer response_write(const struct http_request *req, const struct http_response *resp,
                             const struct response_wire *wire, const unsigned char **rest, size_t *rest_size)
{
    struct wire_body body = body_of(req, resp);
    struct buffer out = buffer_make(resp->arena);
    out.capacity = HEAD_SIZE + (body.size <= COPY_LIMIT && !wire->head ? body.size : 0);
    out.data = arena_alloc(resp->arena, out.capacity);
    add_head(&out, req, resp, wire, &body);
    *rest = NULL;
    *rest_size = 0;
    if (wire->head || body.size == 0) {
        return out;
    }
    if (body.size <= COPY_LIMIT) {
        buffer_add(&out, body.data, body.size);
    } else {
        *rest = body.data;
        *rest_size = body.size;
    }
    return out;
}

void response_plain(struct http_response *resp, int status, const char *text)
{
    resp->status = status;
    resp->content_type = "text/plain; charset=utf-8";
    resp->body_static = NULL;
    resp->body = buffer_make(resp->arena);
    buffer_printf(&resp->body, "%d %s\n%s%s", status, response_reason(status), text ? text : "", text ? "\n" : "");
}
