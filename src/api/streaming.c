/* streaming.c - Mastodon's streaming API by server-sent events: what happens, to those who listen, as it happens.
 *
 * Each listener has his connection's thread. It takes what the hub heard (social/streaming/hub.h), asks for what is his
 * (channel.h) as a request of his own, and writes it. The id of an event is the place behind it: who comes back with
 * Last-Event-ID (or ?last_event_id=) is told what he missed. A gap that cannot be filled is told by the event `gap`.
 *
 * Threads: the connection's.
 */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/handlers.h"
#include "api/streaming.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "base/secret.h"
#include "config/config.h"
#include "http/area.h"
#include "http/stream.h"
#include "social/people/scope.h"
#include "social/people/token.h"
#include "social/streaming/channel.h"
#include "social/streaming/hub.h"
#include "social/streaming/match.h"
#include "social/streaming/sieve.h"
#include "social/streaming/sift.h"
#include "view/entity_notice.h"
#include "view/template.h"

#define THUMP_MS 15000
#define RETRY_MS 500 /* while the engine is away */
#define COME_BACK_MS 1000
#define COME_BACK_SPREAD_MS 4000
#define TOLD_KEPT 64 /* of events that may come twice, when a job had to be repeated */
#define PLACES (EVENT_PARTITIONS + 1)
#define PLACE_MAX 400 /* bytes of an id */

struct listening {
    struct http_request *req;
    struct http_stream *out;
    struct channel channel;
    struct hub_listener *hub;
    const struct match_query *wanted; /* NULL: all that the channel has */
    struct sieve_listener *sieve;     /* of what is wanted; else NULL */
    bool has_lines;                   /* of JSON, not server-sent events */
    struct hub_place at;              /* up to where he was told */
    struct hub_place joined;          /* from where the hub tells him; what lies between is replayed first */
    uint64_t told_us;                 /* the newest notice */
    uint64_t told[TOLD_KEPT]; /* ids of posts, at their places by id; with the lowest bit for those that are gone */
};

/* --- places -------------------------------------------------------------------------------------------------------- */

static void place_write(struct buffer *b, const struct hub_place *at, uint64_t told_us)
{
    for (unsigned i = 0; i < EVENT_PARTITIONS; i++) {
        buffer_printf(b, "%llx.", (unsigned long long)at->numbers[i]);
    }
    buffer_printf(b, "%llx", (unsigned long long)told_us);
}

/* False: it is no place; then nothing is changed. */
static bool place_take(const char *text, struct listening *l)
{
    uint64_t numbers[PLACES];
    if (strlen(text) > PLACE_MAX) {
        return false;
    }
    for (unsigned i = 0; i < PLACES; i++) {
        char *end;
        if (!strchr("0123456789abcdef", text[0]) || !text[0]) {
            return false;
        }
        numbers[i] = strtoull(text, &end, 16);
        if (*end != (i + 1 < PLACES ? '.' : '\0')) {
            return false;
        }
        text = end + 1;
    }
    memcpy(l->at.numbers, numbers, sizeof(l->at.numbers));
    l->told_us = numbers[PLACES - 1];
    return true;
}

/* --- events -------------------------------------------------------------------------------------------------------- */

/* data: JSON. */
static void event_write(struct buffer *b, const struct listening *l, const char *name, const struct hub_place *at,
                        uint64_t told_us, const struct buffer *data)
{
    buffer_printf(b, l->has_lines ? "{\"event\":\"%s\",\"id\":\"" : "event: %s\nid: ", name);
    place_write(b, at, told_us);
    buffer_text(b, l->has_lines ? "\",\"payload\":" : "\ndata: ");
    bool is_id = l->has_lines && data->data[0] != '{'; /* ids are text in JSON */
    buffer_text(b, is_id ? "\"" : "");
    buffer_add(b, data->data, data->length);
    buffer_text(b, is_id ? "\"}\n" : l->has_lines ? "}\n" : "\n\n");
}

static const char *const names[] = {
    [CHANNEL_UPDATE] = "update",       [CHANNEL_EDITED] = "status.update", [CHANNEL_GONE] = "delete",
    [CHANNEL_NOTICE] = "notification", [CHANNEL_TALK] = "conversation",    [CHANNEL_FILTERS] = "filters_changed"};

/* Payloads: Mastodon.py cannot read a filters_changed without one. */
static struct buffer payload(struct api *c, const struct channel_item *item)
{
    struct buffer out = buffer_make(c->arena);
    yyjson_mut_val *value = NULL;
    if (item->event == CHANNEL_GONE) {
        buffer_printf(&out, "%llu", (unsigned long long)item->id);
        return out;
    }
    if (item->post) {
        value = api_post_json(c, item->post);
    } else if (item->notice) {
        value = entity_notification(&c->entity, templates_kept(c->site->templates), item->notice);
    } else if (item->talk) {
        value = api_conversation_json(c, item->talk);
    } else {
        value = yyjson_mut_obj(c->entity.doc);
    }
    yyjson_mut_doc_set_root(c->entity.doc, value);
    view_json(&out, c->entity.doc);
    return out;
}

