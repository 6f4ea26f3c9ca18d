/* keyword.c - see keyword.h. */
#include "base/keyword.h"

#include <string.h>

#include "base/arena.h"
#include "base/entity_scan.h"
#include "base/text.h"

#define WIDE_FIRST 0xFF01u /* the full-width forms of '!' to '~' */
#define WIDE_LAST 0xFF5Eu
#define WIDE_BLANK 0x3000u

static char folded_ascii(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c == '\n' || c == '\t' ? ' ' : c;
}

/* One sign that is not ASCII; returns its bytes. *n: bytes written. */
static size_t fold_sign(const char *text, size_t left, char *out, size_t *n)
{
    uint32_t c = 0;
    size_t size = text_decode(text, left, &c);
    if (c >= WIDE_FIRST && c <= WIDE_LAST) {
        out[(*n)++] = folded_ascii((char)(c - WIDE_FIRST + '!'));
    } else if (c == WIDE_BLANK) {
        out[(*n)++] = ' ';
    } else {
        size = size ? size : 1;
        entity_scan_fold(text, size, out + *n);
        *n += size;
    }
    return size;
}

/* Most texts are ASCII for the most part, and this is done with every post of a page. */
static size_t fold_into(const char *text, size_t length, char *out)
{
    size_t n = 0;
    for (size_t i = 0; i < length;) {
        if ((unsigned char)text[i] < 0x80) {
            out[n++] = folded_ascii(text[i++]);
        } else {
            i += fold_sign(text + i, length - i, out, &n);
        }
    }
    out[n] = '\0';
    return n;
}

char *keyword_fold(struct arena *a, const char *text)
{
    size_t length = strlen(text);
    char *out = arena_alloc(a, length + 1);
    fold_into(text, length, out);
    return out;
}

static unsigned pair_of(const char *at)
{
    return ((unsigned char)at[0] * 31u + (unsigned char)at[1] * 7u) % 1024;
}

struct keyword_text keyword_text_of(struct arena *a, const char *text)
{
    size_t length = strlen(text);
    char *folded = arena_alloc(a, length + 1);
    struct keyword_text out = {.folded = folded, .length = fold_into(text, length, folded)};
    for (size_t i = 0; i + 1 < out.length; i++) {
        unsigned pair = pair_of(out.folded + i);
        out.pairs[pair / 64] |= UINT64_C(1) << pair % 64;
    }
    return out;
}

static bool has_pair(const struct keyword_text *t, const char *at)
{
    unsigned pair = pair_of(at);
    return t->pairs[pair / 64] >> pair % 64 & 1;
}

/* A letter or digit beside which a word goes on. */
static bool joins_word(uint32_t c)
{
    if (c < 0x80) {
        return text_is_word((unsigned char)c);
    }
    bool has_no_gaps = (c >= 0x0E00 && c < 0x0F00) || (c >= 0x1000 && c < 0x10A0) || (c >= 0x1780 && c < 0x1800);
    return c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7 && !has_no_gaps;
}

static bool joins_after(const char *at)
{
    uint32_t c = 0;
    return text_decode(at, strlen(at), &c) && joins_word(c);
}

static bool joins_before(const char *text, const char *at)
{
    const char *begin = at;
    while (begin > text && at - begin < 4) {
        begin--;
        if (((unsigned char)*begin & 0xC0) != 0x80) {
            break;
        }
    }
    uint32_t c = 0;
    return begin < at && text_decode(begin, (size_t)(at - begin), &c) && joins_word(c);
}

bool keyword_is_in(const struct keyword_text *text, const char *folded, bool whole_word)
{
    size_t length = strlen(folded);
    if (!length || length > text->length || (length > 1 && !has_pair(text, folded)) ||
        (length > 2 && !has_pair(text, folded + length - 2))) {
        return false;
    }
    bool begins_word = whole_word && joins_after(folded),
         ends_word = whole_word && joins_before(folded, folded + length);
    for (const char *at = text->folded; (at = strstr(at, folded)); at++) {
        bool goes_on = (begins_word && joins_before(text->folded, at)) || (ends_word && joins_after(at + length));
        if (!goes_on) {
            return true;
        }
    }
    return false;
}
