/* follow_item.c - see follow_item.h. Any thread. */
#include "social/people/follow_item.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/user.h"
#include "store/store.h"

static void take_found(const struct user *u, uint64_t self, struct follow_item *item)
{
    item->name = u->name;
    item->uid = u->id;
    item->result = u->id == self ? FOLLOW_SELF : FOLLOW_UNCHANGED;
    item->is_locked = u->is_locked;
}

/* Whether the process remembers all of them, and something is to be done. */
static bool recall_all(struct social *s, struct arena *a, uint64_t self, struct follow_item *items, size_t count)
{
    struct user *found = arena_alloc(a, (count + 1) * sizeof(*found));
    bool acts = false;
    for (size_t i = 0; i < count; i++) {
        bool is_there = items[i].uid ? user_cache_get(s, a, items[i].uid, &found[i]) && !found[i].is_deleted
                                     : user_recall_named(s, a, items[i].name, &found[i]);
        if (!is_there) {
            return false;
        }
        acts = acts || found[i].id != self;
    }
    for (size_t i = 0; acts && i < count; i++) {
        take_found(&found[i], self, &items[i]);
    }
    return acts;
}

/* Looks the names up and takes the limit. */
static enum err find_counted(struct social *s, struct arena *a, uint64_t self, struct follow_item *items, size_t count,
                             const struct script_limit *limit, struct problems *p)
{
    const struct user_page none = {.what = USER_FIND_WHAT_NONE};
    struct store_batch *b = social_batch(s, a);
    size_t *replies = arena_alloc(a, (count + 1) * sizeof(*replies)), counted = limit_add(b, limit);
    for (size_t i = 0; i < count; i++) {
        replies[i] = user_name_is_valid(items[i].name) ? user_find_add(b, items[i].name, &none) : SIZE_MAX;
    }
    enum err e = store_run(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct user u = {0};
        items[i].uid = 0;
        items[i].result = FOLLOW_UNKNOWN;
        if (replies[i] != SIZE_MAX && user_find_take(s, b, replies[i], &u, NULL, NULL) == ERR_OK) {
            take_found(&u, self, &items[i]);
        }
    }
    return e == ERR_OK && limit_refuses(store_reply(b, counted), p) ? ERR_TOO_MANY : e;
}

enum err follow_find(struct social *s, struct arena *a, const struct actor *by, enum action what,
                     struct follow_item *items, size_t count, struct script_limit *limit, struct problems *p)
{
    *limit = action_limit(s, what, by, (unsigned)count);
    if (recall_all(s, a, by->uid, items, count)) {
        return ERR_OK;
    }
    enum err e = find_counted(s, a, by->uid, items, count, limit, p);
    *limit = limit_ask_user(s, LIMIT_NONE, by->uid, 0);
    return e;
}

enum err follow_limited(enum answer answer, int64_t wait_ms, struct problems *p)
{
    if (answer != ANSWER_LIMITED) {
        return ERR_OK;
    }
    limit_note(wait_ms, p);
    return ERR_TOO_MANY;
}

void follow_mark(struct follow_item *items, size_t count, const struct store_reply *uids, enum follow_result result)
{
    for (size_t c = 0; c < uids->count; c++) {
        uint64_t uid = id_parse(store_text(&uids->items[c]));
        for (size_t i = 0; i < count; i++) {
            if (items[i].uid == uid && items[i].result == FOLLOW_UNCHANGED) {
                items[i].result = result;
                break;
            }
        }
    }
}
