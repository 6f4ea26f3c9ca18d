/* search_people.c - people and tags by the beginnings of their names; see search.h. One thread at a time per visit. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "social/people/visit.h"
#include "social/people/visit_apart.h"
#include "social/people/visit_read.h"
#include "social/search/people_index.h"
#include "social/search/search.h"
#include "store/keys.h"
#include "store/store.h"

#define ENTRIES SEARCH_MOST /* of the index that are looked at */
#define LOADED 3            /* times as many people as are wanted are loaded: those who come first */
#define FOLLOWED 500        /* people whom the visitor follows, when the index names more than are looked at */

/* --- people -------------------------------------------------------------------------------------------------------- */

/* Somebody whom the index names, and where. */
struct candidate {
    uint64_t uid;
    size_t place;
    bool is_followed;
};

struct people_search {
    struct people out, followed, loaded;
    const char *const *words;
    size_t reply;
    struct candidate *candidates;
    size_t count, most;
    bool has_waited, is_cut; /* the index names more than were looked at */
};

static int by_uid(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    return a->uid != b->uid ? (a->uid > b->uid) - (a->uid < b->uid) : (a->place > b->place) - (a->place < b->place);
}

static int by_rank(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    return a->is_followed != b->is_followed ? b->is_followed - a->is_followed
                                            : (a->place > b->place) - (a->place < b->place);
}

static bool is_taken(const struct people *out, uint64_t uid)
{
    size_t i = 0;
    while (i < out->count && out->users[i].id != uid) {
        i++;
    }
    return i < out->count;
}

/* Those who fit. */
static void people_take(struct visit *v, struct people_search *r, const struct people *from)
{
    for (size_t i = 0; i < from->count && r->out.count < r->most; i++) {
        const struct user *u = &from->users[i];
        bool is_at_odds = visit_apart(v, u->id) & (APART_BLOCKS | APART_BLOCKED_BY);
        bool is_around = user_is_shown_around(u) || u->id == v->viewer.id;
        if (u->id && !is_at_odds && is_around && people_match(v->arena, u, r->words) && !is_taken(&r->out, u->id)) {
            r->out.users[r->out.count++] = *u;
        }
    }
}

static enum err take_found_people(struct visit *v, void *self)
{
    struct people_search *r = self;
    people_take(v, r, &r->followed);
    people_take(v, r, &r->loaded);
    return ERR_OK;
}

/* Ranks them and loads the first. Whom the visitor follows is known by now, or with the next round. */
static enum err rank_people(struct visit *v, void *self)
{
    struct people_search *r = self;
    if (v->viewer.id && !v->following_known && !r->has_waited) {
        r->has_waited = true;
        visit_then(v, rank_people, r);
        return ERR_OK;
    }
    for (size_t i = 0; i < r->count; i++) {
        r->candidates[i].is_followed = v->following_known && visit_follows(v, r->candidates[i].uid);
    }
    qsort(r->candidates, r->count, sizeof(*r->candidates), by_rank);
    size_t n = r->count < LOADED * r->most ? r->count : LOADED * r->most;
    uint64_t *ids = arena_alloc(v->arena, (n + 1) * sizeof(*ids));
    for (size_t i = 0; i < n; i++) {
        ids[i] = r->candidates[i].uid;
    }
    people_ask(v, ids, n, &r->loaded);
    if (r->is_cut && v->following_known) { /* he may follow somebody who comes further behind */
        size_t most = v->following_count < FOLLOWED ? v->following_count : FOLLOWED;
        people_ask(v, v->following + v->following_count - most, most, &r->followed);
    }
    visit_then(v, take_found_people, r);
    return ERR_OK;
}

