/* filter_edits.c - see filter_edits.h. Connection threads. */
#include "api/filter_edits.h"

#include <string.h>

#include "api/api.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/text.h"
#include "social/posts/post.h"
#include "social/posts/post_pick.h"

#define SECONDS_MOST ((int64_t)400 * 86400)
#define FAILED "Validation failed: "

const char filter_edit_missing[] = "";

static const char too_many_words[] = FAILED "a filter has at most " TEXT_OF(FILTER_KEYWORDS_MOST) " keywords";

/* --- where, how, until when ---------------------------------------------------------------------------------------- */

/* context[], when it is there. False: a word of it is no place. */
static bool read_places(const struct api *c, struct filter *f)
{
    size_t count;
    const char *const *words = api_texts(c, "context", &count);
    unsigned places = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned place = 0;
        while (place < FILTER_PLACES && strcmp(words[i], filter_place_word(place)) != 0) {
            place++;
        }
        if (place == FILTER_PLACES) {
            return false;
        }
        places |= 1u << place;
    }
    f->places = count ? places : f->places;
    return true;
}

/* expires_in, when it is there; empty: never. */
static void read_end(const struct api *c, struct filter *f)
{
    const char *sent = api_text(c, "expires_in");
    int64_t seconds = api_number(c, "expires_in", 0);
    if (sent) {
        seconds = seconds > SECONDS_MOST ? SECONDS_MOST : seconds;
        f->until_ms = seconds > 0 ? clock_site_ms() + (uint64_t)seconds * 1000 : 0;
    }
}

static const char *read_extent(const struct api *c, struct filter *f)
{
    read_end(c, f);
    return read_places(c, f) ? NULL : FAILED "context names a place that is none";
}

static bool read_action(const struct api *c, struct filter *f)
{
    const char *word = api_text(c, "filter_action");
    if (word) {
        f->action = strcmp(word, "hide") == 0 ? FILTER_HIDE : strcmp(word, "blur") == 0 ? FILTER_BLUR : FILTER_WARN;
    }
    return !word || f->action != FILTER_WARN || strcmp(word, "warn") == 0;
}

/* --- words --------------------------------------------------------------------------------------------------------- */

static const char *keyword_append(struct filter *f, const char *phrase, bool whole_word)
{
    if (f->keyword_count == FILTER_KEYWORDS_MOST) {
        return too_many_words;
    }
    f->keywords[f->keyword_count++] = (struct filter_keyword){.phrase = phrase, .whole_word = whole_word};
    return NULL;
}

static void keyword_drop(struct filter *f, size_t at)
{
    f->keyword_count--;
    memmove(&f->keywords[at], &f->keywords[at + 1], (f->keyword_count - at) * sizeof(*f->keywords));
}

static size_t find_keyword(const struct filter *f, uint64_t id)
{
    size_t i = 0;
    while (i < f->keyword_count && f->keywords[i].id != id) {
        i++;
    }
    return i;
}

/* One of keywords_attributes: values as they were sent, NULL where nothing was. */
struct row {
    const char *index; /* between the brackets */
    size_t index_length;
    const char *id, *keyword, *whole_word, *destroy;
};

#define ROWS_MOST (2 * FILTER_KEYWORDS_MOST) /* each word taken away, and as many new ones */

/* Where the row keeps a field of this name; NULL: there is none such. */
static const char **row_field(struct row *row, const char *name)
{
    return strcmp(name, "[id]") == 0           ? &row->id
           : strcmp(name, "[keyword]") == 0    ? &row->keyword
           : strcmp(name, "[whole_word]") == 0 ? &row->whole_word
           : strcmp(name, "[_destroy]") == 0   ? &row->destroy
                                               : NULL;
}

/* The row that a pair belongs to: of its index; without one the last, until a field comes that it has. NULL: there are
 * too many. */
static struct row *attribute_row(struct row *rows, size_t *count, const char *index, size_t length, const char *field)
{
    size_t i = 0;
    while (i < *count && (rows[i].index_length != length || strncmp(rows[i].index, index, length) != 0)) {
        i++;
    }
    if (!length && *count) {
        const char **there = row_field(&rows[*count - 1], field);
        i = rows[*count - 1].index_length == 0 && there && !*there ? *count - 1 : *count;
    }
    if (i == *count) {
        if (*count == ROWS_MOST) {
            return NULL;
        }
        rows[(*count)++] = (struct row){.index = index, .index_length = length};
    }
    return &rows[i];
}

/* keywords_attributes[…][…]. False: there are too many. */
static bool read_rows(const struct api *c, struct row *rows, size_t *count)
{
    static const char begin[] = "keywords_attributes[";
    *count = 0;
    for (size_t i = 0; i < c->req->form.count; i++) {
        const struct http_pair *pair = &c->req->form.items[i];
        const char *index = pair->name + sizeof(begin) - 1;
        const char *end = strncmp(pair->name, begin, sizeof(begin) - 1) == 0 ? strchr(index, ']') : NULL;
        struct row none = {.index = ""};
        if (!end || !row_field(&none, end + 1)) {
            continue;
        }
        struct row *row = attribute_row(rows, count, index, (size_t)(end - index), end + 1);
        if (!row) {
            return false;
        }
        *row_field(row, end + 1) = pair->value;
    }
    return true;
}

