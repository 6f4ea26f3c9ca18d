/* limit.c - see limit.h. Any thread. */
#include "social/limit.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/social.h"
#include "store/keys.h"
#include "store/store.h"

static const struct {
    const char *name;
    size_t offset;
} limits[] = {
    [LIMIT_SIGN_IN] = {"sign_in", offsetof(struct config, limits.sign_in)},
    [LIMIT_SIGN_IN_ACCOUNT] = {"sign_in_account", offsetof(struct config, limits.sign_in_account)},
    [LIMIT_SIGN_IN_DEVICE] = {"sign_in_device", offsetof(struct config, limits.sign_in_device)},
    [LIMIT_SIGN_UP] = {"sign_up", offsetof(struct config, limits.sign_up)},
    [LIMIT_POST] = {"post", offsetof(struct config, limits.post)},
    [LIMIT_DELETE] = {"delete_post", offsetof(struct config, limits.delete_post)},
    [LIMIT_FOLLOW] = {"follow", offsetof(struct config, limits.follow)},
    [LIMIT_SETTINGS] = {"settings", offsetof(struct config, limits.settings)},
};

enum err limit_take(struct social *s, struct arena *a, enum limit what, const char *who, unsigned cost,
                    unsigned *retry_after)
{
    *retry_after = 0;
    if (!s->config->limits.enabled || cost == 0) {
        return ERR_OK;
    }
    const struct config_limit *l = (const void *)((const char *)s->config + limits[what].offset);
    const char *name = arena_printf(a, "%s:%s", limits[what].name, who);
    const char *key = key_text(a, KEY_RATE, name);
    const char *arguments[] = {arena_printf(a, "%u", l->count), arena_printf(a, "%u", l->seconds),
                               arena_printf(a, "%u", cost)};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, key_text_bucket(name), SCRIPT_RATE_LIMIT, 1, &key, 3, arguments);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    const struct store_reply *r = store_reply(b, 0);
    if (store_integer(store_item(r, 0)) == 1) {
        return ERR_OK;
    }
    *retry_after = (unsigned)((store_integer(store_item(r, 1)) + 999) / 1000);
    return ERR_TOO_MANY;
}

enum err limit_take_user(struct social *s, struct arena *a, enum limit what, uint64_t uid, unsigned cost,
                         unsigned *retry_after)
{
    char digits[ID_SIZE];
    return limit_take(s, a, what, id_write(uid, digits), cost, retry_after);
}
