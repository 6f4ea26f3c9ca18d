/* actor.c - see actor.h. Any thread. */
#include "social/core/actor.h"

struct actor actor_nobody(const char *const *networks, const char *request)
{
    return (struct actor){.kind = ACTOR_NOBODY, .name = "", .networks = networks, .request = request};
}

struct actor actor_command(const char *name, uint64_t uid)
{
    return (struct actor){.kind = ACTOR_COMMAND, .uid = uid, .name = name, .is_admin = true, .request = ""};
}

struct actor actor_system(uint64_t uid)
{
    return (struct actor){.kind = ACTOR_SYSTEM, .uid = uid, .name = "", .is_admin = uid == 0, .request = ""};
}

bool actor_is_limited(const struct actor *by)
{
    return by->kind == ACTOR_NOBODY || by->kind == ACTOR_USER;
}
