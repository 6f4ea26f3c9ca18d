/* interest_list.c - which tags somebody follows, page by page, with the times when he began; see interest.h. What needs no times
 * and no pages asks visit_interests.h, which mostly costs nothing. One thread at a time per visit. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/people/follow.h"
#include "social/people/interest.h"
#include "social/people/visit_read.h"
#include "store/keys.h"
#include "store/store.h"

struct interest_read {
    struct interest_page page;
    struct follow_query query;
    size_t reply;
};

/* Newest first, cut to the limit. */
static enum err take_interest_rows(struct visit *v, void *self)
{
    struct interest_read *r = self;
    const struct store_reply *entries = visit_reply(v, r->reply);
    if (!v->viewer.id) {
        return ERR_OK;
    }
    struct interest_page *page = &r->page;
    size_t total = entries->count / 2;
    bool forward = r->query.min_us != 0, over = total > r->query.limit;
    page->count = over ? r->query.limit : total;
    page->rows = arena_alloc(v->arena, (page->count + 1) * sizeof(*page->rows));
    for (size_t i = 0; i < page->count; i++) {
        struct interest_row *row = &page->rows[forward ? page->count - 1 - i : i];
        row->tag = store_text(&entries->items[2 * i]);
        row->since_us = (uint64_t)strtod(store_text(&entries->items[2 * i + 1]), NULL);
    }
    bool has_older = forward ? page->count > 0 : over;
    page->older_us = has_older ? page->rows[page->count - 1].since_us : 0;
    return ERR_OK;
}

const struct interest_page *interest_list_ask(struct visit *v, const struct follow_query *q)
{
    struct interest_read *r = arena_zero(v->arena, sizeof(*r));
    r->query = *q;
    if (v->claimed) {
        const char *from, *to;
        bool forward = follow_page_bounds(v->arena, q, &from, &to);
        r->reply =
            store_command(v->reads.batch, id_bucket(v->claimed), "ZRANGE", key_id(v->arena, KEY_INTERESTS, v->claimed),
                          from, to, "BYSCORE", "LIMIT", "0", arena_printf(v->arena, "%u", q->limit + 1), "WITHSCORES",
                          forward ? NULL : "REV", NULL);
        visit_then(v, take_interest_rows, r);
    }
    return &r->page;
}
