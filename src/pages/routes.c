/* routes.c - the area of the pages: its tables, which stand beside their handlers, and what the server is given. Main
 * thread. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/panic.h"
#include "config/config.h"
#include "http/application.h"
#include "http/area.h"
#include "http/static.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/pages.h"
#include "social/core/social.h"
#include "view/locale.h"
#include "view/template.h"

static const struct http_route *const tables[] = {
    routes_auth,     routes_timelines, routes_reactions, routes_edit,          routes_posts,
    routes_people,   routes_kept,      routes_messages,  routes_notifications, routes_requests,
    routes_apart,    routes_filters,   routes_lists,     routes_preferences,   routes_search,
    routes_settings, routes_site,      routes_tags,      routes_feeds,         routes_developers,
    routes_oauth,    routes_complete,  routes_welcome,   routes_post_menu,     NULL,
};

const struct http_area pages_area = {
    .path = "/",
    .tables = tables,
    .credential = HTTP_COOKIE,
    .verify = page_verify,
    .error = page_http_error,
    .denied = page_denied,
    .invalid = page_invalid,
};

struct site *pages_open(const struct config *c, struct settings_store *settings, struct social *social, FILE *report)
{
    struct site *p = mem_zero(1, sizeof(*p));
    p->config = c;
    p->settings = settings;
    p->social = social;
    p->started_us = clock_monotonic_us();
    static_setup(c->http.web_dir);
    p->locales = locales_load(c->http.web_dir, report);
    if (p->locales) {
        struct template_options options = {
            .directory = c->http.web_dir, .locales = p->locales, .assets_version = static_version()};
        p->templates = templates_load(&options, report);
        if (p->templates) {
            templates_keep(p->templates, (size_t)c->cache.rendered * 1024 * 1024);
        }
    }
    if (!p->templates) {
        pages_close(p);
        return NULL;
    }
    return p;
}

void pages_close(struct site *p)
{
    if (p) {
        if (p->templates) {
            templates_free(p->templates);
        }
        if (p->locales) {
            locales_free(p->locales);
        }
        free(p);
    }
}

static const unsigned char *secret_key(void *app)
{
    const struct site *p = app;
    return social_key(p->social);
}

void pages_application(struct site *p, const struct http_area *const *areas, struct http_application *out)
{
    p->areas = areas;
    *out = (struct http_application){.areas = areas, .app = p, .secret_key = secret_key};
}