static const char *apply_row(struct filter *f, const struct row *row)
{
    bool is_new = !row->id || !*row->id;
    size_t at = is_new ? f->keyword_count : find_keyword(f, strtoull(row->id, NULL, 10));
    if (is_new) {
        return api_bool_of(row->destroy, false)
                   ? NULL
                   : keyword_append(f, row->keyword ? row->keyword : "", api_bool_of(row->whole_word, true));
    }
    if (at == f->keyword_count) {
        return filter_edit_missing;
    }
    if (api_bool_of(row->destroy, false)) {
        keyword_drop(f, at);
        return NULL;
    }
    struct filter_keyword *k = &f->keywords[at];
    k->phrase = row->keyword ? row->keyword : k->phrase;
    k->whole_word = api_bool_of(row->whole_word, k->whole_word);
    return NULL;
}

/* What is taken away makes room for what comes. */
static const char *apply_rows(const struct api *c, struct filter *f)
{
    struct row rows[ROWS_MOST];
    size_t count;
    const char *wrong = read_rows(c, rows, &count) ? NULL : too_many_words;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; !wrong && i < count; i++) {
            bool goes = rows[i].id && api_bool_of(rows[i].destroy, false);
            wrong = goes == (round == 0) ? apply_row(f, &rows[i]) : NULL;
        }
    }
    return wrong;
}

/* --- edits --------------------------------------------------------------------------------------------------------- */

/* In the first version a filter is one keyword; a title that said the same goes with it. */
const char *filter_edit_v1(struct api *c, struct filter_found *found)
{
    struct filter *f = &found->filter;
    const char *phrase = api_text(c, "phrase");
    if (!f->keyword_count) {
        f->title = phrase ? phrase : "";
        keyword_append(f, f->title, false);
    }
    struct filter_keyword *k = &f->keywords[found->at];
    f->title = phrase && strcmp(f->title, k->phrase) == 0 ? phrase : f->title;
    k->phrase = phrase ? phrase : k->phrase;
    k->whole_word = api_bool(c, "whole_word", k->whole_word);
    if (api_text(c, "irreversible")) {
        bool hides = api_bool(c, "irreversible", f->action == FILTER_HIDE);
        f->action = hides ? FILTER_HIDE : f->action == FILTER_HIDE ? FILTER_WARN : f->action;
    }
    return read_extent(c, f);
}

const char *filter_edit_v2(struct api *c, struct filter_found *found)
{
    struct filter *f = &found->filter;
    const char *title = api_text(c, "title");
    f->title = title ? title : f->title;
    if (!read_action(c, f)) {
        return FAILED "filter_action is warn, hide or blur";
    }
    const char *wrong = apply_rows(c, f);
    return wrong ? wrong : read_extent(c, f);
}

const char *filter_edit_keyword(struct api *c, struct filter_found *found)
{
    struct filter_keyword *k = &found->filter.keywords[found->at];
    const char *keyword = api_text(c, "keyword");
    k->phrase = keyword ? keyword : k->phrase;
    k->whole_word = api_bool(c, "whole_word", k->whole_word);
    return NULL;
}

const char *filter_edit_keyword_add(struct api *c, struct filter_found *found)
{
    const char *keyword = api_text(c, "keyword");
    found->at = found->filter.keyword_count;
    return keyword_append(&found->filter, keyword ? keyword : "", api_bool(c, "whole_word", true));
}

const char *filter_edit_keyword_drop(struct api *c, struct filter_found *found)
{
    (void)c;
    keyword_drop(&found->filter, found->at);
    return NULL;
}

/* One that is there already stays as it is. */
const char *filter_edit_post_add(struct api *c, struct filter_found *found)
{
    (void)c;
    struct filter *f = &found->filter;
    if (!found->picked->count) {
        return filter_edit_missing;
    }
    uint64_t post = found->picked->posts[0].id;
    found->at = 0;
    while (found->at < f->post_count && f->posts[found->at].post != post) {
        found->at++;
    }
    if (found->at == FILTER_POSTS_MOST) {
        return FAILED "a filter has at most " TEXT_OF(FILTER_POSTS_MOST) " statuses";
    }
    if (found->at == f->post_count) {
        f->posts[f->post_count++] = (struct filter_post){.post = post};
    }
    return NULL;
}

const char *filter_edit_post_drop(struct api *c, struct filter_found *found)
{
    (void)c;
    struct filter *f = &found->filter;
    f->post_count--;
    memmove(&f->posts[found->at], &f->posts[found->at + 1], (f->post_count - found->at) * sizeof(*f->posts));
    return NULL;
}
