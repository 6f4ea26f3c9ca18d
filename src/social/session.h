/* session.h - logins. The cookie is "<uid>.<secret>"; the engine holds only a hash of the secret, so the data gives nobody
 * a login, and the uid in front lets the check travel in the same batch as the page's own reads (visit.h).
 *
 * Threads: any.
 */
#ifndef SOCIAL_SESSION_H
#define SOCIAL_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/secret.h"
#include "social/problem.h"

struct arena;
struct social;
struct visit;

#define SESSION_COOKIE_SIZE (20 + 1 + SECRET_TOKEN_SIZE)

/* Who makes the request, for the list of sessions. */
struct session_origin {
    const char *agent;
    const char *address;
};

struct session {
    const char *id; /* names it in forms; a hash, not the secret */
    uint64_t created_ms, seen_ms;
    const char *agent, *address;
    bool is_current;
};

/* Splits a cookie: the uid, and the hash of the secret. False if it is not well-formed. */
bool session_parse(const char *cookie, uint64_t *uid, char hash[SECRET_HASH_SIZE]);

/* Signs in by name and password. ERR_UNAUTHORIZED (same for unknown name and wrong password, after the same work,
 * and when the password is changed meanwhile),
 * ERR_BUSY, engine errors. On success the cookie is set. */
enum err session_sign_in(struct social *s, struct arena *a, const char *name, const char *password,
                         const struct session_origin *o, char cookie[SESSION_COOKIE_SIZE]);

/* A new session of this user (after sign-up). */
enum err session_create(struct social *s, struct arena *a, uint64_t uid, const struct session_origin *o,
                        char cookie[SESSION_COOKIE_SIZE]);

/* The visitor's sessions, newest first, the current one before all: add before the first visit_run, next before the second,
 * take after it (returns how many). */
struct session_read;
struct session_read *session_list_add(struct visit *v);
void session_list_next(struct visit *v, struct session_read *r);
size_t session_list_take(struct visit *v, struct session_read *r, struct session **out);

/* Ends one, all but one, or all (which: "one", "others", "all"). */
enum err session_end(struct social *s, struct arena *a, uint64_t uid, const char *which, const char *hash,
                     size_t *ended);

/* Sets a new password after checking the old one (old NULL: the administrator does it), ends all sessions but `keep`
 * (NULL: all). ERR_INVALID with problems, also when somebody else changed it meanwhile; ERR_UNAUTHORIZED when `keep` was
 * ended meanwhile. */
enum err session_change_password(struct social *s, struct arena *a, uint64_t uid, const char *name, const char *old,
                                 const char *password, const char *password2, const char *keep, struct problems *p);

#endif
