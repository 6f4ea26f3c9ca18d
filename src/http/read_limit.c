/* read_limit.c - see read_limit.h. Any thread.
 *
 * Counted in this process and not in the engine: reading costs one round trip, and a second one to count it would
 * double that. The tables have a fixed size (meter.h), 1.3 MB, however many visitors come.
 */
#include "http/read_limit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/panic.h"
#include "base/secret.h"
#include "http/area.h"
#include "http/meter.h"

#define CALLERS 65536               /* addresses, networks and accounts: 1 MiB */
#define SESSIONS 16384              /* of members: 256 KiB */
#define SESSION_US (600u * 1000000) /* after this time without use a session counts as a stranger's again */

#define LIMITS 2 /* limits.read, and limits.search besides */

struct read_limit {
    struct config_limit limits[LIMITS][HTTP_NETWORKS]; /* of the networks of a request, from the narrowest */
    struct meter *callers;
    struct meter *sessions;
};

static struct config_limit times(const struct config_limit *l, int64_t factor)
{
    int64_t count = (int64_t)l->count * factor;
    return (struct config_limit){count > UINT32_MAX ? UINT32_MAX : (uint32_t)count, l->seconds};
}

static void set_limit(struct config_limit out[HTTP_NETWORKS], const struct config *c, const struct config_limit *limit)
{
    out[0] = *limit;
    out[1] = times(limit, c->limits.network_56);
    out[2] = times(limit, c->limits.network_48);
}

struct read_limit *read_limit_new(const struct config *c)
{
    if (!c->limits.enabled) {
        return NULL;
    }
    struct read_limit *l = mem_zero(1, sizeof(*l));
    set_limit(l->limits[0], c, &c->limits.read);
    set_limit(l->limits[1], c, &c->limits.search);
    l->callers = meter_new(CALLERS);
    l->sessions = meter_new(SESSIONS);
    return l;
}

void read_limit_free(struct read_limit *l)
{
    if (l) {
        meter_free(l->callers);
        meter_free(l->sessions);
        free(l);
    }
}

static bool is_free(const struct http_request *req)
{
    return req->unlimited || req->door != HTTP_DOOR_SITE || (req->route && (req->route->flags & HTTP_UNCOUNTED));
}

static const char *session_of(const struct http_request *req)
{
    const char *credential = area_credential(req);
    return credential ? credential : "";
}

static uint64_t account_key(struct http_request *req, const char *session)
{
    return secret_spread(arena_printf(req->arena, "account %.*s", (int)strcspn(session, "."), session));
}

/* The callers that the request counts for; returns how many. */
static size_t callers_of(struct read_limit *l, struct http_request *req, uint64_t now, uint64_t out[HTTP_NETWORKS])
{
    const char *session = session_of(req);
    req->is_known = *session && meter_has(l->sessions, secret_spread(session), now);
    if (req->is_known) {
        out[0] = account_key(req, session);
        return 1;
    }
    size_t n = 0;
    while (n < HTTP_NETWORKS && req->networks[n]) {
        out[n] = secret_spread(req->networks[n]);
        n++;
    }
    return n;
}

/* Each limit counts a caller by itself. */
static uint64_t counted_as(uint64_t caller, size_t limit)
{
    return caller ^ limit * 0x9E3779B97F4A7C15u;
}

/* Of the networks that he is counted by, the one that is nearest to its limit. */
static void tell(struct read_limit *l, struct http_request *req, const uint64_t *callers, size_t n, uint64_t now)
{
    for (size_t i = 0; i < n; i++) {
        const struct config_limit *limit = &l->limits[0][i];
        uint64_t used = meter_used(l->callers, counted_as(callers[i], 0), now), left = meter_left(used, limit);
        if (i == 0 || left < req->rate.remaining) {
            req->rate = (struct http_rate){limit->count, left, clock_wall_ms() + (used + 999) / 1000};
        }
    }
}

unsigned read_limit_take(struct read_limit *l, struct http_request *req)
{
    if (!l || is_free(req)) {
        return 0;
    }
    uint64_t callers[HTTP_NETWORKS], now = clock_monotonic_us(), wait = 0;
    size_t n = callers_of(l, req, now, callers), limits = req->route && req->route->flags & HTTP_SEARCHING ? LIMITS : 1;
    for (size_t k = 0; k < limits; k++) {
        for (size_t i = 0; i < n; i++) {
            uint64_t one = meter_wait(l->callers, counted_as(callers[i], k), &l->limits[k][i], now);
            wait = one > wait ? one : wait;
        }
    }
    for (size_t k = 0; k < limits && wait == 0; k++) {
        for (size_t i = 0; i < n; i++) {
            meter_add(l->callers, counted_as(callers[i], k), &l->limits[k][i], now);
        }
    }
    if (req->area && req->area->tells_limits) {
        tell(l, req, callers, n, now);
    }
    return (unsigned)((wait + 999999) / 1000000);
}

void read_limit_learn(struct read_limit *l, const struct http_request *req)
{
    if (!l || !req->is_asked || is_free(req)) {
        return;
    }
    const char *session = session_of(req);
    if (req->account) {
        meter_keep(l->sessions, secret_spread(session), clock_monotonic_us() + SESSION_US);
    } else if (req->is_known) { /* the session has ended */
        meter_drop(l->sessions, secret_spread(session));
    }
}
