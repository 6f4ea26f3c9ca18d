/* device.h - browsers that have signed in to an account before, told from strangers by a cookie ("device cookies" of
 * OWASP).
 *
 * Attempts to sign in to an account are limited, and strangers could use that to lock its owner out. So a browser that
 * once knew the password is counted by itself. Its cookie is a list of entries "<name><signature>" with "." between,
 * the newest first, one for each account that was used there, DEVICE_ACCOUNTS at most. The signature is made with the
 * site's secret key of name, uid and stored hash of the password: it is good for this account only, dies when the
 * password is changed, and the server keeps nothing. The cookie is no login and does not show whose accounts they are.
 *
 * Threads: any.
 */
#ifndef SOCIAL_PEOPLE_DEVICE_H
#define SOCIAL_PEOPLE_DEVICE_H

#include <stdint.h>

struct arena;
struct social;

#define DEVICE_ACCOUNTS 5

struct device_account {
    uint64_t uid;
    const char *password; /* its stored hash; "": there is none, and no browser is known */
};

/* The name of the browser if it has signed in to this account, else NULL, after the same work. The cookie may be
 * NULL. */
const char *device_name(struct social *s, struct arena *a, const char *cookie, const struct device_account *account);

/* The cookie with a new entry for the account as it is now, in place of an older entry for the account. */
const char *device_remember(struct social *s, struct arena *a, const char *cookie, const struct device_account *before,
                            const struct device_account *now);

#endif
