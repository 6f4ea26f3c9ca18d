/* index.c - see index.h. Any thread. */
#include "social/search/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/panic.h"
#include "config/config.h"
#include "social/core/social.h"
#include "social/posts/index.h"
#include "social/posts/post.h"
#include "social/posts/tags.h"
#include "social/search/people_index.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/record.h"
#include "store/store.h"

#define ROWS 250           /* of one call */
#define POSTS_IN_ROWS 4000 /* of one call, and so of a row */

/* --- names --------------------------------------------------------------------------------------------------------- */

/* FNV-1a. Never changes: it is in the data. */
static uint32_t hash_of(const char *word)
{
    uint32_t h = 2166136261u;
    for (const char *c = word; *c; c++) {
        h = (h ^ (unsigned char)*c) * 16777619u;
    }
    return h ^ h >> 15;
}

const char *index_slot_at(struct arena *a, unsigned number)
{
    return arena_printf(a, "%u|%u", number % INDEX_REGIONS, number / INDEX_REGIONS);
}

static unsigned slot_number(const char *word)
{
    return hash_of(word) % (INDEX_REGIONS * INDEX_SLOTS);
}

const char *index_slot(struct arena *a, const char *word)
{
    return index_slot_at(a, slot_number(word));
}

const char *index_word(struct arena *a, const struct words *w, size_t i)
{
    const struct word *one = &w->items[i], *first = one->joins ? one - 1 : one;
    return arena_dup_n(a, first->text, (size_t)(one->text - first->text) + one->length);
}

const char *index_own_word(struct arena *a, uint64_t uid, const char *word)
{
    return arena_printf(a, "%llu/%s", (unsigned long long)uid, word);
}

