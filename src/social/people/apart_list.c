/* apart_list.c - whom somebody blocks or mutes, page by page, out of what his visit knows of it. One thread at a time
 * per visit. */
#include "base/arena.h"
#include "social/people/apart.h"
#include "social/people/people.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"

struct apart_read {
    struct apart_page page;
    struct follow_query query;
    unsigned flag;
    struct people people;
};

static enum err take_apart_people(struct visit *v, void *self)
{
    struct apart_read *r = self;
    size_t n = 0;
    (void)v;
    for (size_t i = 0; i < r->page.count; i++) {
        if (r->people.users[i].id) {
            r->page.rows[n] = r->page.rows[i];
            r->page.rows[n++].user = r->people.users[i];
        }
    }
    r->page.count = n;
    return ERR_OK;
}

/* The next entries in the direction of reading, at most `most`. */
static size_t gather_apart(const struct visit *v, const struct apart_read *r, const struct apart **out, size_t most)
{
    bool forward = r->query.min_us != 0;
    uint64_t below = r->query.max_us ? r->query.max_us : UINT64_MAX;
    uint64_t above = forward ? r->query.min_us : r->query.since_us;
    size_t n = 0;
    for (size_t i = 0; i < v->apart.count && n < most; i++) {
        const struct apart *one = &v->apart.all[forward ? i : v->apart.count - 1 - i];
        if (one->uid > above && one->uid < below && (visit_apart(v, one->uid) & r->flag)) {
            out[n++] = one;
        }
    }
    return n;
}

static enum err take_apart_list(struct visit *v, void *self)
{
    struct apart_read *r = self;
    if (!visit_apart_is_known(v)) {
        visit_then(v, take_apart_list, r);
        return ERR_OK;
    }
    bool forward = r->query.min_us != 0;
    size_t most = r->query.limit + 1;
    const struct apart **found = arena_alloc(v->arena, most * sizeof(const struct apart *));
    size_t total = gather_apart(v, r, found, most), n = total == most ? most - 1 : total;
    uint64_t *ids = arena_alloc(v->arena, (n + 1) * sizeof(*ids));
    r->page.rows = arena_zero(v->arena, (n + 1) * sizeof(*r->page.rows));
    r->page.count = n;
    for (size_t i = 0; i < n; i++) {
        size_t at = forward ? n - 1 - i : i;
        ids[at] = found[i]->uid;
        r->page.rows[at].until_ms = found[i]->until_ms;
    }
    r->page.older_id = n && (forward || total > n) ? ids[n - 1] : 0;
    r->page.newer_id = n && (forward ? total > n : r->query.max_us != 0) ? ids[0] : 0;
    people_ask(v, ids, n, &r->people);
    visit_then(v, take_apart_people, r);
    return ERR_OK;
}

const struct apart_page *apart_list_ask(struct visit *v, unsigned flag, const struct follow_query *q)
{
    struct apart_read *r = arena_zero(v->arena, sizeof(*r));
    r->query = *q;
    r->flag = flag;
    visit_want_apart(v);
    visit_then(v, take_apart_list, r);
    return &r->page;
}
