/* featured_tags.c - the tags that people show on their profiles. Connection threads. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/id.h"
#include "social/people/visit_interests.h"
#include "social/posts/featured.h"
#include "social/timelines/tag_trends.h"
#include "view/entity_tag.h"

static void answer_featured(struct api *c, const struct featured *f)
{
    if (!api_read(c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c->entity.doc);
    for (size_t i = 0; i < f->count; i++) {
        yyjson_mut_arr_append(list, entity_featured_tag(&c->entity, &f->tags[i]));
    }
    api_answer(c, list);
}

static void api_featured(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    answer_featured(&c, featured_ask(c.visit, 0));
}

static void api_account_featured(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    answer_featured(&c, featured_ask(c.visit, api_id(&c)));
}

static size_t suggested_names(struct arena *a, const void *from, const char **out)
{
    const struct featured *f = from;
    (void)a;
    for (size_t i = 0; i < f->suggested_count; i++) {
        out[i] = f->suggested[i];
    }
    return f->suggested_count;
}

static void api_featured_suggestions(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    visit_want_interests(c.visit);
    const struct featured *f = featured_suggested_ask(c.visit);
    const struct tag_history *history = tag_history_behind_ask(c.visit, suggested_names, f);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < f->suggested_count; i++) {
        const char *tag = f->suggested[i];
        const struct entity_tag shown = {tag, tag_history_of(history, tag), visit_is_interested(c.visit, tag)};
        yyjson_mut_arr_append(list, entity_tag(&c.entity, &shown));
    }
    api_answer(&c, list);
}

/* Without a sign, or with one, as Mastodon takes it. */
static const char *wanted_name(const struct api *c)
{
    const char *name = api_text(c, "name");
    name = name ? name : "";
    return name[0] == '#' ? name + 1 : name;
}

static void api_feature(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct featured_tag made;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    enum err e = featured_add(c.site->social, c.arena, &by, wanted_name(&c), &made, &problems);
    if (e == ERR_OK) {
        api_answer(&c, entity_featured_tag(&c.entity, &made));
    } else if (e == ERR_INVALID) {
        api_error(&c, e, "Validation failed: Tag is invalid");
    } else if (e == ERR_CONFLICT) {
        api_error(&c, ERR_INVALID, "Validation failed: You have already featured the maximum number of hashtags");
    } else {
        api_refuse(&c, e, &problems);
    }
}

/* It is a time, not an id of id.h; 0, which none has, if it is no number. */
static uint64_t wanted_id(const struct api *c)
{
    const char *text = http_variable(c->req, "id");
    size_t length = strlen(text);
    return length <= ID_DIGITS && strspn(text, "0123456789") == length ? strtoull(text, NULL, 10) : 0;
}

static void api_unfeature(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    struct problems problems = {.count = 0};
    enum err e = featured_remove(c.site->social, c.arena, &by, wanted_id(&c), &problems);
    if (e == ERR_OK) {
        api_answer_empty(&c);
    } else {
        api_refuse(&c, e, &problems);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter featured_name[] = {
    {"name", HTTP_TEXT, 0, 400, false, "the tag, in any case"},
    {0},
};

static const struct http_parameter featured_id[] = {
    {"id", HTTP_TEXT, 1, 40, true, "id of the featured tag, which is not its name"},
    {0},
};

#define FEATURED "/api/v1/featured_tags"

/* clang-format off */
const struct http_route api_routes_featured_tags[] = {
    {HTTP_GET, FEATURED, api_featured, WHO_MEMBER, .scopes = "read:accounts", .answer = "[FeaturedTag]",
     .help = "the tags that one shows on one's profile, the one used most of late first"},
    {HTTP_POST, FEATURED, api_feature, WHO_MEMBER, {featured_name}, .bodies = API_BODIES, .scopes = "write:accounts",
     .answer = "FeaturedTag", .help = "shows a tag there; at most 10"},
    {HTTP_GET, FEATURED "/suggestions", api_featured_suggestions, WHO_MEMBER, .scopes = "read:accounts", .answer = "[Tag]",
     .help = "tags that one uses most of late and does not show there"},
    {HTTP_DELETE, FEATURED "/:id", api_unfeature, WHO_MEMBER, {featured_id}, .bodies = API_BODIES, .scopes = "write:accounts",
     .answer = "Empty", .help = "shows a tag there no more"},
    {HTTP_GET, "/api/v1/accounts/:id/featured_tags", api_account_featured, WHO_ANYONE, {api_parameter_account},
     .scopes = "read:accounts", .answer = "[FeaturedTag]", .help = "the tags that somebody shows on his profile"},
    {0},
};
/* clang-format on */
