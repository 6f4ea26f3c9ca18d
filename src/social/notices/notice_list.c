/* notice_list.c - the page of notices: see notice.h. Two round trips: groups and people's ids lie in the visitor's
 * bucket and come together; then posts and people. One thread at a time per visit. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/notices/notice.h"
#include "social/people/people.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "social/posts/post_read.h"
#include "store/calls.h"
#include "store/store.h"

struct notice_row {
    struct post_load *load; /* NULL: it is about no post */
    size_t first, count;    /* of the people who are asked for */
};

struct notice_list {
    struct notice_page page;
    struct notice_query query;
    size_t reply;
    struct notice_row *rows; /* of page.items */
    struct post_load *loads;
    size_t load_count;
    uint64_t *ids;
    size_t id_count;
    struct people people;
};

static bool is_about_post(enum notice_kind k)
{
    return k != NOTICE_FOLLOW && k != NOTICE_REQUEST;
}

/* Who is told of a post that lies in another's bucket is told of its author. */
static bool is_of_author(enum notice_kind k)
{
    return k == NOTICE_MENTION || k == NOTICE_REPLY || k == NOTICE_EDIT;
}

static const char *letters_of(struct arena *a, unsigned asked)
{
    char *out = arena_zero(a, NOTICE_KINDS + 1), *end = out;
    for (int k = 0; k < NOTICE_KINDS; k++) {
        if (!asked || (asked & 1u << k)) {
            *end++ = notice_info((enum notice_kind)k)->letter;
        }
    }
    return out;
}

/* One row as the script says it; false if it is none. */
static bool row_take(struct notice_list *l, const struct store_reply *row, uint64_t read_us)
{
    struct notice *n = &l->page.items[l->page.count];
    struct notice_row *at = &l->rows[l->page.count];
    uint64_t number;
    n->group = store_text(store_item(row, 0));
    if (!notice_group_parse(n->group, &n->kind, &number)) {
        return false;
    }
    n->at_us = (uint64_t)store_integer(store_item(row, 1));
    n->is_unread = n->at_us > read_us;
    n->count = store_integer(store_item(row, 2));
    if (is_about_post(n->kind)) {
        at->load = &l->loads[l->load_count++];
        at->load->id = number;
    }
    at->first = l->id_count;
    for (size_t i = 3; i < row->count && at->count < NOTICE_PEOPLE; i++, at->count++) {
        l->ids[l->id_count++] = id_parse(store_text(&row->items[i]));
    }
    return true;
}

/* The rows, newest first, without the one that only says that there are more. */
static void rows_take(struct visit *v, struct notice_list *l, const struct script_notice_list_reply *r)
{
    size_t found = r->rows->count, limit = l->query.at.limit;
    bool is_upwards = l->query.at.min_us != 0, has_more = found > limit;
    size_t count = has_more ? limit : found;
    l->page.items = arena_zero(v->arena, (count + 1) * sizeof(*l->page.items));
    l->rows = arena_zero(v->arena, (count + 1) * sizeof(*l->rows));
    l->loads = arena_zero(v->arena, (count + 1) * sizeof(*l->loads));
    l->ids = arena_alloc(v->arena, (count * NOTICE_PEOPLE + 1) * sizeof(*l->ids));
    for (size_t i = 0; i < count; i++) {
        const struct store_reply *row = store_item(r->rows, is_upwards ? count - 1 - i : i);
        l->page.count += row_take(l, row, (uint64_t)r->read);
    }
    if (l->page.count == 0) {
        return;
    }
    bool has_older = is_upwards || has_more, has_newer = is_upwards ? has_more : l->query.at.max_us != 0;
    l->page.older_us = has_older ? l->page.items[l->page.count - 1].at_us : 0;
    l->page.newer_us = has_newer ? l->page.items[0].at_us : 0;
}

/* Who of those who were asked for are there. */
static void fill_people(const struct notice_list *l, const struct notice_row *at, struct notice *n)
{
    if (is_of_author(n->kind)) {
        n->people[n->people_count++] = n->post.author;
        n->count = 1;
    }
    for (size_t i = 0; i < at->count; i++) {
        const struct user *u = &l->people.users[at->first + i];
        if (u->id) {
            n->people[n->people_count++] = *u;
        } else {
            n->count--;
        }
    }
}

static enum err take_notice_things(struct visit *v, void *self)
{
    struct notice_list *l = self;
    size_t kept = 0;
    for (size_t i = 0; i < l->page.count; i++) {
        struct notice n = l->page.items[i];
        n.post = l->rows[i].load ? l->rows[i].load->post : n.post;
        if (l->rows[i].load && (!n.post.id || (visit_apart(v, n.post.author.id) & APART_MUTES_NOTICES))) {
            continue;
        }
        fill_people(l, &l->rows[i], &n);
        if (n.people_count) {
            l->page.items[kept++] = n;
        }
    }
    l->page.count = kept;
    return ERR_OK;
}

/* Nobody waits for it: should it get lost, the number in the menu stays as it was. */
static void see_now(struct visit *v, uint64_t newest_us)
{
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    script_notice_read_add(b, &(struct script_notice_read){.uid = v->viewer.id, .upto = (int64_t)newest_us});
    store_send(b);
}

static enum err take_notice_rows(struct visit *v, void *self)
{
    struct notice_list *l = self;
    struct script_notice_list_reply r;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    script_notice_list_take(visit_reply(v, l->reply), &r);
    l->page.newest_us = (uint64_t)r.newest;
    if (l->query.sees && r.newest > r.read) {
        see_now(v, l->page.newest_us);
    }
    rows_take(v, l, &r);
    post_ask(v, l->loads, l->load_count, SEE_NOTICE);
    people_ask(v, l->ids, l->id_count, &l->people);
    visit_then(v, take_notice_things, l);
    return ERR_OK;
}

const struct notice_page *notice_page_ask(struct visit *v, const struct notice_query *q)
{
    struct notice_list *l = arena_zero(v->arena, sizeof(*l));
    l->query = *q;
    if (v->claimed) {
        struct script_notice_list in = {.uid = v->claimed,
                                        .kinds = letters_of(v->arena, q->kinds),
                                        .most = q->at.limit + 1,
                                        .shown = NOTICE_PEOPLE};
        in.backwards = !follow_page_bounds(v->arena, &q->at, &in.from, &in.to);
        l->reply = script_notice_list_add(v->reads.batch, &in);
        visit_want_apart(v);
        visit_then(v, take_notice_rows, l);
    }
    return &l->page;
}
