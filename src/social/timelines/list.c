/* list.c - changing lists of people; see list.h. Each change is one script in the owner's bucket. Any thread. */
#include "social/timelines/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "social/core/action.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

/* The title as it is kept; problems say what is wrong with it. */
static const char *check_title(struct arena *a, const char *title, struct problems *p)
{
    static const struct problem_text_rule rule = {"title", "list_title_invalid", "list_title_too_long", LIST_TITLE_MAX,
                                                  true};
    char *tidy = arena_dup(a, title);
    size_t length = text_tidy(tidy);
    if (text_is_clean(tidy, length) && text_is_blank(tidy, length)) {
        problem_add(p, "title", "list_title_blank");
    } else {
        problem_check_text(p, tidy, &rule);
    }
    return tidy;
}

static bool is_word(const struct store_reply *r, const char *word)
{
    return strcmp(store_text(store_item(r, 0)), word) == 0;
}

/* What the answers of these scripts mean that refuse. */
static enum err refusal(const struct store_reply *r, struct problems *p)
{
    return limit_refuses(r, p) ? ERR_TOO_MANY : is_word(r, "ok") || is_word(r, "again") ? ERR_OK : ERR_NOT_FOUND;
}

enum err list_create(struct social *s, struct arena *a, const struct actor *by, const char *title, uint64_t *id,
                     struct problems *p)
{
    enum err e = action_check(ACTION_LIST_CREATE, by);
    title = check_title(a, title, p);
    if (e != ERR_OK || p->count) {
        return e != ERR_OK ? e : ERR_INVALID;
    }
    unsigned bucket = id_bucket(by->uid);
    const struct limit_ask limit = action_limit(s, a, ACTION_LIST_CREATE, by, 1);
    const struct store_reply *r;
    *id = 0;
    do { /* again only if another process made this id in the same moment */
        *id = id_new(bucket, *id);
        const char *keys[] = {key_id(a, KEY_USER, by->uid), key_id(a, KEY_LISTS, by->uid), key_id(a, KEY_LIST, *id),
                              limit.key};
        const char *arguments[] = {id_text(a, by->uid),          id_text(a, *id), title,          LIST_MOST,
                                   key_bucket_prefix(a, bucket), limit.words[0],  limit.words[1], limit.words[2]};
        struct store_batch *b = store_batch_new(s->store, a);
        store_script(b, bucket, SCRIPT_LIST_CREATE, 4, keys, 8, arguments);
        e = store_run(b);
        if (e != ERR_OK) {
            return e;
        }
        r = store_reply(b, 0);
    } while (is_word(r, "stale"));
    if (is_word(r, "full")) {
        problem_add_numbers(p, "title", "lists_full", 0, (int64_t)strtol(LIST_MOST, NULL, 10), 0);
        return ERR_CONFLICT;
    }
    *id = id_parse(store_text(store_item(r, 1)));
    return refusal(r, p);
}

/* Whether he may change this list, as far as that is known without asking for it. All of his lie in his bucket. */
static enum err check_list(enum action what, const struct actor *by, uint64_t id)
{
    enum err e = action_check(what, by);
    return e == ERR_OK && id_bucket(id) != id_bucket(by->uid) ? ERR_NOT_FOUND : e;
}

enum err list_rename(struct social *s, struct arena *a, const struct actor *by, uint64_t id, const char *title,
                     struct problems *p)
{
    enum err e = check_list(ACTION_LIST_RENAME, by, id);
    title = check_title(a, title, p);
    if (e != ERR_OK || p->count) {
        return e != ERR_OK ? e : ERR_INVALID;
    }
    unsigned bucket = id_bucket(id);
    const struct limit_ask limit = action_limit(s, a, ACTION_LIST_RENAME, by, 1);
    const char *keys[] = {key_id(a, KEY_LIST, id), key_id(a, KEY_LISTS, by->uid), limit.key};
    const char *arguments[] = {id_text(a, by->uid), id_text(a, id), title,         key_bucket_prefix(a, bucket),
                               limit.words[0],      limit.words[1], limit.words[2]};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, bucket, SCRIPT_LIST_RENAME, 3, keys, 7, arguments);
    e = store_run(b);
    if (e == ERR_OK && is_word(store_reply(b, 0), "taken")) {
        problem_add(p, "title", "list_title_taken");
        return ERR_TAKEN;
    }
    return e == ERR_OK ? refusal(store_reply(b, 0), p) : e;
}

/* Adds the question whose a list is. */
static size_t owner_add(struct store_batch *b, struct arena *a, uint64_t id)
{
    return store_command(b, id_bucket(id), "HGET", key_id(a, KEY_LIST, id), "owner", NULL);
}

static bool is_owner(const struct store_batch *b, size_t reply, uint64_t uid)
{
    return id_parse(store_text(store_reply(b, reply))) == uid;
}

