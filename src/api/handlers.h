/* handlers.h - the tables of routes of api/'s files, each ended by a row without a path; areas.c joins them. Constant
 * data.
 */
#ifndef API_HANDLERS_H
#define API_HANDLERS_H

#include "http/http.h"

/* clang-format off */
extern const struct http_route api_routes_accounts[]; /* accounts.c */
extern const struct http_route api_routes_account_edit[]; /* account_edit.c: oneself */
extern const struct http_route api_routes_relationships[]; /* relationships.c */
extern const struct http_route api_routes_instance[]; /* instance.c: what the site is */
extern const struct http_route api_routes_timelines[]; /* timelines.c */
extern const struct http_route api_routes_statuses_read[]; /* statuses_read.c */
extern const struct http_route api_routes_statuses_write[]; /* statuses_write.c */
extern const struct http_route api_routes_statuses_versions[]; /* statuses_versions.c */
extern const struct http_route api_routes_notifications[]; /* notifications.c */
extern const struct http_route api_routes_notifications_grouped[]; /* notifications_grouped.c */
extern const struct http_route api_routes_markers[]; /* markers.c */
extern const struct http_route api_routes_lists[]; /* lists.c */
extern const struct http_route api_routes_filters[]; /* filters.c */
extern const struct http_route api_routes_collections[]; /* collections.c: favourites, bookmarks */
extern const struct http_route api_routes_conversations[]; /* conversations.c: of direct posts */
extern const struct http_route api_routes_streaming[]; /* streaming.c: what happens, as it happens */
extern const struct http_route api_routes_streaming_own[]; /* streaming_own.c: the same of this site's own kinds */
extern const struct http_route api_routes_tags[]; /* tags.c */
extern const struct http_route api_routes_featured_tags[]; /* featured_tags.c: on profiles */
extern const struct http_route api_routes_directory[]; /* directory.c: people whom nobody looked for */
extern const struct http_route api_routes_retwis[]; /* retwis.c: what Mastodon has not */
extern const struct http_route api_routes_search[]; /* search.c */
extern const struct http_route api_routes_apps[]; /* apps.c */
extern const struct http_route api_routes_sign_up[]; /* sign_up.c */
extern const struct http_route api_routes_token[]; /* oauth.c: /oauth/token */
extern const struct http_route api_routes_revoke[]; /* oauth.c: /oauth/revoke */
extern const struct http_route api_routes_oauth[]; /* oauth.c: what programs ask first, below /.well-known */
extern const struct http_route api_routes_known[]; /* known.c: /.well-known */
extern const struct http_route api_routes_nodeinfo[]; /* known.c: /nodeinfo */
/* clang-format on */

#endif
