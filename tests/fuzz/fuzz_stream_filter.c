/* fuzz_stream_filter.c - filters of streams. The input's lines: track, follow, locations, percent.
 *
 * What is refused has a problem of its field. What is not keeps the limits, and means what it says: a post that is one of the phrases is
 * wanted, one by whom is followed, and one at the corner of a box; and a sample has as many hundredths as was asked.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/id.h"
#include "base/text.h"
#include "fuzz.h"
#include "social/core/problem.h"
#include "social/posts/post.h"
#include "social/streaming/match.h"
#include "social/streaming/match_post.h"
#include "social/streaming/match_query.h"

static void check_rules(const struct match_query *q)
{
    FUZZ_CHECK(q->count > 0 && q->count <= MATCH_PHRASES + MATCH_FOLLOWS + 2 * MATCH_BOXES);
    for (size_t i = 0; i < q->count; i++) {
        const struct match_rule *r = &q->rules[i];
        FUZZ_CHECK(r->key_count > 0 && r->key_count <= MATCH_PHRASE_WORDS && r->part_count <= MATCH_PHRASE_WORDS);
        FUZZ_CHECK(!r->box || (r->box->west <= r->box->east && r->box->south <= r->box->north && r->key_count <= 4));
        for (size_t k = 0; k < r->key_count; k++) {
            size_t length = strlen(r->keys[k]);
            FUZZ_CHECK(length > 2 && r->keys[k][0] == '\n' && r->keys[k][length - 1] == '\n');
        }
    }
}

static void note_hit(void *context, void *owner)
{
    (void)owner;
    ++*(size_t *)context;
}

static void check_wanted(struct arena *a, const struct match_query *q, const struct post *p)
{
    struct match_index *m = match_new();
    struct match_post read;
    size_t hits = 0;
    match_add(m, q, NULL);
    match_post_read(a, p, &read);
    match_find(m, &read, note_hit, &hits);
    match_free(m);
    FUZZ_CHECK(hits == 1);
}

/* The first entry of a list that is not blank; NULL: there is none. */
static char *first_entry(struct arena *a, const char *list)
{
    size_t length;
    for (const char *entry; (entry = text_entry(&list, &length));) {
        char *own = arena_dup_n(a, entry, length);
        if (text_tidy(own) > 0) {
            return own;
        }
    }
    return NULL;
}

/* Commas and blanks of other languages, by which the entry may be several, or none. */
static bool has_other_marks(const char *entry)
{
    return strstr(entry, "\xEF\xBC\x8C") || strstr(entry, "\xE3\x80\x81") || strstr(entry, "\xE3\x80\x80") ||
           strstr(entry, "\xC2\xA0");
}

static struct post nobodys(const char *text)
{
    return (struct post){.author = {.name = "nobody"}, .text = text, .spoiler = "", .place = ""};
}

static void check_filter(struct arena *a, const struct match_asked *asked)
{
    struct problems p = {.count = 0};
    struct match_query q;
    if (!match_filter_read(a, asked, &q, &p)) {
        FUZZ_CHECK(p.count > 0 && p.count <= 3);
        return;
    }
    check_rules(&q);
    const char *phrase = first_entry(a, asked->track), *followed = first_entry(a, asked->follow);
    if (phrase && !has_other_marks(phrase)) {
        struct post of = nobodys(phrase);
        check_wanted(a, &q, &of);
    }
    if (followed) {
        struct post by = nobodys("");
        by.author.name = followed + (*followed == '@');
        by.author.id = id_parse(followed);
        check_wanted(a, &q, &by);
    }
    for (size_t i = 0; i < q.count; i++) {
        if (q.rules[i].box) {
            struct post at = nobodys("");
            at.place = arena_printf(a, "%.5f,%.5f", (double)q.rules[i].box->south / 100000,
                                    (double)q.rules[i].box->west / 100000);
            check_wanted(a, &q, &at);
        }
    }
}

void fuzz_stream_filter(const char *data, size_t size)
{
    struct arena *a = fuzz_arena();
    char *rest = arena_dup_n(a, data, size);
    const char *lines[4] = {"", "", "", ""};
    struct problems p = {.count = 0};
    struct match_query q;
    for (size_t i = 0; i < 4 && rest; i++) {
        lines[i] = strsep(&rest, "\n");
    }
    check_filter(a, &(struct match_asked){lines[0], lines[1], lines[2]});
    if (match_sample_read(a, lines[3], size, &q, &p)) {
        check_rules(&q);
        FUZZ_CHECK(q.count <= MATCH_PARTS && (*lines[3] || q.count == MATCH_SAMPLE_STANDARD));
        FUZZ_CHECK(!*lines[3] || q.count == strtoull(lines[3], NULL, 10));
    } else {
        FUZZ_CHECK(p.count == 1);
    }
}