enum err list_delete(struct social *s, struct arena *a, const struct actor *by, uint64_t id)
{
    enum err e = check_list(ACTION_LIST_DELETE, by, id);
    if (e != ERR_OK) {
        return e;
    }
    const char *keys[] = {key_id(a, KEY_LISTS, by->uid), key_id(a, KEY_LIST, id), key_id(a, KEY_MEMBERS, id)};
    const char *arguments[] = {id_text(a, by->uid), id_text(a, id)};
    struct store_batch *b = store_batch_new(s->store, a);
    size_t owner = owner_add(b, a, id); /* the script does not tell a list that was never there from one that is gone */
    size_t reply = store_script(b, id_bucket(id), SCRIPT_LIST_DELETE, 3, keys, 2, arguments);
    e = store_run(b);
    bool is_done = e == ERR_OK && is_owner(b, owner, by->uid) && is_word(store_reply(b, reply), "ok");
    return e == ERR_OK && !is_done ? ERR_NOT_FOUND : e;
}

static enum err remove_lists(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    const struct actor himself = actor_system(uid);
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = list_delete(s, a, &himself, ids[i]);
        if (e == ERR_NOT_FOUND) { /* somebody else's */
            e = purge_drop_entry(s, a, KEY_LISTS, uid, ids[i]);
        }
    }
    return e;
}

const struct remains list_remains = {.name = "lists", .key = KEY_LISTS, .remove = remove_lists};

/* --- members ------------------------------------------------------------------------------------------------------- */

/* Adds the script for those who were found. */
static void change_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t id, bool on,
                       const struct follow_item *items, size_t count)
{
    const char *keys[] = {key_id(a, KEY_LIST, id), key_id(a, KEY_MEMBERS, id)};
    const char **arguments = arena_alloc(a, (3 + count) * sizeof(*arguments));
    size_t n = 0;
    arguments[n++] = id_text(a, uid);
    if (on) {
        arguments[n++] = arena_printf(a, "%llu", (unsigned long long)clock_site_ms() * 1000);
        arguments[n++] = LIST_MEMBERS_MOST_TEXT;
    }
    size_t first = n;
    for (size_t i = 0; i < count; i++) {
        if (items[i].uid) {
            arguments[n++] = id_text(a, items[i].uid);
        }
    }
    if (n > first) {
        store_script(b, id_bucket(id), on ? SCRIPT_LIST_ADD : SCRIPT_LIST_REMOVE, 2, keys, n, arguments);
    }
}

/* Looks up who is named, whether the list is the actor's, and counts the names, whether they are there or not. */
static enum err find_counted(struct social *s, struct arena *a, const struct actor *by, enum action what, uint64_t id,
                             struct follow_item *items, size_t count, struct problems *p)
{
    struct limit_ask limit = action_limit(s, a, what, by, (unsigned)count);
    struct store_batch *b = social_batch(s, a);
    size_t owner = owner_add(b, a, id), counted = limit_add(b, by->uid, &limit);
    const size_t *replies = follow_find_add(b, a, items, count);
    enum err e = store_run(b);
    if (e != ERR_OK) {
        return e;
    }
    follow_find_take(s, b, replies, 0, items, count);
    if (!is_owner(b, owner, by->uid)) {
        return ERR_NOT_FOUND;
    }
    return limit_refuses(store_reply(b, counted), p) ? ERR_TOO_MANY : ERR_OK;
}

enum err list_change_members(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool on,
                             struct follow_item *items, size_t count, struct problems *p)
{
    enum action what = on ? ACTION_LIST_ADD : ACTION_LIST_REMOVE;
    enum err e = check_list(what, by, id);
    if (e == ERR_OK && count > LIST_MEMBERS_MOST) {
        e = ERR_INVALID;
    }
    e = e == ERR_OK ? find_counted(s, a, by, what, id, items, count, p) : e;
    struct store_batch *b = store_batch_new(s->store, a);
    change_add(b, a, by->uid, id, on, items, count);
    if (e != ERR_OK || store_batch_count(b) == 0) {
        return e;
    }
    e = store_run(b);
    const struct store_reply *r = store_reply(b, 0);
    if (e == ERR_OK && is_word(r, "full")) {
        problem_add_numbers(p, "names", "list_full", 0, LIST_MEMBERS_MOST, 0);
        return ERR_CONFLICT;
    }
    if (e == ERR_OK && !is_word(r, "ok")) {
        return ERR_NOT_FOUND;
    }
    if (e == ERR_OK) {
        follow_mark(items, count, r);
    }
    return e;
}

void list_forget(struct visit *v, uint64_t id, const uint64_t *uids, size_t count)
{
    if (count == 0) {
        return;
    }
    const char **arguments = arena_alloc(v->arena, (2 + count) * sizeof(*arguments));
    arguments[0] = "ZREM";
    arguments[1] = key_id(v->arena, KEY_MEMBERS, id);
    for (size_t i = 0; i < count; i++) {
        arguments[2 + i] = id_text(v->arena, uids[i]);
    }
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    store_command_v(b, id_bucket(id), 2 + count, arguments);
    store_send(b);
}
