/* action.c - see action.h. Any thread. */
#include "social/core/action.h"

#include "base/panic.h"
#include "social/core/social.h"
#include "store/store.h"

static const struct action_info infos[ACTION_COUNT] = {
#define X(id, name, who, upon, limit, what) [ACTION_##id] = {name, who, upon, limit, what},
    ACTION_TABLE(X)
#undef X
};

const struct action_info *action_info(enum action what)
{
    require((unsigned)what < ACTION_COUNT);
    return &infos[what];
}

enum err action_check(enum action what, const struct actor *by)
{
    const struct action_info *info = action_info(what);
    switch (info->who) {
    case WHO_ANYONE:
        return ERR_OK;
    case WHO_MEMBER:
        return by->uid || (by->is_admin && info->upon == UPON_OWN_SEEN) ? ERR_OK : ERR_UNAUTHORIZED;
    default:
        return by->is_admin ? ERR_OK : by->uid ? ERR_FORBIDDEN : ERR_UNAUTHORIZED;
    }
}

struct script_limit action_limit(struct social *s, enum action what, const struct actor *by, unsigned cost)
{
    enum limit limit = action_info(what)->limit;
    bool counts = actor_is_limited(by) && limit != LIMIT_NONE;
    return limit_ask_user(s, limit, by->uid, counts ? cost : 0);
}

enum err action_count(struct social *s, struct arena *a, enum action what, const struct actor *by, struct problems *p)
{
    struct script_limit limit = action_limit(s, what, by, 1);
    if (limit.cost == 0) {
        return ERR_OK;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    size_t counted = limit_add(b, &limit);
    enum err e = store_run(b);
    return e == ERR_OK && limit_refuses(store_reply(b, counted), p) ? ERR_TOO_MANY : e;
}

enum err action_count_address(struct social *s, struct arena *a, enum action what, const struct actor *by,
                              struct problems *p)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t counted = limit_networks_add(s, b, a, action_info(what)->limit, by->networks);
    enum err e = counted == LIMIT_UNASKED ? ERR_OK : store_run(b);
    return e == ERR_OK && counted != LIMIT_UNASKED && limit_refuses(store_reply(b, counted), p) ? ERR_TOO_MANY : e;
}
