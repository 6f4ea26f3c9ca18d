/* check_boosts.c - boosts, from both sides, and pins. The side of whoever boosts is the truth (posts/boost.c). Threads:
 * that of the check.
 */
#include "upkeep/check_look.h"

#include "base/arena.h"
#include "base/id.h"
#include "social/core/event.h"
#include "social/core/social.h"
#include "social/posts/boost.h"
#include "social/posts/marks.h"
#include "social/posts/post.h"
#include "store/record.h"
#include "store/store.h"

#define BOOST_READ (POST_AUTHOR | POST_BOOST)

/* The fields of a boost; boost 0: it is none. */
static struct record_post boost_of(const struct store_batch *b, size_t reply)
{
    struct record_post post;
    record_post_take(store_reply(b, reply), BOOST_READ, &post);
    return post;
}

/* Whether the boosts of a post's author have it, if it is one. */
enum err check_look_boost(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *first = store_batch_new(c->social->store, a), *second = store_batch_new(c->social->store, a);
    size_t *replies = arena_alloc(a, count * sizeof(*replies));
    for (size_t i = 0; i < count; i++) {
        record_ask_at(first, items[i].bucket, items[i].key, RECORD_POST, BOOST_READ);
    }
    enum err e = check_ask(first);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct record_post post = boost_of(first, i);
        bool is_boost = post.boost && id_bucket(post.author) == id_bucket(items[i].id);
        replies[i] = is_boost ? marks_boost_add(second, a, post.author, post.boost) : SIZE_MAX;
    }
    e = e == ERR_OK ? check_ask(second) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        uint64_t listed = replies[i] == SIZE_MAX ? items[i].id : marks_boost_take(store_reply(second, replies[i]));
        items[i].found = listed == items[i].id ? CHECK_NONE : listed ? CHECK_BOOST_TWICE : CHECK_BOOST_UNLISTED;
    }
    return e;
}

enum err check_look_boosted(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        record_ask(b, RECORD_POST, marks_boost_parse(items[i].text).boost, BOOST_READ);
        store_command(b, id_bucket(items[i].other), "EXISTS", key_id(a, KEY_POST, items[i].other), NULL);
        store_command(b, id_bucket(items[i].other), "ZSCORE", key_id(a, KEY_BOOSTS, items[i].other),
                      id_text(a, items[i].id), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = check_entry_take(b, 4 * i, &items[i]);
        const struct record_post boost = boost_of(b, 4 * i + 1);
        bool is_his = boost.author == items[i].id && boost.boost == items[i].other;
        bool posted = store_integer(store_reply(b, 4 * i + 2)) == 1;
        bool known = store_reply(b, 4 * i + 3)->type == STORE_STRING;
        items[i].found = !here     ? CHECK_NONE
                         : !is_his ? CHECK_BOOST_STRANGER
                         : !posted ? CHECK_BOOST_GONE
                         : !known  ? CHECK_BOOST_HALF
                                   : items[i].found;
    }
    return e;
}

enum err check_look_boosts(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return check_look_belongings(c, a, items, count, KEY_POST, CHECK_BOOST_GONE);
}

/* Entries of `boosts`: of users, who know of it. */
enum err check_look_boosters(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    size_t *entries = arena_alloc(a, count * sizeof(*entries)), *users = arena_alloc(a, count * sizeof(*users));
    for (size_t i = 0; i < count; i++) {
        entries[i] = check_entry_add(b, a, &items[i]);
        marks_boost_add(b, a, items[i].other, items[i].id);
        users[i] = check_user_add(c, b, items[i].other);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool here = check_entry_take(b, entries[i], &items[i]);
        bool known = marks_boost_take(store_reply(b, entries[i] + 1)) != 0;
        bool exists = check_user_take(c, b, users[i], items[i].other) != CHECK_USER_NONE;
        items[i].found = !here ? CHECK_NONE : !exists ? CHECK_BOOST_NOBODY : !known ? CHECK_BOOST_HALF : CHECK_NONE;
    }
    return e;
}

/* The post is his, for all, and no boost. */
enum err check_look_pins(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        record_ask(b, RECORD_POST, items[i].other, POST_SHOWN);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_post record;
        struct post post;
        bool here = check_entry_take(b, 2 * i, &items[i]);
        record_post_take(store_reply(b, 2 * i + 1), POST_SHOWN, &record);
        post_from_record(a, items[i].other, &record, &post);
        bool is_good = record.author == items[i].id && post_is_for_all(&post) && !post.boost;
        items[i].found = here && !is_good ? CHECK_PIN_STRANGER : CHECK_NONE;
    }
    return e;
}

/* --- mending -------------------------------------------------------------------------------------------------------
 * */

/* Puts a boost among its author's, or takes away one of two. */
static enum err mend_listing(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *read = store_batch_new(c->social->store, a), *b = store_batch_new(c->social->store, a);
    record_ask_at(read, item->bucket, item->key, RECORD_POST, BOOST_READ);
    enum err e = check_ask(read);
    const struct record_post post = boost_of(read, 0);
    if (e != ERR_OK || !post.boost) {
        return e;
    }
    if (item->found == CHECK_BOOST_UNLISTED) {
        store_command(b, item->bucket, "ZADD", key_id(a, KEY_BOOSTED, post.author), "0",
                      marks_boost_entry(a, post.boost, item->id), NULL);
    } else {
        store_command(b, item->bucket, "DEL", item->key, NULL);
        store_command(b, item->bucket, "ZREM", key_id(a, KEY_POSTS, post.author), id_text(a, item->id), NULL);
        event_add(c->social, b, a, EVENT_POST, item->id);
    }
    e = check_ask(b);
    return e == ERR_OK ? boost_mend(c->social, a, post.author, post.boost) : e;
}

enum err check_mend_boost(struct check *c, struct arena *a, const struct check_item *item)
{
    switch (item->found) {
    case CHECK_BOOST_UNLISTED:
    case CHECK_BOOST_TWICE:
        return mend_listing(c, a, item);
    case CHECK_BOOST_HALF:
    case CHECK_BOOST_GONE:
        return item->look == LOOK_BOOSTED ? boost_mend(c->social, a, item->id, item->other)
                                          : boost_mend(c->social, a, item->other, item->id);
    default:
        return check_mend_entry(c, a, item);
    }
}
