/* limit.c - see limit.h. Any thread. */
#include "social/core/limit.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/problem.h"
#include "social/core/social.h"
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

static const struct config_limit *limit_of(const struct social *s, enum limit what)
{
    return (const void *)((const char *)s->config + limits[what].offset);
}

/* --- of users ------------------------------------------------------------------------------------------------------ */

struct limit_ask limit_ask_user(struct social *s, struct arena *a, enum limit what, uint64_t uid, unsigned cost)
{
    if (what == LIMIT_NONE || cost == 0 || !s->config->limits.enabled) {
        return (struct limit_ask){key_id_text(a, KEY_LIMIT, uid, ""), {"0", "0", "0"}};
    }
    const struct config_limit *l = limit_of(s, what);
    return (struct limit_ask){key_id_text(a, KEY_LIMIT, uid, limits[what].name),
                              {arena_printf(a, "%u", cost), arena_printf(a, "%u", l->seconds),
                               arena_printf(a, "%llu", (unsigned long long)l->count)}};
}

size_t limit_add(struct store_batch *b, uint64_t uid, const struct limit_ask *ask)
{
    return store_script(b, id_bucket(uid), SCRIPT_LIMIT, 1, &ask->key, LIMIT_WORDS, ask->words);
}

bool limit_refuses(const struct store_reply *answer, struct problems *p)
{
    if (strcmp(store_text(store_item(answer, 0)), "limited") != 0) {
        return false;
    }
    p->retry_after = (unsigned)((store_integer(store_item(answer, 1)) + 999) / 1000);
    return true;
}

/* --- of strangers -------------------------------------------------------------------------------------------------- */

/* One of the limits that are taken together: its key and how much it allows. */
struct part {
    const char *name;
    uint64_t count;
};

/* Takes `cost` from all of them, or from none. The names lie in one bucket. */
static enum err take(struct social *s, struct arena *a, const struct config_limit *l, const struct part *parts,
                     size_t n, unsigned cost, unsigned *retry_after)
{
    const char *keys[LIMIT_NETWORKS], *arguments[2 + LIMIT_NETWORKS];
    arguments[0] = arena_printf(a, "%u", cost);
    arguments[1] = arena_printf(a, "%u", l->seconds);
    for (size_t i = 0; i < n; i++) {
        keys[i] = key_text(a, KEY_RATE, parts[i].name);
        arguments[2 + i] = arena_printf(a, "%llu", (unsigned long long)parts[i].count);
    }
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, key_text_bucket(parts[0].name), SCRIPT_RATE_LIMIT, n, keys, 2 + n, arguments);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    struct problems p = {.count = 0};
    bool refused = limit_refuses(store_reply(b, 0), &p);
    *retry_after = p.retry_after;
    return refused ? ERR_TOO_MANY : ERR_OK;
}

enum err limit_take(struct social *s, struct arena *a, enum limit what, const char *who, unsigned cost,
                    unsigned *retry_after)
{
    *retry_after = 0;
    if (!s->config->limits.enabled || cost == 0) {
        return ERR_OK;
    }
    const struct config_limit *l = limit_of(s, what);
    const struct part part = {arena_printf(a, "%s:%s", limits[what].name, who), l->count};
    return take(s, a, l, &part, 1, cost, retry_after);
}

const char *limit_widest(const char *const *networks)
{
    size_t last = 0;
    while (networks[last] && networks[last + 1]) {
        last++;
    }
    return networks[last] ? networks[last] : "";
}

enum err limit_take_networks(struct social *s, struct arena *a, enum limit what, const char *const *networks,
                             unsigned *retry_after)
{
    *retry_after = 0;
    if (!s->config->limits.enabled) {
        return ERR_OK;
    }
    const struct config_limit *l = limit_of(s, what);
    const int64_t factors[LIMIT_NETWORKS] = {1, s->config->limits.network_56, s->config->limits.network_48};
    const char *widest = limit_widest(networks);
    struct part parts[LIMIT_NETWORKS];
    size_t n = 0;
    for (; n < LIMIT_NETWORKS && networks[n]; n++) {
        bool alone = networks[n] == widest;
        parts[n].name =
            arena_printf(a, "%s:%s%s%s", limits[what].name, widest, alone ? "" : "|", alone ? "" : networks[n]);
        parts[n].count = l->count * (uint64_t)factors[n];
    }
    return take(s, a, l, parts, n, 1, retry_after);
}

enum err limit_take_user(struct social *s, struct arena *a, enum limit what, uint64_t uid, unsigned cost,
                         unsigned *retry_after)
{
    char digits[ID_SIZE];
    return limit_take(s, a, what, id_write(uid, digits), cost, retry_after);
}

enum err limit_take_freeing(struct social *s, struct arena *a, enum limit what, uint64_t uid, unsigned cost,
                            unsigned *retry_after)
{
    enum err e = limit_take_user(s, a, what, uid, cost, retry_after);
    return e == ERR_READ_ONLY ? ERR_OK : e;
}
