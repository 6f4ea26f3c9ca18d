/* invite.h - codes that let people in while registration is by invitation. The engine holds only a hash of a code.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_INVITE_H
#define SOCIAL_PEOPLE_INVITE_H

#include "base/err.h"
#include "base/secret.h"

struct actor;
struct arena;
struct social;

/* Action (action.h): a new code for `uses` sign-ups within `days`. The record says who made it. */
enum err invite_create(struct social *s, struct arena *a, const struct actor *by, unsigned uses, unsigned days,
                       char code[SECRET_TOKEN_SIZE]);

/* Takes one use for the sign-up with this nonce; ERR_NOT_FOUND: unknown, used up or too old. Repeating it takes nothing
 * more. */
enum err invite_take(struct social *s, struct arena *a, const char *code, const char *nonce);

/* Gives the use back when the sign-up failed after all. */
enum err invite_give_back(struct social *s, struct arena *a, const char *code, const char *nonce);

#endif
