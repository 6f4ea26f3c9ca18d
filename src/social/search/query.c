/* query.c - see query.h. Pure functions. */
#include "social/search/query.h"

#include <string.h>

#include "base/arena.h"
#include "base/entity_scan.h"
#include "base/text.h"
#include "social/posts/post.h"
#include "social/posts/tags.h"
#include "social/search/index.h"

/* --- parts --------------------------------------------------------------------------------------------------------- */

/* Bytes of a quotation mark at the text, of whatever language; 0: there is none. */
static size_t quote_at(const char *text)
{
    static const char *const quotes[] = {"\"",       "\xE2\x80\x9C", "\xE2\x80\x9D", "\xE2\x80\x9E", "\xC2\xAB",
                                         "\xC2\xBB", "\xEF\xBC\x82", "\xE3\x80\x8C", "\xE3\x80\x8D"};
    for (size_t i = 0; i < sizeof(quotes) / sizeof(quotes[0]); i++) {
        size_t n = strlen(quotes[i]);
        if (strncmp(text, quotes[i], n) == 0) {
            return n;
        }
    }
    return 0;
}

/* Bytes of a blank; also of one as wide as a sign. */
static size_t blank_at(const char *text)
{
    if (strncmp(text, "\xE3\x80\x80", 3) == 0) {
        return 3;
    }
    return *text == ' ' || *text == '\t' || *text == '\n' || *text == '\r';
}

/* The end of a part that begins here: the next blank or quotation mark; of a phrase the next mark. */
static size_t part_length(const char *text, bool is_phrase)
{
    size_t n = 0;
    while (text[n] && !quote_at(text + n) && (is_phrase || !blank_at(text + n))) {
        n++;
    }
    return n;
}

/* --- terms --------------------------------------------------------------------------------------------------------- */

static void lists_add(struct arena *a, struct query *q, const struct words *w, size_t i)
{
    bool is_in_pair = i + 1 < w->count && w->items[i + 1].joins && !w->items[i].joins;
    if (is_in_pair || q->list_count == QUERY_LISTS) {
        return;
    }
    const char *word = index_word(a, w, i);
    for (size_t k = 0; k < q->list_count; k++) {
        if (strcmp(q->lists[k], word) == 0) {
            return;
        }
    }
    q->lists[q->list_count++] = word;
}

static void term_add(struct arena *a, struct query *q, const char *text, size_t length, const char *tag)
{
    struct words w = words_split(a, text, length, QUERY_WORDS);
    if (w.count == 0 || q->count == QUERY_TERMS) {
        return;
    }
    q->terms[q->count++] = (struct term){w, tag};
    for (size_t i = 0; i < w.count; i++) {
        lists_add(a, q, &w, i);
    }
}

static bool is_from(const char *text, size_t length)
{
    static const char word[] = "from:";
    size_t same = 0;
    while (same < sizeof(word) - 1 && same < length && (text[same] | 0x20) == (word[same] | 0x20)) {
        same++;
    }
    return same == sizeof(word) - 1 && length > same;
}

static void author_take(struct arena *a, struct query *q, const char *name, size_t length)
{
    size_t sign = *name == '@';
    if (!q->from && length > sign) {
        q->from = arena_dup_n(a, name + sign, length - sign);
    }
}

/* Bytes of the sign of a tag, narrow or wide. */
static size_t tag_sign(const char *text, size_t length)
{
    return length && *text == '#' ? 1 : length > 3 && memcmp(text, "\xEF\xBC\x83", 3) == 0 ? 3 : 0;
}

static void part_take(struct arena *a, struct query *q, const char *text, size_t length)
{
    size_t sign = tag_sign(text, length);
    if (is_from(text, length)) {
        author_take(a, q, text + 5, length - 5);
    } else if (sign && entity_scan_is_tag(text + sign, length - sign)) {
        char *tag = arena_alloc(a, length + 1);
        term_add(a, q, text + sign, length - sign, entity_scan_fold(text + sign, length - sign, tag));
    } else {
        term_add(a, q, text, length, NULL);
    }
}

void query_parse(struct arena *a, const char *text, struct query *out)
{
    bool is_phrase = false;
    *out = (struct query){.count = 0};
    while (*text) {
        size_t mark = quote_at(text), blank = mark || is_phrase ? 0 : blank_at(text);
        if (mark || blank) {
            is_phrase = mark ? !is_phrase : is_phrase;
            text += mark + blank;
            continue;
        }
        size_t length = part_length(text, is_phrase);
        if (is_phrase) {
            term_add(a, out, text, length, NULL);
        } else {
            part_take(a, out, text, length);
        }
        text += length;
    }
}

bool query_is_empty(const struct query *q)
{
    return q->count == 0 && !q->from;
}

bool query_fits(struct social *s, struct arena *a, const struct query *q, const struct post *p)
{
    struct words all = index_words_of(s, a, p);
    for (size_t i = 0; i < q->count; i++) {
        const struct term *t = &q->terms[i];
        bool has = t->tag ? tags_have(tags_of(a, p->text, strlen(p->text)), t->tag) : words_have(&all, &t->words);
        if (!has) {
            return false;
        }
    }
    return true;
}
