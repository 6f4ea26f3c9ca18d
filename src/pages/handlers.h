/* handlers.h - what the files of pages/ share: their routes, and answers where no page ran. Inside pages/ only.
 *
 * A file's rows stand at its end, below the handlers; web/templates/README.md says what the pages show. routes.c joins
 * the tables.
 */
#ifndef PAGES_HANDLERS_H
#define PAGES_HANDLERS_H

#include "base/err.h"
#include "http/http.h"
#include "social/people/preference.h"

struct page;

extern const struct http_route routes_apart[];
extern const struct http_route routes_auth[];
extern const struct http_route routes_complete[];
extern const struct http_route routes_filters[];
extern const struct http_route routes_lists[];
extern const struct http_route routes_messages[];
extern const struct http_route routes_notifications[];
extern const struct http_route routes_people[];
extern const struct http_route routes_posts[], routes_edit[], routes_reactions[], routes_post_menu[];
extern const struct http_route routes_search[];
extern const struct http_route routes_preferences[], routes_settings[];
extern const struct http_route routes_requests[];
extern const struct http_route routes_kept[];
extern const struct http_route routes_site[];
extern const struct http_route routes_tags[];
extern const struct http_route routes_oauth[];      /* oauth.c */
extern const struct http_route routes_developers[]; /* developers.c */
extern const struct http_route routes_feeds[];      /* feeds.c */
extern const struct http_route routes_timelines[];
extern const struct http_route routes_welcome[];

/* page.c: the area's own answers, see http/area.h */
enum err page_verify(struct http_request *req);
void page_http_error(struct http_request *req, struct http_response *resp, int status, const char *text);
void page_denied(struct http_request *req, struct http_response *resp, enum err e);
void page_invalid(struct http_request *req, struct http_response *resp, const struct http_parameter *parameter);

/* What every page of the settings says of itself; its template has the name of its place: settings_profile and so on.
 * */
void page_settings_place(struct page *p, const char *place, const char *path);

/* Adds the preferences that are chosen on that page, for the partial `preference_fields`. */
void page_preferences(struct page *p, enum preference_page where);

/* Somebody's profile, whose name is `subject`. False: an error was answered. */
bool page_fill_profile(struct page *p, const char *subject);

/* The page that the form of a post stands on, with the text as it was sent. False: an error was answered. */
bool page_fill_home(struct page *p, const char *subject);

#endif
