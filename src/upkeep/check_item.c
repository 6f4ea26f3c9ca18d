/* check_item.c - see check_item.h. */
#include "upkeep/check_item.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "store/record.h"
#include "store/store.h"

/* A wrong key may be in the way of every other look. */
enum err check_ask(struct store_batch *b)
{
    enum err e = store_run(b);
    bool other = false;
    for (size_t i = 0; e == ERR_PROTOCOL && i < store_batch_count(b) && !other; i++) {
        const struct store_reply *r = store_reply(b, i);
        other = r->type == STORE_ERROR && strncmp(r->text, "WRONGTYPE", 9) != 0;
    }
    return e == ERR_PROTOCOL && !other ? ERR_OK : e;
}

/* --- the report ----------------------------------------------------------------------------------------------------
 * */

static const char *describe(struct arena *a, const struct check_item *item)
{
    switch (item->look) {
    case LOOK_TIMES:
        return arena_printf(a, "%s: %llu, %s", item->key, (unsigned long long)item->other, item->text);
    case LOOK_LOGIN:
    case LOOK_NOTICE:
    case LOOK_TALK:
    case LOOK_NAMING:
    case LOOK_TAGNAME:
    case LOOK_WORD:
    case LOOK_STRANGE:
        return arena_printf(a, "%s: %.64s", item->key, item->text);
    default:
        return item->other ? arena_printf(a, "%s: %llu", item->key, (unsigned long long)item->other)
                           : arena_dup(a, item->key);
    }
}

void check_note(struct check *c, const struct check_item *item)
{
    struct check_report *r = c->report;
    uint64_t n = r->kinds[item->found].count++;
    if (n < CHECK_EXAMPLES) {
        r->kinds[item->found].examples[n] = describe(c->report_arena, item);
    }
}

/* --- who exists ----------------------------------------------------------------------------------------------------
 * */

static uint64_t *alive_slot(struct check *c, uint64_t uid)
{
    return &c->alive[(uid * 0x9E3779B97F4A7C15u >> 40) & (CHECK_ALIVE_SLOTS - 1)];
}

size_t check_user_add(struct check *c, struct store_batch *b, uint64_t uid)
{
    if (uid == 0 || (!c->again && *alive_slot(c, uid) == uid)) {
        return SIZE_MAX;
    }
    return record_ask(b, RECORD_USER, uid, USER_NAME | USER_DELETED);
}

enum check_user check_user_take(struct check *c, const struct store_batch *b, size_t reply, uint64_t uid)
{
    if (reply == SIZE_MAX) {
        return uid ? CHECK_USER_ALIVE : CHECK_USER_NONE;
    }
    struct record_user user;
    record_user_take(store_reply(b, reply), USER_NAME | USER_DELETED, &user);
    if (!*user.name) {
        return CHECK_USER_NONE;
    }
    if (user.deleted) {
        return CHECK_USER_DELETED;
    }
    *alive_slot(c, uid) = uid;
    return CHECK_USER_ALIVE;
}

/* --- entries and keys in general -----------------------------------------------------------------------------------
 * */

bool check_has_text(enum look look)
{
    return look == LOOK_LOGIN || look == LOOK_NOTICE || look == LOOK_TALK || look == LOOK_NAMING ||
           look == LOOK_TAGNAME || look == LOOK_WORD || look == LOOK_INTEREST || look == LOOK_STRANGE;
}

bool check_is_list(enum key k)
{
    return strcmp(key_info(k)->type, "list") == 0;
}

bool check_is_hash(enum key k)
{
    return strcmp(key_info(k)->type, "hash") == 0;
}

/* Sorted sets that are ordered by id have all scores 0. */
static bool is_ordered_by_id(enum key k)
{
    return k == KEY_USERS || k == KEY_POSTS || k == KEY_DIRECTS || k == KEY_LISTS || k == KEY_TAG || k == KEY_REPLIES ||
           k == KEY_THREAD || k == KEY_BOOSTED || k == KEY_PEOPLE || k == KEY_TAGNAMES;
}

const char *check_member(struct arena *a, const struct check_item *item)
{
    if (check_has_text(item->look) || item->in == KEY_THREAD || item->in == KEY_BOOSTED) {
        return item->text;
    }
    return id_text(a, item->other);
}

size_t check_entry_add(struct store_batch *b, struct arena *a, const struct check_item *item)
{
    const char *command = check_is_list(item->in) ? "LPOS" : check_is_hash(item->in) ? "HGET" : "ZSCORE";
    return store_command(b, item->bucket, command, item->key, check_member(a, item), NULL);
}

bool check_entry_take(const struct store_batch *b, size_t reply, struct check_item *item)
{
    const struct store_reply *r = store_reply(b, reply);
    bool disordered = is_ordered_by_id(item->in) && r->type == STORE_STRING && strcmp(r->text, "0") != 0;
    item->found = disordered ? CHECK_MEMBER_SCORE : CHECK_NONE;
    return r->type == STORE_STRING || r->type == STORE_INTEGER;
}

/* --- sorts of looks that several files need ---------------------------------------------------------------------- */

enum err check_look_entries_of_users(struct check *c, struct arena *a, struct check_item *items, size_t count,
                                     const enum check_kind found[CHECK_USER_ALIVE])
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    size_t *users = arena_alloc(a, count * sizeof(*users)), *entries = arena_alloc(a, count * sizeof(*entries));
    for (size_t i = 0; i < count; i++) {
        entries[i] = check_entry_add(b, a, &items[i]);
        users[i] = check_user_add(c, b, items[i].other);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        enum check_user user = check_user_take(c, b, users[i], items[i].other);
        bool here = check_entry_take(b, entries[i], &items[i]);
        items[i].found = here && user != CHECK_USER_ALIVE ? found[user] : CHECK_NONE;
    }
    return e;
}

enum err check_look_belongings(struct check *c, struct arena *a, struct check_item *items, size_t count,
                               enum key record, enum check_kind orphan)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        store_command(b, items[i].bucket, "EXISTS", items[i].key, NULL);
        store_command(b, items[i].bucket, "EXISTS", key_id(a, record, items[i].id), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = store_integer(store_reply(b, 2 * i)) == 1, owned = store_integer(store_reply(b, 2 * i + 1)) == 1;
        items[i].found = here && !owned ? orphan : CHECK_NONE;
    }
    return e;
}
