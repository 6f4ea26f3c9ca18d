/* server.c - see server.h. civetweb's side of the fence: the one file that includes civetweb.h.
 *
 * civetweb accepts, reads and splits the header, and then calls on_request, which always answers: nothing of civetweb's own
 * (files, authentication, CORS, WebDAV) is ever reached. Each connection thread has one arena that is reset
 * after each request.
 *
 * The way of a request: layout of the header (here) - rules of the request (request.c) - room for it (here) - route
 * (router.c) - body - form (request.c) - CSRF (csrf.c) - parameters (parameter.c) - session cookie - handler - answer
 * (response.c) - access log. Whatever refuses closes the connection, because what follows in it cannot be
 * trusted to be the beginning of a request.
 *
 * What civetweb tells nobody, and what is therefore deduced from the places its header pointers point to: a space before a
 * colon, a line ended by LF alone, a folded line (it stops reading headers there). All three are refused, see
 * is_clean_layout.
 */
#include "http/server.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <civetweb.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/secret.h"
#include "config/config.h"
#include "http/access.h"
#include "http/csrf.h"
#include "http/guard.h"
#include "http/listen.h"
#include "http/pairs.h"
#include "http/parameter.h"
#include "http/request.h"
#include "http/response.h"
#include "http/router.h"
#include "http/static.h"
#include "http/tls.h"
#include "store/store.h"

#define MAX_TABLES 16
#define QUEUE 256                    /* connections that wait for a thread */
#define REQUESTS_PER_CONNECTION 1000 /* then it is closed, so that load spreads again */

struct http_server {
    struct mg_context *civetweb;
    const struct config *config;
    struct http_application app;
    struct router *router;
    struct address_list trusted;
    struct request_rules rules;
    struct listen_list listen;
    struct tls *tls;
    _Atomic int in_flight;
    FILE *report; /* during start: civetweb's complaints go there */
};

/* A request on its way through this file. */
struct exchange {
    struct http_server *server;
    struct mg_connection *connection;
    const struct mg_request_info *info;
    struct http_request req;
    struct http_response resp;
    const char *method; /* as sent, for the log */
    const char *version;
    bool keep_alive;
    bool unread; /* the client may still be sending */
    uint64_t started;
};

static _Thread_local struct arena *thread_arena;
static _Thread_local unsigned thread_requests; /* on the connection in hand */

/* --- answering ----------------------------------------------------------------------------------------------------- */

static void send_answer(struct exchange *x)
{
    const unsigned char *rest;
    size_t rest_size;
    struct response_wire wire = {
        .keep_alive = x->keep_alive,
        .old_protocol = strcmp(x->version, "1.1") != 0,
        .head = x->req.method == HTTP_HEAD,
    };
    if (!x->keep_alive) {
        mg_disable_connection_keep_alive(x->connection);
    }
    struct buffer out = response_write(&x->req, &x->resp, &wire, &rest, &rest_size);
    guard_writing(out.length + rest_size);
    int sent = mg_write(x->connection, out.data, out.length);
    if (rest_size > 0 && sent == (int)out.length) {
        mg_write(x->connection, rest, rest_size);
    }
    if (x->unread) {
        guard_linger(x->info->is_ssl);
    }
    if (x->server->config->log.access) {
        access_log(&x->req, x->method, x->resp.status, out.length + rest_size, x->started);
    }
}

/* Makes the answer an error page, in the look of the site if it can be. */
static void fail(struct exchange *x, int status, const char *text)
{
    struct http_response fresh = response_make(x->req.arena);
    fresh.status = status;
    x->resp = fresh;
    if (x->server->app.on_error) {
        x->server->app.on_error(&x->req, &x->resp, status, text);
    } else {
        response_plain(&x->resp, status, text);
    }
    if (x->resp.broken) {
        x->resp = response_make(x->req.arena);
        response_plain(&x->resp, 500, NULL);
    }
    if (status == 503) {
        http_header(&x->resp, "Retry-After", "2");
    }
}

/* An error after which the connection cannot go on. */
static void reject(struct exchange *x, int status, const char *text)
{
    x->keep_alive = false;
    fail(x, status, text);
}

