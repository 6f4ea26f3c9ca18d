/* tags.c - tags: one, those that the visitor follows, those that many people use; and posts that many react to. Connection threads. */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/arena.h"
#include "base/entity_scan.h"
#include "social/people/follow.h"
#include "social/people/interest.h"
#include "social/people/visit_interests.h"
#include "social/timelines/post_trends.h"
#include "social/timelines/tag_trends.h"
#include "view/entity_tag.h"

#define FOLLOWED_STANDARD 100
#define FOLLOWED_MOST 200
#define TRENDING_POSTS_STANDARD 20
#define TRENDING_POSTS_MOST 40

/* Any word that can be a tag is one, whether it was used or not. */
static void api_tag_show(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const char *tag = http_variable(req, "tag");
    size_t length = strlen(tag);
    const char *folded = entity_scan_fold(tag, length, arena_alloc(c.arena, length + 1));
    visit_want_interests(c.visit);
    const struct tag_history *history = tag_history_ask(c.visit, folded);
    if (!api_read(&c)) {
        return;
    }
    if (!entity_scan_is_tag(tag, length)) {
        api_error(&c, ERR_NOT_FOUND, NULL);
        return;
    }
    const struct entity_tag shown = {tag, tag_history_of(history, folded), visit_is_interested(c.visit, folded)};
    api_answer(&c, entity_tag(&c.entity, &shown));
}

/* Shows it as it is afterwards. */
static void change_tag(struct http_request *req, struct http_response *resp, bool on)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    enum err e = interest_change(c.site->social, c.arena, &by, http_variable(req, "tag"), on, &problems);
    if (e == ERR_OK) {
        api_tag_show(req, resp);
    } else if (e == ERR_CONFLICT) {
        api_error(&c, ERR_INVALID, "Validation failed: you follow as many tags as anybody can");
    } else {
        api_refuse(&c, e, &problems);
    }
}

static void api_tag_follow(struct http_request *req, struct http_response *resp)
{
    change_tag(req, resp, true);
}

static void api_tag_unfollow(struct http_request *req, struct http_response *resp)
{
    change_tag(req, resp, false);
}

static size_t followed_names(struct arena *a, const void *from, const char **out)
{
    const struct interest_page *page = from;
    size_t n = 0;
    (void)a;
    while (n < page->count && n < TAG_DAYS_MOST) {
        out[n] = page->rows[n].tag;
        n++;
    }
    return n;
}

static void api_followed_tags(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct follow_query q;
    api_begin(&c, req, resp);
    if (!api_time_query(&c, FOLLOWED_STANDARD, FOLLOWED_MOST, &q)) {
        return;
    }
    const struct interest_page *page = interest_list_ask(c.visit, &q);
    const struct tag_history *history = tag_history_behind_ask(c.visit, followed_names, page);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < page->count; i++) {
        const char *tag = page->rows[i].tag;
        const struct entity_tag shown = {tag, tag_history_of(history, tag), true};
        yyjson_mut_arr_append(list, entity_tag(&c.entity, &shown));
    }
    if (page->count) {
        api_link(&c, page->older_us, page->rows[0].since_us);
    }
    api_answer(&c, list);
}

/* A place in a list, and how many from there on. */
static bool page_place(struct api *c, unsigned standard, unsigned most, size_t *offset, unsigned *limit)
{
    int64_t from = api_number(c, "offset", 0);
    if (from < 0) {
        api_http_error(c->req, c->resp, 400, "offset must not be negative");
        return false;
    }
    *offset = (size_t)from;
    return api_limit(c, standard, most, limit);
}

static void api_trends(struct http_request *req, struct http_response *resp)
{
    struct api c;
    size_t from;
    unsigned limit;
    api_begin(&c, req, resp);
    if (!page_place(&c, TRENDS_MOST, TRENDS_MOST, &from, &limit)) {
        return;
    }
    visit_want_interests(c.visit);
    const struct trends *trends = trends_ask(c.visit, true);
    const struct tag_history *history = tag_history_behind_ask(c.visit, trends_names, trends);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = from; i < trends->count && i < from + limit; i++) {
        const char *tag = trends->items[i].tag;
        const struct entity_tag shown = {tag, tag_history_of(history, tag), visit_is_interested(c.visit, tag)};
        yyjson_mut_arr_append(list, entity_tag(&c.entity, &shown));
    }
    api_answer(&c, list);
}

static void api_post_trends(struct http_request *req, struct http_response *resp)
{
    struct api c;
    size_t from;
    unsigned limit;
    api_begin(&c, req, resp);
    if (!page_place(&c, TRENDING_POSTS_STANDARD, TRENDING_POSTS_MOST, &from, &limit)) {
        return;
    }
    const struct post_trends *trends = post_trends_ask(c.visit, true);
    if (!api_read(&c)) {
        return;
    }
    size_t left = from < trends->count ? trends->count - from : 0;
    api_answer(&c, api_posts(&c, left ? trends->posts + from : NULL, left < limit ? left : limit));
}

/* What is not counted: which pages elsewhere many people look at. */
static void api_no_trends(struct http_request *req, struct http_response *resp)
{
    struct api c;
    unsigned limit;
    api_begin(&c, req, resp);
    if (api_limit(&c, TRENDS_MOST, TRENDS_MOST, &limit) && api_read(&c)) {
        api_answer_none(&c);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_tags[] = {
    {HTTP_GET, "/api/v1/tags/:tag", api_tag_show, WHO_ANYONE, {api_parameter_tag}, .scopes = "read:follows",
     .answer = "Tag",
     .help = "a tag, and whether one follows it"},
    {HTTP_POST, "/api/v1/tags/:tag/follow", api_tag_follow, WHO_MEMBER, {api_parameter_tag}, .bodies = API_BODIES,
     .scopes = "write:follows", .answer = "Tag", .help = "follows a tag"},
    {HTTP_POST, "/api/v1/tags/:tag/unfollow", api_tag_unfollow, WHO_MEMBER, {api_parameter_tag}, .bodies = API_BODIES,
     .scopes = "write:follows", .answer = "Tag", .help = "follows a tag no more"},
    {HTTP_GET, "/api/v1/followed_tags", api_followed_tags, WHO_MEMBER, .scopes = "read:follows",
     .answer = "[Tag]", .forgiven = "max_id since_id min_id limit",
     .help = "the tags that one follows, those followed last first"},
    {HTTP_GET, "/api/v1/trends", api_trends, WHO_ANYONE,
     .answer = "[Tag]", .forgiven = "limit offset",
     .help = "tags that many people use today"},
    {HTTP_GET, "/api/v1/trends/tags", api_trends, WHO_ANYONE,
     .answer = "[Tag]", .forgiven = "limit offset",
     .help = "the same"},
    {HTTP_GET, "/api/v1/trends/statuses", api_post_trends, WHO_ANYONE,
     .answer = "[Status]", .forgiven = "limit offset",
     .help = "posts of the last day that many people favourite or boost, those of most people first"},
    {HTTP_GET, "/api/v1/trends/links", api_no_trends, WHO_ANYONE, .answer = "[any]", .forgiven = "limit offset", .help = "links that many people share: not counted"},
    {0},
};
/* clang-format on */
