/* site.c - about the site, and its health. Connection threads. */
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/metric.h"
#include "config/config.h"
#include "config/settings.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "social/core/social.h"
#include "social/people/population.h"
#include "http/static.h"
#include "social/product.h"
#include "view/json.h"
#include "view/fragment.h"
#include "view/locale.h"
#include "view/template.h"

static void put_rules(struct page *p, char *rules)
{
    yyjson_mut_val *list = page_list(p, "rules");
    char *rest = rules;
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        page_put(p, yyjson_mut_arr_add_obj(p->entity.doc, list), "text", line, NULL);
    }
    yyjson_mut_obj_add_bool(p->entity.doc, p->root, "has_rules", yyjson_mut_arr_size(list) > 0);
}

static void page_about(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (!page_read(&p)) {
        return;
    }
    const struct settings *settings = settings_get(p.site->settings);
    char *rules = arena_dup(p.arena, settings->rules), *name = arena_dup(p.arena, settings->site_name);
    settings_release(p.site->settings, settings);
    page_title(&p, "title_about", "site", name);
    page_is(&p, "is_about");
    put_rules(&p, rules);
    yyjson_mut_val *stats = page_object(&p, "stats");
    int64_t users = population_read(p.site->social, p.arena).users;
    yyjson_mut_obj_add_int(p.entity.doc, stats, "users", users);
    page_put(&p, stats, "users_label", locale_plural(p.arena, p.locale, "count_users", (uint64_t)users, NULL), NULL);
    page_set(&p, "version", RETWIS_VERSION);
    page_render(&p, "about");
}

static void page_keys_help(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (page_read(&p)) {
        page_title(&p, "js_keys", NULL, NULL);
        page_is(&p, "is_keys");
        page_render(&p, "keys");
    }
}

/* What a phone or a desk needs to keep the site like a program of its own. */
static void page_manifest(struct http_request *req, struct http_response *resp)
{
    struct site *site = req->app;
    const struct settings *settings = settings_get(site->settings);
    yyjson_mut_doc *doc = view_doc(req->arena);
    yyjson_mut_val *root = yyjson_mut_obj(doc), *icons = yyjson_mut_arr(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_strcpy(doc, root, "name", settings->site_name);
    yyjson_mut_obj_add_strcpy(doc, root, "description", settings->site_description);
    settings_release(site->settings, settings);
    yyjson_mut_obj_add_str(doc, root, "start_url", "/home");
    yyjson_mut_obj_add_str(doc, root, "scope", "/");
    yyjson_mut_obj_add_str(doc, root, "display", "standalone");
    yyjson_mut_obj_add_str(doc, root, "background_color", "#f3f6f4");
    yyjson_mut_obj_add_str(doc, root, "theme_color", "#f3f6f4");
    yyjson_mut_obj_add_val(doc, root, "icons", icons);
    static const char *const sizes[] = {"180", "512"};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        yyjson_mut_val *icon = yyjson_mut_arr_add_obj(doc, icons);
        yyjson_mut_obj_add_str(doc, icon, "src",
                               arena_printf(req->arena, "/static/%s/icons/touch-%s.png", static_version(), sizes[i]));
        yyjson_mut_obj_add_str(doc, icon, "sizes", arena_printf(req->arena, "%sx%s", sizes[i], sizes[i]));
        yyjson_mut_obj_add_str(doc, icon, "type", "image/png");
    }
    view_json(&resp->body, doc);
    resp->content_type = "application/manifest+json";
}

/* The site works, but somebody should look at these faults. */
static void put_faults(struct buffer *out)
{
    unsigned long long count = metric_get(METRIC_BROKEN_REQUESTS);
    if (count) {
        buffer_printf(out, "%llu request%s ended by a fault of the program since the start: the log says where\n",
                      count, count == 1 ? " was" : "s were");
    }
}

