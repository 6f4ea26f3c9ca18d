/* session.h - logins: made by a password (sign_in.h) or by signing up, listed, ended.
 *
 * The cookie is "<uid>.<secret>". The engine holds only a hash of the secret, so the data give nobody a login; and the uid in front
 * lets the check travel in the same batch as the page's own reads (visit.h).
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

struct arena;
struct social;
struct visit;

#define SESSION_COOKIE_SIZE (20 + 1 + SECRET_TOKEN_SIZE)

/* Who makes the request: two words for the list of sessions, and the device cookie of the browser (device.h). */
struct session_origin {
    const char *agent;
    const char *address;
    const char *device; /* NULL: it has none */
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

/* The stored hash that a password was checked against, and another hash of the same password that takes its place ("": it
 * stays). */
struct session_checked {
    const char *hash, *renewed;
};

/* A new session of this user. ERR_NOT_FOUND when he is deleted, or when the checked hash is not the stored one any more;
 * `checked` NULL: nothing was checked (after sign-up). */
enum err session_create(struct social *s, struct arena *a, uint64_t uid, const struct session_checked *checked,
                        const struct session_origin *o, struct session_cookies *out);

/* The visitor's sessions, newest first, the current one before all. */
struct session_list {
    struct session *sessions;
    size_t count;
};
const struct session_list *session_list_ask(struct visit *v);

/* Ends one, all but one, or all (which: "one", "others", "all"). */
enum err session_end(struct social *s, struct arena *a, uint64_t uid, const char *which, const char *hash,
                     size_t *ended);

struct password_change {
    uint64_t uid;
    const char *name;
    const char *old; /* NULL: the administrator does it */
    const char *password, *password2;
    const char *keep; /* the session that goes on; NULL: none */
    const char *
        *device; /* in: device cookie of the browser or NULL; out: the one that it gets. NULL: there is no browser */
};

/* Sets a new password after checking the old one, ends all sessions but one. ERR_INVALID with problems, also when somebody
 * else changed it meanwhile; ERR_UNAUTHORIZED when `keep` was ended meanwhile. */
enum err session_change_password(struct social *s, struct arena *a, const struct password_change *c,
                                 struct problems *p);

#endif
