/* search_posts.c - posts by their words: lists of the index, what they have in common, and then the posts themselves, until the page
 * is full or as much was looked at as may be; see search.h. One thread at a time per visit.
 *
 * Rejected: counting how many there are, and ranking: both would have to read whole lists. */
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "config/config.h"
#include "social/core/social.h"
#include "social/people/visit_read.h"
#include "social/posts/marks.h"
#include "social/posts/post_read.h"
#include "social/search/fresh.h"
#include "social/search/hits.h"
#include "social/search/index.h"
#include "social/search/query.h"
#include "social/search/search.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define PARTS_ALONE 2  /* of the only list */
#define PARTS_WHOLE 64 /* lists that are no longer are read whole: 8000 posts, 64 KB */
#define ROUNDS 3
#define FROM_MOST 1000
#define SLACK 10 /* posts loaded beyond a page, for those that do not fit */
#define GROWTH 4 /* and when they were too few, so many times as many */

/* Of longer lists, in each round in which lists are read, when there are two: words that many posts have stand together often, and
 * soon. */
static const int64_t parts_of_round[ROUNDS] = {16, 64, 128};

/* A list of the index, as it was asked for. */
struct asked_list {
    size_t reply, own_reply; /* of all; of the visitor's own posts, SIZE_MAX: not asked for */
};

struct search_read {
    struct search_posts out;
    struct query query;
    uint64_t below, claimed;
    unsigned limit, rounds;
    struct asked_list lists[QUERY_LISTS];
    size_t from_reply, from_directs, site_reply; /* SIZE_MAX: not asked for */
    size_t fresh_reply;
    const struct store_reply *fresh; /* posts that are not in the lists yet (fresh.h) */
    uint64_t from;                   /* whose posts, once it is known */
    struct hit_list candidates;
    size_t taken; /* of them */
    size_t looked, next;
    struct post_load *loads;
    size_t load_count;
};

static enum err take_lists(struct visit *v, void *self);
static enum err take_found_posts(struct visit *v, void *self);

/* --- lists --------------------------------------------------------------------------------------------------------- */

static size_t list_ask(struct visit *v, const struct search_read *r, const char *word)
{
    bool is_alone = r->query.list_count == 1 && !r->query.from;
    int64_t share = r->query.list_count > 2 ? (int64_t)r->query.list_count : 2; /* of many lists less each is read */
    const char *slot = index_slot(v->arena, word);
    const struct script_word_read in = {.bucket = key_text_bucket(slot),
                                        .slot = slot,
                                        .word = word,
                                        .below = r->below,
                                        .parts = is_alone ? PARTS_ALONE : 2 * parts_of_round[r->rounds] / share,
                                        .whole = is_alone ? PARTS_ALONE : 2 * PARTS_WHOLE / share};
    return script_word_read_add(v->reads.batch, &in);
}

/* The newest of an author's posts, or of those that are direct. */
static size_t own_posts_ask(struct visit *v, enum key k, uint64_t uid, uint64_t below)
{
    char digits[ID_SIZE];
    const char *from = below ? arena_printf(v->arena, "(%s", id_write(below, digits)) : "+";
    return store_command(v->reads.batch, id_bucket(uid), "ZRANGE", key_id(v->arena, k, uid), from, "-", "BYLEX", "REV",
                         "LIMIT", "0", arena_printf(v->arena, "%d", FROM_MOST), NULL);
}

static void from_ask(struct visit *v, struct search_read *r)
{
    char digits[ID_SIZE];
    r->from_reply = r->from_directs = SIZE_MAX;
    if (!r->query.from) {
        return;
    }
    if (r->from) {
        r->from_reply = own_posts_ask(v, KEY_POSTS, r->from, r->below);
    } else if (user_name_is_valid(r->query.from)) {
        const struct user_page page = {.what = USER_FIND_WHAT_POSTS,
                                       .from =
                                           r->below ? arena_printf(v->arena, "(%s", id_write(r->below, digits)) : "+",
                                       .to = "-",
                                       .reverse = true,
                                       .limit = FROM_MOST};
        r->from_reply = user_find_add(v->reads.batch, r->query.from, &page);
    }
    if (r->claimed && (!r->from || r->from == r->claimed)) {
        r->from_directs = own_posts_ask(v, KEY_DIRECTS, r->claimed, r->below);
    }
}

