/* tags.c - one tag, following it, and the tags that the visitor follows. Connection threads. */
#include <string.h>

#include "base/arena.h"
#include "base/entity_scan.h"
#include "base/text.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/people/interest.h"
#include "social/people/visit_interests.h"
#include "social/timelines/timeline.h"

static const char *tag_path(struct page *p, const char *tag)
{
    return arena_printf(p->arena, "/tags/%s", page_encoded(p, tag));
}

/* --- one tag ------------------------------------------------------------------------------------------------------- */

static void put_tag(struct page *p, const char *tag, const char *folded)
{
    yyjson_mut_val *object = page_object(p, "tag");
    page_put(p, object, "name", tag, "href", tag_path(p, tag), NULL);
    yyjson_mut_obj_add_bool(p->entity.doc, object, "following", visit_is_interested(p->visit, folded));
}

static void page_tag(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const char *tag = http_variable(req, "tag");
    if (!entity_scan_is_tag(tag, strlen(tag))) {
        page_error(&p, ERR_NOT_FOUND);
        return;
    }
    struct timeline_query q = page_query(&p);
    char *folded = entity_scan_fold(tag, strlen(tag), arena_alloc(p.arena, strlen(tag) + 1));
    const struct timeline_page *posts = timeline_tag_ask(p.visit, folded, &q);
    visit_want_interests(p.visit);
    if (!page_read(&p)) {
        return;
    }
    page_set(&p, "title", arena_printf(p.arena, "#%s", tag));
    page_is(&p, "is_tag");
    put_tag(&p, tag, folded);
    page_timeline(&p, "statuses", posts, tag_path(&p, tag));
    page_render(&p, "tag");
}

static void tag_change(struct http_request *req, struct http_response *resp, bool on)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems problems = {.count = 0};
    const char *tag = http_variable(req, "tag");
    enum err e = interest_change(p.site->social, p.arena, &by, tag, on, &problems);
    const char *next = page_next(&p, tag_path(&p, tag));
    if (e == ERR_CONFLICT) {
        page_redirect(&p, next, "flash_tag_limit", TEXT_OF(INTEREST_MOST));
    } else if (e != ERR_OK) {
        page_refuse(&p, e, &problems, NULL);
    } else {
        page_redirect(&p, next, on ? "flash_tag_followed" : "flash_tag_unfollowed", NULL);
    }
}

static void page_tag_follow(struct http_request *req, struct http_response *resp)
{
    tag_change(req, resp, true);
}

static void page_tag_unfollow(struct http_request *req, struct http_response *resp)
{
    tag_change(req, resp, false);
}

/* --- all tags ------------------------------------------------------------------------------------------------------ */

/* Those that the visitor follows, those followed last first. */
static void put_followed(struct page *p)
{
    size_t count;
    const char *const *tags = visit_interests(p->visit, &count);
    yyjson_mut_val *list = page_list(p, "followed");
    for (size_t i = count; i-- > 0;) {
        yyjson_mut_val *tag = yyjson_mut_arr_add_obj(p->entity.doc, list);
        page_put(p, tag, "name", tags[i], "href", tag_path(p, tags[i]), NULL);
        yyjson_mut_obj_add_bool(p->entity.doc, tag, "following", true);
    }
}

static void page_tags(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    visit_want_interests(p.visit);
    if (!page_read(&p)) {
        return;
    }
    page_title(&p, "title_tags", NULL, NULL);
    page_is(&p, "is_tags");
    put_followed(&p);
    page_render(&p, "tags");
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter tag_name[] = {
    {"tag", HTTP_TEXT, 1, 400, true, "tag without #"},
    {0},
};

/* clang-format off */
const struct http_route routes_tags[] = {
    {HTTP_GET, "/tags", page_tags, WHO_ANYONE, {NULL},
     .help = "the tags that one follows"},
    {HTTP_GET, "/tags/:tag", page_tag, WHO_ANYONE, {tag_name, parameter_cursors},
     .flags = HTTP_PUBLIC, .help = "posts with a tag"},
    {HTTP_POST, "/tags/:tag/follow", page_tag_follow, WHO_MEMBER, {tag_name, parameter_next},
     .help = "follows a tag"},
    {HTTP_POST, "/tags/:tag/unfollow", page_tag_unfollow, WHO_MEMBER, {tag_name, parameter_next},
     .help = "follows a tag no more"},
    {0},
};
/* clang-format on */
