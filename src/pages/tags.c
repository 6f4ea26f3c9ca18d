/* tags.c - one tag, following it, the tags that the visitor follows, and those that many people use. Connection
 * threads. */
#include <stdlib.h>
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
#include "social/posts/tags.h"
#include "social/timelines/tag_trends.h"
#include "social/timelines/timeline.h"
#include "view/locale.h"

#define RELATED_COUNTED 60 /* tags */
#define RELATED_SHOWN 6

static const char *tag_path(struct page *p, const char *tag)
{
    return arena_printf(p->arena, "/tags/%s", page_encoded(p, tag));
}

void page_trends(struct page *p, const struct trends *t, size_t most)
{
    yyjson_mut_val *list = page_list(p, "trending");
    for (size_t i = 0; i < t->count && i < most; i++) {
        yyjson_mut_val *tag = yyjson_mut_arr_add_obj(p->entity.doc, list);
        const char *use = locale_plural(p->arena, p->entity.locale, "tag_people", (uint64_t)t->items[i].people, NULL);
        page_put(p, tag, "name", t->items[i].tag, "href", tag_path(p, t->items[i].tag), "use", use, NULL);
    }
    if (t->count) {
        page_is(p, "has_trending");
    }
}

/* --- one tag ------------------------------------------------------------------------------------------------------- */

static void put_tag(struct page *p, const char *tag, const char *folded)
{
    yyjson_mut_val *object = page_object(p, "tag");
    page_put(p, object, "name", tag, "href", tag_path(p, tag), NULL);
    yyjson_mut_obj_add_bool(p->entity.doc, object, "following", visit_is_interested(p->visit, folded));
}

/* How often a tag stands together with the one of the page. */
struct related {
    const char *tag;
    unsigned posts;
};

static int most_related_first(const void *x, const void *y)
{
    const struct related *a = x, *b = y;
    return a->posts != b->posts ? (a->posts < b->posts ? 1 : -1) : strcmp(a->tag, b->tag);
}

/* Adds the tags of a post but for that of the page. */
static size_t count_related(struct page *p, struct related *all, size_t count, const char *text, const char *folded)
{
    const char *tags = tags_of(p->arena, text, strlen(text));
    for (const char *tag; (tag = tags_next(p->arena, &tags));) {
        size_t i = 0;
        while (i < count && strcmp(all[i].tag, tag) != 0) {
            i++;
        }
        if (i == RELATED_COUNTED || strcmp(tag, folded) == 0) {
            continue;
        }
        all[i].tag = tag;
        all[i].posts += 1;
        count += i == count;
    }
    return count;
}

/* Tags that stand beside this one in the posts of the page. */
static void put_related(struct page *p, const struct timeline_page *posts, const char *folded)
{
    struct related all[RELATED_COUNTED] = {{.tag = NULL}};
    size_t count = 0;
    for (size_t i = 0; i < posts->count; i++) {
        count = count_related(p, all, count, posts->posts[i].text, folded);
    }
    qsort(all, count, sizeof(*all), most_related_first);
    yyjson_mut_val *list = page_list(p, "related");
    for (size_t i = 0; i < count && i < RELATED_SHOWN; i++) {
        yyjson_mut_val *tag = yyjson_mut_arr_add_obj(p->entity.doc, list);
        page_put(p, tag, "name", all[i].tag, "href", tag_path(p, all[i].tag), NULL);
    }
    if (count) {
        page_is(p, "has_related");
    }
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
    const struct trends *trends = trends_ask(p.visit, true);
    if (!page_read(&p)) {
        return;
    }
    page_trends(&p, trends, PAGE_TRENDS_BESIDE);
    put_related(&p, posts, folded);
    page_set(&p, "title", arena_printf(p.arena, "#%s", tag));
    page_is(&p, "is_tag");
    page_set(&p, "feed", arena_printf(p.arena, "%s/feed", tag_path(&p, tag)));
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
    const struct trends *trends = trends_ask(p.visit, false);
    if (!page_read(&p)) {
        return;
    }
    page_trends(&p, trends, TRENDS_MOST);
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
     .flags = HTTP_RECALLED, .help = "tags that many people use today, and those that one follows"},
    {HTTP_GET, "/tags/:tag", page_tag, WHO_ANYONE, {tag_name, parameter_cursors},
     .flags = HTTP_RECALLED | HTTP_PUBLIC, .help = "posts with a tag"},
    {HTTP_POST, "/tags/:tag/follow", page_tag_follow, WHO_MEMBER, {tag_name, parameter_next},
     .help = "follows a tag"},
    {HTTP_POST, "/tags/:tag/unfollow", page_tag_unfollow, WHO_MEMBER, {tag_name, parameter_next},
     .help = "follows a tag no more"},
    {0},
};
/* clang-format on */