static void lists_ask(struct visit *v, struct search_read *r)
{
    for (size_t i = 0; i < r->query.list_count; i++) {
        const char *word = r->query.lists[i];
        r->lists[i].reply = list_ask(v, r, word);
        r->lists[i].own_reply = r->claimed ? list_ask(v, r, index_own_word(v->arena, r->claimed, word)) : SIZE_MAX;
    }
    from_ask(v, r);
    r->rounds++;
    visit_then(v, take_lists, r);
}

static enum err list_take(struct visit *v, size_t reply, struct hit_list *out)
{
    struct script_word_read_reply said;
    const struct store_reply *answer = visit_reply(v, reply);
    if (!script_word_read_take(answer, &said)) {
        return answer->type == STORE_ERROR ? answer->err : ERR_PROTOCOL;
    }
    *out = hits_of_bytes(v->arena, said.posts->text ? said.posts->text : "", said.posts->length, said.older != 0);
    return ERR_OK;
}

static struct hit_list found_rows(struct visit *v, const struct store_reply *rows)
{
    struct hit_list out = {.ids = arena_alloc(v->arena, (rows->count + 1) * sizeof(*out.ids))};
    for (size_t i = 0; i < rows->count; i++) {
        uint64_t id = id_parse(store_text(&rows->items[i]));
        if (id) {
            out.ids[out.count++] = id;
        }
    }
    out.floor = rows->count >= FROM_MOST && out.count ? out.ids[out.count - 1] : 0;
    return out;
}

