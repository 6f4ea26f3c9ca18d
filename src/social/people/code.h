/* code.h - authorization codes: what an application is given when somebody lets it in, for which it then gets a token.
 *
 * A code is "<uid>.<secret>", like the token, good for ten minutes and once; the engine holds only a hash of the secret.
 * When it comes a second time, somebody else has it as well: then the token ends that the first one got. The
 * application has to know where the code was sent and, if it was asked with a challenge (PKCE, RFC 7636, S256), what
 * that was made of.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_CODE_H
#define SOCIAL_PEOPLE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct actor;
struct app;
struct arena;
struct social;
struct token_made;

#define CODE_MINUTES 10

struct code_grant {
    const struct app *app;
    uint64_t scopes;       /* which the application may ask for (scope_covers) */
    const char *redirect;  /* one of the application's */
    const char *challenge; /* NULL: none */
};

/* Whether it can be a challenge of S256. */
bool code_challenge_is_fit(const char *challenge);

/* Action (action.h): the actor lets an application in. The code is in the arena. */
enum err code_create(struct social *s, struct arena *a, const struct actor *by, const struct code_grant *grant,
                     const char **code);

/* The application uses a code. ERR_NOT_FOUND: there is no such code, or not for this application, redirect and
 * verifier (NULL: none); or it was used before. The caller has checked that it is the application. */
enum err code_use(struct social *s, struct arena *a, const struct app *app, const char *code, const char *redirect,
                  const char *verifier, struct token_made *out);

#endif
