/* areas.h - the API that people's apps speak: Mastodon's client API, its OAuth endpoints, and what describes the site to
 * other programs. What a browser shows (also the page where an app is let in) is in pages/.
 *
 * The folder api/, in the order to read it: api.h (what every handler does), areas.c (the tables), then one file for
 * each kind of thing. A handler asks the same reads and calls the same actions as the page of that thing and answers
 * with the entities of view/entity.h.
 *
 * Threads: constant data.
 */
#ifndef API_AREAS_H
#define API_AREAS_H

#include "http/area.h"

extern const struct http_area api_area;          /* /api */
extern const struct http_area api_token_area;    /* /oauth/token */
extern const struct http_area api_revoke_area;   /* /oauth/revoke */
extern const struct http_area api_known_area;    /* /.well-known */
extern const struct http_area api_nodeinfo_area; /* /nodeinfo */

#endif