/* --- the beginning of an exchange ---------------------------------------------------------------------------------- */

static void make_id(char out[17])
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

static void begin(struct exchange *x, struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    if (!thread_arena) {
        thread_arena = arena_new();
    }
    memset(x, 0, sizeof(*x));
    x->server = info->user_data;
    x->connection = connection;
    x->info = info;
    x->started = clock_monotonic_us();
    x->method = info->request_method ? info->request_method : "-";
    x->version = info->http_version ? info->http_version : "1.1";
    x->req.arena = thread_arena;
    x->req.body = x->req.path = x->req.address = x->req.limit_key = "";
    x->req.origin = x->req.host = "";
    x->req.app = x->server->app.app;
    x->req.secret_key = x->server->app.secret_key;
    x->resp = response_make(thread_arena);
    make_id(x->req.id);
    store_trips_reset();
}

static void copy_headers(struct exchange *x)
{
    size_t count = x->info->num_headers > 0 ? (size_t)x->info->num_headers : 0;
    struct http_pair *items = arena_alloc(x->req.arena, (count + 1) * sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        items[i].name = x->info->http_headers[i].name;
        items[i].value = x->info->http_headers[i].value;
    }
    x->req.headers = (struct http_pairs){items, count};
}

static struct request_peer peer_of(const struct exchange *x)
{
    struct request_peer peer = {.tls = x->info->is_ssl};
    const char *address = x->info->remote_addr;
    peer.local = !address_parse(address, strlen(address), &peer.address); /* "*": a Unix socket */
    return peer;
}

/* civetweb has cut the header into strings in place: it put a NUL over each blank before a colon, over the colon, and over
 * both bytes of each line's end. So the distance between the strings tells what stood there. */
static bool is_clean_layout(const struct mg_request_info *info)
{
    const char *line_end = info->http_version + strlen(info->http_version);
    for (int i = 0; i < info->num_headers; i++) {
        const char *name = info->http_headers[i].name;
        const char *value = info->http_headers[i].value;
        if (name != line_end + 2) {
            return false; /* the line before ended with LF alone, or this one is not the next */
        }
        for (const char *p = name + strlen(name) + 1; p < value; p++) {
            if (*p == '\0') {
                return false; /* a space stood before the colon */
            }
        }
        line_end = value + strlen(value);
    }
    /* What follows must be the empty line, whose LF is a NUL by now; a folded line or a nameless header is not. */
    return line_end[0] == '\0' && line_end[1] == '\0' && line_end[2] == '\r' && line_end[3] == '\0';
}

static struct request_raw raw_of(const struct exchange *x)
{
    struct request_raw raw = {
        .method = x->info->request_method,
        .target = x->info->local_uri_raw,
        .query = x->info->query_string,
        .version = x->info->http_version,
    };
    const char *uri = x->info->request_uri;
    const char *authority = uri != raw.target ? strstr(uri, "://") : NULL;
    if (authority) {
        raw.authority = authority + 3;
        raw.authority_length = (size_t)(raw.target - raw.authority);
    }
    return raw;
}

/* --- body ---------------------------------------------------------------------------------------------------------- */

/* 0, or the status of the refusal. */
static int read_body(struct exchange *x, size_t size, const char **why)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    const char *expect = http_header_in(&x->req, "expect");
    if (expect && strcmp(x->version, "1.1") == 0) {
        if (strcasecmp(expect, "100-continue") != 0) {
            *why = "this expectation is not supported";
            return 417;
        }
        if (size > 0) {
            mg_write(x->connection, go_on, sizeof(go_on) - 1);
        }
    }
    char *body = arena_alloc(x->req.arena, size + 1);
    size_t n = 0;
    guard_reading(size);
    while (n < size) {
        int got = mg_read(x->connection, body + n, size - n);
        if (got <= 0) {
            *why = "the body did not arrive in time";
            return guard_expired() ? 408 : 400;
        }
        n += (size_t)got;
    }
    body[n] = '\0';
    x->req.body = body;
    x->req.body_size = n;
    x->unread = false;
    return 0;
}

