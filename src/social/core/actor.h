/* actor.h - who acts. Every change of the data is one function that is given an actor and checks whether he may make it
 * and within which limit (action.h). These functions know no cookie and no command line.
 *
 * Threads: an actor belongs to the thread that made it.
 */
#ifndef SOCIAL_CORE_ACTOR_H
#define SOCIAL_CORE_ACTOR_H

#include <stdbool.h>
#include <stdint.h>

struct shown;

enum actor_kind {
    ACTOR_NOBODY,  /* a visitor who is not signed in */
    ACTOR_USER,    /* a user, verified */
    ACTOR_COMMAND, /* the operator of this machine, by the command line: not limited, may do what administrators may */
    ACTOR_SYSTEM,  /* the program's own work: not limited, may do what the user in whose name it acts may, or all */
};

enum actor_credential { ACTOR_BY_NOTHING, ACTOR_BY_SESSION, ACTOR_BY_TOKEN };

struct actor {
    enum actor_kind kind;
    uint64_t uid;     /* who acts, or in whose name; 0: nobody's */
    const char *name; /* of the user; of a command, the login name of the operator. "" if unknown */
    bool is_admin;
    enum actor_credential credential;
    const char *session; /* the hash that names his session; NULL without one */
    uint64_t scopes;     /* what a token allows; a session allows everything */
    const char *const
        *networks; /* that the address is counted by, as limit_networks_add takes them; NULL: there is no address */
    const char *request; /* id of the request, for the log; "" without one */
    struct shown *shown; /* what he wants to see of what he has changed (people/shown.h); NULL: nothing */
};

/* A visitor who is not signed in. Both must outlive the actor. */
struct actor actor_nobody(const char *const *networks, const char *request);

/* The command line: the operator `name` acts in the name of `uid` (0: nobody's). */
struct actor actor_command(const char *name, uint64_t uid);

/* The program itself: jobs, repairs. */
struct actor actor_system(uint64_t uid);

/* Whether limits apply to him. */
bool actor_is_limited(const struct actor *by);

#endif
