/* check_posts.c - post records and their authors' posts. Threads: that of the check. */
#include "upkeep/check_look.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/posts/post.h"
#include "store/record.h"
#include "store/store.h"

/* --- posts ---------------------------------------------------------------------------------------------------------
 * */

#define POST_OWNED (POST_AUTHOR | POST_TEXT | POST_VISIBILITY)

/* Where the author has it among his own. */
static enum key own_of(const struct record_post *post)
{
    bool is_direct = post_visibility_of(post->visibility) == VISIBILITY_DIRECT;
    return is_direct ? KEY_DIRECTS : KEY_POSTS;
}

static enum err read_authors(struct check *c, struct arena *a, const struct check_item *items, size_t count,
                             struct store_batch **out)
{
    struct store_batch *b = *out = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        record_ask_at(b, items[i].bucket, items[i].key, RECORD_POST, POST_OWNED);
        store_command(b, items[i].bucket, "EXISTS", items[i].key, NULL);
    }
    return check_ask(b);
}

/* The author of a record, 0 when it has none, no text, or one who cannot have written it; and where he has it. */
static uint64_t author_of(const struct store_batch *b, size_t i, uint64_t post, enum key *own)
{
    struct record_post record;
    record_post_take(store_reply(b, 2 * i), POST_OWNED, &record);
    *own = own_of(&record);
    bool has_text = store_item(store_reply(b, 2 * i), 1)->type != STORE_NIL; /* be it empty */
    return has_text && id_bucket(record.author) == id_bucket(post) ? record.author : 0;
}

static enum check_kind judge_post(enum check_user author, bool listed)
{
    if (author == CHECK_USER_NONE) {
        return CHECK_POST_OWNERLESS;
    }
    if (listed) {
        return CHECK_NONE; /* of a deleted author: the purge takes it away */
    }
    return author == CHECK_USER_DELETED ? CHECK_POST_OWNERLESS : CHECK_POST_UNLISTED;
}

enum err check_look_posts(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *first;
    enum err e = read_authors(c, a, items, count, &first);
    struct store_batch *b = store_batch_new(c->social->store, a);
    uint64_t *authors = arena_alloc(a, count * sizeof(*authors));
    size_t *users = arena_alloc(a, count * sizeof(*users)), *entries = arena_alloc(a, count * sizeof(*entries));
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        char digits[ID_SIZE];
        enum key own;
        authors[i] = author_of(first, i, items[i].id, &own);
        users[i] = check_user_add(c, b, authors[i]);
        entries[i] = store_command(b, items[i].bucket, "ZSCORE", key_id(a, own, authors[i] ? authors[i] : items[i].id),
                                   id_write(items[i].id, digits), NULL);
    }
    e = e == ERR_OK ? check_ask(b) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool exists = store_integer(store_reply(first, 2 * i + 1)) == 1;
        bool listed = store_reply(b, entries[i])->type == STORE_STRING;
        enum check_user author = check_user_take(c, b, users[i], authors[i]);
        items[i].found = !exists ? CHECK_NONE : authors[i] ? judge_post(author, listed) : CHECK_POST_DAMAGED;
    }
    return e;
}

/* Adds the post to its author's. If it was deleted meanwhile, so is the entry: whichever came first. */
static enum err list_post(struct check *c, struct arena *a, const struct check_item *item,
                          const struct record_post *post)
{
    char digits[ID_SIZE];
    const char *posts = key_id(a, own_of(post), post->author);
    struct store_batch *b = store_batch_new(c->social->store, a);
    store_command(b, item->bucket, "ZADD", posts, "0", id_write(item->id, digits), NULL);
    size_t exists = store_command(b, item->bucket, "EXISTS", item->key, NULL);
    enum err e = check_ask(b);
    if (e == ERR_OK && store_integer(store_reply(b, exists)) == 0) {
        struct store_batch *undo = store_batch_new(c->social->store, a);
        store_command(undo, item->bucket, "ZREM", posts, digits, NULL);
        e = check_ask(undo);
    }
    return e;
}

enum err check_mend_post(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *read;
    char digits[ID_SIZE];
    enum err e = read_authors(c, a, item, 1, &read);
    struct record_post record = {.author = 0, .visibility = ""};
    if (e == ERR_OK) {
        record_post_take(store_reply(read, 0), POST_OWNED, &record);
    }
    uint64_t author = record.author;
    if (e == ERR_OK && item->found == CHECK_POST_UNLISTED) {
        return list_post(c, a, item, &record);
    }
    struct store_batch *b = store_batch_new(c->social->store, a);
    store_command(b, item->bucket, "DEL", item->key, NULL);
    if (id_bucket(author) == item->bucket) {
        store_command(b, item->bucket, "ZREM", key_id(a, own_of(&record), author), id_write(item->id, digits), NULL);
    }
    event_add(c->social, b, a, EVENT_POST, item->id);
    return e == ERR_OK ? check_ask(b) : e;
}

enum err check_look_own(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        record_ask(b, RECORD_POST, items[i].other, POST_OWNED);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (!check_entry_take(b, 2 * i, &items[i])) {
            continue;
        }
        struct record_post post;
        if (!record_post_take(store_reply(b, 2 * i + 1), POST_OWNED, &post)) {
            items[i].found = CHECK_POST_MISSING;
        } else if (post.author != items[i].id || own_of(&post) != items[i].in) {
            items[i].found = CHECK_POST_STRANGER;
        }
    }
    return e;
}

/* Only a mark that lies behind is a fault: one that is ahead just costs a needless question. */
enum err check_look_posted(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        script_posted_check_add(b, &(struct script_posted_check){.bucket = items[i].bucket});
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        items[i].found = script_answer(store_reply(b, i)) == ANSWER_CHANGED ? CHECK_POSTED_WRONG : CHECK_NONE;
    }
    return e;
}

enum err check_look_newest(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        store_command(b, items[i].bucket, "GET", items[i].key, NULL);
        store_command(b, items[i].bucket, "ZRANGE", key_id(a, KEY_POSTS, items[i].id), "+", "-", "BYLEX", "REV",
                      "LIMIT", "0", "1", NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct store_reply *mark = store_reply(b, 2 * i);
        uint64_t newest = id_parse(store_text(store_item(store_reply(b, 2 * i + 1), 0)));
        bool behind = mark->type == STORE_STRING && id_parse(mark->text) < newest;
        items[i].found = behind ? CHECK_NEWEST_BEHIND : CHECK_NONE;
    }
    return e;
}
