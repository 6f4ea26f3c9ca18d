/* check_lists.c - lists of people: whose they are, and who is on them. Threads: that of the check. */
#include "upkeep/check_look.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "store/record.h"
#include "store/store.h"

/* --- the list ------------------------------------------------------------------------------------------------------ */

/* Reads of each list first its record, then its owner and his lists. */
static enum err read_records(struct check *c, struct arena *a, const struct check_item *items, size_t count,
                             struct store_batch **out)
{
    struct store_batch *b = *out = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        record_ask_at(b, items[i].bucket, items[i].key, RECORD_LIST, LIST_SHOWN);
        store_command(b, items[i].bucket, "EXISTS", items[i].key, NULL);
    }
    return check_ask(b);
}

/* The owner of the i-th; 0 when there is none, or one who cannot have it. */
static uint64_t owner_of(const struct store_batch *b, size_t i, uint64_t list)
{
    struct record_list record;
    record_list_take(store_reply(b, 2 * i), LIST_SHOWN, &record);
    return record.owner && id_bucket(record.owner) == id_bucket(list) ? record.owner : 0;
}

static bool has_title(const struct store_batch *b, size_t i)
{
    struct record_list record;
    record_list_take(store_reply(b, 2 * i), LIST_SHOWN, &record);
    return *record.title != '\0';
}

/* The purge takes away a deleted owner's lists if they are listed. */
static enum check_kind list_judge(enum check_user owner, bool listed, bool titled)
{
    if (owner == CHECK_USER_NONE || (owner == CHECK_USER_DELETED && !listed)) {
        return CHECK_LIST_OWNERLESS;
    }
    return !listed ? CHECK_LIST_UNLISTED : !titled ? CHECK_LIST_UNTITLED : CHECK_NONE;
}

enum err check_look_lists(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *records, *b = store_batch_new(c->social->store, a);
    size_t *users = arena_alloc(a, count * sizeof(*users)), *entries = arena_alloc(a, count * sizeof(*entries));
    enum err e = read_records(c, a, items, count, &records);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        char digits[ID_SIZE];
        uint64_t owner = owner_of(records, i, items[i].id);
        users[i] = check_user_add(c, b, owner);
        entries[i] = store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_LISTS, owner ? owner : items[i].id),
                                   id_write(items[i].id, digits), NULL);
    }
    e = e == ERR_OK ? check_ask(b) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool exists = store_integer(store_reply(records, 2 * i + 1)) == 1;
        enum check_user owner = check_user_take(c, b, users[i], owner_of(records, i, items[i].id));
        bool listed = store_reply(b, entries[i])->type == STORE_STRING;
        items[i].found = exists ? list_judge(owner, listed, has_title(records, i)) : CHECK_NONE;
    }
    return e;
}

enum err check_mend_list(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *records, *b = store_batch_new(c->social->store, a);
    enum err e = read_records(c, a, item, 1, &records);
    uint64_t owner = e == ERR_OK ? owner_of(records, 0, item->id) : 0;
    char digits[ID_SIZE];
    id_write(item->id, digits);
    if (item->found == CHECK_LIST_OWNERLESS) {
        store_command(b, item->bucket, "UNLINK", item->key, key_id(a, KEY_MEMBERS, item->id), NULL);
    } else if (item->found == CHECK_LIST_UNTITLED) {
        record_put_at(b, item->bucket, item->key, RECORD_LIST, &(struct record_list){.title = digits});
    } else if (owner) {
        store_command(b, item->bucket, "ZADD", key_id(a, KEY_LISTS, owner), "0", digits, NULL);
    }
    return e == ERR_OK ? check_ask(b) : e;
}

enum err check_look_listings(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        record_ask(b, RECORD_LIST, items[i].other, LIST_OWNER);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (check_entry_take(b, 2 * i, &items[i])) {
            struct record_list list;
            record_list_take(store_reply(b, 2 * i + 1), LIST_OWNER, &list);
            bool his = list.owner == items[i].id && id_bucket(items[i].other) == items[i].bucket;
            items[i].found = his ? items[i].found : CHECK_LIST_MISSING;
        }
    }
    return e;
}

/* --- who is on it -------------------------------------------------------------------------------------------------- */

enum err check_look_memberships(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return check_look_belongings(c, a, items, count, KEY_LIST, CHECK_MEMBERS_ORPHAN);
}

/* A deleted user stays on other people's lists until they are looked at. */
enum err check_look_members(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    static const enum check_kind found[] = {CHECK_MEMBER_NOBODY, CHECK_MEMBER_DELETED};
    return check_look_entries_of_users(c, a, items, count, found);
}
