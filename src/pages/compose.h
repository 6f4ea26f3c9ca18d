/* compose.h - the box in which posts are written: what it shows, and what it sends. Inside pages/ only.
 *
 * Threads: a page belongs to one connection thread.
 */
#ifndef PAGES_COMPOSE_H
#define PAGES_COMPOSE_H

#include "http/http.h"
#include "social/posts/draft.h"

struct page;

/* Puts the box on the page. `text` is what stands in it, `answered` the post that it answers (NULL: none), `next` where
 * to go afterwards. A form that was refused comes back as it was sent; else an answer is for as many as what it
 * answers. */
void compose_put(struct page *p, const char *text, const struct post *answered, const char *next);

/* The same box for the words of a post that is there already; whom it is for cannot be changed. */
void compose_put_edit(struct page *p, const char *text, const struct post *edited, const char *next);

/* The box with all that a post was that has just been taken back, to be written once more. */
void compose_put_again(struct page *p, const struct post *model, const char *next);

/* The draft that the form holds; texts are those of the request. */
struct post_draft compose_draft(const struct page *p);

/* Its fields, for the routes that take it. */
extern const struct http_parameter compose_fields[];

#endif
