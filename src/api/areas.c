/* areas.c - see areas.h. The tables stand beside their handlers. */
#include "api/areas.h"

#include "api/api.h"
#include "api/handlers.h"

static const struct http_cors cors = {
    .origin = "*",
    .methods = "GET, POST, PUT, PATCH, DELETE, OPTIONS",
    .headers = "Authorization, Content-Type, Idempotency-Key",
    .exposed = "Link, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id",
    .max_age = 86400,
};

/* clang-format off */
static const struct http_route *const tables[] = {
    api_routes_account_edit,
    api_routes_accounts,
    api_routes_relationships,
    api_routes_instance,
    api_routes_timelines,
    api_routes_statuses_read,
    api_routes_statuses_write,
    api_routes_statuses_versions,
    api_routes_notifications,
    api_routes_conversations,
    api_routes_notifications_grouped,
    api_routes_markers,
    api_routes_lists,
    api_routes_filters,
    api_routes_collections,
    api_routes_streaming, api_routes_streaming_own,
    api_routes_tags,
    api_routes_featured_tags,
    api_routes_directory,
    api_routes_retwis,
    api_routes_search,
    api_routes_apps,
    api_routes_sign_up,
    NULL,
};
/* clang-format on */
static const struct http_route *const known_tables[] = {api_routes_known, api_routes_oauth, NULL};
static const struct http_route *const nodeinfo_tables[] = {api_routes_nodeinfo, NULL};
static const struct http_route *const token_tables[] = {api_routes_token, NULL};
static const struct http_route *const revoke_tables[] = {api_routes_revoke, NULL};

#define AREA(where, what)                                                                                              \
    {                                                                                                                  \
        .path = where, .tables = what, .credential = HTTP_BEARER, .cors = &cors, .tells_limits = true,                 \
        .verify = api_verify, .error = api_http_error, .denied = api_denied, .invalid = api_invalid                    \
    }

const struct http_area api_area = AREA("/api", tables);
const struct http_area api_token_area = AREA("/oauth/token", token_tables);
const struct http_area api_revoke_area = AREA("/oauth/revoke", revoke_tables);
const struct http_area api_known_area = AREA("/.well-known", known_tables);
const struct http_area api_nodeinfo_area = AREA("/nodeinfo", nodeinfo_tables);
