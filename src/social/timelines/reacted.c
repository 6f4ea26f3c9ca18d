/* reacted.c - see reacted.h. Any thread.
 *
 * A page of posts takes two round trips: entries of the set, some more than the page has, then the posts of all of them.
 * Where more posts are hidden than were read to spare, the page stays short and leads on behind those that were looked
 * at. All is kept in the order of reading, which is upwards behind min_us. */
#include "social/timelines/reacted.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/core/social.h"
#include "social/people/people.h"
#include "social/people/visit.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"
#include "social/posts/post_read.h"
#include "store/keys.h"
#include "store/store.h"

/* Adds the read of so many entries of a set whose scores are times. */
static size_t add_entries(struct visit *v, enum key set, uint64_t id, const struct follow_query *q, unsigned most)
{
    const char *from, *to, *key = key_id(v->arena, set, id), *count = arena_printf(v->arena, "%u", most);
    bool forward = follow_page_bounds(v->arena, q, &from, &to);
    const char *rev[] = {"ZRANGE", key, from, to, "BYSCORE", "REV", "LIMIT", "0", count, "WITHSCORES"};
    const char *fwd[] = {"ZRANGE", key, from, to, "BYSCORE", "LIMIT", "0", count, "WITHSCORES"};
    return store_command_v(v->reads.batch, id_bucket(id), forward ? 9 : 10, forward ? fwd : rev);
}

/* --- posts ---------------------------------------------------------------------------------------------------------
 * */

struct reacted_read {
    struct reacted out;
    struct follow_query query;
    size_t reply;
    unsigned asked; /* entries asked for */
    struct post_load *loads;
    uint64_t *times; /* of each, us */
    size_t count;
};

/* The page, newest first: the first posts in the order of reading, and where it goes on. */
static enum err take_reacted_posts(struct visit *v, void *self)
{
    struct reacted_read *r = self;
    struct timeline_page *page = &r->out.page;
    bool forward = r->query.min_us != 0, over = false;
    uint64_t first = 0, last = 0;
    page->posts = arena_alloc(v->arena, (r->query.limit + 1) * sizeof(*page->posts));
    for (size_t i = 0; i < r->count && !over; i++) {
        if (!r->loads[i].post.id) {
            continue;
        }
        over = page->count == r->query.limit;
        if (!over) {
            first = page->count ? first : r->times[i];
            last = r->times[i];
            page->posts[page->count++] = r->loads[i].post;
        }
    }
    r->out.newest_us = forward ? last : first;
    if (!over && r->count == r->asked) { /* there may be more; of a short page, behind all that was looked at */
        over = true;
        last = page->count < r->query.limit ? r->times[r->count - 1] : last;
    }
    for (size_t i = 0; forward && i < page->count / 2; i++) {
        struct post swap = page->posts[i];
        page->posts[i] = page->posts[page->count - 1 - i];
        page->posts[page->count - 1 - i] = swap;
    }
    uint64_t ahead = over ? last : 0, behind = r->query.max_us || forward ? first : 0;
    r->out.older_us = forward ? behind : ahead;
    r->out.newer_us = forward ? ahead : behind;
    return ERR_OK;
}

static enum err take_entries(struct visit *v, void *self)
{
    struct reacted_read *r = self;
    const struct store_reply *rows = visit_reply(v, r->reply);
    if (!v->viewer.id) {
        return ERR_OK;
    }
    r->count = rows->count / 2;
    r->loads = arena_zero(v->arena, (r->count + 1) * sizeof(*r->loads));
    r->times = arena_alloc(v->arena, (r->count + 1) * sizeof(*r->times));
    for (size_t i = 0; i < r->count; i++) {
        r->loads[i].id = id_parse(store_text(&rows->items[2 * i]));
        r->times[i] = (uint64_t)strtod(store_text(&rows->items[2 * i + 1]), NULL);
    }
    post_ask(v, r->loads, r->count, SEE_POST);
    visit_then(v, take_reacted_posts, r);
    return ERR_OK;
}

static const struct reacted *reacted_ask(struct visit *v, enum key set, const struct follow_query *q)
{
    struct reacted_read *r = arena_zero(v->arena, sizeof(*r));
    r->query = *q;
    r->asked = q->limit + 1 + TIMELINE_SLACK;
    if (v->claimed) {
        marks_want(v);
        r->reply = add_entries(v, set, v->claimed, q, r->asked);
        visit_then(v, take_entries, r);
    }
    return &r->out;
}

const struct reacted *favourited_ask(struct visit *v, const struct follow_query *q)
{
    return reacted_ask(v, KEY_FAVOURITED, q);
}

const struct reacted *bookmarked_ask(struct visit *v, const struct follow_query *q)
{
    return reacted_ask(v, KEY_BOOKMARKS, q);
}

/* --- people --------------------------------------------------------------------------------------------------------
 * */

struct reacted_people_read {
    struct reacted_people out;
    struct follow_query query;
    struct post_load load;
    size_t reply;
    struct people people;
};

/* Leaves those out who do not exist any more. */
static enum err take_reacted_people(struct visit *v, void *self)
{
    struct reacted_people_read *r = self;
    struct follow_page *page = &r->out.page;
    size_t n = 0;
    (void)v;
    if (!r->load.post.id) {
        return ERR_NOT_FOUND;
    }
    r->out.post = r->load.post;
    for (size_t i = 0; i < page->count; i++) {
        if (r->people.users[i].id) {
            page->rows[n] = page->rows[i];
            page->rows[n++].user = r->people.users[i];
        }
    }
    page->count = n;
    return ERR_OK;
}

static enum err take_who(struct visit *v, void *self)
{
    struct reacted_people_read *r = self;
    follow_page_rows(v->arena, &r->query, visit_reply(v, r->reply), &r->out.page);
    people_ask(v, follow_page_ids(v->arena, &r->out.page), r->out.page.count, &r->people);
    post_ask(v, &r->load, 1, SEE_POST);
    visit_then(v, take_reacted_people, r);
    return ERR_OK;
}

static const struct reacted_people *reacted_people_ask(struct visit *v, enum key set, uint64_t post,
                                                       const struct follow_query *q)
{
    struct reacted_people_read *r = arena_zero(v->arena, sizeof(*r));
    r->query = *q;
    r->load.id = post;
    visit_want_following(v);
    marks_want(v);
    r->reply = add_entries(v, set, post, q, q->limit + 1);
    visit_then(v, take_who, r);
    return &r->out;
}

const struct reacted_people *favourites_ask(struct visit *v, uint64_t post, const struct follow_query *q)
{
    return reacted_people_ask(v, KEY_FAVOURITES, post, q);
}

const struct reacted_people *boosts_ask(struct visit *v, uint64_t post, const struct follow_query *q)
{
    return reacted_people_ask(v, KEY_BOOSTS, post, q);
}
