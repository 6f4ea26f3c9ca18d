/* check_tokens.c - the tokens of users and of applications. Threads: that of the check. */
#include "upkeep/check_look.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "store/keys.h"
#include "store/store.h"

/* Asks whether there is somebody of the item's id. */
struct token_owner {
    size_t user, app;
};

static struct token_owner token_owner_add(struct check *c, struct store_batch *b, struct arena *a,
                                          const struct check_item *item)
{
    return (struct token_owner){.user = check_user_add(c, b, item->id),
                                .app = store_command(b, item->bucket, "EXISTS", key_id(a, KEY_APP, item->id), NULL)};
}

static bool token_owner_take(struct check *c, const struct store_batch *b, const struct token_owner *o,
                             const struct check_item *item)
{
    bool is_app = store_integer(store_reply(b, o->app)) == 1;
    return check_user_take(c, b, o->user, item->id) == CHECK_USER_ALIVE || is_app;
}

enum err check_look_token(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    struct token_owner *owners = arena_alloc(a, count * sizeof(*owners));
    size_t *keys = arena_alloc(a, count * sizeof(*keys));
    for (size_t i = 0; i < count; i++) {
        keys[i] = store_command(b, items[i].bucket, "EXISTS", items[i].key, NULL);
        store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_TOKENS, items[i].id), items[i].text, NULL);
        owners[i] = token_owner_add(c, b, a, &items[i]);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool exists = store_integer(store_reply(b, keys[i])) == 1;
        bool listed = store_reply(b, keys[i] + 1)->type == STORE_STRING;
        bool owned = token_owner_take(c, b, &owners[i], &items[i]);
        items[i].found = !exists ? CHECK_NONE : !owned ? CHECK_OWNER_GONE : listed ? CHECK_NONE : CHECK_TOKEN_UNLISTED;
    }
    return e;
}

enum err check_look_tokens(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    struct token_owner *owners = arena_alloc(a, count * sizeof(*owners));
    size_t *keys = arena_alloc(a, count * sizeof(*keys));
    for (size_t i = 0; i < count; i++) {
        keys[i] = store_command(b, items[i].bucket, "EXISTS", items[i].key, NULL);
        owners[i] = token_owner_add(c, b, a, &items[i]);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool exists = store_integer(store_reply(b, keys[i])) == 1;
        bool owned = token_owner_take(c, b, &owners[i], &items[i]);
        items[i].found = exists && !owned ? CHECK_OWNER_GONE : CHECK_NONE;
    }
    return e;
}
