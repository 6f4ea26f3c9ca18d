/* streaming.c - streams by HTTP: Mastodon's channels by server-sent events, and the site's own (streaming_own.c) by lines of JSON too.
 *
 * Who listens, and what he is told, is listening.h; here are the routes, how events are written, and the heartbeat. Each stream has its
 * connection's thread.
 *
 * Threads: the connection's.
 */
#include "api/streaming.h"

#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/listening.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/secret.h"
#include "http/area.h"
#include "http/stream.h"
#include "social/streaming/hub.h"

#define THUMP_MS 15000
#define COME_BACK_MS 1000
#define COME_BACK_SPREAD_MS 4000

struct streaming {
    struct listening listening;
    struct http_stream *out;
    bool has_lines; /* of JSON, not server-sent events */
};

/* --- writing ------------------------------------------------------------------------------------------------------- */

static void write_event(struct buffer *b, const struct streaming *s, const struct listening_event *e)
{
    buffer_printf(b, s->has_lines ? "{\"event\":\"%s\",\"id\":\"" : "event: %s\nid: ", e->name);
    buffer_add(b, e->place.data, e->place.length);
    buffer_text(b, s->has_lines ? "\",\"payload\":" : "\ndata: ");
    bool is_id = s->has_lines && e->payload.data[0] != '{'; /* ids are text in JSON */
    buffer_text(b, is_id ? "\"" : "");
    buffer_add(b, e->payload.data, e->payload.length);
    buffer_text(b, is_id ? "\"}\n" : s->has_lines ? "}\n" : "\n\n");
}

static bool tell_events(void *streaming, const struct listening_event *events, size_t count)
{
    const struct streaming *s = streaming;
    struct buffer b = buffer_make(events[0].place.arena);
    for (size_t i = 0; i < count; i++) {
        write_event(&b, s, &events[i]);
    }
    return http_stream_write(s->out, b.data, b.length);
}

static bool wait_a_while(void *streaming, unsigned ms)
{
    const struct streaming *s = streaming;
    return http_stream_wait(s->out, -1, ms);
}

static bool say(const struct streaming *s, const char *text)
{
    return http_stream_write(s->out, text, strlen(text));
}

/* Of what is filtered little may come, and the place goes on all the same. */
static bool thump(struct streaming *s)
{
    struct listening *l = &s->listening;
    return l->wanted || s->has_lines ? listening_take(l) && listening_tell_bare(l, "heartbeat") : say(s, ":thump\n");
}

/* A server that stops asks them to come back, not all at the same moment. */
static void say_goodbye(struct streaming *s)
{
    char text[64];
    snprintf(text, sizeof(text), "retry: %u\n:the server stops\n",
             COME_BACK_MS + (unsigned)(secret_random_u64() % COME_BACK_SPREAD_MS));
    if (s->has_lines) {
        listening_tell_bare(&s->listening, "end");
    } else {
        say(s, text);
    }
}

/* --- a stream from its beginning to its end ------------------------------------------------------------------------ */

static void stream_long(struct streaming *s)
{
    struct listening *l = &s->listening;
    bool goes_on = (s->has_lines ? listening_tell_bare(l, "begin") : say(s, ":)\n")) && listening_begin(l);
    uint64_t thump_us = clock_monotonic_us() + THUMP_MS * 1000;
    while (goes_on && !listening_is_ending(l)) {
        uint64_t us = clock_monotonic_us();
        if (us < thump_us) {
            goes_on =
                http_stream_wait(s->out, listening_fd(l), (unsigned)((thump_us - us) / 1000 + 1)) && listening_take(l);
        } else {
            goes_on = thump(s);
            thump_us = us + THUMP_MS * 1000;
        }
    }
    if (listening_is_ending(l)) {
        say_goodbye(s);
    }
}

static void run(struct http_stream *out, void *streaming)
{
    struct streaming *s = streaming;
    s->out = out;
    stream_long(s);
    listening_leave(&s->listening);
}

static const char *place_asked(const struct api *c)
{
    const char *header = http_header_in(c->req, "last-event-id");
    return header ? header : http_query(c->req, "last_event_id");
}

static struct streaming *streaming_new(struct http_request *req)
{
    struct streaming *s = arena_zero(req->arena, sizeof(*s));
    s->listening.req = req;
    s->listening.carrier = (struct listening_carrier){s, tell_events, wait_a_while};
    return s;
}

/* The answer becomes a stream, if there is room for it. */
static void go_on_as(struct api *c, struct streaming *s)
{
    if (!listening_join(c, &s->listening, place_asked(c))) {
        return;
    }
    c->resp->content_type = s->has_lines ? "application/x-ndjson" : "text/event-stream";
    http_header(c->resp, "X-Accel-Buffering", "no");
    c->resp->stream = run;
    c->resp->stream_context = s;
}

static void stream(struct http_request *req, struct http_response *resp, enum channel_kind kind, const char *tag,
                   uint64_t list)
{
    struct api c;
    struct streaming *s = streaming_new(req);
    struct listening *l = &s->listening;
    api_begin(&c, req, resp);
    l->channel =
        (struct channel){.kind = api_bool(&c, "only_media", false) ? CHANNEL_NOTHING : kind, .tag = tag, .list = list};
    l->channel.has_notices = kind == CHANNEL_USER || kind == CHANNEL_NOTICES;
    if (listening_read(&c, l)) {
        go_on_as(&c, s);
    }
}

