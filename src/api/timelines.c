/* timelines.c - timelines: home, public, of a tag, of a list. Connection threads. */
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/arena.h"
#include "base/entity_scan.h"
#include "social/timelines/home.h"
#include "social/timelines/list.h"

#define STANDARD 20
#define MOST 40

/* What only a post with pictures or one of another server would fit: there is none. */
static bool wants_what_is_not(const struct api *c)
{
    return api_bool(c, "only_media", false) || (api_bool(c, "remote", false) && !api_bool(c, "local", false));
}

/* Reads, and answers with the page. */
static void answer_page(struct api *c, const struct timeline_page *page)
{
    if (!api_read(c)) {
        return;
    }
    if (wants_what_is_not(c)) {
        api_answer_none(c);
    } else {
        api_answer_statuses(c, page);
    }
}

static void api_home(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct timeline_query q;
    api_begin(&c, req, resp);
    if (api_query(&c, STANDARD, MOST, &q)) {
        const struct home *home = home_ask(c.visit, &q);
        if (api_read(&c)) {
            api_answer_statuses(&c, &home->page);
        }
    }
}

static void api_public(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct timeline_query q;
    api_begin(&c, req, resp);
    if (api_query(&c, STANDARD, MOST, &q)) {
        answer_page(&c, timeline_public_ask(c.visit, &q));
    }
}

/* Adds a tag, if it can be one. */
static void tag_add(const struct api *c, const char *tag, const char **tags, size_t *count)
{
    size_t length = strlen(tag);
    if (*count < TIMELINE_TAGS_MOST && entity_scan_is_tag(tag, length)) {
        tags[(*count)++] = entity_scan_fold(tag, length, arena_alloc(c->arena, length + 1));
    }
}

static void tags_read(const struct api *c, const char *name, const char **tags, size_t *count)
{
    size_t sent;
    const char *const *words = api_texts(c, name, &sent);
    for (size_t i = 0; i < sent; i++) {
        tag_add(c, words[i], tags, count);
    }
}

/* A word that is no tag has no posts. */
static void api_tag(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct timeline_query q;
    struct timeline_tags tags = {.any_count = 0};
    api_begin(&c, req, resp);
    tag_add(&c, http_variable(req, "tag"), tags.any, &tags.any_count);
    tags_read(&c, "any", tags.any, &tags.any_count);
    tags_read(&c, "all", tags.all, &tags.all_count);
    tags_read(&c, "none", tags.none, &tags.none_count);
    if (api_query(&c, STANDARD, MOST, &q)) {
        static const struct timeline_page nothing;
        answer_page(&c, tags.any_count ? timeline_tags_ask(c.visit, &tags, &q) : &nothing);
    }
}

static void api_list(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct timeline_query q;
    api_begin(&c, req, resp);
    if (api_query(&c, STANDARD, MOST, &q)) {
        answer_page(&c, &list_timeline_ask(c.visit, api_id(&c), &q)->page);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_timelines[] = {
    {HTTP_GET, "/api/v1/timelines/home", api_home, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:statuses",
     .answer = "[Status]", .forgiven = "max_id since_id min_id limit",
     .help = "own posts and those of the people and tags followed"},
    {HTTP_GET, "/api/v1/timelines/public", api_public, WHO_ANYONE, .flags = HTTP_RECALLED, .scopes = "read:statuses",
     .answer = "[Status]", .forgiven = "max_id since_id min_id limit local remote only_media",
     .help = "the newest posts of the site"},
    {HTTP_GET, "/api/v1/timelines/tag/:tag", api_tag, WHO_ANYONE, {api_parameter_tag}, .flags = HTTP_RECALLED, .scopes = "read:statuses",
     .answer = "[Status]", .forgiven = "max_id since_id min_id limit any all none local remote only_media",
     .help = "posts with a tag"},
    {HTTP_GET, "/api/v1/timelines/list/:id", api_list, WHO_MEMBER, {api_parameter_list}, .flags = HTTP_RECALLED, .scopes = "read:lists",
     .answer = "[Status]", .forgiven = "max_id since_id min_id limit",
     .help = "posts of the people on a list"},
    {0},
};
/* clang-format on */
