/* server.c - see server.h. civetweb's side of the fence: the one file that includes civetweb.h.
 *
 * civetweb accepts, reads and splits the header, and then calls on_request, which always answers: nothing of civetweb's
 * own (files, authentication, CORS, WebDAV) is ever reached. What happens between the two is in exchange.c. Each
 * connection thread has one arena that is reset after each request.
 *
 * What civetweb tells nobody is deduced from the places its header pointers point to: a space before a colon, a folded
 * line (it stops reading headers there). Both are refused, see is_clean_layout, and so are lines not ended by CR LF.
 *
 * Threads: civetweb's, a master that accepts and http.threads workers, all made at start. Start, reload and stop are
 * the main thread's.
 */
#include "http/server.h"

#include <stdlib.h>
#include <string.h>

#include <civetweb.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/panic.h"
#include "config/config.h"
#include "http/acme.h"
#include "http/access.h"
#include "http/exchange.h"
#include "http/guard.h"
#include "http/listen.h"
#include "http/listen_try.h"
#include "http/read_limit.h"
#include "http/static.h"
#include "http/tls.h"

#define SECONDS_PER_DAY 86400
#define QUEUE 256                    /* connections that wait for a thread */
#define REQUESTS_PER_CONNECTION 1000 /* then it is closed, so that load spreads again */

struct http_server {
    struct mg_context *civetweb;
    const struct config *config;
    struct exchange_site site;
    struct address_list trusted;
    struct address_list unlimited;
    struct listen_list listen;
    struct tls *tls;
};

static _Thread_local struct arena *thread_arena;
static _Thread_local FILE *thread_report; /* in http_server_start: civetweb's complaints go there */
/* Of the connection in hand. */
static _Thread_local unsigned thread_requests;
static _Thread_local enum http_door thread_door; /* known from its first request on */

/* --- from civetweb's words to ours --------------------------------------------------------------------------------- */

static void copy_headers(struct exchange *x, const struct mg_request_info *info)
{
    size_t count = info->num_headers > 0 ? (size_t)info->num_headers : 0;
    struct http_pair *items = arena_alloc(x->req.arena, (count + 1) * sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        items[i].name = info->http_headers[i].name;
        items[i].value = info->http_headers[i].value;
    }
    x->req.headers = (struct http_pairs){items, count};
}

static struct request_peer peer_of(const struct mg_request_info *info)
{
    struct request_peer peer = {.tls = info->is_ssl};
    const char *address = info->remote_addr;
    peer.local = !address_parse(address, strlen(address), &peer.address); /* "*": a Unix socket */
    peer.door = thread_door;
    return peer;
}

static const char *end_of(const char *text)
{
    return text + strlen(text);
}

/* One blank between the words of the request line. */
static bool is_clean_line(const struct mg_request_info *info)
{
    const char *uri_end = end_of(info->query_string ? info->query_string : info->request_uri);
    return guard_target_seen()->start == end_of(info->request_method) + 1 &&
           info->http_version == uri_end + 1 + strlen("HTTP/");
}

/* civetweb has cut the header into strings in place: it put a NUL over each blank before a colon, over the colon, and
 * over both bytes of each line's end. So the distances between the strings tell what stood there. */
static bool is_clean_layout(const struct mg_request_info *info)
{
    const char *end = end_of(info->http_version);
    for (int i = 0; i < info->num_headers; i++) {
        const char *name = info->http_headers[i].name;
        const char *value = info->http_headers[i].value;
        if (name != end + 2) {
            return false; /* this line is not the next */
        }
        for (const char *p = end_of(name) + 1; p < value; p++) {
            if (*p == '\0') {
                return false; /* a space stood before the colon */
            }
        }
        end = end_of(value);
    }
    /* What follows must be the empty line and the end; a folded line or a header without a name is not. */
    return is_clean_line(info) && guard_head_end() == end + strlen("\r\n\r\n");
}

