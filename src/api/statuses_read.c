/* statuses_read.c - posts that somebody names by their ids, what stands around one, and who has favourited or boosted it.
 * Connection threads. Writing is in statuses_write.c. */
#include "api/api.h"
#include "api/handlers.h"
#include "api/parameters.h"
#include "social/posts/post_pick.h"
#include "social/timelines/conversation.h"
#include "social/timelines/reacted.h"

#define PICKED_MOST 40
#define PEOPLE_STANDARD 40
#define PEOPLE_MOST 80

static void api_status(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct post *post = api_pick(&c, api_id(&c));
    if (post) {
        api_answer(&c, api_post_json(&c, post));
    }
}

static void api_statuses(struct http_request *req, struct http_response *resp)
{
    struct api c;
    uint64_t ids[PICKED_MOST];
    api_begin(&c, req, resp);
    const struct post_picked *picked = post_pick_ask(c.visit, ids, api_ids(&c, "id", ids, PICKED_MOST));
    if (api_read(&c)) {
        api_answer(&c, api_posts(&c, picked->posts, picked->count));
    }
}

/* The posts above, the first of the conversation first, and all below, each behind the one that it answers. */
static void api_context(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct conversation *around = conversation_whole_ask(c.visit, api_id(&c));
    if (api_read(&c)) {
        yyjson_mut_val *o = yyjson_mut_obj(c.entity.doc);
        yyjson_mut_obj_add_val(c.entity.doc, o, "ancestors", api_posts(&c, around->ancestors, around->ancestor_count));
        yyjson_mut_obj_add_val(c.entity.doc, o, "descendants", api_posts(&c, around->replies, around->reply_count));
        api_answer(&c, o);
    }
}

typedef const struct reacted_people *people_of(struct visit *v, uint64_t post, const struct follow_query *q);

static void answer_people(struct http_request *req, struct http_response *resp, people_of *ask)
{
    struct api c;
    struct follow_query q;
    api_begin(&c, req, resp);
    if (!api_time_query(&c, PEOPLE_STANDARD, PEOPLE_MOST, &q)) {
        return;
    }
    const struct reacted_people *who = ask(c.visit, api_id(&c), &q);
    if (api_read(&c)) {
        api_answer_people(&c, &who->page);
    }
}

static void api_favourited_by(struct http_request *req, struct http_response *resp)
{
    answer_people(req, resp, favourites_ask);
}

static void api_reblogged_by(struct http_request *req, struct http_response *resp)
{
    answer_people(req, resp, boosts_ask);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_statuses_read[] = {
    {HTTP_GET, "/api/v1/statuses", api_statuses, WHO_ANYONE, .flags = HTTP_RECALLED, .scopes = "read:statuses",
     .answer = "[Status]", .forgiven = "id",
     .help = "posts by their ids, id[]: those that are there"},
    {HTTP_GET, "/api/v1/statuses/:id", api_status, WHO_ANYONE, {api_parameter_post}, .flags = HTTP_RECALLED, .scopes = "read:statuses",
     .answer = "Status",
     .help = "a post"},
    {HTTP_GET, "/api/v1/statuses/:id/context", api_context, WHO_ANYONE, {api_parameter_post}, .flags = HTTP_RECALLED, .scopes = "read:statuses",
     .answer = "Context",
     .help = "the conversation around a post"},
    {HTTP_GET, "/api/v1/statuses/:id/favourited_by", api_favourited_by, WHO_ANYONE, {api_parameter_post}, .scopes = "read:accounts",
     .answer = "[Account]", .forgiven = "max_id since_id min_id limit",
     .help = "who has favourited a post"},
    {HTTP_GET, "/api/v1/statuses/:id/reblogged_by", api_reblogged_by, WHO_ANYONE, {api_parameter_post}, .scopes = "read:accounts",
     .answer = "[Account]", .forgiven = "max_id since_id min_id limit",
     .help = "who has boosted a post"},
    {0},
};
/* clang-format on */
