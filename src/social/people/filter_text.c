/* filter_text.c - see filter_text.h. Any thread. */
#include "social/people/filter_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/id.h"
#include "base/keyword.h"

#define LETTER_WHOLE 'w' /* of the only word */
#define LETTER_HIDE 'x'
#define LETTER_BLUR 'b'
#define LETTER_EMPTY 'e'
#define LETTER_MANY 'm'

static const struct {
    char letter;
    const char *word;
} places[FILTER_PLACES] = {
#define X(id, letter, word) [FILTER_PLACE_##id] = {letter, word},
    FILTER_CONTEXT_TABLE(X)
#undef X
};

const char *filter_place_word(unsigned place)
{
    return place < FILTER_PLACES ? places[place].word : NULL;
}

/* --- writing ------------------------------------------------------------------------------------------------------- */

static bool is_single(const struct filter *f)
{
    return f->keyword_count == 1 && !f->post_count && f->keywords[0].id == f->id &&
           strcmp(f->keywords[0].phrase, f->title) == 0;
}

static void write_lines(struct buffer *out, const struct filter *f)
{
    buffer_text(out, f->title);
    for (size_t i = 0; i < f->keyword_count; i++) {
        const struct filter_keyword *k = &f->keywords[i];
        buffer_printf(out, "\nk%llu%s %s", (unsigned long long)k->id, k->whole_word ? "w" : "", k->phrase);
    }
    for (size_t i = 0; i < f->post_count; i++) {
        buffer_printf(out, "\ns%llu %llu", (unsigned long long)f->posts[i].id, (unsigned long long)f->posts[i].post);
    }
}

const char *filter_text(struct arena *a, const struct filter *f)
{
    struct buffer out = buffer_make(a);
    bool single = is_single(f), is_empty = !f->keyword_count && !f->post_count;
    for (unsigned i = 0; i < FILTER_PLACES; i++) {
        if (f->places & 1u << i) {
            buffer_char(&out, places[i].letter);
        }
    }
    buffer_printf(&out, "%s%s%s:%llu:", single && f->keywords[0].whole_word ? "w" : "",
                  f->action == FILTER_HIDE   ? "x"
                  : f->action == FILTER_BLUR ? "b"
                                             : "",
                  single     ? ""
                  : is_empty ? "e"
                             : "m",
                  (unsigned long long)f->until_ms);
    if (single || is_empty) {
        buffer_text(&out, f->title);
    } else {
        write_lines(&out, f);
    }
    return buffer_string(&out);
}

/* --- reading ------------------------------------------------------------------------------------------------------- */

static unsigned place_bit(char letter)
{
    unsigned i = 0;
    while (i < FILTER_PLACES && places[i].letter != letter) {
        i++;
    }
    return i < FILTER_PLACES ? 1u << i : 0;
}

/* A line behind the title. Of one that a later version wrote nothing is known. */
static void read_line(struct arena *a, char *line, struct filter *out)
{
    char *rest = NULL;
    uint64_t id = *line ? strtoull(line + 1, &rest, 10) : 0;
    bool whole = rest && *rest == LETTER_WHOLE;
    rest = rest ? rest + whole : NULL;
    if (!rest || *rest != ' ') {
        return;
    }
    if (*line == 'k') {
        out->keywords[out->keyword_count++] = (struct filter_keyword){id, whole, rest + 1, keyword_fold(a, rest + 1)};
    } else if (*line == 's') {
        out->posts[out->post_count++] = (struct filter_post){id, id_parse(rest + 1)};
    }
}

static void read_lines(struct arena *a, char *text, struct filter *out)
{
    size_t lines = 1;
    for (const char *c = text; *c; c++) {
        lines += *c == '\n';
    }
    out->keywords = arena_alloc(a, lines * sizeof(*out->keywords));
    out->posts = arena_alloc(a, lines * sizeof(*out->posts));
    char *end = strchr(text, '\n');
    while (end) {
        char *line = end + 1;
        *end = '\0';
        end = strchr(line, '\n');
        if (end) {
            *end = '\0';
        }
        read_line(a, line, out);
    }
}

bool filter_parse(struct arena *a, const char *id, const char *value, struct filter *out)
{
    bool is_whole = false, is_empty = false, is_many = false;
    const char *at = value;
    *out = (struct filter){.id = strtoull(id, NULL, 10), .value = value};
    for (; *at && *at != ':'; at++) {
        out->places |= place_bit(*at);
        out->action = *at == LETTER_HIDE ? FILTER_HIDE : *at == LETTER_BLUR ? FILTER_BLUR : out->action;
        is_whole |= *at == LETTER_WHOLE;
        is_empty |= *at == LETTER_EMPTY;
        is_many |= *at == LETTER_MANY;
    }
    char *end = NULL;
    out->until_ms = *at ? strtoull(at + 1, &end, 10) : 0;
    if (!end || *end != ':') {
        return false;
    }
    out->title = arena_dup(a, end + 1);
    if (is_many) {
        read_lines(a, (char *)out->title, out);
    } else if (!is_empty) {
        out->keywords = arena_alloc(a, sizeof(*out->keywords));
        out->keywords[out->keyword_count++] =
            (struct filter_keyword){out->id, is_whole, out->title, keyword_fold(a, out->title)};
    }
    return true;
}