static struct request_raw raw_of(const struct mg_request_info *info)
{
    const struct guard_target *seen = guard_target_seen();
    return (struct request_raw){
        .method = info->request_method,
        .target = seen->asterisk ? "*" : info->local_uri_raw,
        .query = info->query_string,
        .version = info->http_version,
        .authority = seen->authority,
        .authority_length = seen->authority_length,
        .https = seen->https,
    };
}

/* --- callbacks of civetweb ----------------------------------------------------------------------------------------- */

static int read_bytes(void *connection, void *buffer, size_t size)
{
    return mg_read(connection, buffer, size);
}

static int write_bytes(void *connection, const void *data, size_t size)
{
    return mg_write(connection, data, size);
}

static void begin(struct exchange *x, struct mg_connection *connection, const struct mg_request_info *info)
{
    struct http_server *s = info->user_data;
    struct sockaddr_storage here;
    if (!thread_arena) {
        thread_arena = arena_new();
    }
    if (thread_requests++ == 0) {
        thread_door = guard_here(&here) ? listen_door(&s->listen, (struct sockaddr *)&here) : HTTP_DOOR_SITE;
    }
    exchange_begin(x, &s->site, thread_arena, info->request_method, info->http_version);
    x->io = (struct exchange_io){connection, read_bytes, write_bytes};
}

static int finish(struct exchange *x, struct mg_connection *connection)
{
    int status = x->resp.status;
    if (!x->keep_alive) {
        mg_disable_connection_keep_alive(connection); /* else civetweb reads what is left of the body, however much */
    }
    arena_reset(thread_arena);
    return status;
}

static int on_request(struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    struct exchange x;
    begin(&x, connection, info);
    struct request_peer peer = peer_of(info);
    struct request_raw raw = raw_of(info);
    copy_headers(&x, info);
    const struct http_server *s = info->user_data;
    x.keep_alive = s->config->http.keep_alive > 0 && thread_requests < REQUESTS_PER_CONNECTION;
    exchange_run(&x, &raw, &peer, info->num_headers >= REQUEST_HEADERS || is_clean_layout(info));
    return finish(&x, connection);
}

/* What civetweb itself refuses, before there is a request. */
static int on_refusal(struct mg_connection *connection, int status, const char *unused)
{
    (void)unused;
    const struct mg_request_info *info = mg_get_request_info(connection);
    struct exchange x;
    begin(&x, connection, info);
    struct request_peer peer = peer_of(info);
    exchange_refuse(&x, &peer, status);
    finish(&x, connection);
    return 0;
}

