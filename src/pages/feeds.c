/* feeds.c - what feed readers fetch: the newest posts of a person, with a tag, and of everybody, as RSS 2.0 and Atom.
 * Connection threads.
 *
 * A feed is what a stranger may see, whoever asks: readers fetch it without a cookie, and share what they got. It has no
 * boosts, and of a post behind a warning only the warning.
 */
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "config/settings.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "view/template.h"

#define FEED_POSTS 20
#define RSS "feed_rss"
#define ATOM "feed_atom"

/* RFC 822, as RSS wants it. */
static const char *mail_date(struct arena *a, uint64_t ms)
{
    char *text = arena_alloc(a, 40);
    time_t seconds = (time_t)(ms / 1000);
    struct tm t;
    gmtime_r(&seconds, &t);
    strftime(text, 40, "%a, %d %b %Y %H:%M:%S GMT", &t);
    return text;
}

static const char *iso_date(struct arena *a, uint64_t ms)
{
    char *text = arena_alloc(a, CLOCK_ISO_SIZE);
    clock_iso(ms, text);
    return text;
}

static void put_item(struct page *p, yyjson_mut_val *list, const struct post *post)
{
    yyjson_mut_val *one = entity_status(&p->entity, post);
    uint64_t changed = post->edited_ms ? post->edited_ms : id_ms(post->id);
    page_put(p, one, "headline", decoration_excerpt(p->arena, post), "mail_date", mail_date(p->arena, id_ms(post->id)),
             "iso_date", iso_date(p->arena, id_ms(post->id)), "iso_changed", iso_date(p->arena, changed), "author",
             decoration_shown(&post->author), "author_url",
             arena_printf(p->arena, "%s/@%s", p->entity.origin, post->author.name), NULL);
    yyjson_mut_arr_append(list, one);
}

static void begin_feed(struct page *p, struct http_request *req, struct http_response *resp)
{
    page_begin(p, req, resp);
    p->visit = visit_begin(p->site->social, p->arena, NULL);
}

/* Answers with these posts. `path` is the page of which this is the feed. */
static void render_feed(struct page *p, const char *template, const struct timeline_page *t, const char *title,
                        const char *path)
{
    bool is_rss = strcmp(template, RSS) == 0;
    yyjson_mut_val *list = page_list(p, "items");
    uint64_t newest = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!t->posts[i].boosted) {
            put_item(p, list, &t->posts[i]);
            uint64_t changed = t->posts[i].edited_ms ? t->posts[i].edited_ms : id_ms(t->posts[i].id);
            newest = changed > newest ? changed : newest;
        }
    }
    page_put(p, p->root, "title", title, "link", arena_printf(p->arena, "%s%s", p->entity.origin, path), "self",
             arena_printf(p->arena, "%s%s", p->entity.origin, p->req->path), "updated", iso_date(p->arena, newest),
             NULL);
    enum err e = template_render(p->site->templates, "en", template, p->root, &p->resp->body);
    p->resp->content_type = is_rss ? "application/rss+xml; charset=utf-8" : "application/atom+xml; charset=utf-8";
    p->resp->status = e == ERR_OK ? 200 : 500;
}

static const char *site_name(const struct page *p)
{
    const struct settings *settings = settings_get(p->site->settings);
    const char *name = arena_dup(p->arena, settings->site_name);
    settings_release(p->site->settings, settings);
    return name;
}

static const struct timeline_query newest_posts = {.limit = FEED_POSTS};

/* --- the feeds ----------------------------------------------------------------------------------------------------- */

static void feed_person(struct http_request *req, struct http_response *resp, const char *template)
{
    struct page p;
    begin_feed(&p, req, resp);
    const struct timeline_profile *own =
        timeline_profile_ask(p.visit, http_variable(req, "name"), TIMELINE_OWN_WITHOUT_ANSWERS, &newest_posts);
    if (page_read(&p)) {
        const struct user *u = &own->user;
        render_feed(&p, template, &own->page, arena_printf(p.arena, "%s (@%s)", decoration_shown(u), u->name),
                    arena_printf(p.arena, "/@%s", u->name));
    }
}

static void feed_public(struct http_request *req, struct http_response *resp, const char *template)
{
    struct page p;
    begin_feed(&p, req, resp);
    const struct timeline_page *posts = timeline_public_ask(p.visit, &newest_posts);
    if (page_read(&p)) {
        render_feed(&p, template, posts, site_name(&p), "/public");
    }
}

static void feed_tag(struct http_request *req, struct http_response *resp, const char *template)
{
    struct page p;
    begin_feed(&p, req, resp);
    const char *tag = http_variable(req, "tag");
    if (!entity_scan_is_tag(tag, strlen(tag))) {
        page_error(&p, ERR_NOT_FOUND);
        return;
    }
    const char *folded = entity_scan_fold(tag, strlen(tag), arena_alloc(p.arena, strlen(tag) + 1));
    const struct timeline_page *posts = timeline_tag_ask(p.visit, folded, &newest_posts);
    if (page_read(&p)) {
        render_feed(&p, template, posts, arena_printf(p.arena, "#%s", tag),
                    arena_printf(p.arena, "/tags/%s", page_encoded(&p, tag)));
    }
}

#define FEED(what)                                                                                                     \
    static void what##_rss(struct http_request *req, struct http_response *resp)                                       \
    {                                                                                                                  \
        what(req, resp, RSS);                                                                                          \
    }                                                                                                                  \
    static void what##_atom(struct http_request *req, struct http_response *resp)                                      \
    {                                                                                                                  \
        what(req, resp, ATOM);                                                                                         \
    }

FEED(feed_person)
FEED(feed_public)
FEED(feed_tag)

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route routes_feeds[] = {
    {HTTP_GET, "/@:name/feed.rss", feed_person_rss, WHO_ANYONE, {parameter_name},
     .flags = HTTP_PUBLIC, .help = "somebody's newest posts, as RSS"},
    {HTTP_GET, "/@:name/feed.atom", feed_person_atom, WHO_ANYONE, {parameter_name},
     .flags = HTTP_PUBLIC, .help = "somebody's newest posts, as Atom"},
    {HTTP_GET, "/public/feed.rss", feed_public_rss, WHO_ANYONE,
     .flags = HTTP_PUBLIC, .help = "the newest posts of the site, as RSS"},
    {HTTP_GET, "/public/feed.atom", feed_public_atom, WHO_ANYONE,
     .flags = HTTP_PUBLIC, .help = "the newest posts of the site, as Atom"},
    {HTTP_GET, "/tags/:tag/feed.rss", feed_tag_rss, WHO_ANYONE,
     .flags = HTTP_PUBLIC, .help = "the newest posts with a tag, as RSS"},
    {HTTP_GET, "/tags/:tag/feed.atom", feed_tag_atom, WHO_ANYONE,
     .flags = HTTP_PUBLIC, .help = "the newest posts with a tag, as Atom"},
    {0},
};
/* clang-format on */