/* The posts of whom he named; nobody's if there is nobody of that name. */
static enum err from_take(struct visit *v, struct search_read *r, struct hit_list *out)
{
    const struct store_reply *rows = NULL;
    *out = (struct hit_list){.count = 0};
    if (r->from_reply == SIZE_MAX) {
        return ERR_OK;
    }
    if (r->from) {
        rows = visit_reply(v, r->from_reply);
    } else {
        struct user u;
        enum err e = user_find_take(v->social, v->reads.answers, r->from_reply, &u, NULL, &rows);
        if (e != ERR_OK) {
            return e == ERR_NOT_FOUND ? ERR_OK : e;
        }
        r->from = u.id;
    }
    *out = found_rows(v, rows);
    if (r->from_directs != SIZE_MAX && v->viewer.id == r->from) {
        struct hit_list directs = found_rows(v, visit_reply(v, r->from_directs));
        *out = hits_joined(v->arena, out, &directs);
    }
    return ERR_OK;
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

static enum err finish_search(struct search_read *r)
{
    struct search_posts *out = &r->out;
    if (out->count > r->limit) {
        out->count = r->limit;
        out->older_id = out->posts[out->count - 1].id;
    } else if (r->taken < r->candidates.count) {
        out->older_id = r->candidates.ids[r->taken - 1];
    } else {
        out->older_id = r->candidates.floor;
    }
    return ERR_OK;
}

/* Loads the next candidates, reads lists further down, or is done. */
static enum err search_go_on(struct visit *v, struct search_read *r)
{
    size_t usual = (size_t)v->social->config->search.posts, twice = (size_t)r->limit * 2;
    size_t most = usual > twice ? usual : twice, left = r->candidates.count - r->taken;
    size_t room = r->looked < most ? most - r->looked : 0, n = r->next < left ? r->next : left;
    n = n < room ? n : room;
    if (r->out.count > r->limit || !room) {
        return finish_search(r);
    }
    if (!left) {
        if (!r->candidates.floor || r->rounds == ROUNDS) {
            return finish_search(r);
        }
        r->below = r->candidates.floor;
        lists_ask(v, r);
        return ERR_OK;
    }
    r->loads = arena_zero(v->arena, n * sizeof(*r->loads));
    r->load_count = n;
    for (size_t i = 0; i < n; i++) {
        r->loads[i].id = r->candidates.ids[r->taken++];
    }
    r->looked += n;
    r->next *= GROWTH;
    post_ask(v, r->loads, n, SEE_SEARCH);
    visit_then(v, take_found_posts, r);
    return ERR_OK;
}

static bool is_found(struct visit *v, struct search_read *r, const struct post *p)
{
    return p->id && (!r->query.from || p->author.id == r->from) && query_fits(v->social, v->arena, &r->query, p);
}

static enum err take_found_posts(struct visit *v, void *self)
{
    struct search_read *r = self;
    for (size_t i = 0; i < r->load_count && r->out.count <= r->limit; i++) {
        if (is_found(v, r, &r->loads[i].post)) {
            r->out.posts[r->out.count++] = r->loads[i].post;
        }
    }
    return search_go_on(v, r);
}

/* The lists have come, and who asks is known. */
static enum err take_lists(struct visit *v, void *self)
{
    struct search_read *r = self;
    struct hit_list lists[QUERY_LISTS + 1];
    enum err e = ERR_OK;
    r->claimed = v->viewer.id; /* 0 when the cookie was not his */
    for (size_t i = 0; e == ERR_OK && i < r->query.list_count; i++) {
        e = list_take(v, r->lists[i].reply, &lists[i]);
        struct hit_list own;
        if (e == ERR_OK && r->claimed && r->lists[i].own_reply != SIZE_MAX) {
            e = list_take(v, r->lists[i].own_reply, &own);
            lists[i] = e == ERR_OK ? hits_joined(v->arena, &lists[i], &own) : lists[i];
        }
        struct hit_list fresh = fresh_hits(v->arena, r->fresh, r->query.lists[i], r->claimed, r->below);
        lists[i] = e == ERR_OK ? hits_joined(v->arena, &lists[i], &fresh) : lists[i];
    }
    size_t count = r->query.list_count + (r->query.from != NULL);
    e = e == ERR_OK && r->query.from ? from_take(v, r, &lists[count - 1]) : e;
    if (e != ERR_OK) {
        return e;
    }
    bool is_certain;
    r->candidates = hits_common(v->arena, lists, count, &is_certain);
    r->taken = 0;
    if (!is_certain) {
        r->next *= GROWTH;
    }
    return search_go_on(v, r);
}

static enum err take_search_site(struct visit *v, void *self)
{
    struct search_read *r = self;
    struct record_site site;
    record_site_take(visit_reply(v, r->site_reply), SITE_SEARCH, &site);
    r->out.is_whole = strcmp(site.search, INDEX_WHOLE) == 0;
    r->fresh = visit_reply(v, r->fresh_reply);
    return ERR_OK;
}

/* of: whose posts, whatever the text says of that; 0: it says it. */
static const struct search_posts *posts_search(struct visit *v, uint64_t of, const char *text, uint64_t below,
                                               unsigned limit)
{
    struct search_read *r = arena_zero(v->arena, sizeof(*r));
    r->below = below;
    r->limit = limit;
    r->claimed = v->claimed;
    r->next = limit + 1 + SLACK;
    r->out.posts = arena_alloc(v->arena, (limit + 1) * sizeof(*r->out.posts));
    query_parse(v->arena, text, &r->query);
    if (of) {
        r->query.from = "";
        r->from = of;
    }
    r->out.is_empty = query_is_empty(&r->query);
    r->out.is_whole = true;
    if (r->query.from && strcmp(r->query.from, "me") == 0) {
        r->from = v->claimed;
    }
    if (!r->out.is_empty) {
        marks_want(v);
        r->site_reply = record_ask_at(v->reads.batch, KEY_GLOBAL_BUCKET,
                                      key_plain(v->arena, KEY_SITE, KEY_GLOBAL_BUCKET), RECORD_SITE, SITE_SEARCH);
        r->fresh_reply = fresh_ask(v->reads.batch, v->arena);
        visit_then(v, take_search_site, r);
        lists_ask(v, r);
    }
    return &r->out;
}

const struct search_posts *search_posts_ask(struct visit *v, const char *text, uint64_t below, unsigned limit)
{
    return posts_search(v, 0, text, below, limit);
}

const struct search_posts *search_posts_of_ask(struct visit *v, uint64_t uid, const char *text, uint64_t below,
                                               unsigned limit)
{
    return posts_search(v, uid, text, below, limit);
}