static int on_message(const struct mg_connection *connection, const char *message)
{
    (void)connection;
    if (thread_report) {
        fprintf(thread_report, "http: %s\n", message);
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
    guard_take();
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

void http_server_confine(const struct config *c, struct confine *k)
{
    struct listen_list list = {.count = 0};
    listen_read(c, &list, stderr); /* the start fails with what it complains about */
    listen_confine(&list, k);
}

/* The INI file's addresses, and last the socket for tools. */
static bool parse_listen(struct http_server *s, const char *tool_socket, FILE *report)
{
    if (!listen_read(s->config, &s->listen, report)) {
        return false;
    }
    if (tool_socket && s->listen.count < LISTEN_MAX) {
        struct listen_entry *e = &s->listen.entries[s->listen.count++];
        memset(e, 0, sizeof(*e));
        e->door = HTTP_DOOR_TOOLS;
        snprintf(e->path, sizeof(e->path), "%s", tool_socket);
    }
    return listen_prepare(&s->listen, report);
}

static bool prepare(struct http_server *s, const char *tool_socket, FILE *report)
{
    const struct config *c = s->config;
    char bad[64];
    if (!address_list_parse(c->http.trusted_proxies, &s->trusted, bad, sizeof(bad)) ||
        !address_list_parse(c->limits.read_exempt, &s->unlimited, bad, sizeof(bad))) {
        fprintf(report, "http.trusted_proxies, limits.read_exempt: \"%s\" is no address or network\n", bad);
        return false;
    }
    if (address_text_has_own(c->metrics.allow)) { /* which earlier versions took for the administrator */
        log_warning("http", "metrics.allow names this machine, where a proxy may ask for anybody: that lets nobody in; "
                            "use metrics.listen");
    }
    if (!parse_listen(s, tool_socket, report)) {
        return false;
    }
    if (listen_uses_tls(&s->listen)) {
        if (c->http.tls_certificate[0] == '\0' || c->http.tls_key[0] == '\0') {
            fputs(
                "http.listen or metrics.listen names a TLS port, but http.tls_certificate or http.tls_key is not set\n",
                report);
            return false;
        }
        s->tls = tls_new(c->http.tls_certificate, c->http.tls_key, guard_attach, guard_greeted, report);
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
    char threads[24], timeout[24], keep_alive[24], header[24];
    int64_t longest = s->config->http.request_timeout > s->config->http.keep_alive ? s->config->http.request_timeout
                                                                                   : s->config->http.keep_alive;
    char *listen = listen_option(&s->listen);
    snprintf(threads, sizeof(threads), "%lld", (long long)s->config->http.threads);
    snprintf(timeout, sizeof(timeout), "%lld", (long long)s->config->http.request_timeout * 1000 + 2000);
    snprintf(keep_alive, sizeof(keep_alive), "%lld", (long long)longest * 1000 + 2000);
    snprintf(header, sizeof(header), "%d", REQUEST_HEADER_SIZE);
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
                             header,
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

/* What port 0 has become; and the guard hears which ones speak TLS. */
static void learn_ports(struct http_server *s)
{
    struct mg_server_port ports[LISTEN_MAX];
    unsigned tls_ports[LISTEN_MAX];
    size_t tls_count = 0;
    int known = mg_get_server_ports(s->civetweb, LISTEN_MAX, ports), next = 0;
    for (size_t i = 0; i < s->listen.count; i++) {
        struct listen_entry *e = &s->listen.entries[i];
        if (e->path[0] == '\0' && next < known) {
            unsigned port = (unsigned)ports[next++].port;
            e->port = e->port ? e->port : port;
        }
        if (e->tls) {
            tls_ports[tls_count++] = e->port;
        }
    }
    guard_tls_ports(tls_ports, tls_count);
}

static void release(struct http_server *s)
{
    tls_free(s->tls);
    address_list_free(&s->trusted);
    address_list_free(&s->unlimited);
    read_limit_free(s->site.reads);
    dispatch_free(s->site.dispatch);
    free(s);
}

struct http_server *http_server_start(const struct config *c, const struct http_application *app, FILE *report)
{
    struct http_server *s = mem_zero(1, sizeof(*s));
    s->config = c;
    if (!prepare(s, app->tool_socket, report)) {
        release(s);
        return NULL;
    }
    acme_setup(c->http.acme_directory);
    s->site = (struct exchange_site){
        .dispatch = dispatch_new(app, c->http.public_url),
        .rules = {c->http.public_url, c->http.max_body, &s->trusted, c->http.hsts * SECONDS_PER_DAY, &s->unlimited},
        .reads = read_limit_new(c),
        .allow_plain = c->http.allow_plain,
        .app = app->app,
        .secret_key = app->secret_key,
        .max_requests = c->http.max_requests,
    };
    access_setup(c->log.access, (uint64_t)c->log.access_rate);
    static_setup(c->http.web_dir);
    mg_init_library(s->tls ? MG_FEATURES_TLS : 0);
    start_guard(s);
    thread_report = report;
    bool started = start_civetweb(s);
    thread_report = NULL;
    if (!started) {
        listen_explain_all(&s->listen, report); /* civetweb has named only the first, and not what to do */
        guard_stop();
        mg_exit_library();
        release(s);
        return NULL;
    }
    listen_finish(&s->listen);
    learn_ports(s);
    return s;
}

void http_server_print(const struct http_server *s, enum http_door door, FILE *out)
{
    for (size_t i = 0; i < s->listen.count; i++) {
        if (s->listen.entries[i].door == door) {
            listen_print(&s->listen.entries[i], out);
        }
    }
}

void http_server_reload(struct http_server *s, const struct config *fresh)
{
    if (fresh) {
        access_setup(fresh->log.access, (uint64_t)fresh->log.access_rate);
    }
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