void api_stream_posts(struct api *c, const struct match_query *wanted)
{
    const char *accept = http_header_in(c->req, "accept");
    struct streaming *s = streaming_new(c->req);
    s->listening.wanted = wanted;
    s->listening.channel.kind = CHANNEL_PUBLIC;
    s->has_lines = !accept || !strstr(accept, "text/event-stream");
    go_on_as(c, s);
}

static void api_stream_user(struct http_request *req, struct http_response *resp)
{
    stream(req, resp, CHANNEL_USER, NULL, 0);
}

static void api_stream_notifications(struct http_request *req, struct http_response *resp)
{
    stream(req, resp, CHANNEL_NOTICES, NULL, 0);
}

static void api_stream_public(struct http_request *req, struct http_response *resp)
{
    stream(req, resp, CHANNEL_PUBLIC, NULL, 0);
}

static void api_stream_remote(struct http_request *req, struct http_response *resp)
{
    stream(req, resp, CHANNEL_NOTHING, NULL, 0);
}

static void api_stream_direct(struct http_request *req, struct http_response *resp)
{
    stream(req, resp, CHANNEL_DIRECT, NULL, 0);
}

static void api_stream_tag(struct http_request *req, struct http_response *resp)
{
    const char *tag = http_query(req, "tag");
    size_t length = tag ? strlen(tag) : 0;
    if (!length) {
        api_http_error(req, resp, 400, "Missing tag name parameter");
        return;
    }
    char *folded = arena_alloc(req->arena, length + 1);
    bool is_tag = entity_scan_is_tag(tag, length);
    stream(req, resp, is_tag ? CHANNEL_TAG : CHANNEL_NOTHING, is_tag ? entity_scan_fold(tag, length, folded) : "", 0);
}

static void api_stream_list(struct http_request *req, struct http_response *resp)
{
    const char *list = http_query(req, "list");
    uint64_t id = list ? id_parse(list) : 0;
    if (id) {
        stream(req, resp, CHANNEL_LIST, NULL, id);
    } else {
        api_http_error(req, resp, list ? 404 : 400, list ? NULL : "Missing list name parameter");
    }
}

static void api_stream_health(struct http_request *req, struct http_response *resp)
{
    const struct site *site = req->app;
    bool hears = hub_hears(site->social);
    resp->content_type = "text/plain; charset=utf-8";
    resp->status = hears ? 200 : 503;
    buffer_text(&resp->body, hears ? "OK" : "the engine is not heard");
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

#define PATH "/api/v1/streaming"
#define AGAIN "last_event_id access_token"

/* clang-format off */
const struct http_route api_routes_streaming[] = {
    {HTTP_GET, PATH "/health", api_stream_health, WHO_ANYONE, .flags = HTTP_UNCOUNTED, .help = "whether streams work"},
    {HTTP_GET, PATH "/user", api_stream_user, WHO_MEMBER, .flags = HTTP_STREAM, .scopes = "read:statuses", .forgiven = AGAIN,
     .help = "stream: what comes to one's home, and what one is told"},
    {HTTP_GET, PATH "/user/notification", api_stream_notifications, WHO_MEMBER, .flags = HTTP_STREAM, .scopes = "read:notifications",
     .forgiven = AGAIN, .help = "stream: what one is told"},
    {HTTP_GET, PATH "/public", api_stream_public, WHO_MEMBER, .flags = HTTP_STREAM, .forgiven = AGAIN " only_media",
     .help = "stream: the public timeline"},
    {HTTP_GET, PATH "/public/local", api_stream_public, WHO_MEMBER, .flags = HTTP_STREAM, .forgiven = AGAIN " only_media",
     .help = "stream: the public timeline"},
    {HTTP_GET, PATH "/public/remote", api_stream_remote, WHO_MEMBER, .flags = HTTP_STREAM, .forgiven = AGAIN " only_media",
     .help = "stream: public posts of other sites: none"},
    {HTTP_GET, PATH "/hashtag", api_stream_tag, WHO_MEMBER, .flags = HTTP_STREAM, .scopes = "read:statuses", .forgiven = AGAIN " tag",
     .help = "stream: public posts with a tag"},
    {HTTP_GET, PATH "/hashtag/local", api_stream_tag, WHO_MEMBER, .flags = HTTP_STREAM, .scopes = "read:statuses", .forgiven = AGAIN " tag",
     .help = "stream: public posts with a tag"},
    {HTTP_GET, PATH "/list", api_stream_list, WHO_MEMBER, .flags = HTTP_STREAM, .scopes = "read:statuses", .forgiven = AGAIN " list",
     .help = "stream: what the people on a list post"},
    {HTTP_GET, PATH "/direct", api_stream_direct, WHO_MEMBER, .flags = HTTP_STREAM, .scopes = "read:statuses", .forgiven = AGAIN,
     .help = "stream: one's conversations"},
    {0},
};
/* clang-format on */
