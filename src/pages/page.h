/* page.h - what all page handlers share: begin, read, errors, messages, render. Inside pages/ only.
 *
 * A handler begins a page (who is it, in which language), asks page->visit for all that it shows, reads, puts its own
 * keys into page->root, and renders. Every step that can fail answers by itself and returns false: the handler just
 * returns.
 *
 * Threads: a page belongs to one connection thread.
 */
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "http/http.h"
#include "social/core/limit.h"
#include "social/core/problem.h"
#include "social/people/follow.h"
#include "social/people/visit.h"
#include "social/timelines/timeline.h"
#include "view/decoration.h"
#include "view/json.h"
#include "view/site.h"

struct lists;
struct locale;

struct page {
    struct site *site;
    struct http_request *req;
    struct http_response *resp;
    struct arena *arena;
    struct visit *visit;
    struct user viewer; /* id 0: nobody, or not known before the page has read */
    const struct locale *locale;
    struct entity_context entity;
    yyjson_mut_val *root;
    int status;
    const struct problems *problems;    /* of the form that comes back; NULL: none */
    const struct notice_unread *unread; /* what is in the menu */
    const char *path;                   /* shown as `path`: where the forms of this page return to */
};

/* Who asks, in which language. No round trip yet. */
void page_begin(struct page *p, struct http_request *req, struct http_response *resp);

/* The language of the page (page_locale.c): chooses it, for page_begin; takes that of the viewer, as soon as he is known;
 * sets the cookie, so that the next pages have it (NULL: no longer); puts `locale` and `locales`, for page_render. */
#define PAGE_LANG "lang"
void page_locale_choose(struct page *p);
void page_locale_prefer(struct page *p);
void page_locale_set(struct page *p, const struct locale *l);
void page_locale_put(struct page *p);

/* Light or dark (page_theme.c): sets the cookie ("system": takes it away); puts `theme`, for page_render. */
void page_theme_set(struct page *p, const char *theme);
void page_theme_put(struct page *p);

/* Sets the address that stands in for the page's own, for a POST that shows a page again. */
void page_path(struct page *p, const char *path);

/* Reads all that was asked of page->visit. False: an error was answered, or the visitor is not allowed here
 * (req->route->who). A POST for members or administrators need not read to know who asks: the dispatcher has done so,
 * and page->viewer is known from page_begin on. */
bool page_read(struct page *p);

/* Answers with the page for this error. */
void page_error(struct page *p, enum err e);
/* The same, with the seconds to wait when it is known (rate limits). */
void page_error_after(struct page *p, enum err e, unsigned seconds);
/* The same, with a text of the catalogue instead of the one that every such error has. */
void page_error_saying(struct page *p, enum err e, const char *text_key);

/* Renders the template over page->root. */
void page_render(struct page *p, const char *template);

/* 303, with a message of the catalogue on the page that follows; key NULL: none. `word` replaces {name}, {max},
 * {count}, and chooses the plural where the key has plurals. */
void page_redirect(struct page *p, const char *location, const char *flash_key, const char *word);

/* The device cookie of the browser (social/device.h), NULL for none; and a new one. */
const char *page_device(const struct page *p);
void page_set_device(struct page *p, const char *cookie);

/* --- keys of the document --- */

void page_set(struct page *p, const char *key, const char *value);
void page_set_object(struct page *p, const char *key, yyjson_mut_val *value);
yyjson_mut_val *page_object(struct page *p, const char *key); /* new, at the root */
yyjson_mut_val *page_list(struct page *p, const char *key);
/* Puts strings into an object: key, value, …, NULL. NULL values are left out. */
void page_put(struct page *p, yyjson_mut_val *object, ...) __attribute__((sentinel));

/* `title` from the catalogue; name and value of a placeholder, or NULL. */
void page_title(struct page *p, const char *key, const char *name, const char *value);
/* A place that is on: page{is_home: true}. May be called more than once. */
void page_is(struct page *p, const char *place);

/* The form that comes back: values of these fields as they were sent, ended by NULL. */
void page_form(struct page *p, ...) __attribute__((sentinel));

/* form.next: where the form leads, and the same for the address of another form (form.next_encoded). */
void page_way_back(struct page *p, const char *next);

/* What other sites show of a link to this page: `share`. For pages that everybody may read. */
void page_share(struct page *p, const char *headline, const char *text, const char *path);

/* errors, error_list, focus. */
void page_problems(struct page *p, const struct problems *problems);

/* The words for what is wrong with a field of page->problems; NULL: nothing. For forms whose fields are a list. */
const char *page_problem_of(struct page *p, const char *field);

/* For a failed change: true when the problem can be shown on the form (input, limits, engine away for writes); adds a
 * problem to the list where the error has none. */
bool page_is_form_error(enum err e);
void page_explain(struct page *p, struct problems *problems, enum err e, unsigned seconds);

/* --- timelines --- */

/* The cursors of the request. */
struct timeline_query page_query(const struct page *p);
/* statuses[]. */
void page_statuses(struct page *p, const char *key, const struct timeline_page *t);
/* pins[]: the posts on top of a profile. */
void page_pins(struct page *p, const struct timeline_page *t);
/* statuses[], older_url, newer_url. `base` is the path without query. */
void page_timeline(struct page *p, const char *key, const struct timeline_page *t, const char *base);
/* The same for lists whose cursors are times; 0: nothing there. An answer to a POST shows the first page. */
struct follow_query page_time_query(const struct page *p);
void page_time_paging(struct page *p, const char *base, uint64_t older_us, uint64_t newer_us);

/* trending[]: tags that many people use; at most so many. */
struct trends;
#define PAGE_TRENDS_BESIDE 5 /* beside what the page is about */
void page_trends(struct page *p, const struct trends *t, size_t most);

/* lists[]: the visitor's lists of people. */
void page_people_lists(struct page *p, const struct lists *lists);

/* Fields of the request. "" when absent. */
const char *page_field(const struct page *p, const char *name);
/* Text as it stands in an address: the value of a parameter, or a part of a path. */
const char *page_encoded(struct page *p, const char *text);
/* A safe `next`, or the fallback. */
const char *page_next(const struct page *p, const char *fallback);

#endif
