/* messages.c - direct posts by conversation (social/notices/talk.h). Reading one marks it as read: that is the page of its
 * post (posts.c). Connection threads. */
#include <stdlib.h>

#include "base/arena.h"
#include "config/config.h"
#include "pages/act.h"
#include "pages/handlers.h"
#include "pages/page.h"
#include "pages/parameters.h"
#include "social/notices/talk.h"

#define PATH "/messages"

static void page_messages(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct follow_query q = page_time_query(&p);
    const struct talk_page *talks = talk_page_ask(p.visit, &q);
    if (!page_read(&p)) {
        return;
    }
    yyjson_mut_val *list = page_list(&p, "talks");
    for (size_t i = 0; i < talks->count; i++) {
        yyjson_mut_arr_append(list, decoration_talk(&p.entity, &talks->items[i], p.viewer.id));
    }
    page_title(&p, "title_messages", NULL, NULL);
    page_is(&p, "is_messages");
    page_time_paging(&p, PATH, talks->older_us, talks->newer_us);
    page_render(&p, "messages");
}

static void page_messages_dismiss(struct http_request *req, struct http_response *resp)
{
    struct page p;
    page_begin(&p, req, resp);
    const struct actor by = page_actor(&p);
    struct problems none = {.count = 0};
    uint64_t number = strtoull(page_field(&p, "id"), NULL, 10); /* digits only: the route's declaration says so */
    enum err e = talk_dismiss(p.site->social, p.arena, &by, number);
    if (e == ERR_OK) {
        page_redirect(&p, page_next(&p, PATH), NULL, NULL);
    } else {
        page_refuse(&p, e, &none, NULL);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static const struct http_parameter talk_field[] = {
    {"id", HTTP_NUMBER, 1, INT64_MAX / 2, true, "which one"},
    {0},
};

/* clang-format off */
const struct http_route routes_messages[] = {
    {HTTP_GET, PATH, page_messages, WHO_MEMBER, {parameter_time_cursors},
     .help = "direct posts by conversation, the newest of each"},
    {HTTP_POST, PATH "/dismiss", page_messages_dismiss, WHO_MEMBER, {talk_field, parameter_next},
     .help = "takes one away from oneself, until a newer post comes"},
    {0},
};
/* clang-format on */
