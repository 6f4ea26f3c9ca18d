/* check_people.c - names, users, logins, and what belongs to whom. Threads: that of the check. */
#include "upkeep/check_look.h"

#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "config/config.h"
#include "social/core/event.h"
#include "social/core/job.h"
#include "social/core/social.h"
#include "social/core/actor.h"
#include "social/people/user.h"
#include "social/timelines/celebrity.h"
#include "store/record.h"
#include "store/store.h"
#include "social/people/purge.h"

/* True if a user of this id can have the name: of the right form and bucket. */
static bool name_fits(const char *name, uint64_t uid)
{
    return user_name_is_valid(name) && user_bucket(name) == id_bucket(uid);
}

static bool same_name(const char *name, const char *folded)
{
    char other[USER_NAME_MAX + 1];
    return user_name_is_valid(name) && strcmp(text_fold(name, other), folded) == 0;
}

/* --- names ---------------------------------------------------------------------------------------------------------
 * */

/* The name in a reply to record_ask. */
static const char *name_of(const struct store_batch *b, size_t reply)
{
    struct record_user user;
    record_user_take(store_reply(b, reply), USER_NAME, &user);
    return user.name;
}

/* The names of these users; 0 has none. */
static enum err ask_names(struct check *c, struct arena *a, const uint64_t *uids, size_t count,
                          struct store_batch **out)
{
    struct store_batch *b = *out = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        record_ask(b, RECORD_USER, uids[i], USER_NAME);
    }
    return check_ask(b);
}

enum err check_look_names(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *owners = store_batch_new(c->social->store, a), *names;
    uint64_t *uids = arena_alloc(a, count * sizeof(*uids));
    for (size_t i = 0; i < count; i++) {
        store_command(owners, items[i].bucket, "GET", items[i].key, NULL);
    }
    enum err e = check_ask(owners);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        uids[i] = id_parse(store_text(store_reply(owners, i)));
    }
    e = e == ERR_OK ? ask_names(c, a, uids, count, &names) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool gone = store_reply(owners, i)->type != STORE_STRING;
        bool right = id_bucket(uids[i]) == items[i].bucket && same_name(name_of(names, i), items[i].text);
        items[i].found = gone || right ? CHECK_NONE : CHECK_NAME_ORPHAN;
    }
    return e;
}

/* Gives the name back to a record that lost it; otherwise the name is given up. */
enum err check_mend_name(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *read = store_batch_new(c->social->store, a), *names;
    store_command(read, item->bucket, "GET", item->key, NULL);
    enum err e = check_ask(read);
    uint64_t uid = e == ERR_OK ? id_parse(store_text(store_reply(read, 0))) : 0;
    struct store_batch *b = store_batch_new(c->social->store, a);
    e = e == ERR_OK ? ask_names(c, a, &uid, 1, &names) : e;
    if (e != ERR_OK) {
        return e;
    }
    const char *user = key_id(a, KEY_USER, uid);
    size_t exists = store_command(b, id_bucket(uid), "EXISTS", user, NULL);
    e = check_ask(b);
    bool has_record = e == ERR_OK && store_integer(store_reply(b, exists)) == 1 && id_bucket(uid) == item->bucket;
    struct store_batch *write = store_batch_new(c->social->store, a);
    if (has_record && user_name_is_valid(item->text) && !name_fits(name_of(names, 0), uid)) {
        record_put(write, RECORD_USER, uid, &(struct record_user){.name = item->text});
        event_add(c->social, write, a, EVENT_USER, uid);
    } else {
        store_command(write, item->bucket, "DEL", item->key, NULL);
    }
    return e == ERR_OK ? check_ask(write) : e;
}

/* --- users ---------------------------------------------------------------------------------------------------------
 * */

/* The reads of a user: first his record and the index, then what depends on it. */
struct user_look {
    const char *name;
    bool deleted, celebrity, listed;
    size_t owner, famous, remains; /* replies */
    uint64_t other;                /* to whom his name leads instead */
};

