/* notifications.c - what one is told, and what one does with it. Connection threads.
 *
 * An id of a notification is its time (view/entity_notice.h), which is also the cursor. Reading here marks nothing as
 * seen: clients say so by their marker (markers.c).
 */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/notices.h"
#include "base/arena.h"
#include "social/notices/notice.h"
#include "view/entity_notice.h"
#include "view/template.h"

#define STANDARD 40
#define MOST 80
#define COUNT_STANDARD 100 /* of what was not seen */
#define COUNT_MOST 1000
#define ALL_KINDS ((1u << NOTICE_KINDS) - 1)
#define EVER_US ((uint64_t)INT64_MAX / 2)

unsigned api_notice_kinds(const struct api *c, const char *name, size_t *count)
{
    unsigned kinds = 0;
    const char *const *types = api_texts(c, name, count);
    for (size_t i = 0; i < *count; i++) {
        kinds |= entity_notification_kinds(types[i]);
    }
    return kinds;
}

bool api_notice_query(const struct api *c, struct notice_query *q)
{
    size_t named, unnamed;
    unsigned wanted = api_notice_kinds(c, "types", &named), unwanted = api_notice_kinds(c, "exclude_types", &unnamed);
    q->kinds = (named ? wanted : ALL_KINDS) & ~unwanted;
    bool is_by = api_text(c, "account_id") != NULL;
    return q->kinds && (!is_by || api_ids(c, "account_id", &q->who, 1) == 1);
}

static yyjson_mut_val *notification(const struct api *c, const struct notice *n)
{
    return entity_notification(&c->entity, templates_kept(c->site->templates), n);
}

static void api_notifications(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct notice_query q = {.single = NOTICE_GROUPED};
    api_begin(&c, req, resp);
    if (!api_time_query(&c, STANDARD, MOST, &q.at)) {
        return;
    }
    const struct notice_page *page =
        api_notice_query(&c, &q) ? notice_page_ask(c.visit, &q) : arena_zero(c.arena, sizeof(*page));
    if (!api_read(&c)) {
        return;
    }
    yyjson_mut_val *list = yyjson_mut_arr(c.entity.doc);
    for (size_t i = 0; i < page->count; i++) {
        yyjson_mut_arr_append(list, notification(&c, &page->items[i]));
    }
    if (page->count) {
        api_link(&c, page->older_us, page->items[0].at_us);
    }
    api_answer(&c, list);
}

void api_answer_unread(struct api *c, struct notice_query *q)
{
    static const size_t none = 0;
    if (!api_limit(c, COUNT_STANDARD, COUNT_MOST, &q->at.limit)) {
        return;
    }
    const size_t *count = api_notice_query(c, q) ? notice_count_ask(c->visit, q) : &none;
    if (api_read(c)) {
        yyjson_mut_val *o = yyjson_mut_obj(c->entity.doc);
        yyjson_mut_obj_add_int(c->entity.doc, o, "count", (int64_t)*count);
        api_answer(c, o);
    }
}

static void api_notifications_unread(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct notice_query q = {.single = NOTICE_GROUPED};
    api_begin(&c, req, resp);
    api_answer_unread(&c, &q);
}

/* Reads the one of the path; NULL: an error was answered. */
static const struct notice *read_notice(struct api *c, bool bare)
{
    uint64_t id =
        strtoull(http_variable(c->req, "id"), NULL, 10); /* digits only, not 0: the route's declaration says so */
    const struct notice_query q = {
        .at = {.max_us = id + 1, .since_us = id - 1, .limit = 1}, .single = NOTICE_GROUPED, .bare = bare};
    const struct notice_page *page = notice_page_ask(c->visit, &q);
    if (!api_read(c)) {
        return NULL;
    }
    if (page->count) {
        return &page->items[0];
    }
    api_error(c, ERR_NOT_FOUND, NULL);
    return NULL;
}

static void api_notification(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct notice *n = read_notice(&c, false);
    if (n) {
        api_answer(&c, notification(&c, n));
    }
}

void api_after_notices(struct api *c, enum err e)
{
    if (e == ERR_OK) {
        api_answer_empty(c);
    } else {
        api_error(c, e, NULL);
    }
}

static void api_notification_dismiss(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct notice *n = read_notice(&c, true);
    if (n) {
        const struct actor by = api_actor(&c);
        api_after_notices(&c, notice_dismiss_one(c.site->social, c.arena, &by, n));
    }
}

static void api_notifications_clear(struct http_request *req, struct http_response *resp)
{
    struct api c;
    api_begin(&c, req, resp);
    const struct actor by = api_actor(&c);
    api_after_notices(&c, notice_clear(c.site->social, c.arena, &by, EVER_US));
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter notification_id[] = {
    {"id", HTTP_NUMBER, 1, INT64_MAX / 2, true, "id of the notification"},
    {0},
};

#define PATH "/api/v1/notifications"

/* clang-format off */
const struct http_route api_routes_notifications[] = {
    {HTTP_GET, PATH, api_notifications, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:notifications", .answer = "[Notification]",
     .forgiven = "max_id since_id min_id limit types[] exclude_types[] account_id",
     .help = "what others did that concerns one"},
    {HTTP_GET, PATH "/unread_count", api_notifications_unread, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:notifications",
     .forgiven = "limit types[] exclude_types[] account_id", .answer = "UnreadCount", .help = "how many of them were not seen, up to a limit"},
    {HTTP_POST, PATH "/clear", api_notifications_clear, WHO_MEMBER, .bodies = API_BODIES,
     .scopes = "write:notifications", .answer = "Empty", .help = "takes all away"},
    {HTTP_GET, PATH "/:id", api_notification, WHO_MEMBER, {notification_id}, .flags = HTTP_RECALLED, .scopes = "read:notifications",
     .answer = "Notification", .help = "one of them"},
    {HTTP_POST, PATH "/:id/dismiss", api_notification_dismiss, WHO_MEMBER, {notification_id}, .bodies = API_BODIES,
     .scopes = "write:notifications", .answer = "Empty", .help = "takes one away"},
    {0},
};
/* clang-format on */
