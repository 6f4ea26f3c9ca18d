/* streaming_own.c - the site's own streams, below /api/retwis/v1/stream: everything that is posted for all, a sample of it, or what a
 * filter wants. For people, and for programs that analyse: the token of an application by itself is enough.
 *
 * Threads: the connection's.
 */
#include "api/handlers.h"
#include "api/streaming.h"
#include "base/arena.h"
#include "social/people/token.h"
#include "social/streaming/match_query.h"

/* By whose token it is asked; 0: without one. */
static uint64_t client_of(const struct api *c)
{
    const struct token *t = visit_app(c->visit);
    return c->viewer.id ? c->viewer.id : t ? t->app_id : 0;
}

/* Reads who asks: somebody, or an application by itself. False: an error was answered. */
static bool own_begin(struct api *c, struct http_request *req, struct http_response *resp)
{
    api_begin(c, req, resp);
    if (!api_read(c)) {
        return false;
    }
    if (!client_of(c)) {
        api_error(c, ERR_UNAUTHORIZED, NULL);
    }
    return client_of(c) != 0;
}

static void retwis_firehose(struct http_request *req, struct http_response *resp)
{
    struct api c;
    if (own_begin(&c, req, resp)) {
        api_stream_posts(&c, NULL);
    }
}

static void own_go_on(struct api *c, bool is_good, const struct match_query *q, const struct problems *p)
{
    if (is_good) {
        api_stream_posts(c, q);
    } else {
        api_refuse(c, ERR_INVALID, p);
    }
}

static void retwis_sample(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct problems p = {.count = 0};
    struct match_query *q = arena_zero(req->arena, sizeof(*q));
    if (own_begin(&c, req, resp)) {
        own_go_on(&c, match_sample_read(c.arena, api_text(&c, "percent"), client_of(&c), q, &p), q, &p);
    }
}

static void retwis_filter(struct http_request *req, struct http_response *resp)
{
    struct api c;
    struct problems p = {.count = 0};
    struct match_query *q = arena_zero(req->arena, sizeof(*q));
    if (own_begin(&c, req, resp)) {
        const struct match_asked asked = {api_text(&c, "track"), api_text(&c, "follow"), api_text(&c, "locations")};
        own_go_on(&c, match_filter_read(c.arena, &asked, q, &p), q, &p);
    }
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

#define PATH "/api/retwis/v1/stream"
#define AGAIN "last_event_id access_token"

/* clang-format off */
const struct http_route api_routes_streaming_own[] = {
    {HTTP_GET, PATH "/firehose", retwis_firehose, WHO_ANYONE, .flags = HTTP_STREAM, .scopes = "read:statuses", .forgiven = AGAIN,
     .help = "stream: everything that is posted for all; lines of JSON, or server-sent events if they are accepted. Any token"},
    {HTTP_GET, PATH "/sample", retwis_sample, WHO_ANYONE, .flags = HTTP_STREAM, .scopes = "read:statuses", .forgiven = AGAIN " percent",
     .help = "stream: so many of a hundred posts, percent (10), for one client always the same ones"},
    {HTTP_GET, PATH "/filter", retwis_filter, WHO_ANYONE, .flags = HTTP_STREAM, .scopes = "read:statuses", .forgiven = AGAIN " track follow locations",
     .help = "stream: posts with phrases (track: commas mean or, blanks and), of or to users (follow), written in boxes (locations: west,south,east,north): any of them"},
    {0},
};
/* clang-format on */
