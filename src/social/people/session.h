/* session.h - logins: made by a password (sign_in.h) or by signing up, listed, ended.
 *
 * The cookie is "<uid>.<secret>". The engine holds only a hash of the secret, so the data give nobody a login; and the
 * uid in front lets the check travel in the same batch as the page's own reads (visit.h).
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_SESSION_H
#define SOCIAL_PEOPLE_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/secret.h"
#include "social/core/problem.h"

struct actor;
struct arena;
struct social;
struct visit;

#define SESSION_COOKIE_SIZE (20 + 1 + SECRET_TOKEN_SIZE)

/* The browser that gets a session: two words for the list of sessions, the device cookie (device.h), and the cookie of
 * the session that the new one replaces, whoever's that was. */
struct session_origin {
    const char *agent;
    const char *address;
    const char *device;  /* NULL: it has none */
    const char *session; /* likewise */
};

/* What the browser gets. */
struct session_cookies {
    char session[SESSION_COOKIE_SIZE];
    const char *device;
};

struct session {
    const char *id; /* names it in forms; a hash, not the secret */
    uint64_t created_ms, seen_ms;
    const char *agent, *address;
    bool is_current;
};

/* Splits a cookie: the uid, and the hash of the secret. False if it is not well-formed. */
bool session_parse(const char *cookie, uint64_t *uid, char hash[SECRET_HASH_SIZE]);

/* The stored hash that a password was checked against, and another hash of the same password to replace it ("": it
 * stays). */
struct session_checked {
    const char *hash, *renewed;
};

/* A new session of this user, for signing in and up. The browser's old session ends, so that a copy of its cookie is
 * worth nothing any more. ERR_NOT_FOUND when he is deleted, or when the checked hash is not the stored one any more;
 * `checked` NULL: nothing was checked (after sign-up). */
enum err session_create(struct social *s, struct arena *a, uint64_t uid, const struct session_checked *checked,
                        const struct session_origin *o, struct session_cookies *out);

/* The visitor's sessions: the current one, then the others, newest first. */
struct session_list {
    struct session *sessions;
    size_t count;
};
const struct session_list *session_list_ask(struct visit *v);

/* Action (action.h): ends the session of this cookie. Anybody who has the cookie may do it, since he could do
 * everything else with it too. A malformed cookie, or one without a session, is no error. */
enum err session_sign_out(struct social *s, struct arena *a, const struct actor *by, const char *cookie);

/* Action: ends the actor's session of this hash, and those only. */
enum err session_end(struct social *s, struct arena *a, const struct actor *by, const char *hash, size_t *ended);

/* Action: ends all the actor's sessions but the one that he uses now. */
enum err session_end_others(struct social *s, struct arena *a, const struct actor *by, size_t *ended);

struct password_change {
    const char *name; /* of the user */
    const char *old;  /* to be given by himself only; no command asks for it */
    const char *password, *password2;
    const char *
        *device; /* in: device cookie of the browser or NULL; out: the one that it gets. NULL: there is no browser */
};

/* Action: sets a new password of the account in whose name the actor acts, after checking the old one, and ends all
 * sessions but the one that he uses now. ERR_INVALID with problems, also when the password was changed meanwhile;
 * ERR_UNAUTHORIZED when the session was ended meanwhile. */
enum err session_change_password(struct social *s, struct arena *a, const struct actor *by,
                                 const struct password_change *c, struct problems *p);

#endif