/* Each once, at the first of his places: the shortest word is the nearest. */
static enum err take_people_entries(struct visit *v, void *self)
{
    struct people_search *r = self;
    const struct store_reply *rows = visit_reply(v, r->reply);
    if (rows->type != STORE_ARRAY) {
        return rows->type == STORE_ERROR ? rows->err : ERR_PROTOCOL;
    }
    r->candidates = arena_alloc(v->arena, (rows->count + 1) * sizeof(*r->candidates));
    r->is_cut = rows->count == ENTRIES;
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        uint64_t uid = people_entry_user(store_text(&rows->items[i]));
        if (uid) {
            r->candidates[n++] = (struct candidate){uid, i, false};
        }
    }
    qsort(r->candidates, n, sizeof(*r->candidates), by_uid);
    for (size_t i = 0; i < n; i++) {
        if (r->count == 0 || r->candidates[r->count - 1].uid != r->candidates[i].uid) {
            r->candidates[r->count++] = r->candidates[i];
        }
    }
    return rank_people(v, r);
}

/* The longest: it says most. */
static const char *longest(const char *const *words)
{
    const char *best = *words;
    for (; *words; words++) {
        best = strlen(*words) > strlen(best) ? *words : best;
    }
    return best;
}

const struct people *search_people_ask(struct visit *v, const char *text, size_t most)
{
    struct people_search *r = arena_zero(v->arena, sizeof(*r));
    r->most = most < SEARCH_MOST ? most : SEARCH_MOST;
    r->out.users = arena_alloc(v->arena, (r->most + 1) * sizeof(*r->out.users));
    r->words = people_words(v->arena, text, false);
    if (*r->words) {
        visit_want_following(v);
        visit_want_apart(v);
        r->reply = people_find_add(v->reads.batch, v->arena, longest(r->words), ENTRIES);
        visit_then(v, take_people_entries, r);
    }
    return &r->out;
}

/* --- tags ---------------------------------------------------------------------------------------------------------- */

struct tags_search {
    struct search_tags out;
    enum search_order order;
    size_t reply, first, most;
};

static int by_use(const void *x, const void *y)
{
    const struct search_tag *a = x, *b = y;
    return a->posts != b->posts ? (a->posts < b->posts) - (a->posts > b->posts) : strcmp(a->name, b->name);
}

static int by_length(const void *x, const void *y)
{
    const struct search_tag *a = x, *b = y;
    size_t i = strlen(a->name), k = strlen(b->name);
    return i != k ? (i > k) - (i < k) : strcmp(a->name, b->name);
}

static enum err take_tag_counts(struct visit *v, void *self)
{
    struct tags_search *r = self;
    size_t n = 0;
    for (size_t i = 0; i < r->out.count; i++) {
        int64_t posts = store_integer(visit_reply(v, r->first + i));
        if (posts > 0) {
            r->out.tags[n++] = (struct search_tag){r->out.tags[i].name, posts};
        }
    }
    qsort(r->out.tags, n, sizeof(*r->out.tags), r->order == SEARCH_BY_USE ? by_use : by_length);
    r->out.count = n < r->most ? n : r->most;
    return ERR_OK;
}

static enum err take_tag_entries(struct visit *v, void *self)
{
    struct tags_search *r = self;
    const struct store_reply *rows = visit_reply(v, r->reply);
    if (rows->type != STORE_ARRAY) {
        return rows->type == STORE_ERROR ? rows->err : ERR_PROTOCOL;
    }
    r->out.tags = arena_alloc(v->arena, (rows->count + 1) * sizeof(*r->out.tags));
    r->first = store_batch_count(v->reads.batch);
    for (size_t i = 0; i < rows->count; i++) {
        const char *tag = tag_entry_tag(store_text(&rows->items[i]));
        if (tag) {
            r->out.tags[r->out.count++].name = tag;
            store_command(v->reads.batch, key_text_bucket(tag), "ZCARD", key_text(v->arena, KEY_TAG, tag), NULL);
        }
    }
    visit_then(v, take_tag_counts, r);
    return ERR_OK;
}

const struct search_tags *search_tags_ask(struct visit *v, const char *text, enum search_order order, size_t most)
{
    struct tags_search *r = arena_zero(v->arena, sizeof(*r));
    r->most = most;
    r->order = order;
    const char *word = tag_folded(v->arena, text);
    if (*word) {
        r->reply = tags_find_add(v->reads.batch, v->arena, word, ENTRIES);
        visit_then(v, take_tag_entries, r);
    }
    return &r->out;
}
