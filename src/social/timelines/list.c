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

enum err list_create(struct social *s, struct arena *a, const struct actor *by, const char *title, uint64_t *id,
                     struct problems *p)
{
    enum err e = action_check(ACTION_LIST_CREATE, by);
    title = check_title(a, title, p);
    if (e != ERR_OK || p->count) {
        return e != ERR_OK ? e : ERR_INVALID;
    }
    struct script_list_create in = {
        .limit = action_limit(s, ACTION_LIST_CREATE, by, 1), .uid = by->uid, .title = title, .most = LIST_MOST};
    struct script_list_create_reply r;
    do { /* again only if another process made this id in the same moment */
        in.id = id_new(id_bucket(by->uid), in.id);
        struct store_batch *b = store_batch_new(s->store, a);
        script_list_create_add(b, &in);
        e = store_run(b);
        script_list_create_take(store_reply(b, 0), &r);
    } while (e == ERR_OK && r.answer == ANSWER_STALE);
    *id = r.id;
    if (e == ERR_OK && r.answer == ANSWER_FULL) {
        problem_add_numbers(p, "title", "lists_full", 0, LIST_MOST, 0);
        return ERR_CONFLICT;
    }
    if (e == ERR_OK && r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    }
    return e == ERR_OK && !r.id ? ERR_NOT_FOUND : e;
}

/* Whether he may change this list, as far as that is known without reading it: all his lists lie in his bucket. */
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
    const struct script_list_rename in = {
        .limit = action_limit(s, ACTION_LIST_RENAME, by, 1), .uid = by->uid, .id = id, .title = title};
    struct script_list_rename_reply r;
    struct store_batch *b = store_batch_new(s->store, a);
    script_list_rename_add(b, &in);
    e = store_run(b);
    script_list_rename_take(store_reply(b, 0), &r);
    if (e == ERR_OK && r.answer == ANSWER_TAKEN) {
        problem_add(p, "title", "list_title_taken");
        return ERR_TAKEN;
    }
    if (e == ERR_OK && r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    }
    return e == ERR_OK && r.answer != ANSWER_OK ? ERR_NOT_FOUND : e;
}

static const char *const replies_words[LIST_REPLIES_COUNT] = {
    [LIST_REPLIES_LIST] = "list", [LIST_REPLIES_FOLLOWED] = "followed", [LIST_REPLIES_NONE] = "none"};

const char *list_replies_word(enum list_replies r)
{
    return replies_words[r];
}

enum list_replies list_replies_of(const char *word)
{
    enum list_replies r = LIST_REPLIES_LIST;
    while (*word && r < LIST_REPLIES_COUNT && strcmp(word, replies_words[r]) != 0) {
        r++;
    }
    return r;
}

enum err list_set(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool is_exclusive,
                  enum list_replies replies, struct problems *p)
{
    enum err e = check_list(ACTION_LIST_SET, by, id);
    if (e != ERR_OK || replies >= LIST_REPLIES_COUNT) {
        return e != ERR_OK ? e : ERR_INVALID;
    }
    const struct script_list_set in = {.limit = action_limit(s, ACTION_LIST_SET, by, 1),
                                       .uid = by->uid,
                                       .id = id,
                                       .exclusive = is_exclusive,
                                       .replies = replies == LIST_REPLIES_LIST ? "" : list_replies_word(replies)};
    struct script_list_set_reply r;
    struct store_batch *b = store_batch_new(s->store, a);
    script_list_set_add(b, &in);
    e = store_run(b);
    script_list_set_take(store_reply(b, 0), &r);
    if (e == ERR_OK && r.answer == ANSWER_LIMITED) {
        limit_note(r.wait, p);
        return ERR_TOO_MANY;
    }
    return e == ERR_OK && r.answer != ANSWER_OK ? ERR_NOT_FOUND : e;
}

/* Adds the question whose a list is. */
static size_t owner_add(struct store_batch *b, uint64_t id)
{
    return record_ask(b, RECORD_LIST, id, LIST_OWNER);
}

