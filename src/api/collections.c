/* collections.c - what the visitor has favourited and put aside. Connection threads. */
#include "api/api.h"
#include "api/handlers.h"
#include "social/timelines/reacted.h"

#define STANDARD 20
#define MOST 40

typedef const struct reacted *reacted_of(struct visit *v, const struct follow_query *q);

static void answer_reacted(struct http_request *req, struct http_response *resp, reacted_of *ask)
{
    struct api c;
    struct follow_query q;
    api_begin(&c, req, resp);
    if (!api_time_query(&c, STANDARD, MOST, &q)) {
        return;
    }
    const struct reacted *r = ask(c.visit, &q);
    if (!api_read(&c)) {
        return;
    }
    if (r->page.count) {
        api_link(&c, r->older_us, r->newest_us);
    } else {
        api_link_empty(&c, r->older_us, r->newer_us);
    }
    api_answer(&c, api_posts(&c, r->page.posts, r->page.count));
}

static void api_favourites(struct http_request *req, struct http_response *resp)
{
    answer_reacted(req, resp, favourited_ask);
}

static void api_bookmarks(struct http_request *req, struct http_response *resp)
{
    answer_reacted(req, resp, bookmarked_ask);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* clang-format off */
const struct http_route api_routes_collections[] = {
    {HTTP_GET, "/api/v1/favourites", api_favourites, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:favourites",
     .answer = "[Status]", .forgiven = "max_id since_id min_id limit",
     .help = "what one has favourited, that favourited last first"},
    {HTTP_GET, "/api/v1/bookmarks", api_bookmarks, WHO_MEMBER, .flags = HTTP_RECALLED, .scopes = "read:bookmarks",
     .answer = "[Status]", .forgiven = "max_id since_id min_id limit",
     .help = "what one has put aside, likewise"},
    {0},
};
/* clang-format on */