static void user_first_add(struct store_batch *b, struct arena *a, uint64_t uid)
{
    char digits[ID_SIZE];
    unsigned bucket = id_bucket(uid);
    record_ask(b, RECORD_USER, uid, USER_NAME | USER_DELETED | USER_CELEBRITY);
    store_command(b, bucket, "ZSCORE", key_plain(a, KEY_USERS, bucket), id_write(uid, digits), NULL);
    store_command(b, bucket, "EXISTS", key_id(a, KEY_USER, uid), NULL);
}

static void user_first_take(const struct store_batch *b, size_t first, struct user_look *l)
{
    struct record_user user;
    record_user_take(store_reply(b, first), USER_NAME | USER_DELETED | USER_CELEBRITY, &user);
    l->name = user.name;
    l->deleted = user.deleted;
    l->celebrity = user.celebrity;
    l->listed = store_reply(b, first + 1)->type == STORE_STRING;
    l->owner = l->famous = l->remains = SIZE_MAX;
}

static void user_second_add(struct store_batch *b, struct arena *a, uint64_t uid, struct user_look *l)
{
    char folded[USER_NAME_MAX + 1], digits[ID_SIZE];
    text_fold(l->name, folded);
    unsigned bucket = id_bucket(uid);
    l->owner = store_command(b, bucket, "GET", key_text(a, KEY_NAME, folded), NULL);
    if (l->celebrity) {
        l->famous = store_command(b, KEY_GLOBAL_BUCKET, "ZSCORE", key_plain(a, KEY_CELEBRITIES, KEY_GLOBAL_BUCKET),
                                  id_write(uid, digits), NULL);
    }
    if (l->deleted) {
        l->remains = store_command(
            b, bucket, "EXISTS", key_id(a, KEY_POSTS, uid), key_id(a, KEY_DIRECTS, uid), key_id(a, KEY_FOLLOWING, uid),
            key_id(a, KEY_FOLLOWERS, uid), key_id(a, KEY_LISTS, uid), key_id(a, KEY_APART, uid),
            key_id(a, KEY_ASKED, uid), key_id(a, KEY_REQUESTS, uid), key_id(a, KEY_FAVOURITED, uid),
            key_id(a, KEY_BOOKMARKS, uid), key_id(a, KEY_QUIET, uid), key_id(a, KEY_INTERESTS, uid),
            key_id(a, KEY_ENDORSED, uid), key_id(a, KEY_TIES, uid), key_id(a, KEY_REMARKS, uid),
            key_id(a, KEY_UNSUGGESTED, uid), key_id(a, KEY_WATCHERS, uid), key_id(a, KEY_FEATURED, uid), NULL);
    }
}

/* The verdict. `other_name` is the name of the user to whom his name leads; NULL when it leads to himself. */
static enum check_kind judge_user(const struct store_batch *b, const struct user_look *l, const char *other_name)
{
    char folded[USER_NAME_MAX + 1];
    text_fold(l->name, folded);
    bool taken = other_name && same_name(other_name, folded);
    if (other_name && !(taken && l->deleted)) {
        return taken ? CHECK_USER_TWICE : CHECK_USER_UNNAMED;
    }
    if (!l->listed) {
        return CHECK_USER_UNLISTED;
    }
    if (l->famous != SIZE_MAX && store_reply(b, l->famous)->type != STORE_STRING) {
        return CHECK_CELEBRITY_UNLISTED;
    }
    return l->remains != SIZE_MAX && store_integer(store_reply(b, l->remains)) ? CHECK_USER_REMAINS : CHECK_NONE;
}

/* Records without a usable name are judged at once; the others by what their second batch says. */
enum err check_look_users(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *first = store_batch_new(c->social->store, a), *second, *third;
    struct user_look *looks = arena_zero(a, count * sizeof(*looks));
    uint64_t *others = arena_zero(a, count * sizeof(*others));
    for (size_t i = 0; i < count; i++) {
        user_first_add(first, a, items[i].id);
    }
    enum err e = check_ask(first);
    second = store_batch_new(c->social->store, a);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        user_first_take(first, 3 * i, &looks[i]);
        bool exists = store_integer(store_reply(first, 3 * i + 2)) == 1;
        bool fits = name_fits(looks[i].name, items[i].id);
        items[i].found = exists && !fits ? CHECK_USER_DAMAGED : CHECK_NONE;
        if (exists && fits) {
            user_second_add(second, a, items[i].id, &looks[i]);
        }
    }
    e = e == ERR_OK ? check_ask(second) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        others[i] = looks[i].owner == SIZE_MAX ? 0 : id_parse(store_text(store_reply(second, looks[i].owner)));
    }
    e = e == ERR_OK ? ask_names(c, a, others, count, &third) : e;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (looks[i].owner != SIZE_MAX) {
            bool own = others[i] == items[i].id;
            items[i].found = judge_user(second, &looks[i], own ? NULL : name_of(third, i));
        }
    }
    return e;
}

