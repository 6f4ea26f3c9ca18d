/* notice_list.c - the page of notices: see notice.h. Two round trips: groups and people's ids lie in the visitor's
 * bucket and come together, and as long as nothing is new the process remembers them; then posts and people. A page of
 * which nothing may be seen is passed over, or who reads on would believe that it was the last. One thread at a time per
 * visit.
 */
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
#include "store/keys.h"
#include "store/store.h"

struct notice_row {
    struct post_load *load; /* NULL: it is about no post */
    size_t first, count;    /* of the people who are asked for */
};

/* Where people begin in a row of the script. */
#define ROW_PEOPLE 5

struct notice_list {
    struct notice_page page;
    struct notice_query query;
    size_t reply, counted;
    bool counts;             /* nothing else is wanted */
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
    return k == NOTICE_MENTION || k == NOTICE_REPLY || k == NOTICE_EDIT || k == NOTICE_STATUS;
}

static const char *letters_of(struct arena *a, unsigned kinds)
{
    char *out = arena_zero(a, NOTICE_KINDS + 1), *end = out;
    for (int k = 0; k < NOTICE_KINDS; k++) {
        if (kinds & 1u << k) {
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
    n->newest_us = (uint64_t)store_integer(store_item(row, 3));
    n->oldest_us = (uint64_t)store_integer(store_item(row, 4));
    if (is_about_post(n->kind)) {
        at->load = &l->loads[l->load_count++];
        at->load->id = number;
    }
    at->first = l->id_count;
    for (size_t i = ROW_PEOPLE; i < row->count; i++, at->count++) {
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
    l->ids = arena_alloc(v->arena, (count * l->query.shown + 1) * sizeof(*l->ids));
    l->page.count = l->load_count = l->id_count = 0;
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
    struct user *people = &l->people.users[at->first];
    n->people = people;
    for (size_t i = 0; i < at->count; i++) {
        if (people[i].id) {
            people[n->people_count++] = people[i];
        } else {
            n->count--;
        }
    }
}

/* Whether it is left: what it is about is seen, and somebody whom he wants to hear of is there. */
static bool notice_fill(const struct visit *v, const struct notice_list *l, const struct notice_row *at,
                        struct notice *n)
{
    if (at->load) {
        n->post = at->load->post;
        if (!n->post.id || (visit_apart(v, n->post.author.id) & APART_MUTES_NOTICES)) {
            return false;
        }
    }
    if (is_of_author(n->kind)) {
        n->people = &at->load->post.author;
        n->people_count = 1;
        n->count = 1;
        return !l->query.who || n->post.author.id == l->query.who;
    }
    fill_people(l, at, n);
    return n->people_count > 0;
}

/* What the rows are read from. Who favourites or boosts a post, or takes that back, changes the notices or their state. */
static size_t notice_sources(struct arena *a, const struct store_reply *answer, const char **out, void *uid)
{
    static const enum key keys[] = {KEY_NOTICES, KEY_NOTICEREAD, KEY_NOTICEGONE, KEY_HOMESTATE,
                                    KEY_APART,   KEY_FOLLOWERS,  KEY_REQUESTS};
    (void)answer;
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        out[i] = key_id(a, keys[i], *(const uint64_t *)uid);
    }
    return sizeof(keys) / sizeof(*keys);
}

static enum err take_notice_rows(struct visit *v, void *self);

static void ask_rows(struct visit *v, struct notice_list *l)
{
    const struct notice_query *q = &l->query;
    struct script_notice_list in = {.uid = v->claimed,
                                    .below = (int64_t)q->at.max_us,
                                    .above = (int64_t)(q->at.min_us ? q->at.min_us : q->at.since_us),
                                    .forwards = q->at.min_us != 0,
                                    .unseen = l->counts,
                                    .kinds = letters_of(v->arena, q->kinds),
                                    .single = letters_of(v->arena, q->single),
                                    .who = q->who,
                                    .only = q->group ? q->group : "",
                                    .most = q->at.limit + !l->counts,
                                    .shown = q->shown,
                                    .spans = q->spans};
    l->reply = script_notice_list_add(v->reads.batch, &in);
    store_batch_source(v->reads.batch, l->reply, notice_sources, &v->claimed);
    visit_then(v, take_notice_rows, l);
}

static enum err take_notice_things(struct visit *v, void *self)
{
    struct notice_list *l = self;
    size_t kept = 0;
    for (size_t i = 0; i < l->page.count; i++) {
        struct notice n = l->page.items[i];
        if (notice_fill(v, l, &l->rows[i], &n)) {
            l->page.items[kept++] = n;
        }
    }
    bool is_upwards = l->query.at.min_us != 0, goes_on = is_upwards ? l->page.newer_us : l->page.older_us;
    l->page.count = kept;
    if (!kept && goes_on) {
        l->query.at.max_us = is_upwards ? l->query.at.max_us : l->page.older_us;
        l->query.at.min_us = is_upwards ? l->page.newer_us : 0;
        ask_rows(v, l);
    }
    return ERR_OK;
}

/* Nobody waits for it: should it get lost, the number in the menu stays as it was. */
static void see_now(struct visit *v, uint64_t newest_us)
{
    struct store_batch *b = store_batch_new(v->social->store, v->arena);
    script_notice_read_add(b, &(struct script_notice_read){.uid = v->viewer.id, .upto = (int64_t)newest_us});
    store_send(b);
}

/* Posts and people are not asked for. */
static void fill_bare(struct visit *v, struct notice_list *l)
{
    struct user *people = arena_zero(v->arena, (l->id_count + 1) * sizeof(*people));
    for (size_t i = 0; i < l->id_count; i++) {
        people[i].id = l->ids[i];
    }
    for (size_t i = 0; i < l->page.count; i++) {
        l->page.items[i].people = &people[l->rows[i].first];
        l->page.items[i].people_count = l->rows[i].count;
    }
}

static enum err take_notice_rows(struct visit *v, void *self)
{
    struct notice_list *l = self;
    struct script_notice_list_reply r;
    if (!v->viewer.id) {
        return ERR_OK;
    }
    script_notice_list_take(visit_reply(v, l->reply), &r);
    l->counted = r.rows->count;
    if (l->counts) {
        return ERR_OK;
    }
    l->page.newest_us = (uint64_t)r.newest;
    if (l->query.sees && r.newest > r.read) {
        see_now(v, l->page.newest_us);
    }
    rows_take(v, l, &r);
    if (l->query.bare) {
        fill_bare(v, l);
        return ERR_OK;
    }
    post_ask(v, l->loads, l->load_count, SEE_NOTICE);
    people_beside_ask(v, l->ids, l->id_count, &l->people);
    visit_then(v, take_notice_things, l);
    return ERR_OK;
}

static struct notice_list *notices_ask(struct visit *v, const struct notice_query *q, bool counts)
{
    struct notice_list *l = arena_zero(v->arena, sizeof(*l));
    l->query = *q;
    l->query.kinds = q->kinds ? q->kinds : (1u << NOTICE_KINDS) - 1;
    l->query.shown = q->shown ? q->shown : NOTICE_PEOPLE;
    l->counts = counts;
    if (v->claimed) {
        visit_want_apart(v);
        ask_rows(v, l);
    }
    return l;
}

const struct notice_page *notice_page_ask(struct visit *v, const struct notice_query *q)
{
    return &notices_ask(v, q, false)->page;
}

const size_t *notice_count_ask(struct visit *v, const struct notice_query *q)
{
    return &notices_ask(v, q, true)->counted;
}