struct words index_words_of(struct social *s, struct arena *a, const struct post *p)
{
    const char *text = *p->spoiler ? arena_printf(a, "%s\n%s", p->spoiler, p->text) : p->text;
    return words_split(a, text, strlen(text), (size_t)s->config->search.words);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* A post that has a word. */
struct mark {
    unsigned place; /* of the slot, by region first */
    const char *word;
    uint64_t post;
};

struct word_marks {
    struct mark *items;
    size_t count, room;
};

static void mark_put(struct word_marks *m, struct arena *a, const struct post *p, const char *word)
{
    const char *name = p->visibility == VISIBILITY_PUBLIC ? word : index_own_word(a, p->author.id, word);
    if (m->count == m->room) {
        size_t room = m->room ? 2 * m->room : 64;
        m->items = arena_grow(a, m->items, m->room * sizeof(*m->items), room * sizeof(*m->items));
        m->room = room;
    }
    unsigned number = slot_number(name);
    m->items[m->count++] = (struct mark){number % INDEX_REGIONS * INDEX_SLOTS + number / INDEX_REGIONS, name, p->id};
}

static void mark_words(struct social *s, struct arena *a, const struct post *p, struct word_marks *m)
{
    struct words w = index_words_of(s, a, p);
    for (size_t i = 0; i < w.count; i++) {
        mark_put(m, a, p, index_word(a, &w, i));
        if (w.items[i].joins) {
            mark_put(m, a, p, arena_dup_n(a, w.items[i].text, w.items[i].length));
        }
    }
}

static int by_word(const struct mark *a, const struct mark *b)
{
    return a->place != b->place ? (a->place > b->place) - (a->place < b->place) : strcmp(a->word, b->word);
}

/* By word, and the oldest first. */
static int by_word_and_age(const void *x, const void *y)
{
    const struct mark *a = x, *b = y;
    int order = by_word(a, b);
    return order ? order : (a->post > b->post) - (a->post < b->post);
}

/* The marks in order, of each word a row. */
static void rows_make(struct arena *a, const struct word_marks *m, struct index_rows *out)
{
    uint64_t *ids = arena_alloc(a, (m->count + 1) * sizeof(*ids));
    *out = (struct index_rows){arena_alloc(a, (m->count + 1) * sizeof(*out->items)), 0};
    if (m->count) {
        qsort(m->items, m->count, sizeof(*m->items), by_word_and_age);
    }
    for (size_t i = 0; i < m->count; i++) {
        const struct mark *one = &m->items[i];
        bool is_next = i > 0 && by_word(one - 1, one) == 0;
        struct script_word_add_row *row = &out->items[is_next ? out->count - 1 : out->count];
        if (!is_next) {
            *row = (struct script_word_add_row){index_slot(a, one->word), one->word, {ids, 0}};
            out->count++;
        }
        if (!is_next || one->post != one[-1].post) {
            *ids++ = one->post;
            row->posts.count++;
        }
    }
}

size_t index_rows_together(const struct index_rows *r, size_t from)
{
    unsigned bucket = key_text_bucket(r->items[from].slot);
    size_t n = from, posts = 0;
    while (n < r->count && n - from < ROWS && posts + r->items[n].posts.count <= POSTS_IN_ROWS &&
           key_text_bucket(r->items[n].slot) == bucket) {
        posts += r->items[n++].posts.count;
    }
    return n - from;
}

void index_rows_of(struct social *s, struct arena *a, const struct post *posts, size_t count, struct index_rows *out)
{
    struct word_marks m = {.count = 0};
    require(count <= INDEX_AT_ONCE && INDEX_AT_ONCE <= POSTS_IN_ROWS);
    for (size_t i = 0; i < count; i++) {
        mark_words(s, a, &posts[i], &m);
    }
    rows_make(a, &m, out);
}

/* Calls for all rows; `end`: out of the lists. */
static void rows_write(const struct index_rows *r, struct store_batch *b, bool end)
{
    for (size_t i = 0, n; i < r->count; i += n) {
        n = index_rows_together(r, i);
        const struct script_word_add in = {key_text_bucket(r->items[i].slot), r->items + i, n};
        if (end) {
            script_word_end_add(b, &in);
        } else {
            script_word_add_add(b, &in);
        }
    }
}

/* --- posts --------------------------------------------------------------------------------------------------------- */

void index_tags_add(struct store_batch *b, struct arena *a, const struct post *post)
{
    if (post->visibility == VISIBILITY_PUBLIC) {
        tag_index_add(b, a, tags_of(a, post->text, strlen(post->text)));
    }
}

void index_posts_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *posts, size_t count)
{
    struct index_rows r;
    if (!s->config->search.enabled) {
        return;
    }
    index_rows_of(s, a, posts, count, &r);
    rows_write(&r, b, false);
    for (size_t i = 0; i < count; i++) {
        index_tags_add(b, a, &posts[i]);
    }
}

enum err index_stored(struct social *s, struct arena *a, const uint64_t *ids, size_t count)
{
    struct store_batch *read = store_batch_new(s->store, a), *b = store_batch_new(s->store, a);
    struct post *posts = arena_alloc(a, (count + 1) * sizeof(*posts));
    for (size_t i = 0; i < count; i++) {
        record_ask(read, RECORD_POST, ids[i], POST_SHOWN);
    }
    enum err e = store_run(read);
    size_t n = 0;
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct record_post record;
        if (record_post_take(store_reply(read, i), POST_SHOWN, &record)) {
            post_from_record(a, ids[i], &record, &posts[n++]);
        }
    }
    index_posts_add(s, b, a, posts, n);
    return e == ERR_OK ? store_run(b) : e;
}

void index_post_end_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *post)
{
    struct index_rows r;
    index_rows_of(s, a, post, 1, &r);
    rows_write(&r, b, true);
}

/* Whether the post has this word of an earlier version still. */
static bool row_is_in(const struct index_rows *r, const char *word)
{
    size_t i = 0;
    while (i < r->count && strcmp(r->items[i].word, word) != 0) {
        i++;
    }
    return i < r->count;
}

void index_words_end_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *now,
                         const struct post *earlier, size_t count)
{
    struct index_rows has, had;
    size_t n = 0;
    index_rows_of(s, a, now, 1, &has);
    index_rows_of(s, a, earlier, count, &had);
    for (size_t i = 0; i < had.count; i++) {
        if (!row_is_in(&has, had.items[i].word)) {
            had.items[n++] = had.items[i];
        }
    }
    had.count = n;
    rows_write(&had, b, true);
}
