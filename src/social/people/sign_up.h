/* sign_up.h - how a person becomes a user: rules of names, invitations, the record. Passwords: password.h.
 *
 * A new user has no home timeline: like everybody whose home is missing he gets one from his first visit
 * (timelines/home.h).
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_SIGN_UP_H
#define SOCIAL_PEOPLE_SIGN_UP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "social/core/problem.h"

struct actor;
struct arena;
struct job_class;
struct session_cookies;
struct session_origin;
struct social;

/* True for names that nobody may take: routes, roles (RFC 2142) and what could be mistaken for the site. */
bool user_name_is_reserved(const char *name);

struct sign_up {
    const char *name, *password, *password2;
    const char *invite;                  /* code, or NULL */
    const struct session_origin *origin; /* the browser that gets a session; NULL: there is none */
};

/* Action (action.h): creates a user. Closed registration and reserved names do not stop an administrator. ERR_INVALID
 * or ERR_TAKEN with problems, ERR_FORBIDDEN when registration is closed, ERR_BUSY, engine errors. On success *id is the
 * new user's, and with an origin *cookies are for the browser, whose old session has ended. */
enum err user_sign_up(struct social *s, struct arena *a, const struct actor *by, const struct sign_up *form,
                      uint64_t *id, struct session_cookies *cookies, struct problems *p);

/* What is wrong with name and password by themselves: for who asks for more than this form. Nothing is counted. */
void sign_up_check(const struct sign_up *form, const struct actor *by, struct problems *p);

/* Handed over at start: the job that puts somebody among the newest users. */
extern const struct job_class sign_up_job;

#endif
