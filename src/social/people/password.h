/* password.h - the rules of a new password. Hashing and checking are in base/secret.h.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_PASSWORD_H
#define SOCIAL_PEOPLE_PASSWORD_H

#include "social/core/problem.h"

#define PASSWORD_MIN 8   /* code points */
#define PASSWORD_MAX 128 /* bytes */

/* Notes what is wrong with it and with its repetition; `name` is the user's, NULL if unknown. */
void password_check(const char *password, const char *password2, const char *name, struct problems *p);

#endif
