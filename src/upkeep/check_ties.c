/* check_ties.c - what people keep about others: what they want of those whom they follow, whom they recommend, what they
 * have noted. Threads: that of the check. */
#include "upkeep/check_look.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/tie.h"
#include "store/store.h"

/* An entry of `ties` or `endorsed`: of whom one may have it depends on following him; of a tie also on asking to. */
enum err check_look_ties(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        const char *other = id_text(a, items[i].other);
        check_entry_add(b, a, &items[i]);
        store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_FOLLOWING, items[i].id), other, NULL);
        store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_ASKED, items[i].id), other, NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct store_reply *value = store_reply(b, 3 * i);
        bool here = check_entry_take(b, 3 * i, &items[i]), is_tie = items[i].in == KEY_TIES;
        bool stands = store_reply(b, 3 * i + 1)->type == STORE_STRING ||
                      (is_tie && store_reply(b, 3 * i + 2)->type == STORE_STRING);
        bool is_sound = stands && (!is_tie || tie_is_sound(store_text(value)));
        items[i].found = here && !is_sound ? CHECK_TIE_STRANGE : CHECK_NONE;
    }
    return e;
}

enum err check_look_remarks(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    static const enum check_kind found[CHECK_USER_ALIVE] = {
        [CHECK_USER_NONE] = CHECK_REMARK_NOBODY, [CHECK_USER_DELETED] = CHECK_REMARK_DELETED};
    return check_look_entries_of_users(c, a, items, count, found);
}