/* Names of hosts, figures and settings are for the administrator only; others are told the kind of trouble. */
static void put_reasons(const struct site *site, const struct http_request *req, struct buffer *out, enum err e,
                        const struct buffer *say)
{
    if (http_client_may_know(req, site->config->metrics.allow)) {
        buffer_add(out, say->data, say->length);
        put_faults(out);
    } else if (e != ERR_OK) {
        buffer_printf(out, "%s\n", err_info(e)->help);
    }
}

static void page_health(struct http_request *req, struct http_response *resp)
{
    struct site *site = req->app;
    struct buffer say = buffer_make(req->arena), reasons = buffer_make(req->arena);
    enum err e = product_health(site->social, &say);
    resp->content_type = "text/plain; charset=utf-8";
    resp->status = e == ERR_OK ? 200 : 503;
    if (e != ERR_OK) {
        http_header(resp, "Retry-After", "2");
    }
    put_reasons(site, req, &reasons, e, &say);
    if (e == ERR_OK) { /* Mastodon.py knows a server by this word alone, without a newline */
        buffer_text(&resp->body, reasons.length ? "OK\n" : "OK");
    }
    buffer_add(&resp->body, buffer_string(&reasons), reasons.length);
}

/* Memory of this process without the engine, in bytes; 0 where /proc is missing. */
static uint64_t resident_bytes(void)
{
    unsigned long size, resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f) {
        if (fscanf(f, "%lu %lu", &size, &resident) != 2) {
            resident = 0;
        }
        fclose(f);
    }
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* METRIC_UNKNOWN where the directory cannot be looked at. */
static uint64_t disk_free_bytes(const char *directory)
{
    struct statvfs disk;
    return statvfs(directory, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : METRIC_UNKNOWN;
}

static void measure_rendered(const struct site *site)
{
    struct fragment_numbers kept;
    templates_count(site->templates, &kept);
    metric_set(METRIC_RENDERED_HITS, kept.kept.hits);
    metric_set(METRIC_RENDERED_MISSES, kept.kept.misses);
    metric_set(METRIC_RENDERED_UNFIT, kept.unfit);
    metric_set(METRIC_RENDERED_ENTRIES, kept.kept.entries);
    metric_set(METRIC_RENDERED_BYTES, kept.kept.bytes);
}

static void page_metrics(struct http_request *req, struct http_response *resp)
{
    struct site *site = req->app;
    if (!http_client_is_allowed(req, site->config->metrics.allow)) {
        page_http_error(req, resp, 404, NULL);
        return;
    }
    metric_set(METRIC_RESIDENT_BYTES, resident_bytes());
    metric_set(METRIC_DISK_FREE, disk_free_bytes(site->config->state.directory));
    metric_set(METRIC_UPTIME_SECONDS, (clock_monotonic_us() - site->started_us) / 1000000);
    measure_rendered(site);
    product_measure(site->social, req->arena); /* may fail without the engine; the rest is worth reading then */
    resp->content_type = "text/plain; version=0.0.4; charset=utf-8";
    resp->status = 200;
    metric_write(&resp->body);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route routes_site[] = {
    {HTTP_GET, "/about", page_about, WHO_ANYONE,
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "the site, its rules and its version"},
    {HTTP_GET, "/keys", page_keys_help, WHO_ANYONE,
     .help = "the keys that do something"},
    {HTTP_GET, "/manifest.webmanifest", page_manifest, WHO_ANYONE,
     .help = "what a phone needs to keep the site among its programs"},
    {HTTP_GET, "/health", page_health, WHO_ANYONE,
     .flags = HTTP_MONITOR | HTTP_IN_CLEAR | HTTP_UNCOUNTED, .help = "200 OK, or 503 when the engine cannot be reached or written"},
    {HTTP_GET, "/metrics", page_metrics, WHO_ANYONE,
     .flags = HTTP_MONITOR, .help = "numbers for Prometheus: by metrics.listen, and for the addresses of metrics.allow"},
    {0},
};
/* clang-format on */
