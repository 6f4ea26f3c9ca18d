/* sign_in.h - from a name and a password to a session, within the limits on guessing.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_SIGN_IN_H
#define SOCIAL_PEOPLE_SIGN_IN_H

#include "base/err.h"
#include "social/people/session.h"

struct actor;

struct sign_in {
    const char *name, *password;
    struct session_origin origin;
};

/* Action (action.h). ERR_INVALID with a problem when nothing was filled in; ERR_UNAUTHORIZED with a problem (the same
 * for an unknown name and a wrong password, after the same work, and when the password is changed meanwhile),
 * ERR_TOO_MANY, ERR_BUSY, engine errors. On success the cookies are set, the browser's old session has ended, and a
 * stored hash with outdated parameters is renewed. */
enum err sign_in(struct social *s, struct arena *a, const struct actor *by, const struct sign_in *form,
                 struct session_cookies *out, struct problems *p);

/* The same without a session: whose password it is, and its stored hash. Whoever makes something of it says the hash
 * (struct token_grant), because the password may change meanwhile. */
struct device_account;
enum err sign_in_check(struct social *s, struct arena *a, const struct actor *by, const struct sign_in *form,
                       struct device_account *account, struct problems *p);

#endif