/* --- from route to handler ----------------------------------------------------------------------------------------- */

static void answer_methods(struct exchange *x, unsigned allowed)
{
    if (x->req.method == HTTP_OPTIONS) {
        x->resp.status = 204;
    } else {
        fail(x, 405, NULL);
    }
    http_header(&x->resp, "Allow", router_allow(x->req.arena, allowed));
}

static bool is_signed_in(const struct http_request *req)
{
    const char *cookie = http_cookie(req, http_session_cookie(req));
    return cookie && cookie[0];
}

static void handle(struct exchange *x)
{
    const struct http_application *app = &x->server->app;
    const struct http_route *route = x->req.route;
    const struct http_parameter *wrong;
    const char *why = NULL;
    if (!csrf_check(&x->req, x->server->rules.public_url, &why)) {
        log_info("http", "request %s refused: %s", x->req.id, why);
        fail(x, 403, why);
    } else if (route->access == HTTP_SIGNED_IN && !is_signed_in(&x->req)) {
        if (app->on_denied) {
            app->on_denied(&x->req, &x->resp);
        } else {
            fail(x, 401, NULL);
        }
    } else if ((wrong = parameter_check(&x->req, route))) {
        x->resp.status = 422;
        if (app->on_invalid) {
            app->on_invalid(&x->req, &x->resp, wrong);
        } else {
            fail(x, 422, wrong->name);
        }
    } else {
        route->handler(&x->req, &x->resp);
    }
    if (x->resp.broken) {
        log_error("http", "request %s: %s made an answer that cannot be sent", x->req.id, route->path);
        fail(x, 500, NULL);
    }
}

static void serve(struct exchange *x, size_t body_size)
{
    const char *why = NULL;
    struct router_match match = router_find(x->server->router, x->req.arena, x->req.method, x->req.path);
    x->req.route = match.route;
    x->req.variables = match.variables;
    int status = body_size > 0 ? read_body(x, body_size, &why) : 0;
    if (status == 0) {
        guard_working();
        status = request_body(&x->req, &why);
    }
    if (status != 0) {
        reject(x, status, why);
    } else if (match.route) {
        handle(x);
    } else if (match.allowed) {
        answer_methods(x, match.allowed);
    } else {
        fail(x, 404, NULL);
    }
}

/* --- callbacks of civetweb ----------------------------------------------------------------------------------------- */

static void answer(struct exchange *x)
{
    const char *why = NULL;
    size_t body_size = 0;
    struct request_raw raw = raw_of(x);
    struct request_peer peer = peer_of(x);
    if (x->info->num_headers < REQUEST_HEADERS && !is_clean_layout(x->info)) {
        reject(x, 400, "the header is not well formed");
        return;
    }
    int status = request_head(&x->req, &raw, &peer, &x->server->rules, &body_size, &why);
    x->unread = body_size > 0 || (status != 0 && http_header_in(&x->req, "transfer-encoding"));
    x->keep_alive =
        request_keep_alive(&x->req, x->version) && !guard_crowded() && ++thread_requests < REQUESTS_PER_CONNECTION;
    if (status == 405) {
        reject(x, status, why);
        http_header(&x->resp, "Allow", router_allow(x->req.arena, ~0u));
    } else if (status != 0) {
        reject(x, status, why);
    } else if (atomic_fetch_add(&x->server->in_flight, 1) >= x->server->config->http.max_requests) {
        reject(x, 503, "too many requests at once");
        atomic_fetch_sub(&x->server->in_flight, 1);
    } else {
        serve(x, body_size);
        atomic_fetch_sub(&x->server->in_flight, 1);
    }
}

static int on_request(struct mg_connection *connection)
{
    struct exchange x;
    begin(&x, connection);
    guard_working();
    copy_headers(&x);
    answer(&x);
    send_answer(&x);
    int status = x.resp.status;
    if (x.keep_alive) {
        guard_idle();
    }
    arena_reset(thread_arena);
    return status;
}