/* Whether he was told of that already: a job that had to be repeated says so twice. */
static bool was_told_before(struct listening *l, const struct channel_item *item)
{
    if (item->event != CHANNEL_UPDATE && item->event != CHANNEL_GONE) {
        return false;
    }
    uint64_t what = item->id << 1 | (item->event == CHANNEL_GONE),
             *kept = &l->told[item->id * 0x9E3779B97F4A7C15u >> 58];
    bool is_old = *kept == what;
    *kept = what;
    return is_old;
}

static bool send(struct listening *l, const struct buffer *b)
{
    return http_stream_write(l->out, b->data, b->length);
}

static void pass_entry(struct hub_place *at, const struct hub_entry *e)
{
    if (e->number) {
        at->numbers[e->partition] = e->number;
    }
}

/* The id of each is the place just behind it: what comes behind it may get lost with the connection. */
static bool send_news(struct listening *l, struct api *c, const struct hub_entry *entries, size_t count,
                      const struct channel_news *news)
{
    struct buffer out = buffer_make(c->arena);
    struct hub_place at = l->at;
    size_t behind = 0;
    for (size_t i = 0; i < news->count; i++) {
        const struct channel_item *item = &news->items[i];
        for (; behind < count && behind <= item->entry; behind++) {
            pass_entry(&at, &entries[behind]);
        }
        if (!was_told_before(l, item)) {
            struct buffer data = payload(c, item);
            event_write(&out, l, names[item->event], &at, item->notice ? item->id : l->told_us, &data);
        }
    }
    l->told_us = news->told_us;
    return send(l, &out);
}

/* --- one look ------------------------------------------------------------------------------------------------------ */

enum look { LOOK_DONE, LOOK_MORE, LOOK_LATER, LOOK_END };

/* Asks for these entries in a request of its own, and sends what is his. */
static enum look look_at(struct listening *l, struct arena *a, const struct hub_entry *entries, size_t count)
{
    struct http_request again = *l->req;
    struct http_response resp = {.arena = a, .status = 200, .body = buffer_make(a)};
    struct api c;
    again.arena = a;
    again.is_settled = false;
    api_begin(&c, &again, &resp);
    struct channel_news *news = channel_ask(c.visit, &l->channel, entries, count, l->told_us);
    if (!api_read(&c)) {
        return resp.status >= 500 ? LOOK_LATER : LOOK_END;
    }
    channel_take(c.visit, news);
    enum look next = news->more ? LOOK_MORE : LOOK_DONE;
    return send_news(l, &c, entries, count, news) ? next : LOOK_END;
}

/* The same until it succeeds, or he is gone. */
static bool look(struct listening *l, const struct hub_entry *entries, size_t count)
{
    struct hub_entry mine[CHANNEL_ENTRIES];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (channel_concerns(&l->channel, &entries[i])) {
            mine[n++] = entries[i];
        }
    }
    enum look how = n ? LOOK_MORE : LOOK_DONE;
    while (how == LOOK_MORE || how == LOOK_LATER) {
        if (how == LOOK_LATER && !http_stream_wait(l->out, -1, RETRY_MS)) {
            return false;
        }
        struct arena *a = arena_new();
        how = look_at(l, a, mine, n);
        if (how == LOOK_MORE) { /* of notices only */
            static const struct hub_entry told = {.kind = EVENT_NOTICE};
            mine[0] = told;
            n = 1;
        }
        arena_free(a);
    }
    return how == LOOK_DONE;
}

static bool tell_gap(struct listening *l, struct arena *a)
{
    struct buffer out = buffer_make(a), data = buffer_make(a);
    buffer_text(&data, "{}");
    event_write(&out, l, "gap", &l->at, l->told_us, &data);
    return send(l, &out);
}

static bool look_at_all(struct listening *l, const struct hub_entry *entries, size_t count)
{
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < count; i += CHANNEL_ENTRIES) {
        size_t n = count - i < CHANNEL_ENTRIES ? count - i : CHANNEL_ENTRIES;
        goes_on = look(l, entries + i, n);
        for (size_t k = i; k < i + n; k++) {
            pass_entry(&l->at, &entries[k]);
        }
    }
    return goes_on;
}

static void note_wanted(void *context, void *owner)
{
    (void)owner;
    *(bool *)context = true;
}

