/* check_index.c - the lists derived from posts and users: public timeline, tags, replies, newest users. Finds entries
 * that do not belong there, and posts and users that are missing.
 *
 * These lists are cut to their newest entries, and a list that was cut and then lost entries to deletions does not get
 * the older ones back: so only something newer than its oldest entry can be missing. Lists in order of arrival were cut
 * in that order, which is only nearly that of the ids: in a long one, entries that would be hardly newer are not looked
 * for.
 *
 * Threads: that of the check.
 */
#include "upkeep/check_look.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/notices/notice.h"
#include "social/people/endorse.h"
#include "social/people/interest.h"
#include "social/people/user.h"
#include "social/timelines/fanout.h"
#include "social/timelines/fanout_parts.h"
#include "social/timelines/suggested.h"
#include "social/timelines/tag_trends.h"
#include "social/timelines/timeline.h"
#include "store/calls.h"
#include "store/record.h"
#include "store/store.h"
#include "social/posts/featured.h"
#include "social/posts/popular.h"
#include "social/posts/marks.h"
#include "social/posts/tags.h"
#include "social/posts/thread.h"

/* --- entries -------------------------------------------------------------------------------------------------------
 * */

static enum visibility visibility_of(const struct record_post *post)
{
    return *post->visibility ? post_visibility_of(post->visibility) : VISIBILITY_PUBLIC;
}

static bool is_for_strangers(const struct record_post *post)
{
    return visibility_of(post) == VISIBILITY_PUBLIC && !post->boost;
}

static bool is_for_all(const struct record_post *post)
{
    return is_for_strangers(post) || visibility_of(post) == VISIBILITY_UNLISTED;
}

/* Whether it is to be counted among the replies of what it answers. */
static bool is_counted(const struct record_post *post)
{
    return post->reply_to && is_for_all(post);
}

/* How a reply stands in its conversation. */
static const char *member_of(struct arena *a, uint64_t id, const struct record_post *post)
{
    const struct thread_entry entry = {id, post->reply_to, post->author, !is_for_all(post)};
    return thread_member(a, &entry);
}

/* Whether a post may be in the list: it is public, answers that post, is of that conversation and says so, or has that
 * tag. */
static bool belongs(struct arena *a, const struct check_item *item, const struct record_post *post)
{
    struct key_parts parts;
    switch (item->in) {
    case KEY_REPLIES:
        return post->reply_to == item->id && is_counted(post);
    case KEY_THREAD:
        return post->thread == item->id && strcmp(item->text, member_of(a, item->other, post)) == 0;
    case KEY_TIMELINE:
        return is_for_strangers(post);
    case KEY_TAG:
        return is_for_strangers(post) && key_parse(item->key, &parts) &&
               tags_have(tags_of(a, post->text, strlen(post->text)), parts.text);
    default:
        return true;
    }
}

#define POST_INDEXED (POST_AUTHOR | POST_TEXT | POST_REPLY_TO | POST_THREAD | POST_VISIBILITY | POST_BOOST)

/* The fields of a post that decide its indexes; author 0: there is no such post. */
static struct record_post post_of(const struct store_batch *b, size_t reply)
{
    struct record_post post;
    record_post_take(store_reply(b, reply), POST_INDEXED, &post);
    return post;
}

enum err check_look_index(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        record_ask(b, RECORD_POST, items[i].other, POST_INDEXED);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (!check_entry_take(b, 2 * i, &items[i])) {
            continue;
        }
        const struct record_post post = post_of(b, 2 * i + 1);
        if (!post.author) {
            items[i].found = CHECK_INDEX_GONE;
        } else if (!belongs(a, &items[i], &post)) {
            items[i].found = CHECK_INDEX_STRANGER;
        }
    }
    return e;
}

/* --- what is missing -----------------------------------------------------------------------------------------------
 * */

/* Whether an id should be in this list and is not. An empty list may have lost all of its newest to deletions. */
static bool list_lacks(const struct timeline_ids *list, size_t size, uint64_t id)
{
    if (list->count == 0) {
        return false;
    }
    uint64_t oldest = list->ids[list->count - 1], disorder = list->count < size / 2 ? 0 : SOCIAL_DISORDER_MS;
    return id > oldest && id_ms(id) >= id_ms(oldest) + disorder &&
           !bsearch(&id, list->ids, list->count, sizeof(id), id_newest_first);
}

