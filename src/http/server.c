/* server.c - see server.h. Puts a server together from the configuration: addresses, certificate, rules, limits.
 * Requests come in by civet.c and are worked on in exchange.c.
 *
 * Threads: start, reload and stop are the main thread's.
 */
#include "http/application.h"
#include "http/server.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/log_batch.h"
#include "base/panic.h"
#include "config/config.h"
#include "http/access.h"
#include "http/acme.h"
#include "http/civet.h"
#include "http/exchange.h"
#include "http/guard.h"
#include "http/guard_accept.h"
#include "http/guard_watch.h"
#include "http/listen.h"
#include "http/listen_try.h"
#include "http/read_limit.h"
#include "http/static.h"
#include "http/tls.h"
#include "http/upload.h"

struct http_server {
    const struct config *config;
    struct exchange_site site;
    struct address_list trusted;
    struct address_list unlimited;
    struct listen_list listen;
    struct tls *tls;
    struct civet civet;
};

void http_server_confine(const struct config *c, struct confine *k)
{
    struct listen_list list = {.count = 0};
    listen_read(c, &list, stderr); /* the start fails with its complaints */
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
    if (address_text_has_own(c->metrics.allow)) { /* earlier versions took that for the administrator */
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
        .queue = CIVET_QUEUE,
        .per_address = (unsigned)c->http.connections_per_address,
        .request_ms = (uint64_t)c->http.request_timeout * 1000,
        .keep_alive_ms = (uint64_t)c->http.keep_alive * 1000,
        .trusted = &s->trusted,
    };
    guard_start(&limits);
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

static struct exchange_site site_of(const struct http_server *s, const struct http_application *app)
{
    const struct config *c = s->config;
    size_t recalled =
        c->http.web_dir[0] ? 0 : (size_t)c->cache.pages * 1024 * 1024; /* a template may change any time */
    return (struct exchange_site){
        .dispatch = dispatch_new(app, c->http.public_url, recalled),
        .rules = {c->http.public_url, &s->trusted, c->http.hsts * CLOCK_DAY_SECONDS, &s->unlimited},
        .max_body = c->http.max_body,
        .reads = read_limit_new(c),
        .allow_plain = c->http.allow_plain,
        .compress = c->http.compress,
        .app = app->app,
        .secret_key = app->secret_key,
        .max_requests = c->http.max_requests,
    };
}

/* Tells the guard which ports speak TLS. */
static void tell_tls_ports(const struct listen_list *l)
{
    unsigned ports[LISTEN_MAX];
    size_t count = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (l->entries[i].tls) {
            ports[count++] = l->entries[i].port;
        }
    }
    guard_tls_ports(ports, count);
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
    s->site = site_of(s, app);
    access_setup(c->log.access, (uint64_t)c->log.access_rate);
    static_setup(c->http.web_dir);
    upload_setup(c->state.directory);
    s->civet = (struct civet){.config = c, .site = &s->site, .listen = &s->listen, .tls = s->tls};
    start_guard(s);
    log_batch_start();
    if (!civet_start(&s->civet, report)) {
        listen_explain_all(&s->listen, report); /* civetweb has named only the first, and not what to do */
        guard_stop();
        log_batch_end();
        release(s);
        return NULL;
    }
    listen_finish(&s->listen);
    tell_tls_ports(&s->listen);
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
    civet_stop(&s->civet);
    guard_stop();
    log_batch_end();
    release(s);
}
