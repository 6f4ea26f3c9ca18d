/* cookie.c - the Cookie header in, Set-Cookie out. Pure functions over one request; any thread.
 *
 * Own parser, because civetweb's finds substrings. Names and values are compared byte by byte and never decoded: this
 * program only sets values that need no encoding. A pair that is not well formed is skipped, since other programs on
 * the same host may have set it, and must not lock the visitor out.
 */
#include "http/cookie.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/panic.h"
#include "http/pairs.h"

#define MAX_COOKIES 64

/* cookie-octet of RFC 6265: what may stand in a value. */
static bool is_value_byte(unsigned char c)
{
    return c > 0x20 && c < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\';
}

/* token of RFC 9110: what may stand in a name. */
static bool is_name_byte(unsigned char c)
{
    return c > 0x20 && c < 0x7f && !strchr("()<>@,;:\\\"/[]?={}", c);
}

static bool all(const char *text, size_t length, bool (*fits)(unsigned char))
{
    for (size_t i = 0; i < length; i++) {
        if (!fits((unsigned char)text[i])) {
            return false;
        }
    }
    return true;
}

static void add_pair(struct arena *a, const char *text, size_t length, struct http_pairs *out)
{
    const char *equals = memchr(text, '=', length);
    if (!equals || equals == text || out->count == MAX_COOKIES) {
        return;
    }
    size_t name_length = (size_t)(equals - text);
    const char *value = equals + 1;
    size_t value_length = length - name_length - 1;
    if (value_length >= 2 && value[0] == '"' && value[value_length - 1] == '"') {
        value++;
        value_length -= 2;
    }
    if (all(text, name_length, is_name_byte) && all(value, value_length, is_value_byte)) {
        pairs_add(a, out, arena_dup_n(a, text, name_length), arena_dup_n(a, value, value_length));
    }
}

void cookie_parse(struct arena *a, const char *header, struct http_pairs *out)
{
    while (*header) {
        header += strspn(header, " \t;");
        size_t length = strcspn(header, ";");
        size_t trimmed = length;
        while (trimmed > 0 && (header[trimmed - 1] == ' ' || header[trimmed - 1] == '\t')) {
            trimmed--;
        }
        add_pair(a, header, trimmed, out);
        header += length;
    }
}

const char *http_cookie(const struct http_request *req, const char *name)
{
    return pairs_count(&req->cookies, name) == 1 ? pairs_get(&req->cookies, name) : NULL;
}

const char *http_session_cookie(const struct http_request *req)
{
    return req->secure ? "__Host-retwis" : "retwis";
}

void http_set_cookie(const struct http_request *req, struct http_response *resp, const char *name, const char *value,
                     int64_t max_age)
{
    require(all(name, strlen(name), is_name_byte));
    char age[40] = "";
    if (max_age >= 0) {
        snprintf(age, sizeof(age), "; Max-Age=%lld", (long long)max_age);
    }
    if (!all(value, strlen(value), is_value_byte)) {
        resp->broken = true;
        return;
    }
    http_header(resp, "Set-Cookie",
                arena_printf(resp->arena, "%s=%s; Path=/; HttpOnly; SameSite=Lax%s%s", name, value, age,
                             req->secure ? "; Secure" : ""));
}