/* The questions of a post to tags and replies: replies of a batch. */
struct indexes {
    size_t first, tags; /* per tag: its score there, and the oldest there */
    size_t parent;      /* exists, and the score among its replies; SIZE_MAX: answers nothing */
    size_t thread;      /* the score in its conversation; SIZE_MAX: in none */
};

static struct indexes indexes_add(struct store_batch *b, struct arena *a, uint64_t id, const struct record_post *post)
{
    char digits[ID_SIZE];
    struct indexes x = {.first = store_batch_count(b), .parent = SIZE_MAX, .thread = SIZE_MAX};
    id_write(id, digits);
    const char *tags = is_for_strangers(post) ? tags_of(a, post->text, strlen(post->text)) : "";
    for (const char *tag; (tag = tags_next(a, &tags)); x.tags++) {
        const char *key = key_text(a, KEY_TAG, tag);
        store_command(b, key_text_bucket(tag), "ZSCORE", key, digits, NULL);
        store_command(b, key_text_bucket(tag), "ZRANGE", key, "0", "0", NULL);
    }
    uint64_t parent = post->reply_to;
    if (is_counted(post)) {
        x.parent = store_command(b, id_bucket(parent), "EXISTS", key_id(a, KEY_POST, parent), NULL);
        store_command(b, id_bucket(parent), "ZSCORE", key_id(a, KEY_REPLIES, parent), digits, NULL);
    }
    if (post->thread) {
        x.thread = store_command(b, id_bucket(post->thread), "ZSCORE", key_id(a, KEY_THREAD, post->thread),
                                 member_of(a, id, post), NULL);
    }
    return x;
}

static bool indexes_lack(const struct store_batch *b, const struct indexes *x, uint64_t id)
{
    bool lacks = false;
    for (size_t i = x->first; i < x->first + 2 * x->tags; i += 2) {
        uint64_t oldest = id_parse(store_text(store_item(store_reply(b, i + 1), 0)));
        lacks = lacks || (store_reply(b, i)->type == STORE_NIL && oldest && id > oldest);
    }
    lacks = lacks || (x->thread != SIZE_MAX && store_reply(b, x->thread)->type == STORE_NIL);
    return lacks || (x->parent != SIZE_MAX && store_integer(store_reply(b, x->parent)) == 1 &&
                     store_reply(b, x->parent + 1)->type == STORE_NIL);
}

/* Whether public timeline, tags and replies have the posts. */
enum err check_look_indexed(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *first = store_batch_new(c->social->store, a), *second = store_batch_new(c->social->store, a);
    struct indexes *x = arena_alloc(a, count * sizeof(*x));
    for (size_t i = 0; i < count; i++) {
        record_ask(first, RECORD_POST, items[i].id, POST_INDEXED);
    }
    store_command(first, KEY_GLOBAL_BUCKET, "LRANGE", key_plain(a, KEY_TIMELINE, KEY_GLOBAL_BUCKET), "0", "-1", NULL);
    enum err e = check_ask(first);
    struct timeline_ids timeline = timeline_ids_of(a, store_reply(first, count));
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct record_post post = post_of(first, i);
        x[i] = indexes_add(second, a, items[i].id, &post);
    }
    e = e == ERR_OK ? check_ask(second) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const struct record_post post = post_of(first, i);
        bool lacks = (is_for_strangers(&post) && list_lacks(&timeline, TIMELINE_PUBLIC_SIZE, items[i].id)) ||
                     indexes_lack(second, &x[i], items[i].id);
        items[i].found = post.author && lacks ? CHECK_INDEX_LACKS : CHECK_NONE;
    }
    return e;
}

/* Does what the delivery would have done. */
enum err check_mend_indexed(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *read = store_batch_new(c->social->store, a), *b = store_batch_new(c->social->store, a);
    record_ask(read, RECORD_POST, item->id, POST_SHOWN);
    enum err e = check_ask(read);
    struct record_post record;
    record_post_take(store_reply(read, 0), POST_SHOWN, &record);
    if (e != ERR_OK || !record.author) {
        return e;
    }
    struct post post;
    post_from_record(a, item->id, &record, &post);
    fanout_indexes_add(c->social, b, a, &post, true, false); /* trends are over soon */
    return check_ask(b);
}

