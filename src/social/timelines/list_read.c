/* list_read.c - which lists there are, and who is on them; see list.h and list_read.h. Any thread. */
#include "social/timelines/list.h"
#include "social/timelines/list_read.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/people.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

/* As the record has it. */
static enum list_replies replies_read(const char *word)
{
    enum list_replies replies = list_replies_of(word);
    return replies < LIST_REPLIES_COUNT ? replies : LIST_REPLIES_LIST;
}

/* --- all lists ----------------------------------------------------------------------------------------------------- */

struct list_all {
    struct lists out;
    const struct user *who;
    size_t reply;
};

static enum err take_all_lists(struct visit *v, void *self)
{
    struct list_all *l = self;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    struct script_list_all_reply r;
    script_list_all_take(visit_reply(v, l->reply), &r);
    l->out.count = r.lists->count;
    l->out.items = arena_alloc(v->arena, (l->out.count + 1) * sizeof(*l->out.items));
    for (size_t i = 0; i < l->out.count; i++) {
        const struct store_reply *row = store_item(r.lists, i);
        l->out.items[i] = (struct list){.id = id_parse(store_text(store_item(row, 0))),
                                        .title = store_text(store_item(row, 1)),
                                        .members = store_integer(store_item(row, 2)),
                                        .has = store_integer(store_item(row, 3)) != 0,
                                        .is_exclusive = strcmp(store_text(store_item(row, 4)), "1") == 0,
                                        .replies = replies_read(store_text(store_item(row, 5)))};
    }
    return ERR_OK;
}

/* What the lists of the user are read from; none of so many that nobody remembers them. */
static size_t list_sources(struct arena *a, const struct store_reply *answer, const char **out, void *uid)
{
    const struct store_reply *lists = store_item(answer, 0);
    size_t count = 0;
    if (1 + 2 * lists->count > STORE_SOURCES_MAX) {
        return 0;
    }
    out[count++] = key_id(a, KEY_LISTS, *(const uint64_t *)uid);
    for (size_t i = 0; i < lists->count; i++) {
        uint64_t id = id_parse(store_text(store_item(store_item(lists, i), 0)));
        out[count++] = key_id(a, KEY_LIST, id);
        out[count++] = key_id(a, KEY_MEMBERS, id);
    }
    return count;
}

static void ask_all_lists(struct visit *v, struct list_all *l)
{
    l->reply = script_list_all_add(v->reads.batch,
                                   &(struct script_list_all){.uid = v->claimed, .about = l->who ? l->who->id : 0});
    store_batch_source(v->reads.batch, l->reply, list_sources, &v->claimed);
    visit_then(v, take_all_lists, l);
}

/* Called when it is known which person the lists are about. */
static enum err ask_lists_about(struct visit *v, void *self)
{
    struct list_all *l = self;
    if (v->viewer.id && l->who->id != v->viewer.id) {
        ask_all_lists(v, l);
    }
    return ERR_OK;
}

const struct lists *list_all_ask(struct visit *v, const struct user *who)
{
    struct list_all *l = arena_zero(v->arena, sizeof(*l));
    l->who = who;
    if (who) {
        visit_then(v, ask_lists_about, l);
    } else if (v->claimed) {
        ask_all_lists(v, l);
    }
    return &l->out;
}

/* --- one list ------------------------------------------------------------------------------------------------------ */

size_t list_head_add(struct visit *v, uint64_t id)
{
    size_t reply = record_ask(v->reads.batch, RECORD_LIST, id, LIST_SHOWN);
    store_command(v->reads.batch, id_bucket(id), "ZCARD", key_id(v->arena, KEY_MEMBERS, id), NULL);
    return reply;
}

enum err list_head_take(const struct visit *v, size_t reply, uint64_t id, struct list *out)
{
    struct record_list list;
    record_list_take(visit_reply(v, reply), LIST_SHOWN, &list);
    if (!list.owner || list.owner != v->viewer.id) {
        return ERR_NOT_FOUND;
    }
    *out = (struct list){.id = id,
                         .title = list.title,
                         .members = store_integer(visit_reply(v, reply + 1)),
                         .is_exclusive = list.exclusive,
                         .replies = replies_read(list.replies)};
    return ERR_OK;
}

/* --- members ------------------------------------------------------------------------------------------------------- */

struct members_read {
    struct list_members out;
    uint64_t id;
    struct follow_query query;
    size_t head_reply, reply;
    struct people people;
};

/* Leaves out people who no longer exist, and has them taken off the list. */
static enum err take_member_people(struct visit *v, void *self)
{
    struct members_read *m = self;
    struct follow_page *page = &m->out.page;
    uint64_t *gone = arena_alloc(v->arena, (page->count + 1) * sizeof(*gone));
    size_t n = 0, gone_count = 0;
    for (size_t i = 0; i < page->count; i++) {
        struct follow_row row = page->rows[i];
        if (m->people.users[i].id) {
            row.user = m->people.users[i];
            page->rows[n++] = row;
        } else {
            gone[gone_count++] = row.user.id;
        }
    }
    page->count = n;
    list_forget(v, m->id, gone, gone_count);
    return ERR_OK;
}

static enum err take_member_ids(struct visit *v, void *self)
{
    struct members_read *m = self;
    enum err e = list_head_take(v, m->head_reply, m->id, &m->out.list);
    if (e != ERR_OK) {
        return e;
    }
    follow_page_rows(v->arena, &m->query, visit_reply(v, m->reply), &m->out.page);
    people_ask(v, follow_page_ids(v->arena, &m->out.page), m->out.page.count, &m->people);
    visit_then(v, take_member_people, m);
    return ERR_OK;
}

const struct list_members *list_members_ask(struct visit *v, uint64_t id, const struct follow_query *q)
{
    struct members_read *m = arena_zero(v->arena, sizeof(*m));
    m->id = id;
    m->query = *q;
    m->head_reply = list_head_add(v, id);
    const char *from, *to, *count = arena_printf(v->arena, "%u", q->limit + 1);
    const char *key = key_id(v->arena, KEY_MEMBERS, id);
    bool forward = follow_page_bounds(v->arena, q, &from, &to);
    const char *rev[] = {"ZRANGE", key, from, to, "BYSCORE", "REV", "LIMIT", "0", count, "WITHSCORES"};
    const char *fwd[] = {"ZRANGE", key, from, to, "BYSCORE", "LIMIT", "0", count, "WITHSCORES"};
    m->reply = store_command_v(v->reads.batch, id_bucket(id), forward ? 9 : 10, forward ? fwd : rev);
    visit_then(v, take_member_ids, m);
    return &m->out;
}