/* Sets the name to this user. Somebody who takes a free name at this moment keeps it. */
static enum err set_name(struct check *c, struct arena *a, const struct check_item *item)
{
    char folded[USER_NAME_MAX + 1], digits[ID_SIZE];
    struct store_batch *record = store_batch_new(c->social->store, a), *owner = store_batch_new(c->social->store, a);
    record_ask_at(record, item->bucket, item->key, RECORD_USER, USER_NAME);
    enum err e = check_ask(record);
    const char *name = name_of(record, 0);
    if (e != ERR_OK || !name_fits(name, item->id)) {
        return e;
    }
    const char *key = key_text(a, KEY_NAME, text_fold(name, folded));
    store_command(owner, item->bucket, "EXISTS", key, NULL);
    e = check_ask(owner);
    struct store_batch *b = store_batch_new(c->social->store, a);
    if (e == ERR_OK && store_integer(store_reply(owner, 0))) {
        store_command(b, item->bucket, "SET", key, id_write(item->id, digits), NULL);
    } else {
        store_command(b, item->bucket, "SET", key, id_write(item->id, digits), "NX", NULL);
    }
    return e == ERR_OK ? check_ask(b) : e;
}

/* Queues the clean-up after a deleted user once more, and does it. */
static enum err purge(struct check *c, struct arena *a, uint64_t uid)
{
    struct job *j = job_new(a, &purge_job, uid);
    enum err e = job_store(c->social, a, j);
    return e == ERR_OK ? job_run(c->social, a, j) : e;
}

enum err check_mend_user(struct check *c, struct arena *a, const struct check_item *item)
{
    char digits[ID_SIZE];
    id_write(item->id, digits);
    const char *users = key_plain(a, KEY_USERS, item->bucket);
    struct store_batch *b = store_batch_new(c->social->store, a);
    const struct actor itself = actor_system(0);
    switch (item->found) {
    case CHECK_USER_DAMAGED:
        store_command(b, item->bucket, "DEL", item->key, NULL);
        store_command(b, item->bucket, "ZREM", users, digits, NULL);
        event_add(c->social, b, a, EVENT_USER, item->id);
        return check_ask(b);
    case CHECK_USER_UNLISTED:
        store_command(b, item->bucket, "ZADD", users, "0", digits, NULL);
        return check_ask(b);
    case CHECK_USER_TWICE:
        return user_delete(c->social, a, &itself, item->id);
    case CHECK_CELEBRITY_UNLISTED:
        return celebrity_mark(c->social, a, item->id);
    case CHECK_USER_REMAINS:
        return purge(c, a, item->id);
    default:
        return set_name(c, a, item);
    }
}

enum err check_look_listed(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    size_t *users = arena_alloc(a, count * sizeof(*users));
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        users[i] = store_command(b, id_bucket(items[i].other), "EXISTS", key_id(a, KEY_USER, items[i].other), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        if (check_entry_take(b, 2 * i, &items[i])) {
            bool exists = store_integer(store_reply(b, users[i])) == 1 && id_bucket(items[i].other) == items[i].bucket;
            items[i].found = exists ? items[i].found : CHECK_USER_UNREAL;
        }
    }
    return e;
}

/* --- what belongs to a user ----------------------------------------------------------------------------------------
 * */

