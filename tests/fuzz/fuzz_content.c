/* fuzz_content.c - text to HTML: only the tags that templates may print unescaped, balanced; and the text that a
 * browser shows is the text that was typed. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "fuzz.h"
#include "view/content.h"

#define ORIGIN "https://origin.example"
#define DEEPEST 8

struct reader {
    const char *at;
    struct buffer text;        /* what a browser shows */
    const char *open[DEEPEST]; /* names of the elements around `at` */
    size_t depth;
};

static bool take(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    bool found = strncmp(r->at, word, n) == 0;
    r->at += found ? n : 0;
    return found;
}

/* One character, escaped as it must be. */
static char read_character(struct reader *r)
{
    static const struct {
        const char *reference;
        char c;
    } table[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (take(r, table[i].reference)) {
            return table[i].c;
        }
    }
    FUZZ_CHECK(!strchr("&<>\"'", *r->at));
    return *r->at++;
}

static void read_attributes(struct reader *r, const char *const *allowed)
{
    while (!take(r, ">")) {
        FUZZ_CHECK(take(r, " "));
        size_t n = strcspn(r->at, "=");
        size_t i = 0;
        while (allowed[i] && (strlen(allowed[i]) != n || strncmp(allowed[i], r->at, n) != 0)) {
            i++;
        }
        FUZZ_CHECK(allowed[i]);
        bool href = strcmp(allowed[i], "href") == 0;
        r->at += n;
        FUZZ_CHECK(take(r, "=\""));
        FUZZ_CHECK(!href || strncasecmp(r->at, "http://", 7) == 0 || strncasecmp(r->at, "https://", 8) == 0);
        while (!take(r, "\"")) {
            char c = read_character(r);
            FUZZ_CHECK(c != '\0' && c != '\n');
            FUZZ_CHECK(!href || (unsigned char)c > ' ');
        }
    }
}

static void open_element(struct reader *r, const char *name)
{
    FUZZ_CHECK(r->depth < DEEPEST);
    FUZZ_CHECK((r->depth == 0) == (strcmp(name, "p") == 0));
    for (size_t i = 0; i < r->depth; i++) {
        FUZZ_CHECK(strcmp(name, "a") != 0 || strcmp(r->open[i], "a") != 0);
    }
    r->open[r->depth++] = name;
}

static void read_tag(struct reader *r)
{
    static const char *const link[] = {"href", "class", "rel", "target", NULL};
    static const char *const span[] = {"class", NULL};
    static const char *const closing[][2] = {{"</a>", "a"}, {"</span>", "span"}, {"</p>", "p"}};
    if (take(r, "<br />")) {
        buffer_char(&r->text, '\n');
    } else if (take(r, "<p>")) {
        buffer_text(&r->text, r->text.length ? "\n\n" : "");
        open_element(r, "p");
    } else if (take(r, "<a")) {
        open_element(r, "a");
        read_attributes(r, link);
    } else if (take(r, "<span")) {
        open_element(r, "span");
        read_attributes(r, span);
    } else {
        size_t i = 0;
        while (i < 3 && !take(r, closing[i][0])) {
            i++;
        }
        FUZZ_CHECK(i < 3);
        FUZZ_CHECK(r->depth > 0 && strcmp(r->open[--r->depth], closing[i][1]) == 0);
    }
}

/* Line breaks at the ends are gone, more than two of them are two. */
static const char *expected(struct arena *a, const char *data, size_t size)
{
    struct buffer b = buffer_make(a);
    size_t newlines = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\n') {
            newlines++;
            continue;
        }
        if (b.length > 0 && newlines > 0) {
            buffer_text(&b, newlines == 1 ? "\n" : "\n\n");
        }
        newlines = 0;
        buffer_char(&b, data[i]);
    }
    return buffer_string(&b);
}

void fuzz_content(const char *data, size_t size)
{
    static const struct content_mention mentions[] = {{"alice", "alice", 1}, {"Bob_1", "bob_1", 2}};
    struct arena *a = fuzz_arena();
    struct buffer html = buffer_make(a);
    if (memchr(data, '\0', size)) {
        return; /* no post holds one */
    }
    char *exact = malloc(size + 1); /* so that a read behind the end is seen */
    FUZZ_CHECK(exact != NULL);
    memcpy(exact, data, size);
    content_html(&html, exact, size, ORIGIN, mentions, 2);
    free(exact);

    struct reader r = {.at = buffer_string(&html), .text = buffer_make(a)};
    while (*r.at) {
        if (*r.at == '<') {
            read_tag(&r);
        } else {
            FUZZ_CHECK(r.depth > 0);
            buffer_char(&r.text, read_character(&r));
        }
    }
    FUZZ_CHECK(r.depth == 0);
    FUZZ_CHECK(strlen(buffer_string(&html)) == html.length);
    /* A mention is shown as its owner writes it. */
    FUZZ_CHECK(strcasecmp(buffer_string(&r.text), expected(a, data, size)) == 0);
}
