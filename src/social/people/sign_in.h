/* sign_in.h - from a name and a password to a session, within the limits on guessing.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_SIGN_IN_H
#define SOCIAL_PEOPLE_SIGN_IN_H

#include "base/err.h"
#include "social/people/session.h"

struct sign_in {
    const char *name, *password;
    const char *const *networks; /* of the address, as limit_take_networks takes them */
    struct session_origin origin;
};

/* ERR_UNAUTHORIZED (the same for an unknown name and a wrong password, after the same work, and when the password is changed
 * meanwhile), ERR_TOO_MANY with the seconds to wait, ERR_BUSY, engine errors. On success the cookies are set, and a stored
 * hash of parameters that are not today's is renewed. */
enum err sign_in(struct social *s, struct arena *a, const struct sign_in *form, struct session_cookies *out,
                 unsigned *seconds);

#endif
