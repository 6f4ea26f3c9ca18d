/* token.h - access tokens: what an application acts by in somebody's name, or in nobody's.
 *
 * A token is "<id>.<secret>", like the cookie of a session (session.h): the id is the user's, or the application's own
 * when it acts by itself. The engine holds only a hash of the secret. Tokens do not run out, but for an application's
 * own. They end when they are revoked, with the account, and when an administrator sets a new password; a user who
 * changes his own keeps them, as in Mastodon. Those of somebody who is suspended are worth nothing until he is not.
 * Whoever ends one says EVENT_SESSIONS.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_TOKEN_H
#define SOCIAL_PEOPLE_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/secret.h"

struct actor;
struct app;
struct arena;
struct problems;
struct record_token;
struct social;
struct visit;

#define TOKEN_MOST 100 /* of one user, or of one application: the oldest makes room */

struct token {
    const char *id;  /* names it in forms; a hash, not the secret */
    uint64_t app_id; /* 0: there is no token */
    const char *app_name, *app_website;
    uint64_t scopes, created_ms, seen_ms;
};

/* A token that was just made. */
struct token_made {
    const char *text; /* in the arena */
    uint64_t scopes, created_ms;
};

/* What the token is to be. */
struct token_grant {
    const struct app *app;
    uint64_t scopes;
    const char *checked; /* the stored hash that the user's password was checked against; NULL: it was not */
    const char *secret;  /* the one that it is to have (app_secret_is_fit); NULL: a new one */
};

/* Splits a token or code: whose it is, and the hash of the secret. False if it is not well-formed. */
bool token_parse(const char *text, uint64_t *id, char hash[SECRET_HASH_SIZE]);

/* "<id>.<secret>", in the arena. */
const char *token_write(struct arena *a, uint64_t id, const char *secret);

/* Action: a token of the actor's. ERR_NOT_FOUND: he is deleted, or has another password by now. */
enum err token_create(struct social *s, struct arena *a, const struct actor *by, const struct token_grant *grant,
                      struct token_made *out);

/* Action: a token of the application's own. ERR_TOO_MANY with p; ERR_NOT_FOUND: there is no such application any
 * more. */
enum err token_create_own(struct social *s, struct arena *a, const struct actor *by, const struct token_grant *grant,
                          struct token_made *out, struct problems *p);

/* Says that so many of the owner's oldest tokens have ended to make room, if there were any. */
enum err token_announce_room(struct social *s, struct arena *a, uint64_t owner, int64_t ended);

/* The visitor's tokens, newest first. */
struct token_list {
    struct token *tokens;
    size_t count;
};
const struct token_list *token_list_ask(struct visit *v);

/* Action: ends the actor's token of this id (a hash), and those only. */
enum err token_end(struct social *s, struct arena *a, const struct actor *by, const char *id, size_t *ended);

/* Action: ends this token, if it was given to this application (0: any). Anybody who has it may. ERR_FORBIDDEN: it is
 * another's. One that is not there is no error. */
enum err token_revoke(struct social *s, struct arena *a, const struct actor *by, const char *text, uint64_t app_id);

/* The token of this id and record; app_id 0 if the record is none. The texts stay the record's. */
void token_from_record(const struct record_token *r, const char *id, struct token *out);

#endif