/* Leaves of these entries, at most SIFT_ENTRIES, what is wanted of them; *count goes on by how many. False: he is gone. */
static bool sift_missed(struct listening *l, struct arena *a, const struct hub_entry *entries, size_t size,
                        struct hub_entry *out, size_t *count)
{
    const struct site *site = l->req->app;
    struct sift_entry *sifted;
    size_t n;
    while (sift_load(site->social, a, entries, size, &sifted, &n) != ERR_OK) {
        if (!http_stream_wait(l->out, -1, RETRY_MS)) {
            return false;
        }
    }
    struct match_index *one = match_new();
    match_add(one, l->wanted, NULL);
    for (size_t i = 0; i < n; i++) {
        bool is_wanted = !sifted[i].post;
        if (sifted[i].post) {
            sift_match(a, one, &sifted[i], note_wanted, &is_wanted);
        }
        if (is_wanted) {
            out[(*count)++] = *sifted[i].entry;
        }
    }
    match_free(one);
    return true;
}

/* The same for any number, in their place. */
static bool sift_all_missed(struct listening *l, struct arena *a, struct hub_entry *entries, size_t *count)
{
    size_t all = *count;
    struct hub_entry *out = arena_alloc(a, (all + 1) * sizeof(*out));
    *count = 0;
    for (size_t i = 0; i < all; i += SIFT_ENTRIES) {
        if (!sift_missed(l, a, entries + i, all - i < SIFT_ENTRIES ? all - i : SIFT_ENTRIES, out, count)) {
            return false;
        }
    }
    memcpy(entries, out, *count * sizeof(*out));
    return true;
}

/* What was missed between his place and this one. */
static bool catch_up(struct listening *l, const struct hub_place *to)
{
    const struct site *site = l->req->app;
    struct hub_entry *missed;
    size_t count;
    bool gap, goes_on = true;
    struct arena *a = arena_new();
    while (hub_replay(site->social, a, &l->at, to, &missed, &count, &gap) != ERR_OK) {
        arena_reset(a);
        if (!http_stream_wait(l->out, -1, RETRY_MS)) {
            arena_free(a);
            return false;
        }
    }
    if (gap) {
        goes_on = tell_gap(l, a);
    }
    goes_on = goes_on && (!l->wanted || sift_all_missed(l, a, missed, &count)) && look_at_all(l, missed, count);
    l->at = *to;
    arena_free(a);
    return goes_on;
}

/* Takes what there is. */
static bool take(struct listening *l)
{
    struct hub_entry entries[CHANNEL_ENTRIES];
    size_t count = 1;
    bool goes_on = true;
    const struct site *site = l->req->app;
    while (goes_on && count) {
        struct arena *a = arena_new();
        struct hub_place behind = l->at;
        goes_on = l->sieve ? sieve_take(l->sieve, a, entries, CHANNEL_ENTRIES, &count, &behind)
                           : hub_take(l->hub, a, &l->at, entries, CHANNEL_ENTRIES, &count);
        bool is_lost = count && !entries[count - 1].number;
        if (!goes_on) {
            tell_gap(l, a); /* too slow */
        } else {
            goes_on = look_at_all(l, entries, count - is_lost);
        }
        if (goes_on && is_lost) {
            struct hub_place to = hub_at(site->social);
            goes_on = catch_up(l, &to);
        } else if (l->sieve) {
            l->at = behind;
        }
        arena_free(a);
    }
    return goes_on;
}

/* --- a stream from its beginning to its end ------------------------------------------------------------------------ */

static bool say(struct listening *l, const char *text)
{
    return http_stream_write(l->out, text, strlen(text));
}

/* An event without content, for those who get lines: from its id one can come back. */
static bool say_event(struct listening *l, const char *name)
{
    struct arena *a = arena_new();
    struct buffer out = buffer_make(a), data = buffer_make(a);
    buffer_text(&data, "{}");
    event_write(&out, l, name, &l->at, l->told_us, &data);
    bool goes_on = send(l, &out);
    arena_free(a);
    return goes_on;
}

/* Of what is filtered little may come, and the place goes on all the same. */
static bool thump(struct listening *l)
{
    return l->wanted || l->has_lines ? take(l) && say_event(l, "heartbeat") : say(l, ":thump\n");
}

/* A server that stops asks them to come back, not all at the same moment. */
static void say_goodbye(struct listening *l)
{
    char text[64];
    snprintf(text, sizeof(text), "retry: %u\n:the server stops\n",
             COME_BACK_MS + (unsigned)(secret_random_u64() % COME_BACK_SPREAD_MS));
    if (l->has_lines) {
        say_event(l, "end");
    } else {
        say(l, text);
    }
}

