/* list_read.c - which lists there are, and who is on them; see list.h. Any thread. */
#include "social/timelines/list.h"

#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/people.h"
#include "social/people/visit.h"
#include "store/keys.h"
#include "store/store.h"

/* --- all lists ----------------------------------------------------------------------------------------------------- */

struct list_all {
    struct store_batch *batch;
    size_t reply;
    bool asked;
};

struct list_all *list_all_add(struct visit *v, uint64_t who)
{
    struct list_all *l = arena_zero(v->arena, sizeof(*l));
    if (v->claimed) {
        unsigned bucket = id_bucket(v->claimed);
        char digits[ID_SIZE];
        const char *keys[] = {key_id(v->arena, KEY_LISTS, v->claimed)};
        const char *arguments[] = {key_bucket_prefix(v->arena, bucket), who ? id_write(who, digits) : ""};
        l->batch = v->batch;
        l->reply = store_script(v->batch, bucket, SCRIPT_LIST_ALL, 1, keys, 2, arguments);
        l->asked = true;
    }
    return l;
}

size_t list_all_take(struct visit *v, struct list_all *l, struct list **out)
{
    *out = NULL;
    if (!l->asked || !v->viewer.id) {
        return 0;
    }
    const struct store_reply *r = store_reply(l->batch, l->reply);
    size_t count = r->count / 4;
    struct list *lists = *out = arena_alloc(v->arena, (count + 1) * sizeof(*lists));
    for (size_t i = 0; i < count; i++) {
        const struct store_reply *row = &r->items[4 * i];
        lists[i] = (struct list){.id = id_parse(store_text(&row[0])),
                                 .title = store_text(&row[1]),
                                 .members = store_integer(&row[2]),
                                 .has = store_integer(&row[3]) != 0};
    }
    return count;
}

/* --- one list ------------------------------------------------------------------------------------------------------ */

struct list_head list_head_add(struct visit *v, uint64_t id)
{
    struct list_head h = {.batch = v->batch, .id = id};
    h.reply = store_command(v->batch, id_bucket(id), "HMGET", key_id(v->arena, KEY_LIST, id), "owner", "title", NULL);
    store_command(v->batch, id_bucket(id), "ZCARD", key_id(v->arena, KEY_MEMBERS, id), NULL);
    return h;
}

enum err list_head_take(struct visit *v, const struct list_head *h, struct list *out)
{
    const struct store_reply *r = store_reply(h->batch, h->reply);
    uint64_t owner = id_parse(store_text(store_item(r, 0)));
    if (!owner || owner != v->viewer.id) {
        return ERR_NOT_FOUND;
    }
    *out = (struct list){.id = h->id,
                         .title = store_text(store_item(r, 1)),
                         .members = store_integer(store_reply(h->batch, h->reply + 1))};
    return ERR_OK;
}

/* --- members ------------------------------------------------------------------------------------------------------- */

struct list_members {
    struct list_head head;
    struct follow_query query;
    size_t reply;
    struct follow_page page;
    struct people people;
};

struct list_members *list_members_add(struct visit *v, uint64_t id, const struct follow_query *q)
{
    struct list_members *m = arena_zero(v->arena, sizeof(*m));
    m->query = *q;
    m->head = list_head_add(v, id);
    const char *from, *to, *count = arena_printf(v->arena, "%u", q->limit + 1);
    const char *key = key_id(v->arena, KEY_MEMBERS, id);
    bool forward = follow_page_bounds(v->arena, q, &from, &to);
    const char *rev[] = {"ZRANGE", key, from, to, "BYSCORE", "REV", "LIMIT", "0", count, "WITHSCORES"};
    const char *fwd[] = {"ZRANGE", key, from, to, "BYSCORE", "LIMIT", "0", count, "WITHSCORES"};
    m->reply = store_command_v(v->batch, id_bucket(id), forward ? 9 : 10, forward ? fwd : rev);
    return m;
}

enum err list_members_next(struct visit *v, struct list_members *m, struct list *out)
{
    enum err e = list_head_take(v, &m->head, out);
    if (e != ERR_OK) {
        return e;
    }
    follow_page_rows(v->arena, &m->query, store_reply(m->head.batch, m->reply), &m->page);
    uint64_t *ids = arena_alloc(v->arena, (m->page.count + 1) * sizeof(*ids));
    for (size_t i = 0; i < m->page.count; i++) {
        ids[i] = m->page.rows[i].user.id;
    }
    people_add(v, &m->people, ids, m->page.count);
    return ERR_OK;
}

void list_members_take(struct visit *v, struct list_members *m, struct follow_page *out)
{
    people_take(v, &m->people);
    uint64_t *gone = arena_alloc(v->arena, (m->page.count + 1) * sizeof(*gone));
    size_t n = 0, gone_count = 0;
    for (size_t i = 0; i < m->page.count; i++) {
        struct follow_row row = m->page.rows[i];
        if (m->people.users[i].id) {
            row.user = m->people.users[i];
            m->page.rows[n++] = row;
        } else {
            gone[gone_count++] = row.user.id;
        }
    }
    m->page.count = n;
    list_forget(v, m->head.id, gone, gone_count);
    *out = m->page;
}
