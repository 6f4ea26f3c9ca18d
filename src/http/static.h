/* static.h - the site's own files: style sheets, scripts, icons. Inside src/http, but for static_version.
 *
 * Threads: static_setup by the main thread; the rest by any.
 */
#ifndef HTTP_STATIC_H
#define HTTP_STATIC_H

#include "http/http.h"

/* Once, before requests: `web_dir` NULL or "" serves the embedded files, else the files below it. */
void static_setup(const char *web_dir);

/* Changes when any of the files does. Pages link to /static/<version>/css/…, which a browser may keep for a year. */
const char *static_version(void);

/* /static/VERSION/PATH, /favicon.ico, /robots.txt. The server adds this table by itself. */
extern const struct http_route static_routes[];

#endif
