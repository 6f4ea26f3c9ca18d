/* request.c - see request.h. Pure functions over one request, any thread.
 *
 * The rule for everything doubtful is to refuse it. Two programs that read one request differently (a proxy and this
 * one) are how requests are smuggled; an honest client sends nothing that is refused here. So: one Host, one
 * Content-Length made of digits, no Transfer-Encoding (no browser and no app sends a chunked form), no %00, %2f or %5c
 * in a path, no dot segments.
 */
#include "http/request.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/secret.h"
#include "base/text.h"
#include "http/cookie.h"
#include "http/form.h"
#include "http/host.h"
#include "http/pairs.h"

static int request_refuse(int status, const char *text, const char **why)
{
    *why = text;
    return status;
}

/* --- method and headers -------------------------------------------------------------------------------------------- */

enum http_method request_method(const char *name)
{
    static const struct {
        const char *name;
        enum http_method method;
    } table[] = {{"GET", HTTP_GET},     {"HEAD", HTTP_HEAD},     {"POST", HTTP_POST},      {"PUT", HTTP_PUT},
                 {"PATCH", HTTP_PATCH}, {"DELETE", HTTP_DELETE}, {"OPTIONS", HTTP_OPTIONS}};
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(table[i].name, name) == 0) {
            return table[i].method;
        }
    }
    return (enum http_method)0;
}

/* token of RFC 9110; turns it into lower case. */
static bool fold_name(char *name)
{
    for (char *p = name; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c >= 'A' && c <= 'Z') {
            *p = (char)(c | 0x20);
        } else if (c <= 0x20 || c >= 0x7f || strchr("()<>@,;:\\\"/[]?={}", c)) {
            return false;
        }
    }
    return name[0] != '\0';
}

static int read_headers(struct http_request *req, const char **why)
{
    if (req->headers.count >= REQUEST_HEADERS) {
        return request_refuse(431, "too many headers", why);
    }
    for (size_t i = 0; i < req->headers.count; i++) {
        struct http_pair *h = &req->headers.items[i];
        if (!fold_name((char *)h->name)) {
            return request_refuse(400, "a header's name is not well formed", why);
        }
        size_t length = strlen(h->value);
        while (length > 0 && (h->value[length - 1] == ' ' || h->value[length - 1] == '\t')) {
            length--;
        }
        ((char *)h->value)[length] = '\0';
        if (strcmp(h->name, "cookie") == 0) {
            cookie_parse(req->arena, h->value, &req->cookies);
        }
    }
    return 0;
}

static int read_host(struct http_request *req, const struct request_raw *raw, const char **why)
{
    size_t count = pairs_count(&req->headers, "host");
    bool old_protocol = strcmp(raw->version, "1.1") != 0;
    if (count > 1 || (count == 0 && !old_protocol)) {
        return request_refuse(400, "there must be one Host header", why);
    }
    const char *host = count ? http_header_in(req, "host") : "localhost";
    if (!host_is_valid(host, strlen(host))) {
        return request_refuse(400, "the Host header must be " HOST_RULE, why);
    }
    if (raw->authority && !host_is_valid(raw->authority, raw->authority_length)) {
        return request_refuse(400, "the host in the request line must be " HOST_RULE, why);
    }
    if (raw->https && (req->in_clear || !req->secure)) {
        return request_refuse(421, "an https:// address was asked for on a connection without TLS", why);
    }
    /* RFC 9112 3.2.2: the request line decides. */
    req->host = raw->authority ? arena_dup_n(req->arena, raw->authority, raw->authority_length) : host;
    return 0;
}

static int read_length(const struct http_request *req, size_t *body, const char **why)
{
    size_t count = pairs_count(&req->headers, "content-length");
    *body = 0;
    if (pairs_count(&req->headers, "transfer-encoding") > 0) {
        return request_refuse(count ? 400 : 411, "Transfer-Encoding is not accepted; send a Content-Length", why);
    }
    if (count == 0) {
        return 0;
    }
    const char *value = http_header_in(req, "content-length");
    size_t digits = strspn(value, "0123456789");
    if (count > 1 || digits == 0 || value[digits] != '\0') {
        return request_refuse(400, "Content-Length is not well formed", why);
    }
    *body = digits > 9 ? SIZE_MAX : (size_t)strtoul(value, NULL, 10);
    return 0;
}

