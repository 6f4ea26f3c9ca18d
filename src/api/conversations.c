/* conversations.c - direct posts by conversation (social/notices/talk.h). Connection threads.
 *
 * Cursors are times and not the ids of conversations: clients take them from Link alone. */
#include <stdlib.h>

#include "api/api.h"
#include "api/handlers.h"
#include "base/arena.h"
#include "social/notices/talk.h"
#include "social/people/shown.h"

#define STANDARD 20
#define MOST 40

yyjson_mut_val *api_conversation_json(const struct api *c, const struct talk *t)
{
    yyjson_mut_doc *doc = c->entity.doc;
    yyjson_mut_val *o = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, o, "id", arena_printf(c->arena, "%llu", (unsigned long long)t->number));
    yyjson_mut_obj_add_bool(doc, o, "unread", t->is_unread);
    yyjson_mut_obj_add_val(doc, o, "accounts", api_people(c, t->users, t->user_count));
    yyjson_mut_obj_add_val(doc, o, "last_status", api_post_json(c, &t->post));
    return o;
}

static void api_conversations(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct follow_query q;
    api_begin(&c, req, resp);
    if (!api_time_query(&c, STANDARD, MOST, &q)) {
        return;
    }
    const struct talk_page *page = talk_page_ask(c.visit, &q);
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < page->count; i++) {
        yyjson_mut_arr_append(list, api_conversation_json(&c, &page->items[i]));
    }
    if (page->count) {
        api_link(&c, page->older_us, page->items[0].at_us);
    }
    api_answer(&c, list);
}

static uint64_t number_of_path(const struct api *c)
{
    return strtoull(http_variable(c->req, "id"), NULL, 10); /* digits only: the route's declaration says so */
}

/* One, as it is after the change: read in the round trip of the change (people/shown.h). */
struct shown_talk {
    struct shown shown; /* first */
    const struct talk_page *page;
};

static void ask_talk(struct shown *self, struct visit *v, uint64_t number)
{
    ((struct shown_talk *)self)->page = talk_ask(v, number);
}

static void mark(struct http_request *req, struct http_response *resp, bool unread)
{
    struct api c;
    api_begin(&c, req, resp);
    struct actor by = api_actor(&c);
    struct shown_talk read = {.shown = {.verified = c.visit, .ask = ask_talk}};
    by.shown = &read.shown;
    enum err e = talk_mark(c.site->social, c.arena, &by, number_of_path(&c), unread);
    if (e == ERR_OK && read.shown.is_read && read.page->count) {
        c.visit = read.shown.visit;
        api_answer(&c, api_conversation_json(&c, &read.page->items[0]));
    } else {
        api_error(&c, e == ERR_OK ? ERR_NOT_FOUND : e, NULL);
    }
}

static void api_conversation_read(struct http_request *req, struct http_response *resp)
{
    mark(req, resp, false);
}

static void api_conversation_unread(struct http_request *req, struct http_response *resp)
{
    mark(req, resp, true);
}

static void api_conversation_delete(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    enum err e = talk_dismiss(c.site->social, c.arena, &by, number_of_path(&c));
    if (e == ERR_OK) {
        api_answer_empty(&c);
    } else {
        api_error(&c, e, NULL);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter conversation_id[] = {
    {"id", HTTP_NUMBER, 1, INT64_MAX / 2, true, "id of the conversation"},
    {0},
};

#define PATH "/api/v1/conversations"

/* clang-format off */
const struct http_route api_routes_conversations[] = {
    {HTTP_GET, PATH, api_conversations, WHO_MEMBER, .scopes = "read:statuses",
     .answer = "[Conversation]", .forgiven = "max_id since_id min_id limit",
     .help = "direct posts by conversation and by who takes part, the newest of each, that with the newest first"},
    {HTTP_POST, PATH "/:id/read", api_conversation_read, WHO_MEMBER, {conversation_id}, .bodies = API_BODIES,
     .scopes = "write:conversations", .answer = "Conversation", .help = "marks one as read"},
    {HTTP_POST, PATH "/:id/unread", api_conversation_unread, WHO_MEMBER, {conversation_id}, .bodies = API_BODIES,
     .scopes = "write:conversations", .answer = "Conversation", .help = "marks one as not read"},
    {HTTP_DELETE, PATH "/:id", api_conversation_delete, WHO_MEMBER, {conversation_id}, .bodies = API_BODIES,
     .scopes = "write:conversations", .answer = "Empty", .help = "takes one away from oneself, until a newer post comes"},
    {0},
};
/* clang-format on */
