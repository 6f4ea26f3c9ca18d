/* index.c - see index.h. Any thread. */
#include "social/search/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "config/config.h"
#include "social/core/social.h"
#include "social/posts/index.h"
#include "social/posts/post.h"
#include "social/posts/tags.h"
#include "social/search/people_index.h"
#include "store/calls.h"
#include "store/keys.h"
#include "store/store.h"

#define ROWS 500 /* of one call */

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

const char *index_slot(struct arena *a, const char *word)
{
    return index_slot_at(a, hash_of(word) % (INDEX_REGIONS * INDEX_SLOTS));
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

static void row_put(struct index_rows *r, struct arena *a, const struct post *p, const char *word)
{
    const char *name = p->visibility == VISIBILITY_PUBLIC ? word : index_own_word(a, p->author.id, word);
    if (r->count == r->room) {
        size_t room = r->room ? 2 * r->room : 64;
        r->items = arena_grow(a, r->items, r->room * sizeof(*r->items), room * sizeof(*r->items));
        r->room = room;
    }
    r->items[r->count++] = (struct script_word_add_row){index_slot(a, name), name, p->id};
}

static void rows_of_post(struct social *s, struct arena *a, const struct post *p, struct index_rows *r)
{
    struct words w = index_words_of(s, a, p);
    for (size_t i = 0; i < w.count; i++) {
        row_put(r, a, p, index_word(a, &w, i));
        if (w.items[i].joins) {
            row_put(r, a, p, arena_dup_n(a, w.items[i].text, w.items[i].length));
        }
    }
}

/* By slot, which begins with the region; then by word, and the oldest first. */
static int by_place(const void *x, const void *y)
{
    const struct script_word_add_row *a = x, *b = y;
    int slots = strcmp(a->slot, b->slot), words = slots ? slots : strcmp(a->word, b->word);
    return words ? words : (a->post > b->post) - (a->post < b->post);
}

/* The same, and the newest first. */
static int by_place_newest(const void *x, const void *y)
{
    const struct script_word_add_row *a = x, *b = y;
    int order = by_place(x, y);
    return strcmp(a->slot, b->slot) == 0 && strcmp(a->word, b->word) == 0 ? -order : order;
}

/* Sorted, each once. Lists grow at their ends: whoever goes from new to old has the newest of a word come first. */
static void rows_settle(struct index_rows *r, bool backwards)
{
    if (r->count > 1) {
        qsort(r->items, r->count, sizeof(*r->items), backwards ? by_place_newest : by_place);
    }
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (n == 0 || by_place(&r->items[n - 1], &r->items[i]) != 0) {
            r->items[n++] = r->items[i];
        }
    }
    r->count = n;
}

size_t index_rows_together(const struct index_rows *r, size_t from)
{
    unsigned bucket = key_text_bucket(r->items[from].slot);
    size_t n = from;
    while (n < r->count && n - from < ROWS && key_text_bucket(r->items[n].slot) == bucket) {
        n++;
    }
    return n - from;
}

void index_rows_of(struct social *s, struct arena *a, const struct post *posts, size_t count, struct index_rows *out)
{
    *out = (struct index_rows){.count = 0};
    for (size_t i = 0; i < count; i++) {
        rows_of_post(s, a, &posts[i], out);
    }
    rows_settle(out, count > 1 && posts[0].id > posts[count - 1].id);
}

/* One call for each region and ROWS; `end`: out of the lists. */
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

static void index_posts_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *posts,
                            size_t count)
{
    struct index_rows r;
    if (!s->config->search.enabled) {
        return;
    }
    index_rows_of(s, a, posts, count, &r);
    rows_write(&r, b, false);
    for (size_t i = 0; i < count; i++) {
        if (posts[i].visibility == VISIBILITY_PUBLIC) {
            tag_index_add(b, a, tags_of(a, posts[i].text, strlen(posts[i].text)));
        }
    }
}

static void index_post_end_add(struct social *s, struct store_batch *b, struct arena *a, const struct post *post)
{
    struct index_rows r;
    index_rows_of(s, a, post, 1, &r);
    rows_write(&r, b, true);
}

const struct post_index search_index = {.posts_add = index_posts_add, .post_end_add = index_post_end_add};