/* What came between his first look and his joining, or while he was away. */
static bool begin(struct listening *l)
{
    const struct hub_entry told = {.kind = EVENT_NOTICE, .id = l->channel.account};
    return (l->has_lines ? say_event(l, "begin") : say(l, ":)\n")) && catch_up(l, &l->joined) && look(l, &told, 1);
}

static void listen_long(struct listening *l)
{
    bool goes_on = begin(l);
    int fd = l->sieve ? sieve_fd(l->sieve) : hub_fd(l->hub);
    uint64_t thump_us = clock_monotonic_us() + THUMP_MS * 1000;
    while (goes_on && !hub_is_ending(l->hub)) {
        uint64_t us = clock_monotonic_us();
        if (us < thump_us) {
            goes_on = http_stream_wait(l->out, fd, (unsigned)((thump_us - us) / 1000 + 1)) && take(l);
        } else {
            goes_on = thump(l);
            thump_us = us + THUMP_MS * 1000;
        }
    }
    if (hub_is_ending(l->hub)) {
        say_goodbye(l);
    }
}

static void run(struct http_stream *out, void *context)
{
    struct listening *l = context;
    l->out = out;
    listen_long(l);
    if (l->sieve) {
        sieve_leave(l->sieve);
    }
    hub_leave(l->hub);
}

/* Ordinary requests keep a quarter of the threads, whatever the configuration says. */
static struct hub_limits limits_of(const struct config *c)
{
    int64_t most = c->http.threads - (c->http.threads + 3) / 4;
    return (struct hub_limits){(unsigned)(c->stream.listeners < most ? c->stream.listeners : most),
                               (unsigned)c->stream.per_account, (unsigned)c->stream.per_address};
}

static void refuse_another(struct api *c)
{
    http_header(c->resp, "Retry-After", "30");
    api_http_error(c->req, c->resp, 503, "Too many streams are open: try again later");
}

static bool join_hub(struct api *c, struct listening *l)
{
    const struct hub_limits limits = limits_of(c->site->config);
    const struct sieve_who who = {l->channel.account, l->channel.app};
    uint64_t account = who.account ? who.account : who.app;
    l->hub = hub_join(c->site->social, &limits, account, c->req->networks[0], &l->joined);
    if (l->hub && l->wanted) {
        l->sieve = sieve_join(c->site->social, l->wanted, &who, &l->joined);
    }
    if (l->hub && l->wanted && !l->sieve) {
        hub_leave(l->hub);
        l->hub = NULL;
    }
    if (!l->hub) {
        refuse_another(c);
    }
    return l->hub != NULL;
}

static const char *place_asked(const struct api *c)
{
    const char *header = http_header_in(c->req, "last-event-id");
    return header ? header : http_query(c->req, "last_event_id");
}

/* The answer becomes a stream, if there is room for it. */
static void go_on_as(struct api *c, struct listening *l)
{
    const char *from = place_asked(c);
    l->channel.account = c->viewer.id;
    l->channel.app = visit_app(c->visit)->app_id;
    if (!join_hub(c, l)) {
        return;
    }
    l->at = l->joined;
    if (from) {
        place_take(from, l);
    }
    c->resp->content_type = l->has_lines ? "application/x-ndjson" : "text/event-stream";
    http_header(c->resp, "X-Accel-Buffering", "no");
    c->resp->stream = run;
    c->resp->stream_context = l;
}

static void stream(struct http_request *req, struct http_response *resp, enum channel_kind kind, const char *tag,
                   uint64_t list)
{
    struct api c;
    struct listening *l = arena_zero(req->arena, sizeof(*l));
    api_begin(&c, req, resp);
    l->req = req;
    l->channel =
        (struct channel){.kind = api_bool(&c, "only_media", false) ? CHANNEL_NOTHING : kind, .tag = tag, .list = list};
    l->channel.has_notices = kind == CHANNEL_USER || kind == CHANNEL_NOTICES;
    struct channel_news *news = channel_ask(c.visit, &l->channel, NULL, 0, 0);
    if (!api_read(&c)) {
        return;
    }
    channel_take(c.visit, news);
    l->told_us = news->told_us;
    l->channel.has_notices &= scope_allows(visit_scopes(c.visit), "read:notifications");
    go_on_as(&c, l);
}

void api_stream_posts(struct api *c, const struct match_query *wanted)
{
    const char *accept = http_header_in(c->req, "accept");
    struct listening *l = arena_zero(c->arena, sizeof(*l));
    l->req = c->req;
    l->wanted = wanted;
    l->has_lines = !accept || !strstr(accept, "text/event-stream");
    l->channel.kind = CHANNEL_PUBLIC;
    go_on_as(c, l);
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
