/* check_apart.c - blocks and mutes: that each says something, that both sides of a block know of it, and that nobody
 * follows across one. The side of who blocks is the truth (apart.c). Threads: that of the check.
 */
#include "upkeep/check_look.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/apart.h"
#include "store/calls.h"
#include "store/store.h"

#define BLOCK_MARKS "bB"

/* Letters in their order, each once, and an end only of a mute. */
static bool apart_is_sound(const char *value)
{
    const char *at = value;
    at += *at == 'b';
    at += *at == 'B';
    if (*at == 'm') {
        at += at[1] == 'n' ? 2 : 1;
        if (*at == ':') {
            size_t digits = strspn(at + 1, "0123456789");
            at += digits ? 1 + digits : 0;
        }
    }
    return at > value && *at == '\0';
}

static bool has_mark(const struct store_reply *value, char mark)
{
    return strchr(store_text(value), mark) != NULL;
}

static bool is_half(const struct store_reply *here, const struct store_reply *there)
{
    return has_mark(here, 'b') != has_mark(there, 'B') || has_mark(here, 'B') != has_mark(there, 'b');
}

/* `r` are the value here, that of the other, and whether this one follows the other and is followed by him. */
static enum check_kind judge_apart(const struct check_item *item, const struct store_batch *b, size_t r,
                                   enum check_user other)
{
    const struct store_reply *here = store_reply(b, r);
    bool is_block = strpbrk(store_text(here), BLOCK_MARKS) != NULL;
    bool follows = store_reply(b, r + 2)->type == STORE_STRING || store_reply(b, r + 3)->type == STORE_STRING;
    if (here->type != STORE_STRING) {
        return CHECK_NONE;
    }
    if (!apart_is_sound(store_text(here)) || item->other == item->id) {
        return CHECK_APART_DAMAGED;
    }
    if (other != CHECK_USER_ALIVE) {
        return other == CHECK_USER_NONE || is_block ? CHECK_APART_NOBODY : CHECK_APART_DELETED;
    }
    return is_half(here, store_reply(b, r + 1)) ? CHECK_APART_HALF
           : is_block && follows                ? CHECK_APART_FOLLOWS
                                                : CHECK_NONE;
}

/* What a deleted user has is found by the purge; what lies there of nobody is another matter. */
enum err check_look_apart(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    size_t *firsts = arena_alloc(a, count * sizeof(*firsts));
    size_t *others = arena_alloc(a, count * sizeof(*others)), *owners = arena_alloc(a, count * sizeof(*owners));
    for (size_t i = 0; i < count; i++) {
        const char *id = id_text(a, items[i].id), *other = id_text(a, items[i].other);
        firsts[i] = check_entry_add(b, a, &items[i]);
        store_command(b, id_bucket(items[i].other), "HGET", key_id(a, KEY_APART, items[i].other), id, NULL);
        store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_FOLLOWING, items[i].id), other, NULL);
        store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_FOLLOWERS, items[i].id), other, NULL);
        others[i] = check_user_add(c, b, items[i].other);
        owners[i] = check_user_add(c, b, items[i].id);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        enum check_user other = check_user_take(c, b, others[i], items[i].other);
        bool owned = check_user_take(c, b, owners[i], items[i].id) == CHECK_USER_ALIVE;
        items[i].found = owned ? judge_apart(&items[i], b, firsts[i], other) : CHECK_NONE;
    }
    return e;
}

static enum err mend_half(struct check *c, struct arena *a, const struct check_item *item)
{
    enum err e = apart_mend(c->social, a, item->id, item->other);
    return e == ERR_OK ? apart_mend(c->social, a, item->other, item->id) : e;
}

enum err check_mend_apart(struct check *c, struct arena *a, const struct check_item *item)
{
    if (item->found == CHECK_APART_HALF) {
        return mend_half(c, a, item);
    }
    if (item->found == CHECK_APART_FOLLOWS) {
        enum err e = follow_end(c->social, a, item->id, &item->other, 1);
        return e == ERR_OK ? follow_end(c->social, a, item->other, &item->id, 1) : e;
    }
    struct store_batch *b = store_batch_new(c->social->store, a);
    script_apart_forget_add(b, &(struct script_apart_forget){item->id, item->other});
    return check_ask(b);
}