/* --- path and query ------------------------------------------------------------------------------------------------ */

static bool has_forbidden_escape(const char *target)
{
    for (const char *p = strchr(target, '%'); p; p = strchr(p + 1, '%')) {
        if (strncasecmp(p, "%00", 3) == 0 || strncasecmp(p, "%2f", 3) == 0 || strncasecmp(p, "%5c", 3) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_dots(const char *segment, size_t length)
{
    return (length == 1 && segment[0] == '.') || (length == 2 && segment[0] == '.' && segment[1] == '.');
}

/* Merges slashes and takes a last one off, in place. False for dot segments, backslashes and control bytes. */
static bool normalise(char *path)
{
    char *out = path;
    for (const char *p = path; *p;) {
        p += strspn(p, "/");
        size_t length = strcspn(p, "/");
        if (is_dots(p, length)) {
            return false;
        }
        for (size_t i = 0; i < length; i++) {
            unsigned char c = (unsigned char)p[i];
            if (c < 0x20 || c == 0x7f || c == '\\') {
                return false;
            }
        }
        if (length > 0) {
            *out++ = '/';
            memmove(out, p, length);
            out += length;
            p += length;
        }
    }
    if (out == path) {
        *out++ = '/';
    }
    *out = '\0';
    return true;
}

static int read_target(struct http_request *req, const struct request_raw *raw, const char **why)
{
    if (strcmp(raw->target, "*") == 0) {
        req->path = "*";
        return req->method == HTTP_OPTIONS ? 0
                                           : request_refuse(400, "only OPTIONS can be asked of *; name a path", why);
    }
    size_t length = strlen(raw->target);
    size_t query_length = raw->query ? strlen(raw->query) : 0;
    if (length > REQUEST_PATH_SIZE || length + query_length > REQUEST_URL_SIZE) {
        return request_refuse(414, "the address is too long", why);
    }
    char *path = arena_alloc(req->arena, length + 2);
    size_t n = has_forbidden_escape(raw->target) ? (size_t)-1 : form_decode(raw->target, length, false, path);
    if (n == (size_t)-1 || path[0] != '/' || !form_is_utf8(path, n) || !normalise(path)) {
        return request_refuse(400, "the path is not well formed", why);
    }
    req->path = path;
    if (query_length > 0 && !form_parse(req->arena, raw->query, query_length, &req->query)) {
        return request_refuse(400, "the query is not well formed", why);
    }
    return 0;
}

/* --- who, and by what name he calls us ----------------------------------------------------------------------------- */

/* Whether a proxy says that it asks for somebody else. */
static bool is_passed_on(const struct http_request *req)
{
    return pairs_count(&req->headers, "x-forwarded-for") || pairs_count(&req->headers, "forwarded") ||
           pairs_count(&req->headers, "x-real-ip") || pairs_count(&req->headers, "via");
}

/* False for an address that may be a proxy's: a trusted one, one of this machine, and any that passes requests on
 * without being trusted. */
static bool is_certain(const struct http_request *req, const struct address *client, bool trusted, bool named,
                       const struct request_rules *rules)
{
    if (address_is_loopback(client) || address_list_has(rules->trusted, client)) {
        return false;
    }
    return trusted ? named : !is_passed_on(req);
}

/* Whether the client's way here was HTTPS. With an https public_url, a trusted proxy that does not say is taken to end
 * HTTPS; otherwise the site would redirect its visitors in circles. A client that says itself that it came by HTTPS is
 * not redirected either: no browser says so, so this is an undeclared proxy, and a liar endangers only himself. */
static void read_scheme(struct http_request *req, const struct request_peer *peer, bool trusted,
                        const struct request_rules *rules)
{
    const char *proto = http_header_in(req, "x-forwarded-proto");
    bool says_https = proto && strncasecmp(proto, "https", 5) == 0 && strchr(", \t", proto[5]);
    bool public = rules->public_url && strncmp(rules->public_url, "https://", 8) == 0;
    req->secure = public || peer->tls || (trusted && says_https);
    req->in_clear = public && !peer->tls && !says_https && !(trusted && !proto) && peer->door == HTTP_DOOR_SITE;
    req->hsts = public && !req->in_clear ? rules->hsts : 0;
}

/* "2001:db8:1:2::", "2001:db8:1::/56", "2001:db8:1::/48": the first is as caps count, see address_group. */
static const char *network_text(struct arena *a, const struct address *client, size_t width)
{
    static const unsigned bits[HTTP_NETWORKS] = {64, 56, 48};
    char text[ADDRESS_SIZE];
    struct address network = address_prefix(client, bits[width]);
    address_write(&network, text);
    return width == 0 ? arena_dup(a, text) : arena_printf(a, "%s/%u", text, bits[width]);
}

void request_client(struct http_request *req, const struct request_peer *peer, const struct request_rules *rules)
{
    struct address client = peer->address;
    bool trusted = peer->local || address_list_has(rules->trusted, &peer->address);
    bool named = trusted && address_forwarded(&req->headers, rules->trusted, &client);
    read_scheme(req, peer, trusted, rules);
    req->door = peer->door;
    req->is_here = !trusted && address_is_loopback(&client) && !is_passed_on(req);
    req->certain = is_certain(req, &client, trusted, named, rules);
    req->unlimited = address_list_has(rules->unlimited, peer->local && !named ? &address_here : &client);
    if (peer->local && !named) {
        req->address = req->networks[0] = "local";
        return;
    }
    char *text = arena_alloc(req->arena, ADDRESS_SIZE);
    address_write(&client, text);
    req->address = req->networks[0] = text;
    for (size_t i = 0; i < HTTP_NETWORKS && !address_is_ipv4(&client); i++) {
        req->networks[i] = network_text(req->arena, &client, i);
    }
}

static void read_origin(struct http_request *req, const struct request_rules *rules)
{
    size_t length = rules->public_url ? strlen(rules->public_url) : 0;
    while (length > 0 && rules->public_url[length - 1] == '/') {
        length--;
    }
    if (length > 0) {
        req->origin = arena_dup_n(req->arena, rules->public_url, length);
    } else {
        const char *scheme = req->secure ? "https://" : "http://";
        char *origin = arena_alloc(req->arena, strlen(scheme) + strlen(req->host) + 1);
        req->origin = origin;
        strcpy(stpcpy(origin, scheme), req->host);
    }
}

/* What is certain of a path before it was read: its first plain bytes. A request that is refused is so in the words of
 * the area that it was meant for: programs that speak the API cannot read a page. */
static const char *certain_path(struct arena *a, const char *target)
{
    static const char plain[] = "/-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t length = strspn(target, plain);
    return target[0] == '/' ? arena_dup_n(a, target, length < 64 ? length : 64) : "";
}

int request_head(struct http_request *req, const struct request_raw *raw, const struct request_peer *peer,
                 const struct request_rules *rules, size_t *body, const char **why)
{
    *body = 0;
    req->path = certain_path(req->arena, raw->target);
    req->host = "localhost";
    req->method = request_method(raw->method);
    int status = read_headers(req, why);
    if (status == 0 || status == 431) {
        request_client(req, peer, rules);
    }
    if (status == 0) {
        status = read_host(req, raw, why);
    }
    read_origin(req, rules);
    if (status == 0) {
        status = read_target(req, raw, why);
    }
    if (status == 0) {
        status = read_length(req, body, why);
    }
    if (status == 0 && req->method == 0) {
        status = request_refuse(405, "this method is not supported", why);
    }
    return status;
}

/* --- connection ---------------------------------------------------------------------------------------------------- */

static bool list_has_token(const char *list, const char *token)
{
    size_t length = strlen(token), n;
    for (const char *at; (at = text_token(&list, ", \t", &n));) {
        if (n == length && strncasecmp(at, token, n) == 0) {
            return true;
        }
    }
    return false;
}

bool request_keep_alive(const struct http_request *req, const char *version)
{
    const char *connection = http_header_in(req, "connection");
    if (http_header_in(req, "upgrade")) {
        return false;
    }
    return connection ? list_has_token(connection, "keep-alive") : strcmp(version, "1.1") == 0;
}

/* Unique and hard to guess, not secret: a counter through splitmix64, from a random start in each thread. */
void request_id(char out[17])
{
    static _Atomic uint64_t counter;
    static _Thread_local uint64_t seed;
    if (seed == 0) {
        seed = secret_random_u64() | 1;
    }
    uint64_t x = seed ^ (atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed) + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    for (int i = 0; i < 16; i++) {
        out[i] = "0123456789abcdef"[x >> (60 - 4 * i) & 15];
    }
    out[16] = '\0';
}
