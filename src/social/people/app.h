/* app.h - applications: programs that people let act in their names, by tokens (token.h) that they get for codes
 * (code.h). OAuth 2 speaks of clients.
 *
 * Anybody may register one. It runs out after a month, unless somebody has let it in; each token of its own begins the
 * month anew. What it says of itself never changes.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_APP_H
#define SOCIAL_PEOPLE_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/secret.h"
#include "social/core/problem.h"

struct actor;
struct arena;
struct social;
struct store_batch;

#define APP_NAME_MAX 60      /* code points */
#define APP_ADDRESS_MAX 2000 /* bytes, of the website, and of all redirects together */
#define APP_IDLE_DAYS 30

/* Where an application sends people that cannot be sent anywhere: they are shown the code. */
#define APP_OUT_OF_BAND "urn:ietf:wg:oauth:2.0:oob"

struct app {
    uint64_t id; /* 0: there is none. In decimal it is the client_id */
    const char *name;
    const char *website;   /* "": none */
    const char *redirects; /* divided by newlines */
    uint64_t scopes;
    const char *secret_hash;
};

struct app_form {
    const char *name, *website, *redirects; /* as they were given; NULL like "" */
    const char *scopes;                     /* words (scope.h) */
    uint64_t id;                            /* the one that it is to have; 0: any */
    const char *secret;                     /* likewise (app_secret_is_fit); NULL: a new one */
};

/* Whether the words of a form are right, and tidied what the application will be: all of *out but its id and secret, in
 * the arena. ERR_INVALID with problems. */
enum err app_check(struct arena *a, const struct app_form *form, struct app *out, struct problems *p);

/* Action (action.h): registers an application. The texts of *out live as long as the arena, *secret too. ERR_INVALID
 * with problems; ERR_TAKEN: there is one of the given id. */
enum err app_create(struct social *s, struct arena *a, const struct actor *by, const struct app_form *form,
                    struct app *out, const char **secret, struct problems *p);

/* Looks one up by its client_id (NULL: none). One round trip. ERR_NOT_FOUND. */
enum err app_find(struct social *s, struct arena *a, const char *client_id, struct app *out);

/* Whether it has registered exactly this address. */
bool app_has_redirect(const struct app *app, const char *address);

/* What a post keeps of the application that wrote it: name, tab, website; in the arena. And back: of "" both are "". */
const char *app_signature(struct arena *a, const char *name, const char *website);
void app_sign_read(struct arena *a, const char *signature, const char **name, const char **website);

bool app_secret_is(const struct app *app, const char *secret);

/* Whether a secret that is given (struct app_form, token_grant) is fit to be one: 20 to 64 letters, digits, - and _. */
bool app_secret_is_fit(const char *secret);

/* Adds to a batch: it does not run out any more. */
void app_keep_add(struct store_batch *b, struct arena *a, uint64_t id);

/* Takes an application away, with its own tokens: nobody gets a token for it any more. Those that people have given it
 * are theirs, and stay. ERR_NOT_FOUND. For administrators: ACTION_APP_END. */
enum err app_end(struct social *s, struct arena *a, const struct actor *by, uint64_t id);

#endif
