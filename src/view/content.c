/* content.c - see content.h; the forms are those of Mastodon's TextFormatter.
 *
 * The text goes through the scanner once. Text between two entities is escaped and its line breaks become markup; an
 * entity becomes an element around escaped text. So no byte that a user typed reaches the output unescaped.
 */
#include "view/content.h"

#include <stdbool.h>
#include <string.h>

#include "base/buffer.h"
#include "base/entity_scan.h"
#include "base/text.h"

#define SHOWN_CHARACTERS 30 /* of a link, without "https://www." */

struct writer {
    struct buffer *out;
    const char *origin;
    const char *rel; /* of links */
    const struct content_mention *mentions;
    size_t count;
};

/* Text between entities: escaped, a line break is <br />, an empty line begins a paragraph. */
static void write_text(struct buffer *out, const char *text, size_t length)
{
    size_t i = 0;
    while (i < length) {
        const char *newline = memchr(text + i, '\n', length - i);
        size_t stop = newline ? (size_t)(newline - text) : length;
        buffer_html(out, text + i, stop - i);
        i = stop;
        while (i < length && text[i] == '\n') {
            i++;
        }
        if (i > stop) {
            buffer_text(out, i - stop == 1 ? "<br />" : "</p><p>");
        }
    }
}

static size_t prefix_length(const char *link, size_t length)
{
    const char *slashes = memchr(link, '/', length);
    size_t n = (size_t)(slashes - link) + 2;
    return length - n > 4 && memcmp(link + n, "www.", 4) == 0 ? n + 4 : n;
}

/* Bytes of the first `characters` code points. */
static size_t cut(const char *text, size_t length, size_t characters)
{
    size_t i = 0;
    while (i < length && characters-- > 0) {
        do {
            i++;
        } while (i < length && ((unsigned char)text[i] & 0xC0) == 0x80);
    }
    return i;
}

/* The whole address is in the text, so that copying it works; style sheets hide its beginning and its end. */
static void write_link(const struct writer *w, const char *link, size_t length)
{
    struct buffer *out = w->out;
    size_t prefix = prefix_length(link, length);
    size_t shown = cut(link + prefix, length - prefix, SHOWN_CHARACTERS);
    bool whole = prefix + shown == length;
    buffer_text(out, "<a href=\"");
    buffer_html(out, link, length);
    buffer_text(out, "\" target=\"_blank\" rel=\"");
    buffer_text(out, w->rel);
    buffer_text(out, "\"><span class=\"invisible\">");
    buffer_html(out, link, prefix);
    buffer_text(out, whole ? "</span><span class=\"\">" : "</span><span class=\"ellipsis\">");
    buffer_html(out, link + prefix, shown);
    buffer_text(out, "</span><span class=\"invisible\">");
    buffer_html(out, link + prefix + shown, length - prefix - shown);
    buffer_text(out, "</span></a>");
}

void content_path(struct buffer *out, const char *text, size_t length)
{
    static const char hex[] = "0123456789ABCDEF";
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        char coded[3] = {'%', hex[c >> 4], hex[c & 15]};
        if (text_is_word(c)) {
            buffer_char(out, (char)c);
        } else {
            buffer_add(out, coded, sizeof(coded));
        }
    }
}

static void write_tag(const struct writer *w, const struct entity *e)
{
    struct buffer *out = w->out;
    size_t sign = e->length - e->name_length; /* it may be the full-width one */
    char small[256];
    const char *target = e->name;
    if (e->name_length < sizeof(small)) { /* a longer tag finds its page too: the page folds the name */
        target = entity_scan_fold(e->name, e->name_length, small);
    }
    buffer_text(out, "<a href=\"");
    buffer_html(out, w->origin, strlen(w->origin));
    buffer_text(out, "/tags/");
    content_path(out, target, e->name_length);
    buffer_text(out, "\" class=\"mention hashtag\" rel=\"tag\">");
    buffer_add(out, e->name - sign, sign);
    buffer_text(out, "<span>");
    buffer_html(out, e->name, e->name_length);
    buffer_text(out, "</span></a>");
}

static bool mention_is_name(const char *folded, const char *typed, size_t length)
{
    char small[64]; /* longer names than this do not exist */
    return length < sizeof(small) && strcmp(folded, entity_scan_fold(typed, length, small)) == 0;
}

static const struct content_mention *find_mention(const struct writer *w, const struct entity *e)
{
    for (size_t i = 0; i < w->count; i++) {
        if (mention_is_name(w->mentions[i].folded, e->name, e->name_length)) {
            return &w->mentions[i];
        }
    }
    return NULL;
}

static void write_user(const struct writer *w, const char *name, size_t length)
{
    struct buffer *out = w->out;
    buffer_text(out, "<span class=\"h-card\"><a href=\"");
    buffer_html(out, w->origin, strlen(w->origin));
    buffer_text(out, "/@");
    buffer_html(out, name, length);
    buffer_text(out, "\" class=\"u-url mention\">@<span>");
    buffer_html(out, name, length);
    buffer_text(out, "</span></a></span>");
}

/* The name is shown as its owner writes it. False if there is no such user. */
static bool write_mention(const struct writer *w, const struct entity *e)
{
    if (w->count == CONTENT_ANYBODY) {
        write_user(w, e->name, e->name_length);
        return true;
    }
    const struct content_mention *m = find_mention(w, e);
    if (m) {
        write_user(w, m->name, strlen(m->name));
    }
    return m != NULL;
}

static bool write_entity(const struct writer *w, const struct entity *e)
{
    switch (e->kind) {
    case ENTITY_LINK:
        write_link(w, e->name, e->name_length);
        return true;
    case ENTITY_TAG:
        write_tag(w, e);
        return true;
    default:
        return write_mention(w, e);
    }
}

static void write_all(const struct writer *w, const char *text, size_t length)
{
    struct entity_scan scan = entity_scan_start(text, length);
    struct entity e;
    size_t done = 0;
    while (entity_scan_next(&scan, &e)) {
        write_text(w->out, text + done, e.offset - done);
        done = e.offset;
        if (write_entity(w, &e)) {
            done += e.length;
        }
    }
    write_text(w->out, text + done, length - done);
}

void content_html(struct buffer *out, const char *text, size_t length, const char *origin,
                  const struct content_mention *mentions, size_t count)
{
    while (length > 0 && text[length - 1] == '\n') {
        length--;
    }
    while (length > 0 && text[0] == '\n') {
        text++;
        length--;
    }
    if (length == 0) {
        return;
    }
    const struct writer w = {out, origin, "nofollow noopener noreferrer", mentions, count};
    buffer_text(out, "<p>");
    write_all(&w, text, length);
    buffer_text(out, "</p>");
}

void content_html_line(struct buffer *out, const char *text, const char *origin)
{
    const struct writer w = {out, origin, "me nofollow noopener", NULL, CONTENT_ANYBODY};
    write_all(&w, text, strlen(text));
}