static bool is_owner(const struct store_batch *b, size_t reply, uint64_t uid)
{
    struct record_list list;
    record_list_take(store_reply(b, reply), LIST_OWNER, &list);
    return list.owner == uid;
}

enum err list_delete(struct social *s, struct arena *a, const struct actor *by, uint64_t id)
{
    enum err e = check_list(ACTION_LIST_DELETE, by, id);
    if (e != ERR_OK) {
        return e;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    size_t owner = owner_add(b, id); /* the script does not tell a list that was never there from one that is gone */
    size_t reply = script_list_delete_add(b, &(struct script_list_delete){.uid = by->uid, .id = id});
    e = store_run(b);
    bool is_done = e == ERR_OK && is_owner(b, owner, by->uid) && script_answer(store_reply(b, reply)) == ANSWER_OK;
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

/* --- members -------------------------------------------------------------------------------------------------------
 * */

/* Adds the script for those who were found. */
static void change_add(struct store_batch *b, struct arena *a, uint64_t uid, uint64_t id, bool on,
                       const struct script_limit *limit, const struct follow_item *items, size_t count)
{
    uint64_t *targets = arena_alloc(a, (count + 1) * sizeof(*targets));
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].uid) {
            targets[n++] = items[i].uid;
        }
    }
    if (n && on) {
        script_list_add_add(b, &(struct script_list_add){.limit = *limit,
                                                         .id = id,
                                                         .owner = uid,
                                                         .now = (int64_t)clock_site_ms() * 1000,
                                                         .most = LIST_MEMBERS_MOST,
                                                         .targets = targets,
                                                         .targets_count = n});
    } else if (n) {
        script_list_remove_add(b, &(struct script_list_remove){*limit, id, uid, targets, n});
    }
}

/* Nobody of those who are named is there: then only whether the list is his is left to say. */
static enum err ask_owner(struct social *s, struct arena *a, uint64_t uid, uint64_t id)
{
    struct store_batch *b = store_batch_new(s->store, a);
    size_t owner = owner_add(b, id);
    enum err e = store_run(b);
    return e == ERR_OK && !is_owner(b, owner, uid) ? ERR_NOT_FOUND : e;
}

enum err list_change_members(struct social *s, struct arena *a, const struct actor *by, uint64_t id, bool on,
                             struct follow_item *items, size_t count, struct problems *p)
{
    enum action what = on ? ACTION_LIST_ADD : ACTION_LIST_REMOVE;
    enum err e = check_list(what, by, id);
    if (e == ERR_OK && count > LIST_MEMBERS_MOST) {
        e = ERR_INVALID;
    }
    struct script_limit limit;
    e = e == ERR_OK ? follow_find(s, a, by, what, items, count, &limit, p) : e;
    if (e != ERR_OK) {
        return e;
    }
    for (size_t i = 0; i < count; i++) { /* one may be on a list of one's own */
        items[i].result = items[i].uid ? FOLLOW_UNCHANGED : FOLLOW_UNKNOWN;
    }
    struct store_batch *b = store_batch_new(s->store, a);
    change_add(b, a, by->uid, id, on, &limit, items, count);
    if (store_batch_count(b) == 0) {
        return ask_owner(s, a, by->uid, id);
    }
    e = store_run(b);
    struct script_list_add_reply r;
    script_list_add_take(store_reply(b, 0), &r); /* list_remove's says less */
    e = e == ERR_OK ? follow_limited(r.answer, r.wait, p) : e;
    if (e == ERR_OK && r.answer == ANSWER_FULL) {
        problem_add_numbers(p, "names", "list_full", 0, LIST_MEMBERS_MOST, 0);
        return ERR_CONFLICT;
    }
    if (e == ERR_OK && r.answer != ANSWER_OK) {
        return ERR_NOT_FOUND;
    }
    if (e == ERR_OK) {
        follow_mark(items, count, r.changed, FOLLOW_CHANGED);
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
