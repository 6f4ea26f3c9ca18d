/* oauth_target.h - the address at which an app waits for an answer: whether it may be shown to people, and the answer
 * written behind it. Knows no app and no request. Inside pages/ only.
 *
 * Threads: any.
 */
#ifndef PAGES_OAUTH_TARGET_H
#define PAGES_OAUTH_TARGET_H

#include <stdbool.h>

struct arena;

/* Whether it is a page of the web, whose address may be a link. */
bool oauth_target_is_web(const char *address);

/* Whether the words of the address say where it leads: nothing before an @, which would pass for the host, and nothing
 * that browsers read in their own way. */
bool oauth_target_is_plain(const char *redirect);

/* What the app is told. */
struct oauth_told {
    const char *name, *value; /* code or error, and what it is */
    const char *more;         /* for people, with an error; NULL: nothing */
    const char *state;        /* what the app wants to have back; "": nothing */
};

/* The address with that behind it, in the arena. */
const char *oauth_target_with(struct arena *a, const char *redirect, const struct oauth_told *told);

#endif
