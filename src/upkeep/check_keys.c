/* check_keys.c - rules for all keys and entries: the right type, the right form, and an expiry where there must be one.
 * Threads: that of the check.
 */
#include "upkeep/check_look.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/text.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "store/store.h"

/* The engine's word for the type that the table names: "string+TTL" is a string. */
static bool type_is(enum key k, const char *type)
{
    const char *wanted = key_info(k)->type;
    if (strcmp(type, "none") == 0) {
        return true; /* gone meanwhile */
    }
    return strncmp(wanted, "sorted set", strlen("sorted set")) == 0 ? strcmp(type, "zset") == 0
                                                                    : strncmp(wanted, type, strlen(type)) == 0;
}

enum err check_look_types(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        store_command(b, items[i].bucket, "TYPE", items[i].key, NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const char *type = store_text(store_reply(b, i));
        struct key_parts parts;
        bool here = strcmp(type, "none") != 0;
        bool astray = here && key_parse(items[i].key, &parts) && parts.astray;
        items[i].found = astray ? CHECK_KEY_ASTRAY : !type_is(items[i].in, type) ? CHECK_KEY_TYPE : CHECK_NONE;
    }
    return e;
}

enum err check_mend_key(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    store_command(b, item->bucket, "UNLINK", item->key, NULL);
    return check_ask(b);
}

enum err check_mend_entry(struct check *c, struct arena *a, const struct check_item *item)
{
    const char *member = check_member(a, item);
    struct store_batch *b = store_batch_new(c->social->store, a);
    if (item->found == CHECK_MEMBER_SCORE) {
        store_command(b, item->bucket, "ZADD", item->key, "XX", "0", member, NULL);
    } else if (check_is_list(item->in)) {
        store_command(b, item->bucket, "LREM", item->key, "0", member, NULL);
    } else if (check_is_hash(item->in)) {
        store_command(b, item->bucket, "HDEL", item->key, member, NULL);
    } else {
        store_command(b, item->bucket, "ZREM", item->key, member, NULL);
    }
    if (item->in == KEY_REPLIES) {
        event_add(c->social, b, a, EVENT_COUNTS, item->id);
    }
    return check_ask(b);
}

/* Keys that are only kept for a while: requests, limits, invitations. */
enum err check_look_endless(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        store_command(b, items[i].bucket, "PTTL", items[i].key, NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct store_reply *ttl = store_reply(b, i);
        items[i].found = ttl->type == STORE_INTEGER && ttl->integer == -1 ? CHECK_KEY_ENDLESS : CHECK_NONE;
    }
    return e;
}

enum err check_mend_endless(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    store_command(b, item->bucket, "EXPIRE", item->key, TEXT_OF(CLOCK_DAY_SECONDS), NULL);
    return check_ask(b);
}

enum err check_look_strange(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        items[i].found = check_entry_take(b, i, &items[i]) ? CHECK_MEMBER_STRANGE : CHECK_NONE;
    }
    return e;
}
