/* statuses_versions.c - the words of a post as they were typed, and what they were before it was edited. Connection
 * threads. */
#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "base/id.h"
#include "social/posts/edit.h"
#include "view/entity_version.h"

static void api_status_source(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct post *post = api_pick(&c, api_id(&c));
    if (post) {
        api_answer(&c, entity_source(&c.entity, post));
    }
}

/* The oldest first; the last one is the post as it is. Whom the old words mentioned is not known any more. */
static void api_status_history(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct post_history *h = post_history_ask(c.visit, api_id(&c));
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < h->count; i++) {
        struct post version = h->post;
        version.text = h->versions[i].text;
        version.spoiler = h->versions[i].spoiler;
        version.is_sensitive = h->versions[i].is_sensitive;
        version.mention_count = 0;
        yyjson_mut_arr_append(list, entity_version(&c.entity, &version, h->versions[i].since_ms));
    }
    uint64_t since_ms = h->post.edited_ms ? h->post.edited_ms : id_ms(h->post.id);
    yyjson_mut_arr_append(list, entity_version(&c.entity, &h->post, since_ms));
    api_answer(&c, list);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_statuses_versions[] = {
    {HTTP_GET, "/api/v1/statuses/:id/source", api_status_source, WHO_MEMBER, {api_parameter_post}, .scopes = "read:statuses",
     .answer = "StatusSource", .help = "the words of a post as they were typed"},
    {HTTP_GET, "/api/v1/statuses/:id/history", api_status_history, WHO_ANYONE, {api_parameter_post}, .scopes = "read:statuses",
     .answer = "[StatusEdit]", .help = "what a post was before it was edited, the oldest first, and what it is"},
    {0},
};
/* clang-format on */
