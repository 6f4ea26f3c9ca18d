/* site.c - about the site, and its health. Connection threads. */
#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "config/settings.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "social/social.h"
#include "store/store.h"

#define COUNT_EVERY_US (60u * 1000000)

/* Counting users asks every bucket: once a minute is often enough. */
static struct {
    pthread_mutex_t lock;
    uint64_t counted_at;
    int64_t users;
} numbers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int64_t user_count(struct social *s, struct arena *a)
{
    pthread_mutex_lock(&numbers.lock);
    uint64_t now = clock_monotonic_us();
    if (!numbers.counted_at || now > numbers.counted_at + COUNT_EVERY_US) {
        int64_t users;
        if (user_count_all(s, a, &users) == ERR_OK) {
            numbers.users = users;
            numbers.counted_at = now;
        }
    }
    int64_t users = numbers.users;
    pthread_mutex_unlock(&numbers.lock);
    return users;
}

static void put_rules(struct page *p, char *rules)
{
    yyjson_mut_val *list = page_list(p, "rules");
    char *rest = rules;
    for (char *line; (line = strtok_r(rest, "\n", &rest));) {
        page_put(p, yyjson_mut_arr_add_obj(p->entity.doc, list), "text", line, NULL);
    }
    yyjson_mut_obj_add_bool(p->entity.doc, p->root, "has_rules", yyjson_mut_arr_size(list) > 0);
}

void page_about(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    if (!page_run(&p)) {
        return;
    }
    const struct settings *settings = settings_get(p.site->settings);
    char *rules = arena_dup(p.arena, settings->rules), *name = arena_dup(p.arena, settings->site_name);
    settings_release(p.site->settings, settings);
    page_title(&p, "title_about", "site", name);
    page_is(&p, "is_about");
    put_rules(&p, rules);
    yyjson_mut_val *stats = page_object(&p, "stats");
    yyjson_mut_obj_add_int(p.entity.doc, stats, "users", user_count(p.site->social, p.arena));
    page_set(&p, "version", RETWIS_VERSION);
    page_render(&p, "about");
}

void page_health(struct http_request *req, struct http_response *resp)
{
    struct pages *site = req->app;
    enum err e = store_health(site->social->store);
    if (e == ERR_OK && atomic_load(&site->social->epoch) == 0) {
        e = ERR_UNAVAILABLE; /* still starting */
    }
    resp->content_type = "text/plain; charset=utf-8";
    resp->status = e == ERR_OK ? 200 : 503;
    if (e != ERR_OK) {
        http_header(resp, "Retry-After", "2");
    }
    buffer_printf(&resp->body, "%s\n", e == ERR_OK ? "OK" : err_info(e)->help);
}
