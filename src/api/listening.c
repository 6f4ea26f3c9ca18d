/* listening.c - see listening.h: from joining to leaving.
 *
 * Threads: the connection's.
 */
#include "api/listening.h"

#include "api/api.h"
#include "base/arena.h"
#include "config/config.h"
#include "http/area.h"
#include "social/people/scope.h"
#include "social/people/token.h"
#include "social/streaming/sieve.h"

/* --- joining ------------------------------------------------------------------------------------------------------- */

bool listening_read(struct api *c, struct listening *l)
{
    struct channel_news *news = channel_ask(c->visit, &l->channel, NULL, 0, 0);
    if (!api_read(c)) {
        return false;
    }
    channel_take(c->visit, news);
    l->told_us = news->told_us;
    l->channel.has_notices &= !visit_app(c->visit) || scope_allows(visit_scopes(c->visit), "read:notifications");
    return true;
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

bool listening_join(struct api *c, struct listening *l, const char *from)
{
    const struct hub_limits limits = limits_of(c->site->config);
    l->channel.account = c->viewer.id;
    l->channel.app = visit_app(c->visit) ? visit_app(c->visit)->app_id : 0;
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
        return false;
    }
    l->at = l->joined;
    if (from) {
        listening_place_read(from, &l->at, &l->told_us);
    }
    return true;
}

void listening_leave(struct listening *l)
{
    if (l->sieve) {
        sieve_leave(l->sieve);
    }
    hub_leave(l->hub);
}

/* --- listening ----------------------------------------------------------------------------------------------------- */

bool listening_tell_bare(struct listening *l, const char *name)
{
    struct arena *a = arena_new();
    struct listening_event e = {name, listening_place(a, &l->at, l->told_us), buffer_make(a)};
    buffer_text(&e.payload, "{}");
    bool goes_on = l->carrier.tell(l->carrier.context, &e, 1);
    arena_free(a);
    return goes_on;
}

/* What came between his first look and his joining, or while he was away. */
bool listening_begin(struct listening *l)
{
    const struct hub_entry told = {.kind = EVENT_NOTICE, .id = l->channel.account};
    return listening_catch_up(l, &l->joined) && listening_show(l, &told, 1);
}

bool listening_take(struct listening *l)
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
            listening_tell_bare(l, "gap"); /* too slow */
        } else {
            goes_on = listening_show(l, entries, count - is_lost);
        }
        if (goes_on && is_lost) {
            struct hub_place to = hub_at(site->social);
            goes_on = listening_catch_up(l, &to);
        } else if (l->sieve) {
            l->at = behind;
        }
        arena_free(a);
    }
    return goes_on;
}

int listening_fd(const struct listening *l)
{
    return l->sieve ? sieve_fd(l->sieve) : hub_fd(l->hub);
}

bool listening_is_ending(const struct listening *l)
{
    return hub_is_ending(l->hub);
}