/* Truth outlives its owner until the purge has taken it away (USER_REMAINS); his home, logins and notices do not. */
static enum check_kind judge_owned(const struct check_item *item, enum check_user owner)
{
    if (item->in == KEY_HOME || item->in == KEY_HOMESTATE) {
        return owner == CHECK_USER_ALIVE ? CHECK_NONE : CHECK_HOME_NOBODY;
    }
    bool is_notice =
        item->in == KEY_NOTICES || item->in == KEY_NOTICEREAD || item->in == KEY_NOTICEGONE || item->in == KEY_MARKERS;
    bool is_talk =
        item->in == KEY_TALKS || item->in == KEY_TALKPOSTS || item->in == KEY_TALKPEOPLE || item->in == KEY_TALKNEWS;
    if (item->in == KEY_SESSIONS || is_notice || is_talk) {
        return owner == CHECK_USER_ALIVE ? CHECK_NONE : CHECK_OWNER_GONE;
    }
    return owner == CHECK_USER_NONE ? CHECK_OWNER_GONE : CHECK_NONE;
}

enum err check_look_owned(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    size_t *users = arena_alloc(a, count * sizeof(*users)), *keys = arena_alloc(a, count * sizeof(*keys));
    for (size_t i = 0; i < count; i++) {
        users[i] = check_user_add(c, b, items[i].id);
        keys[i] = users[i] == SIZE_MAX ? 0 : store_command(b, items[i].bucket, "EXISTS", items[i].key, NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        enum check_user owner = check_user_take(c, b, users[i], items[i].id);
        bool exists = users[i] == SIZE_MAX || store_integer(store_reply(b, keys[i])) == 1;
        items[i].found = exists ? judge_owned(&items[i], owner) : CHECK_NONE;
    }
    return e;
}

enum err check_look_sessions(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    size_t *users = arena_alloc(a, count * sizeof(*users)), *ttls = arena_alloc(a, count * sizeof(*ttls));
    for (size_t i = 0; i < count; i++) {
        ttls[i] = store_command(b, items[i].bucket, "PTTL", items[i].key, NULL);
        store_command(b, items[i].bucket, "ZSCORE", key_id(a, KEY_SESSIONS, items[i].id), items[i].text, NULL);
        users[i] = check_user_add(c, b, items[i].id);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        int64_t ttl = store_integer(store_reply(b, ttls[i]));
        bool owned = check_user_take(c, b, users[i], items[i].id) == CHECK_USER_ALIVE;
        bool listed = store_reply(b, ttls[i] + 1)->type == STORE_STRING;
        items[i].found = ttl == -2   ? CHECK_NONE
                         : !owned    ? CHECK_OWNER_GONE
                         : !listed   ? CHECK_SESSION_UNLISTED
                         : ttl == -1 ? CHECK_SESSION_ENDLESS
                                     : CHECK_NONE;
    }
    return e;
}

enum err check_mend_session(struct check *c, struct arena *a, const struct check_item *item)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    if (item->found == CHECK_SESSION_ENDLESS) {
        uint64_t idle = (uint64_t)c->social->config->session.idle_days * CLOCK_DAY_MS;
        store_command(b, item->bucket, "PEXPIRE", item->key, arena_printf(a, "%llu", (unsigned long long)idle), NULL);
    } else {
        store_command(b, item->bucket, "DEL", item->key, NULL);
    }
    return check_ask(b);
}

enum err check_look_logins(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    struct store_batch *b = store_batch_new(c->social->store, a);
    for (size_t i = 0; i < count; i++) {
        check_entry_add(b, a, &items[i]);
        enum key of = items[i].in == KEY_TOKENS ? KEY_TOKEN : KEY_SESSION;
        store_command(b, items[i].bucket, "EXISTS", key_id_text(a, of, items[i].id, items[i].text), NULL);
    }
    enum err e = check_ask(b);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        bool gone = check_entry_take(b, 2 * i, &items[i]) && store_integer(store_reply(b, 2 * i + 1)) == 0;
        items[i].found = gone ? CHECK_SESSION_EXPIRED : CHECK_NONE;
    }
    return e;
}

/* --- lists of users ------------------------------------------------------------------------------------------------
 * */

enum err check_look_latest(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    static const enum check_kind found[] = {CHECK_LATEST_GONE, CHECK_LATEST_GONE};
    return check_look_entries_of_users(c, a, items, count, found);
}

enum err check_look_famous(struct check *c, struct arena *a, struct check_item *items, size_t count)
{
    static const enum check_kind found[] = {CHECK_CELEBRITY_GONE, CHECK_NONE};
    return check_look_entries_of_users(c, a, items, count, found);
}
