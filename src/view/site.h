/* site.h - what the handlers of all areas share: http_request.app points to it. The pages make and end it (pages.h).
 *
 * Threads: constant while the server runs.
 */
#ifndef VIEW_SITE_H
#define VIEW_SITE_H

#include <stdint.h>

struct config;
struct http_area;
struct locales;
struct settings_store;
struct social;
struct templates;

struct site {
    const struct config *config;
    struct settings_store *settings;
    struct social *social;
    struct locales *locales;
    struct templates *templates;
    const struct http_area *const *areas; /* all that is served, ended by NULL */
    uint64_t started_us;                  /* monotonic */
};

#endif
