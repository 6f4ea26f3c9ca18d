/* civet.c - see civet.h.
 *
 * civetweb accepts, reads and splits the header, and then calls on_request, which always answers: nothing of civetweb's
 * own (files, authentication, CORS, WebDAV) is ever reached. What happens between the two is in exchange.c. Each
 * connection thread has one arena that is reset after each request.
 *
 * civetweb does not report a space before a colon or a folded line (where it stops reading headers). Both are deduced
 * from the places that its header pointers point to. They are refused, see is_clean_layout, and so are lines not ended
 * by CR LF.
 */
#include "http/civet.h"

#include <stdlib.h>
#include <string.h>

#include <civetweb.h>

#include "base/arena.h"
#include "base/log.h"
#include "config/config.h"
#include "http/exchange.h"
#include "http/guard.h"
#include "http/guard_head.h"
#include "http/listen.h"
#include "http/tls.h"

#define REQUESTS_PER_CONNECTION 1000 /* then it is closed, so that load spreads again */
#define SLACK_MS 2000 /* civetweb's own times are so much longer than the guard's, so that the guard decides */

static _Thread_local struct arena *thread_arena;
static _Thread_local FILE *thread_report; /* in civet_start: civetweb's complaints go there */
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

static const char *text_end(const char *text)
{
    return text + strlen(text);
}

/* One blank between the words of the request line. */
static bool is_clean_line(const struct mg_request_info *info)
{
    const char *uri_end = text_end(info->query_string ? info->query_string : info->request_uri);
    return guard_target_seen()->start == text_end(info->request_method) + 1 &&
           info->http_version == uri_end + 1 + strlen("HTTP/");
}

/* civetweb has cut the header into strings in place: it put a NUL over each blank before a colon, over the colon, and
 * over both bytes of each line's end. So the distances between the strings tell what stood there. */
static bool is_clean_layout(const struct mg_request_info *info)
{
    const char *end = text_end(info->http_version);
    for (int i = 0; i < info->num_headers; i++) {
        const char *name = info->http_headers[i].name;
        const char *value = info->http_headers[i].value;
        if (name != end + 2) {
            return false; /* this line is not the next */
        }
        for (const char *p = text_end(name) + 1; p < value; p++) {
            if (*p == '\0') {
                return false; /* a space stood before the colon */
            }
        }
        end = text_end(value);
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

static void civet_begin(struct exchange *x, struct mg_connection *connection, const struct mg_request_info *info)
{
    struct civet *c = info->user_data;
    struct sockaddr_storage here;
    if (!thread_arena) {
        thread_arena = arena_new();
    }
    if (thread_requests++ == 0) {
        thread_door = guard_here(&here) ? listen_door(c->listen, (struct sockaddr *)&here) : HTTP_DOOR_SITE;
    }
    exchange_begin(x, c->site, thread_arena, info->request_method, info->http_version);
    x->io = (struct exchange_io){connection, read_bytes, write_bytes};
}

static int civet_finish(struct exchange *x, struct mg_connection *connection)
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
    civet_begin(&x, connection, info);
    struct request_peer peer = peer_of(info);
    struct request_raw raw = raw_of(info);
    copy_headers(&x, info);
    const struct civet *c = info->user_data;
    x.keep_alive = c->config->http.keep_alive > 0 && thread_requests < REQUESTS_PER_CONNECTION;
    exchange_run(&x, &raw, &peer, info->num_headers >= REQUEST_HEADERS || is_clean_layout(info));
    return civet_finish(&x, connection);
}

/* Called for what civetweb itself refuses, before there is a request. */
static int on_refusal(struct mg_connection *connection, int status, const char *unused)
{
    (void)unused;
    const struct mg_request_info *info = mg_get_request_info(connection);
    struct exchange x;
    civet_begin(&x, connection, info);
    struct request_peer peer = peer_of(info);
    exchange_refuse(&x, &peer, status);
    civet_finish(&x, connection);
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
    const struct civet *c = data;
    *context = c->tls ? tls_context(c->tls) : NULL;
    return 1;
}

/* --- start and stop ------------------------------------------------------------------------------------------------ */

static const struct mg_callbacks callbacks = {
    .begin_request = on_request,
    .http_error = on_refusal,
    .log_message = on_message,
    .external_ssl_ctx = give_tls_context,
    .init_connection = on_connection,
    .connection_close = on_close,
    .exit_thread = on_thread_end,
};

/* The options whose values depend on the configuration, as words. */
struct words {
    char threads[24], timeout[24], keep_alive[24], queue[24], header[24];
};

static struct words words_of(const struct config *c)
{
    struct words w;
    long long request = c->http.request_timeout, pause = c->http.keep_alive;
    snprintf(w.threads, sizeof(w.threads), "%lld", (long long)c->http.threads);
    snprintf(w.timeout, sizeof(w.timeout), "%lld", request * 1000 + SLACK_MS);
    snprintf(w.keep_alive, sizeof(w.keep_alive), "%lld", (request > pause ? request : pause) * 1000 + SLACK_MS);
    snprintf(w.queue, sizeof(w.queue), "%d", CIVET_QUEUE);
    snprintf(w.header, sizeof(w.header), "%d", REQUEST_HEADER_SIZE);
    return w;
}

static struct mg_context *start(struct civet *c, const char *listen)
{
    const struct words w = words_of(c->config);
    /* clang-format off */
    const char *options[] = {
        "listening_ports", listen,
        "num_threads", w.threads,
        "request_timeout_ms", w.timeout,
        "keep_alive_timeout_ms", w.keep_alive,
        "enable_keep_alive", "yes",
        "tcp_nodelay", "1",
        "connection_queue", w.queue,
        "listen_backlog", "1024",
        "max_request_size", w.header,
        "decode_url", "no",
        "decode_query_string", "no",
        "enable_auth_domain_check", "no",
        "enable_directory_listing", "no",
        "access_control_allow_origin", "",
        "access_control_allow_methods", "",
        "access_control_allow_headers", "",
        NULL};
    /* clang-format on */
    struct mg_init_data init = {.callbacks = &callbacks, .user_data = c, .configuration_options = options};
    return mg_start2(&init, NULL);
}

/* What port 0 has become. */
static void learn_ports(struct civet *c)
{
    struct mg_server_port ports[LISTEN_MAX];
    int known = mg_get_server_ports(c->context, LISTEN_MAX, ports), next = 0;
    for (size_t i = 0; i < c->listen->count; i++) {
        struct listen_entry *e = &c->listen->entries[i];
        if (e->path[0] == '\0' && next < known) {
            unsigned port = (unsigned)ports[next++].port;
            e->port = e->port ? e->port : port;
        }
    }
}

bool civet_start(struct civet *c, FILE *report)
{
    char *listen = listen_option(c->listen);
    mg_init_library(c->tls ? MG_FEATURES_TLS : 0);
    thread_report = report;
    c->context = start(c, listen);
    thread_report = NULL;
    free(listen);
    if (!c->context) {
        mg_exit_library();
        return false;
    }
    learn_ports(c);
    return true;
}

void civet_stop(struct civet *c)
{
    mg_stop(c->context);
    mg_exit_library();
}
