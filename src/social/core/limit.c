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
    [LIMIT_APP] = {"app", offsetof(struct config, limits.app)},
    [LIMIT_POST] = {"post", offsetof(struct config, limits.post)},
    [LIMIT_DELETE] = {"delete_post", offsetof(struct config, limits.delete_post)},
    [LIMIT_FOLLOW] = {"follow", offsetof(struct config, limits.follow)},
    [LIMIT_REACT] = {"react", offsetof(struct config, limits.react)},
    [LIMIT_SETTINGS] = {"settings", offsetof(struct config, limits.settings)},
};

static const struct config_limit *limit_of(const struct social *s, enum limit what)
{
    return (const void *)((const char *)s->config + limits[what].offset);
}

/* --- of users ------------------------------------------------------------------------------------------------------
 * */

struct script_limit limit_ask_user(struct social *s, enum limit what, uint64_t uid, unsigned cost)
{
    if (what == LIMIT_NONE || cost == 0 || !s->config->limits.enabled) {
        return (struct script_limit){.uid = uid, .name = ""};
    }
    const struct config_limit *l = limit_of(s, what);
    return (struct script_limit){uid, limits[what].name, cost, l->seconds, (int64_t)l->count};
}

size_t limit_add(struct store_batch *b, const struct script_limit *ask)
{
    return script_limit_add(b, &(struct script_limit_take){*ask});
}

bool limit_refuses(const struct store_reply *answer, struct problems *p)
{
    struct script_limit_take_reply out;
    script_limit_take(answer, &out);
    if (out.answer != ANSWER_LIMITED) {
        return false;
    }
    limit_note(out.wait, p);
    return true;
}

void limit_note(int64_t wait_ms, struct problems *p)
{
    p->retry_after = (unsigned)((wait_ms + 999) / 1000);
}

/* --- of strangers --------------------------------------------------------------------------------------------------
 * */

/* Adds the taking of one from all of them, or from none. The names lie in one bucket. */
static size_t parts_add(struct store_batch *b, const struct config_limit *l, const struct script_rate_limit_row *parts,
                        size_t n)
{
    return script_rate_limit_add(b,
                                 &(struct script_rate_limit){key_text_bucket(parts[0].name), 1, l->seconds, parts, n});
}

enum err limit_take(struct social *s, struct arena *a, enum limit what, const char *who, struct problems *p)
{
    if (!s->config->limits.enabled) {
        return ERR_OK;
    }
    const struct config_limit *l = limit_of(s, what);
    const struct script_rate_limit_row part = {arena_printf(a, "%s:%s", limits[what].name, who), (int64_t)l->count};
    struct store_batch *b = store_batch_new(s->store, a);
    size_t counted = parts_add(b, l, &part, 1);
    enum err e = store_run(b);
    return e == ERR_OK && limit_refuses(store_reply(b, counted), p) ? ERR_TOO_MANY : e;
}

const char *limit_widest(const char *const *networks)
{
    size_t last = 0;
    while (networks && networks[last] && networks[last + 1]) {
        last++;
    }
    return networks && networks[last] ? networks[last] : "";
}

size_t limit_networks_add(struct social *s, struct store_batch *b, struct arena *a, enum limit what,
                          const char *const *networks)
{
    if (!s->config->limits.enabled || !networks) {
        return LIMIT_UNASKED;
    }
    const struct config_limit *l = limit_of(s, what);
    const int64_t factors[LIMIT_NETWORKS] = {1, s->config->limits.network_56, s->config->limits.network_48};
    const char *widest = limit_widest(networks);
    struct script_rate_limit_row parts[LIMIT_NETWORKS];
    size_t n = 0;
    for (; n < LIMIT_NETWORKS && networks[n]; n++) {
        bool alone = networks[n] == widest;
        parts[n].name =
            arena_printf(a, "%s:%s%s%s", limits[what].name, widest, alone ? "" : "|", alone ? "" : networks[n]);
        parts[n].count = (int64_t)l->count * factors[n];
    }
    return parts_add(b, l, parts, n);
}
