/* check_relations.c - who follows whom and who asks to, from both sides. The follower's side is the truth (follow.c). Threads:
 * that of the check. */
#include "upkeep/check_look.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/follow.h"
#include "store/record.h"
#include "store/store.h"

/* Looks from one side: the entry, its counterpart, and both users. A key whose owner does not exist is another
 * finding. */
static enum err look_at_side(struct check *c, struct arena *a, struct check_item *items, size_t count,
                             enum key counterpart, enum check_user least)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    size_t *users = arena_alloc(a, count * sizeof(*users)), *owners = arena_alloc(a, count * sizeof(*owners));
    size_t *entries = arena_alloc(a, count * sizeof(*entries));
    for (size_t i = 0; i < count; i++) {
        char digits[ID_SIZE];
        entries[i] = check_entry_add(b, a, &items[i]);
        store_command(b, id_bucket(items[i].other), "ZSCORE", key_id(a, counterpart, items[i].other),
                      id_write(items[i].id, digits), NULL);
        users[i] = check_user_add(c, b, items[i].other);
        owners[i] = check_user_add(c, b, items[i].id);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = check_entry_take(b, entries[i], &items[i]);
        bool there = store_reply(b, entries[i] + 1)->type == STORE_STRING;
        bool owned = check_user_take(c, b, owners[i], items[i].id) != CHECK_USER_NONE;
        enum check_user user = check_user_take(c, b, users[i], items[i].other);
        bool self = items[i].other == items[i].id;
        items[i].found = !here || !owned ? CHECK_NONE
                         : user < least  ? CHECK_RELATION_NOBODY
                         : self          ? CHECK_RELATION_SELF
                         : !there        ? CHECK_RELATION_HALF
                                         : CHECK_NONE;
    }
    return e;
}

enum err check_look_follows(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return look_at_side(c, a, items, count, KEY_FOLLOWERS, CHECK_USER_ALIVE);
}

enum err check_look_followed(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return look_at_side(c, a, items, count, KEY_FOLLOWING, CHECK_USER_DELETED);
}

enum err check_look_asks(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return look_at_side(c, a, items, count, KEY_REQUESTS, CHECK_USER_ALIVE);
}

/* A request is there as long as the account is locked; afterwards there must be the job that lets people in. */
enum err check_look_asked(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        char digits[ID_SIZE];
        record_ask(b, RECORD_USER, items[i].id, USER_LOCKED);
        store_command(b, items[i].bucket, "ZSCORE", items[i].key, id_write(items[i].other, digits), NULL);
    }
    enum err e = check_ask(b);
    e = e == ERR_OK ? look_at_side(c, a, items, count, KEY_ASKED, CHECK_USER_DELETED) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_user user;
        record_user_take(store_reply(b, 2 * i), USER_LOCKED, &user);
        bool waits = store_reply(b, 2 * i + 1)->type == STORE_STRING;
        if (items[i].found == CHECK_NONE && waits && !user.locked) {
            items[i].found = CHECK_REQUEST_OPEN;
        }
    }
    return e;
}

/* Takes an entry out of `followers` or `requests` whose follower does not exist. */
static enum err drop_follower(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    store_command(b, item->bucket, "ZREM", item->key, check_member(a, item), NULL);
    return check_ask(b);
}

enum err check_mend_relation(struct check *c, struct arena *a, const struct check_item *item)
{
    bool from_follower = item->look == LOOK_FOLLOWS || item->look == LOOK_ASKS;
    if (item->found == CHECK_RELATION_HALF || item->found == CHECK_REQUEST_OPEN) {
        return follow_mend(c->social, a, from_follower ? item->id : item->other,
                           from_follower ? item->other : item->id);
    }
    return from_follower ? follow_end(c->social, a, item->id, &item->other, 1) : drop_follower(c, a, item);
}

/* --- times --------------------------------------------------------------------------------------------------------- */

static enum err read_times(struct check *c, struct arena *a, const struct check_item *items, size_t count,
                           struct store_batch **out)
{
    struct store_batch *b = *out = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        store_command(b, items[i].bucket, "ZMSCORE", items[i].key, check_member(a, &items[i]), items[i].text, NULL);
    }
    return check_ask(b);
}

enum err check_look_times(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b;
    enum err e = read_times(c, a, items, count, &b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct store_reply *first = store_item(store_reply(b, i), 0), *second = store_item(store_reply(b, i), 1);
        bool same = first->type == STORE_STRING && strcmp(store_text(first), store_text(second)) == 0;
        items[i].found = same ? CHECK_RELATION_TIME : CHECK_NONE;
    }
    return e;
}

/* Gives the second entry the next free time. */
enum err check_mend_times(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b;
    enum err e = read_times(c, a, item, 1, &b);
    double time = e == ERR_OK ? strtod(store_text(store_item(store_reply(b, 0), 1)), NULL) : 0;
    bool free = false;
    while (e == ERR_OK && !free) {
        time += 1;
        const char *text = arena_printf(a, "%.0f", time);
        struct store_batch *ask = store_batch_new(c->social->store, a);
        store_command(ask, item->bucket, "ZCOUNT", item->key, text, text, NULL);
        e = check_ask(ask);
        free = e == ERR_OK && store_integer(store_reply(ask, 0)) == 0;
    }
    struct store_batch *set = store_batch_new(c->social->store, a);
    store_command(set, item->bucket, "ZADD", item->key, "XX", arena_printf(a, "%.0f", time), item->text, NULL);
    return e == ERR_OK ? check_ask(set) : e;
}
