/* check_ties.c - what people keep about others: what they want of those whom they follow, whom they recommend, what they
 * have noted. Threads: that of the check. */
#include "upkeep/check_look.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/follow.h"
#include "social/people/tie.h"
#include "store/store.h"

/* Whether an entry of `watchers` says that he is told. */
static bool is_watching(const struct store_reply *since)
{
    return since->type == STORE_STRING && store_text(since)[0] != '-';
}

/* Whether following him wants to be told of what he writes. */
static bool wants_telling(const struct store_reply *tie, const struct store_reply *following)
{
    return following->type == STORE_STRING && tie_parse(0, store_text(tie)).is_told;
}

/* An entry of `ties` or `endorsed`: of whom one may have it depends on following him; of a tie also on asking to. */
enum err check_look_ties(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        const char *other = id_text(a, items[i].other);
        check_entry_add(b, a, &items[i]);
        store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_FOLLOWING, items[i].id), other, NULL);
        store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_ASKED, items[i].id), other, NULL);
        store_command(b, id_bucket(items[i].other), "ZSCORE", key_id(a, KEY_WATCHERS, items[i].other),
                      id_text(a, items[i].id), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct store_reply *value = store_reply(b, 4 * i);
        bool here = check_entry_take(b, 4 * i, &items[i]), is_tie = items[i].in == KEY_TIES;
        bool stands = store_reply(b, 4 * i + 1)->type == STORE_STRING ||
                      (is_tie && store_reply(b, 4 * i + 2)->type == STORE_STRING);
        bool is_sound = stands && (!is_tie || tie_is_sound(store_text(value)));
        bool is_half =
            is_tie && wants_telling(value, store_reply(b, 4 * i + 1)) != is_watching(store_reply(b, 4 * i + 3));
        items[i].found = !here ? CHECK_NONE : !is_sound ? CHECK_TIE_STRANGE : is_half ? CHECK_TIE_HALF : CHECK_NONE;
    }
    return e;
}

enum err check_look_watchers(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        const char *own = id_text(a, items[i].id);
        unsigned there = id_bucket(items[i].other);
        check_entry_add(b, a, &items[i]);
        store_command(b, there, "HGET", key_id(a, KEY_TIES, items[i].other), own, NULL);
        store_command(b, there, "ZSCORE", key_id(a, KEY_FOLLOWING, items[i].other), own, NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool is_right =
            wants_telling(store_reply(b, 3 * i + 1), store_reply(b, 3 * i + 2)) || !is_watching(store_reply(b, 3 * i));
        items[i].found = is_right ? CHECK_NONE : CHECK_TIE_HALF;
    }
    return e;
}

enum err check_mend_tie(struct check *c, struct arena *a, const struct check_item *item)
{
    if (item->found != CHECK_TIE_HALF) {
        return check_mend_entry(c, a, item);
    }
    bool is_watcher = item->look == LOOK_WATCHER;
    return follow_mend(c->social, a, is_watcher ? item->other : item->id, is_watcher ? item->id : item->other);
}

enum err check_look_remarks(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    static const enum check_kind found[CHECK_USER_ALIVE] = {
        [CHECK_USER_NONE] = CHECK_REMARK_NOBODY, [CHECK_USER_DELETED] = CHECK_REMARK_DELETED};
    return check_look_entries_of_users(c, a, items, count, found);
}
