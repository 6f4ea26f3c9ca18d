/* act.h - how a page makes a change: who acts, and what is shown when it is refused. Inside pages/ only.
 *
 * A handler of a change begins a page, asks who acts, calls the action (social/core/action.h), and answers: a redirect when it is
 * done, else page_refuse.
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

/* The visitor as an actor: whose session it is, by which address and request. Of a route that is for members the dispatcher has
 * verified him; any other visitor is nobody, and the action says whether that will do. */
struct actor page_actor(const struct page *p);

/* The form that was sent, to be shown again. */
struct page_retry {
    const char *template;
    /* Puts what the form's page shows, about this subject (NULL: none). False: it has answered. */
    bool (*fill)(struct page *p, const char *subject);
    bool asks_nothing;     /* the page is shown in the visit that was refused; else in one of its own */
    const char *fields[4]; /* those that come back as they were sent; ended by NULL */
    const char *subject;
};

/* Answers what an action refused, with the seconds to wait: strangers are led to sign in; where there is a form (NULL: none) and
 * it is the place for what went wrong, its page is shown again; everything else is an error page. */
void page_refuse(struct page *p, enum err e, struct problems *problems, const struct page_retry *form);

#endif
