/* check_reactions.c - favourites, from both sides, bookmarks, muted conversations, and tags that are followed. The side of
 * whoever favourites is the truth (posts/react.c). Threads: that of the check.
 */
#include "upkeep/check_look.h"

#include <string.h>

#include "base/arena.h"
#include "base/entity_scan.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/posts/react.h"
#include "store/store.h"

/* Adds whether a post is there. */
static size_t post_there_add(struct store_batch *b, struct arena *a, uint64_t post)
{
    return store_command(b, id_bucket(post), "EXISTS", key_id(a, KEY_POST, post), NULL);
}

enum err check_look_favourited(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        post_there_add(b, a, items[i].other);
        store_command(b, id_bucket(items[i].other), "ZSCORE", key_id(a, KEY_FAVOURITES, items[i].other),
                      id_text(a, items[i].id), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = check_entry_take(b, 3 * i, &items[i]);
        bool posted = store_integer(store_reply(b, 3 * i + 1)) == 1;
        bool known = store_reply(b, 3 * i + 2)->type == STORE_STRING;
        items[i].found = !here     ? CHECK_NONE
                         : !posted ? CHECK_FAVOURITE_GONE
                         : !known  ? CHECK_FAVOURITE_HALF
                                   : CHECK_NONE;
    }
    return e;
}

/* Entries of `favourites`: of users, who know of it. */
enum err check_look_favourers(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    size_t *entries = arena_alloc(a, count * sizeof(*entries)), *users = arena_alloc(a, count * sizeof(*users));
    for (size_t i = 0; i < count; i++) {
        entries[i] = check_entry_add(b, a, &items[i]);
        store_command(b, id_bucket(items[i].other), "ZSCORE", key_id(a, KEY_FAVOURITED, items[i].other),
                      id_text(a, items[i].id), NULL);
        users[i] = check_user_add(c, b, items[i].other);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = check_entry_take(b, entries[i], &items[i]);
        bool known = store_reply(b, entries[i] + 1)->type == STORE_STRING;
        bool exists = check_user_take(c, b, users[i], items[i].other) != CHECK_USER_NONE;
        items[i].found = !here     ? CHECK_NONE
                         : !exists ? CHECK_FAVOURITE_NOBODY
                         : !known  ? CHECK_FAVOURITE_HALF
                                   : CHECK_NONE;
    }
    return e;
}

enum err check_mend_favourite(struct check *c, struct arena *a, const struct check_item *item)
{
    if (item->found != CHECK_FAVOURITE_HALF) {
        return check_mend_entry(c, a, item);
    }
    bool is_his = item->look == LOOK_FAVOURITED;
    return favourite_mend(c->social, a, is_his ? item->id : item->other, is_his ? item->other : item->id);
}

enum err check_look_favourites(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return check_look_belongings(c, a, items, count, KEY_POST, CHECK_FAVOURITE_GONE);
}

/* Nobody tells those who have put a post aside that it is gone: pages pass over it. */
enum err check_look_bookmarks(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        post_there_add(b, a, items[i].other);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = check_entry_take(b, 2 * i, &items[i]);
        bool posted = store_integer(store_reply(b, 2 * i + 1)) == 1;
        items[i].found = here && !posted ? CHECK_BOOKMARK_GONE : CHECK_NONE;
    }
    return e;
}

/* A tag that no post has may be followed, or shown on a profile, all the same. */
enum err check_look_interests(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        size_t length = strlen(items[i].text);
        const char *folded = entity_scan_fold(items[i].text, length, arena_alloc(a, length + 1));
        bool is_tag = entity_scan_is_tag(items[i].text, length) && strcmp(folded, items[i].text) == 0;
        bool here = check_entry_take(b, i, &items[i]);
        enum check_kind strange = items[i].in == KEY_FEATURED ? CHECK_FEATURED_STRANGE : CHECK_INTEREST_STRANGE;
        items[i].found = here && !is_tag ? strange : CHECK_NONE;
    }
    return e;
}

/* A conversation is there as long as its first post is, or an answer. */
enum err check_look_quiet(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        store_command(b, id_bucket(items[i].other), "EXISTS", key_id(a, KEY_POST, items[i].other),
                      key_id(a, KEY_THREAD, items[i].other), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = check_entry_take(b, 2 * i, &items[i]);
        bool lives = store_integer(store_reply(b, 2 * i + 1)) > 0;
        items[i].found = here && !lives ? CHECK_QUIET_GONE : CHECK_NONE;
    }
    return e;
}