/* What civetweb itself refuses, before there is a request. It closes the connection afterwards. */
static int on_refusal(struct mg_connection *connection, int status, const char *text)
{
    struct exchange x;
    begin(&x, connection);
    struct request_peer peer = peer_of(&x);
    if (!peer.local) {
        char *address = arena_alloc(x.req.arena, ADDRESS_SIZE);
        address_write(&peer.address, address);
        x.req.address = x.req.limit_key = address;
    }
    x.req.secure = peer.tls;
    x.unread = true;
    bool has_line = x.info->request_method && x.info->http_version;
    const char *method = has_line ? x.info->request_method : "";
    if (guard_expired()) {
        reject(&x, 408, "the request did not arrive in time");
    } else if (status == 413) {
        reject(&x, 431, "the header is too large");
    } else if (status == 400 && (strcmp(method, "TRACE") == 0 || strcmp(method, "CONNECT") == 0)) {
        reject(&x, 405, "this method is not supported");
        http_header(&x.resp, "Allow", router_allow(x.req.arena, ~0u));
    } else {
        reject(&x, status == 411 ? 400 : status, text);
    }
    send_answer(&x);
    arena_reset(thread_arena);
    return 0;
}

static int on_message(const struct mg_connection *connection, const char *message)
{
    struct http_server *s = mg_get_user_data(mg_get_context(connection));
    if (s && s->report) {
        fprintf(s->report, "http: %s\n", message);
    } else {
        log_debug("http", "%s", message);
    }
    return 1;
}

static int on_connection(const struct mg_connection *connection, void **data)
{
    (void)connection;
    (void)data;
    thread_requests = 0;
    return 0;
}

static void on_close(const struct mg_connection *connection)
{
    (void)connection;
    guard_leave();
}

static void on_thread_end(const struct mg_context *context, int type, void *data)
{
    (void)context;
    (void)type;
    (void)data;
    arena_free(thread_arena);
    thread_arena = NULL;
}

static int give_tls_context(void **context, void *data)
{
    struct http_server *s = data;
    *context = s->tls ? tls_context(s->tls) : NULL;
    return 1;
}

/* --- start and stop ------------------------------------------------------------------------------------------------ */

static void copy_tables(struct http_server *s)
{
    const struct http_route *tables[MAX_TABLES + 2] = {static_routes};
    size_t n = 1;
    for (size_t i = 0; s->app.tables && s->app.tables[i]; i++) {
        require(n <= MAX_TABLES);
        tables[n++] = s->app.tables[i];
    }
    s->router = router_new(tables);
    s->app.tables = NULL;
}

static bool prepare(struct http_server *s, FILE *report)
{
    const struct config *c = s->config;
    char bad[64];
    if (!address_list_parse(c->http.trusted_proxies, &s->trusted, bad, sizeof(bad))) {
        fprintf(report, "http.trusted_proxies: \"%s\" is no address or network\n", bad);
        return false;
    }
    if (!listen_parse(c->http.listen, &s->listen, report) || !listen_prepare(&s->listen, report)) {
        return false;
    }
    if (listen_uses_tls(&s->listen)) {
        if (c->http.tls_certificate[0] == '\0' || c->http.tls_key[0] == '\0') {
            fputs("http.listen names a TLS port, but http.tls_certificate or http.tls_key is not set\n", report);
            return false;
        }
        s->tls = tls_new(c->http.tls_certificate, c->http.tls_key, guard_attach, report);
        return s->tls != NULL;
    }
    return true;
}

static void start_guard(struct http_server *s)
{
    const struct config *c = s->config;
    const struct guard_limits limits = {
        .threads = (unsigned)c->http.threads,
        .queue = QUEUE,
        .per_address = (unsigned)c->http.connections_per_address,
        .request_ms = (uint64_t)c->http.request_timeout * 1000,
        .keep_alive_ms = (uint64_t)c->http.keep_alive * 1000,
        .trusted = &s->trusted,
    };
    guard_start(&limits);
}