/* Whether the list of newest users has the users who belong there. */
enum err check_look_newcomers(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        record_ask_at(b, items[i].bucket, items[i].key, RECORD_USER, USER_NAME | USER_DELETED);
    }
    store_command(b, KEY_GLOBAL_BUCKET, "LRANGE", key_plain(a, KEY_LATEST, KEY_GLOBAL_BUCKET), "0", "-1", NULL);
    enum err e = check_ask(b);
    struct timeline_ids latest = timeline_ids_of(a, store_reply(b, count));
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_user user;
        record_user_take(store_reply(b, i), USER_NAME | USER_DELETED, &user);
        bool alive = *user.name && !user.deleted;
        items[i].found = alive && list_lacks(&latest, USER_LATEST_SIZE, items[i].id) ? CHECK_LATEST_LACKS : CHECK_NONE;
    }
    return e;
}

enum err check_mend_newcomer(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    user_latest_add(b, a, item->id);
    return check_ask(b);
}

/* --- whole lists ---------------------------------------------------------------------------------------------------
 * */

enum err check_look_replies(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return check_look_belongings(c, a, items, count, KEY_POST, CHECK_REPLIES_NOBODY);
}

enum err check_look_history(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    return check_look_belongings(c, a, items, count, KEY_POST, CHECK_HISTORY_NOBODY);
}

static int64_t most_of(enum key k)
{
    switch (k) {
    case KEY_LATEST:
        return USER_LATEST_SIZE;
    case KEY_TAG:
        return TIMELINE_TAG_SIZE;
    case KEY_TRENDS:
        return TRENDS_KEPT;
    case KEY_TRENDPEOPLE:
        return TRENDS_PEOPLE;
    case KEY_POPULAR:
        return POPULAR_KEPT;
    case KEY_NOTICES:
    case KEY_NOTICEGONE:
        return NOTICE_MOST;
    case KEY_QUIET:
        return QUIET_MOST;
    case KEY_INTERESTS:
        return INTEREST_MOST;
    case KEY_FEATURED:
        return FEATURED_MOST;
    case KEY_UNSUGGESTED:
        return UNSUGGESTED_MOST;
    case KEY_ENDORSED:
        return ENDORSE_MOST;
    default:
        return TIMELINE_PUBLIC_SIZE;
    }
}

enum err check_look_length(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        store_command(b, items[i].bucket, check_is_list(items[i].in) ? "LLEN" : "ZCARD", items[i].key, NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        items[i].found = store_integer(store_reply(b, i)) > most_of(items[i].in) ? CHECK_INDEX_LONG : CHECK_NONE;
    }
    return e;
}

enum err check_mend_length(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    long long most = (long long)most_of(item->in);
    if (check_is_list(item->in)) {
        store_command(b, item->bucket, "LTRIM", item->key, "0", store_last(a, (size_t)most), NULL);
    } else {
        store_command(b, item->bucket, "ZREMRANGEBYRANK", item->key, "0", arena_printf(a, "%lld", -most - 1), NULL);
    }
    return check_ask(b);
}

/* The first id that is in the list twice; 0: none. */
static uint64_t find_twice(struct arena *a, const struct store_reply *list)
{
    uint64_t *ids = arena_alloc(a, (list->count + 1) * sizeof(*ids));
    store_list_ids(list, ids);
    qsort(ids, list->count, sizeof(*ids), id_oldest_first);
    for (size_t i = 1; i < list->count; i++) {
        if (ids[i] && ids[i] == ids[i - 1]) {
            return ids[i];
        }
    }
    return 0;
}

enum err check_look_public(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        store_command(b, items[i].bucket, "LRANGE", items[i].key, "0", "-1", NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        items[i].other = find_twice(a, store_reply(b, i));
        items[i].found = items[i].other ? CHECK_PUBLIC_TWICE : CHECK_NONE;
    }
    return e;
}

/* Puts every post that is there twice at its place once. */
enum err check_mend_public(struct check *c, struct arena *a, const struct check_item *item)
{
    struct check_item rest = *item;
    enum err e = ERR_OK;
    while (e == ERR_OK && rest.found) {
        const struct script_newest_insert in = {item->bucket, item->key, .id = rest.other,
                                                .size = TIMELINE_PUBLIC_SIZE};
        struct store_batch *b = store_batch_new(c->social->store, a);
        script_newest_insert_add(b, &in);
        e = check_ask(b);
        e = e == ERR_OK ? check_look_public(c, a, &rest, 1) : e;
    }
    return e;
}
