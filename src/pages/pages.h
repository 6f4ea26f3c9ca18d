/* pages.h - the web site for people's browsers, as the server gets it.
 *
 * Each page is a handler in one of this folder's files and a template in web/templates; web/templates/README.md is the
 * contract between the two. Handlers parse, make one visit to social/, and write the answer.
 *
 * The folder pages/, in the order to read it: routes.c (the tables of all pages), page.h (what every handler does),
 * timelines.c (pages that only show), act.h and posts.c (pages that change something).
 *
 * Threads: opened by the main thread; handlers run on connection threads and share this constant data.
 */
#ifndef PAGES_PAGES_H
#define PAGES_PAGES_H

#include <stdio.h>

#include "http/http.h"

struct config;
struct http_application;
struct http_area;
struct site;
struct settings_store;
struct social;

/* Loads templates and locales. NULL with lines on report when one of them is wrong. */
struct site *pages_open(const struct config *c, struct settings_store *settings, struct social *social, FILE *report);
void pages_close(struct site *p);

/* The area "/". */
extern const struct http_area pages_area;

/* What http_server_start wants: these areas (ended by NULL; pages_area is one of them) over this site. */
void pages_application(struct site *p, const struct http_area *const *areas, struct http_application *out);

#endif
