/* talk_list.c - the page of talks: see talk.h. Two round trips: talks, their people's ids and the ids of their newest posts
 * lie in the visitor's bucket and come together; then posts and people. One thread at a time per visit. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "social/core/social.h"
#include "social/notices/talk.h"
#include "social/people/people.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "social/posts/post_read.h"
#include "store/calls.h"
#include "store/store.h"

#define ROW_HEAD 4 /* of a row of talk_list.lua, before its posts */

struct talk_row {
    struct post_load *loads; /* its newest posts, the newest first */
    size_t load_count;
    size_t first, count; /* of the people */
};

struct talk_read {
    struct talk_page page;
    struct follow_query query;
    size_t reply;
    struct talk_row *rows; /* of page.items */
    struct people people;
};

static size_t people_count_of(const char *text)
{
    size_t count = 0, length;
    while (text_entry(&text, &length)) {
        count++;
    }
    return count;
}

/* One row as the script says it; its people go behind *ids. */
static void talk_row_take(struct visit *v, const struct store_reply *row, struct talk *t, struct talk_row *at,
                          uint64_t *ids, size_t *id_count)
{
    t->number = strtoull(store_text(store_item(row, 0)), NULL, 10);
    t->at_us = (uint64_t)strtod(store_text(store_item(row, 1)), NULL);
    t->is_unread = strcmp(store_text(store_item(row, 2)), "1") == 0;
    at->first = *id_count;
    const char *people = store_text(store_item(row, 3));
    size_t length;
    for (const char *who; (who = text_entry(&people, &length));) {
        ids[(*id_count)++] = id_parse_n(who, length);
    }
    at->count = *id_count - at->first;
    at->load_count = row->count > ROW_HEAD ? row->count - ROW_HEAD : 0;
    at->loads = arena_zero(v->arena, (at->load_count + 1) * sizeof(*at->loads));
    for (size_t i = 0; i < at->load_count; i++) {
        at->loads[i].id = id_parse(store_text(&row->items[ROW_HEAD + i]));
    }
    post_ask(v, at->loads, at->load_count, SEE_NOTICE);
}

/* The newest post that the visitor may see and wants to hear; id 0: there is none. */
static struct post newest_of(struct visit *v, const struct talk_row *at)
{
    for (size_t i = 0; i < at->load_count; i++) {
        const struct post *p = &at->loads[i].post;
        if (p->id && !(visit_apart(v, p->author.id) & APART_MUTES_NOTICES)) {
            return *p;
        }
    }
    return (struct post){.id = 0};
}

static void fill_users(struct visit *v, const struct talk_read *r, const struct talk_row *at, struct talk *t)
{
    t->users = arena_zero(v->arena, (at->count + 1) * sizeof(*t->users));
    for (size_t i = 0; i < at->count; i++) {
        const struct user *u = &r->people.users[at->first + i];
        if (u->id) {
            t->users[t->user_count++] = *u;
        }
    }
    if (!t->user_count) { /* he wrote to himself, or to somebody who is gone: apps want somebody to be there */
        t->users[t->user_count++] = v->viewer;
    }
}

static enum err take_talk_things(struct visit *v, void *self)
{
    struct talk_read *r = self;
    size_t kept = 0;
    for (size_t i = 0; i < r->page.count; i++) {
        struct talk t = r->page.items[i];
        t.post = newest_of(v, &r->rows[i]);
        if (t.post.id) {
            fill_users(v, r, &r->rows[i], &t);
            r->page.items[kept++] = t;
        }
    }
    r->page.count = kept;
    return ERR_OK;
}

/* The rows, newest first, without the one that only says that there are more. */
static enum err take_talk_rows(struct visit *v, void *self)
{
    struct talk_read *r = self;
    struct script_talk_list_reply found;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    script_talk_list_take(visit_reply(v, r->reply), &found);
    size_t total = found.rows->count, limit = r->query.limit, people = 0, asked = 0;
    bool is_upwards = r->query.min_us != 0, has_more = total > limit;
    size_t count = has_more ? limit : total;
    for (size_t i = 0; i < count; i++) {
        people += people_count_of(store_text(store_item(store_item(found.rows, i), 3)));
    }
    uint64_t *ids = arena_alloc(v->arena, (people + 1) * sizeof(*ids));
    r->page.items = arena_zero(v->arena, (count + 1) * sizeof(*r->page.items));
    r->rows = arena_zero(v->arena, (count + 1) * sizeof(*r->rows));
    r->page.count = count;
    for (size_t i = 0; i < count; i++) {
        const struct store_reply *row = store_item(found.rows, is_upwards ? count - 1 - i : i);
        talk_row_take(v, row, &r->page.items[i], &r->rows[i], ids, &asked);
    }
    if (count) {
        bool has_older = is_upwards || has_more, has_newer = is_upwards ? has_more : r->query.max_us != 0;
        r->page.older_us = has_older ? r->page.items[count - 1].at_us : 0;
        r->page.newer_us = has_newer ? r->page.items[0].at_us : 0;
    }
    people_ask(v, ids, asked, &r->people);
    visit_then(v, take_talk_things, r);
    return ERR_OK;
}

static const struct talk_page *ask_talks(struct visit *v, const struct follow_query *q, uint64_t number)
{
    struct talk_read *r = arena_zero(v->arena, sizeof(*r));
    r->query = *q;
    if (v->claimed) {
        struct script_talk_list in = {.uid = v->claimed, .talk = number, .most = q->limit + 1};
        in.backwards = !follow_page_bounds(v->arena, q, &in.from, &in.to);
        r->reply = script_talk_list_add(v->reads.batch, &in);
        visit_want_apart(v);
        visit_then(v, take_talk_rows, r);
    }
    return &r->page;
}

const struct talk_page *talk_page_ask(struct visit *v, const struct follow_query *q)
{
    return ask_talks(v, q, 0);
}

const struct talk_page *talk_ask(struct visit *v, uint64_t number)
{
    static const struct follow_query one = {.limit = 1};
    return ask_talks(v, &one, number ? number : UINT64_MAX);
}
