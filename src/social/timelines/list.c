/* list.c - changing lists of people; see list.h. Each change is one script in the owner's bucket. Any thread. */
#include "social/timelines/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/id.h"
#include "base/text.h"
#include "social/core/social.h"
#include "social/people/purge.h"
#include "social/people/visit.h"
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

enum err list_create(struct social *s, struct arena *a, uint64_t uid, const char *title, uint64_t *id,
                     struct problems *p)
{
    title = check_title(a, title, p);
    if (p->count) {
        return ERR_INVALID;
    }
    unsigned bucket = id_bucket(uid);
    char owner[ID_SIZE], digits[ID_SIZE];
    const struct store_reply *r;
    *id = 0;
    do { /* again only if another process made this id in the same moment */
        *id = id_new(bucket, *id);
        const char *keys[] = {key_id(a, KEY_USER, uid), key_id(a, KEY_LISTS, uid), key_id(a, KEY_LIST, *id)};
        const char *arguments[] = {id_write(uid, owner), id_write(*id, digits), title, LIST_MOST,
                                   key_bucket_prefix(a, bucket)};
        struct store_batch *b = store_batch_new(s->store, a);
        store_script(b, bucket, SCRIPT_LIST_CREATE, 3, keys, 5, arguments);
        enum err e = store_run(b);
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
    return *id ? ERR_OK : ERR_NOT_FOUND;
}

enum err list_rename(struct social *s, struct arena *a, uint64_t uid, uint64_t id, const char *title,
                     struct problems *p)
{
    title = check_title(a, title, p);
    if (p->count) {
        return ERR_INVALID;
    }
    unsigned bucket = id_bucket(uid);
    char owner[ID_SIZE], digits[ID_SIZE];
    if (id_bucket(id) != bucket) {
        return ERR_NOT_FOUND;
    }
    const char *keys[] = {key_id(a, KEY_LIST, id), key_id(a, KEY_LISTS, uid)};
    const char *arguments[] = {id_write(uid, owner), id_write(id, digits), title, key_bucket_prefix(a, bucket)};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, bucket, SCRIPT_LIST_RENAME, 2, keys, 4, arguments);
    enum err e = store_run(b);
    if (e == ERR_OK && is_word(store_reply(b, 0), "taken")) {
        problem_add(p, "title", "list_title_taken");
        return ERR_TAKEN;
    }
    return e == ERR_OK && !is_word(store_reply(b, 0), "ok") ? ERR_NOT_FOUND : e;
}

enum err list_delete(struct social *s, struct arena *a, uint64_t uid, uint64_t id)
{
    unsigned bucket = id_bucket(uid);
    char owner[ID_SIZE], digits[ID_SIZE];
    if (id_bucket(id) != bucket) {
        return ERR_NOT_FOUND;
    }
    const char *keys[] = {key_id(a, KEY_LISTS, uid), key_id(a, KEY_LIST, id), key_id(a, KEY_MEMBERS, id)};
    const char *arguments[] = {id_write(uid, owner), id_write(id, digits)};
    struct store_batch *b = store_batch_new(s->store, a);
    store_script(b, bucket, SCRIPT_LIST_DELETE, 3, keys, 2, arguments);
    enum err e = store_run(b);
    return e == ERR_OK && !is_word(store_reply(b, 0), "ok") ? ERR_NOT_FOUND : e;
}

static enum err remove_lists(struct social *s, struct arena *a, uint64_t uid, const uint64_t *ids, size_t count)
{
    enum err e = ERR_OK;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = list_delete(s, a, uid, ids[i]);
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

enum err list_change_members(struct social *s, struct arena *a, uint64_t uid, uint64_t id, bool on,
                             struct follow_item *items, size_t count)
{
    if (count > LIST_MEMBERS_MOST) {
        return ERR_INVALID;
    }
    enum err e = follow_find(s, a, 0, items, count);
    struct store_batch *b = store_batch_new(s->store, a);
    change_add(b, a, uid, id, on, items, count);
    if (e != ERR_OK || store_batch_count(b) == 0) {
        return e;
    }
    e = store_run(b);
    const struct store_reply *r = store_reply(b, 0);
    if (e == ERR_OK && !is_word(r, "ok")) {
        return is_word(r, "full") ? ERR_CONFLICT : ERR_NOT_FOUND;
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