/* civetweb's own times are longer than the guard's, which therefore decides. */
static bool start_civetweb(struct http_server *s)
{
    char threads[24], timeout[24], keep_alive[24];
    int64_t longest = s->config->http.request_timeout > s->config->http.keep_alive ? s->config->http.request_timeout
                                                                                   : s->config->http.keep_alive;
    char *listen = listen_option(&s->listen);
    snprintf(threads, sizeof(threads), "%lld", (long long)s->config->http.threads);
    snprintf(timeout, sizeof(timeout), "%lld", (long long)s->config->http.request_timeout * 1000 + 2000);
    snprintf(keep_alive, sizeof(keep_alive), "%lld", (long long)longest * 1000 + 2000);
    const char *options[] = {"listening_ports",
                             listen,
                             "num_threads",
                             threads,
                             "request_timeout_ms",
                             timeout,
                             "keep_alive_timeout_ms",
                             keep_alive,
                             "enable_keep_alive",
                             "yes",
                             "tcp_nodelay",
                             "1",
                             "connection_queue",
                             "256",
                             "listen_backlog",
                             "1024",
                             "max_request_size",
                             "16384",
                             "decode_url",
                             "no",
                             "decode_query_string",
                             "no",
                             "enable_auth_domain_check",
                             "no",
                             "enable_directory_listing",
                             "no",
                             "access_control_allow_origin",
                             "",
                             "access_control_allow_methods",
                             "",
                             "access_control_allow_headers",
                             "",
                             NULL};
    const struct mg_callbacks callbacks = {
        .begin_request = on_request,
        .http_error = on_refusal,
        .log_message = on_message,
        .external_ssl_ctx = give_tls_context,
        .init_connection = on_connection,
        .connection_close = on_close,
        .exit_thread = on_thread_end,
    };
    struct mg_init_data init = {.callbacks = &callbacks, .user_data = s, .configuration_options = options};
    s->civetweb = mg_start2(&init, NULL);
    free(listen);
    return s->civetweb != NULL;
}

static void release(struct http_server *s)
{
    tls_free(s->tls);
    address_list_free(&s->trusted);
    router_free(s->router);
    free(s);
}

struct http_server *http_server_start(const struct config *c, const struct http_application *app, FILE *report)
{
    struct http_server *s = mem_zero(1, sizeof(*s));
    s->config = c;
    s->app = *app;
    s->rules = (struct request_rules){c->http.public_url, c->http.max_body, &s->trusted};
    s->report = report;
    if (!prepare(s, report)) {
        release(s);
        return NULL;
    }
    copy_tables(s);
    static_setup(c->http.web_dir);
    mg_init_library(s->tls ? MG_FEATURES_TLS : 0);
    start_guard(s);
    if (!start_civetweb(s)) {
        guard_stop();
        mg_exit_library();
        release(s);
        return NULL;
    }
    s->report = NULL;
    return s;
}

void http_server_print(const struct http_server *s, FILE *out)
{
    struct mg_server_port ports[LISTEN_MAX];
    int known = mg_get_server_ports(s->civetweb, LISTEN_MAX, ports);
    int next = 0;
    for (size_t i = 0; i < s->listen.count; i++) {
        const struct listen_entry *e = &s->listen.entries[i];
        bool is_port = e->path[0] == '\0' && next < known;
        listen_print(e, is_port ? (unsigned)ports[next++].port : e->port, out);
    }
}

void http_server_reload(struct http_server *s)
{
    char *text = NULL;
    size_t size = 0;
    if (!s->tls) {
        return;
    }
    FILE *report = open_memstream(&text, &size);
    require(report != NULL);
    bool good = tls_reload(s->tls, report);
    fclose(report);
    if (good) {
        log_info("http", "TLS certificate read again");
    } else {
        text[strcspn(text, "\n")] = '\0';
        log_error("http", "the old TLS certificate stays in use: %s", text);
    }
    free(text);
}

void http_server_stop(struct http_server *s, unsigned grace_ms)
{
    uint64_t end = clock_monotonic_us() + (uint64_t)grace_ms * 1000;
    guard_drain();
    while (guard_busy() > 0 && clock_monotonic_us() < end) {
        clock_sleep_ms(5);
    }
    mg_stop(s->civetweb);
    guard_stop();
    mg_exit_library();
    release(s);
}
