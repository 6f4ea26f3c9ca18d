/* act.h - how a page makes a change: who acts, and what is shown when it is refused. Inside pages/ only.
 *
 * A handler of a change begins a page, asks who acts, calls the action (social/core/action.h), and answers: a redirect
 * when it is done, else page_refuse.
 *
 * Threads: a page belongs to one connection thread.
 */
#ifndef PAGES_ACT_H
#define PAGES_ACT_H

#include <stdbool.h>

#include "base/err.h"
#include "social/core/action.h"
#include "social/core/problem.h"

struct page;

/* The visitor as an actor: whose session it is, and from which address and request. On a route for members the
 * dispatcher has verified him; on any other route the visitor is nobody, and the action decides whether that is
 * enough. */
struct actor page_actor(const struct page *p);

/* The form that was sent, to be shown again. */
struct page_retry {
    const char *template;
    /* Puts what the form's page shows, about this subject (NULL: none). False: it has answered. */
    bool (*fill)(struct page *p, const char *subject);
    bool asks_nothing;     /* the page is shown in the refused visit; else in a visit of its own */
    const char *fields[4]; /* fields whose values come back as they were sent; ended by NULL */
    const char *subject;
};

/* Answers a refused action, with the seconds to wait. Strangers are led to the sign-in page. If there is a form (NULL:
 * none) and the mistake belongs to it, its page is shown again. Everything else is an error page. */
void page_refuse(struct page *p, enum err e, struct problems *problems, const struct page_retry *form);

#endif
